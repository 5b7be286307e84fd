// Small matrix products. Everything heavy in a vertex is one of two: rows times a weight
// matrix, or the outer-product sum that gives a weight's gradient; both are the same block of
// accumulators in registers, fed by broadcasts of one operand and vectors of the other.
#pragma once
#include "vec.h"

namespace argnp {

// What happens to a block on its way out of the registers.
struct Epilogue {
  const float* bias = nullptr;  // added to every row
  bool accumulate = false;      // add to what is there
  bool leaky = false;           // LeakyReLU
  const float* sign = nullptr;  // multiply by the slope of LeakyReLU at these values
  size_t sign_stride = 0;
};

// The operand that is broadcast: element (row, k) stands at p[row * row_stride + k * k_stride].
struct Broadcast {
  const float* p;
  size_t row_stride, k_stride;
};

// Registers: a block of rows x vectors of accumulators, one vector set of weights, a broadcast.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int PANEL = 4;  // vectors in a block, of 32 registers
constexpr int block_rows(int vectors) { return vectors == 4 ? 6 : vectors == 3 ? 8 : 12; }
#else
constexpr int PANEL = 3;  // of 16 registers
constexpr int block_rows(int vectors) { return vectors == 3 ? 4 : vectors == 2 ? 6 : 10; }
#endif

// R rows of V whole vectors, and half a one where HALF: Y = X W (+ ...), W read at w_stride.
template <int V, bool HALF, int R>
INLINE void block(Broadcast X, const float* W, size_t w_stride, int K, float* Y, size_t y_stride,
                  const Epilogue& out) {
  constexpr int VS = V > 0 ? V : 1;
  vec<LANES> a[R][VS];
  vec<QUANTUM> h[R];
  UNROLL for (int r = 0; r < R; r++) {
    const float* start = out.accumulate ? Y + r * y_stride : out.bias;
    if (start) {
      UNROLL for (int v = 0; v < V; v++) a[r][v] = load<LANES>(start + v * LANES);
      if (HALF) h[r] = load<QUANTUM>(start + V * LANES);
    } else {
      UNROLL for (int v = 0; v < V; v++) a[r][v] = vec<LANES>{};
      if (HALF) h[r] = vec<QUANTUM>{};
    }
  }
  for (int k = 0; k < K; k++) {
    vec<LANES> w[VS];
    vec<QUANTUM> wh;
    UNROLL for (int v = 0; v < V; v++) w[v] = load<LANES>(W + v * LANES);
    if (HALF) wh = load<QUANTUM>(W + V * LANES);
    UNROLL for (int r = 0; r < R; r++) {
      const vec<LANES> x = splat<LANES>(X.p[r * X.row_stride]);
      UNROLL for (int v = 0; v < V; v++) a[r][v] += x * w[v];
      if (HALF) h[r] += reinterpret_cast<const vec<QUANTUM>&>(x) * wh;
    }
    X.p += X.k_stride;
    W += w_stride;
  }
  UNROLL for (int r = 0; r < R; r++) {
    float* y = Y + r * y_stride;
    const float* s = out.sign ? out.sign + r * out.sign_stride : nullptr;
    auto finish = [&](auto L, auto x, int c) {
      if (out.leaky) x = leaky(x);
      if (s) x = leaky_gradient(x, load<L>(s + c));
      store<L>(y + c, x);
    };
    UNROLL for (int v = 0; v < V; v++)
      finish(std::integral_constant<int, LANES>{}, a[r][v], v * LANES);
    if (HALF) finish(std::integral_constant<int, QUANTUM>{}, h[r], V * LANES);
  }
}

// One panel of at most PANEL vectors, all rows: big blocks, then small ones for what is left.
template <int V, bool HALF>
void panel(Broadcast X, int rows, const float* W, size_t w_stride, int K, float* Y,
           size_t y_stride, Epilogue out) {
  constexpr int R = block_rows(V + HALF);
  auto step = [&](auto count) {
    block<V, HALF, count>(X, W, w_stride, K, Y, y_stride, out);
    X.p += count * X.row_stride;
    Y += count * y_stride;
    if (out.sign) out.sign += count * out.sign_stride;
    rows -= count;
  };
  while (rows >= R) step(std::integral_constant<int, R>{});
  while (rows >= 3) step(std::integral_constant<int, 3>{});
  if (rows == 2) step(std::integral_constant<int, 2>{});
  if (rows == 1) step(std::integral_constant<int, 1>{});
}

// Columns of the panel that starts where `rest` columns (a multiple of QUANTUM) are left: even
// panels, whole vectors except in the last.
inline int panel_width(int rest) {
  const int panels = (rest + PANEL * LANES - 1) / (PANEL * LANES);
  const int even = padded((rest + panels - 1) / panels, LANES);
  return even < rest ? even : rest;
}

inline void any_panel(int width, Broadcast X, int rows, const float* W, size_t w_stride, int K,
                      float* Y, size_t y_stride, const Epilogue& out) {
  constexpr bool HALVES = LANES > QUANTUM;
  auto go = [&](auto v) {
    if (HALVES && width % LANES)
      panel<(v < PANEL ? v : 0), HALVES>(X, rows, W, w_stride, K, Y, y_stride, out);
    else if constexpr (v > 0)
      panel<v, false>(X, rows, W, w_stride, K, Y, y_stride, out);
  };
  switch (width / LANES) {
    case 0: return go(std::integral_constant<int, 0>{});
    case 1: return go(std::integral_constant<int, 1>{});
    case 2: return go(std::integral_constant<int, 2>{});
    case 3: return go(std::integral_constant<int, 3>{});
    default: return go(std::integral_constant<int, PANEL>{});
  }
}

// Calls body(first column, columns) for every panel of `width` columns.
template <class Body>
INLINE void each_panel(int width, Body&& body) {
  for (int c = 0, wide; c < width; c += wide) body(c, wide = panel_width(width - c));
}

// Floats of a packed weight matrix of K rows and `width` columns (a multiple of QUANTUM).
inline size_t packed_size(int K, int width) {
  size_t size = 0;
  each_panel(width, [&](int, int wide) { size += static_cast<size_t>(K) * padded(wide, LANES); });
  return size;
}

// Copies element (k, n) = W[k * k_stride + n * n_stride], n < columns, panel by panel, so that a
// panel is read in one aligned stream; columns up to `width` become 0.
inline void pack(const float* W, size_t k_stride, size_t n_stride, int K, int columns, int width,
                 float* to) {
  each_panel(width, [&](int c, int wide) {
    const int stride = padded(wide, LANES);
    for (int k = 0; k < K; k++, to += stride)
      for (int n = 0; n < stride; n++)
        to[n] = c + n < columns ? W[k * k_stride + (c + n) * n_stride] : 0.0f;
  });
}

// Y (rows, width) = X (rows, K) W + ..., W packed.
inline void multiply(const float* X, size_t x_stride, int rows, int K, const float* W, int width,
                     float* Y, size_t y_stride, const Epilogue& out) {
  each_panel(width, [&](int c, int wide) {
    const int stride = padded(wide, LANES);
    Epilogue here = out;
    if (here.bias) here.bias += c;
    if (here.sign) here.sign += c;
    any_panel(wide, {X, x_stride, 1}, rows, W, stride, K, Y + c, y_stride, here);
    W += static_cast<size_t>(K) * stride;
  });
}

// Gathers the gradient of a weight matrix (K, columns) and its bias:
// X^T D for X (rows, K), D (rows, columns), both with defined padding.
//   main: (K + 1, columns), the last row being the column sums of D
//   tail: (1 or 2, K): columns that would half fill one more vector; X is vectors for these
struct WeightGradient {
  int K, columns;

  // Columns left over by whole quanta, where they are so few that K pays better as the width.
  int tail() const {
    const int over = columns % QUANTUM;
    return over <= 2 && columns > QUANTUM ? over : 0;
  }
  size_t main_stride() const { return padded(columns, LANES); }
  size_t tail_stride() const { return padded(K, LANES); }
  size_t main_size() const { return (K + 1) * main_stride(); }
  size_t size() const { return main_size() + tail() * tail_stride(); }

  void add(const float* X, size_t x_stride, const float* D, size_t d_stride, int rows,
           float* to) const {
    const Epilogue accumulate{nullptr, true};
    const float one = 1.0f;
    const size_t stride = main_stride();
    const int width = padded(columns, QUANTUM), main = columns - tail();
    each_panel(tail() ? main : width, [&](int c, int wide) {
      any_panel(wide, {X, 1, x_stride}, K, D + c, d_stride, rows, to + c, stride, accumulate);
    });
    each_panel(width, [&](int c, int wide) {
      any_panel(wide, {&one, 0, 0}, 1, D + c, d_stride, rows, to + K * stride + c, stride,
                accumulate);
    });
    if (!tail()) return;
    each_panel(padded(K, QUANTUM), [&](int k, int wide) {
      any_panel(wide, {D + main, 1, d_stride}, tail(), X + k, x_stride, rows,
                to + main_size() + k, tail_stride(), accumulate);
    });
  }

  // Adds what was gathered to the tight weights and the bias behind them.
  void deliver(const float* from, float* to) const {
    const int main = columns - tail();
    const float* last = from + main_size();
    for (int k = 0; k < K; k++, from += main_stride(), to += columns) {
      for (int n = 0; n < main; n++) to[n] += from[n];
      for (int n = main; n < columns; n++) to[n] += last[(n - main) * tail_stride() + k];
    }
    for (int n = 0; n < columns; n++) to[n] += from[n];
  }
};

}  // namespace argnp
