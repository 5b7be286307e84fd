// Small matrix products. Everything heavy in a vertex is one of two: rows times a weight
// matrix, or the outer-product sum that gives a weight's gradient; both are the same block of
// accumulators in registers, fed by broadcasts of one operand and vectors of the other.
#pragma once
#include "parts.h"

namespace argnp {

// What happens to a block on its way out of the registers.
struct Epilogue {
  const float* bias = nullptr;  // added to every row
  bool accumulate = false;      // add to what is there
  bool leaky = false;           // LeakyReLU
  const float* sign = nullptr;  // multiply by the slope of LeakyReLU at these values
  size_t sign_stride = 0;
};

enum Finish { AS_IS, LEAKY, SLOPE_AT_SIGN };

// The operand that is broadcast: element (row, k) stands at p[row * row_stride + k * k_stride].
struct Broadcast {
  const float* p;
  size_t row_stride, k_stride;
};

// Registers: a block of rows x vectors of accumulators, one vector set of weights, broadcasts.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int PANEL = 4;  // vectors in a block, of 32 registers
constexpr int block_rows(int vectors, int part) {
  if (vectors == 4 || (vectors == 3 && part == LANES / 2)) return 6;
  return vectors == 3 || (vectors == 2 && part) ? 8 : 12;
}
#else
constexpr int PANEL = 3;  // of 16 registers
constexpr int block_rows(int vectors, int) { return vectors == 3 ? 4 : vectors == 2 ? 6 : 10; }
#endif

// Columns of a panel: whole vectors, and lanes of one more that as many rows share as it has room
// for (0: none). What is left after whole vectors fills half a register, a quarter, or one alone.
struct Columns {
  int vectors, part;
};

constexpr Columns columns_of(int count) {
  const int rest = count % LANES;
  if (rest == 0 || !PARTS || rest > LANES / 2) return {(count + LANES - 1) / LANES, 0};
  return {count / LANES, rest > LANES / 4 ? LANES / 2 : LANES / 4};
}

// R rows of V whole vectors and PART lanes: Y = X W (+ ...), W read at w_stride.
template <int V, int PART, int FINISH, int R>
INLINE void block(Broadcast X, const float* W, size_t w_stride, int K, float* Y, size_t y_stride,
                  const Epilogue& out) {
  constexpr int SHARED = PART > 0 ? LANES / PART : 1;
  constexpr int TOGETHER = R % SHARED ? 1 : SHARED;  // rows whose parts share a register
  vec<LANES> a[R][V > 0 ? V : 1];
  Part<PART, TOGETHER> parts[R / TOGETHER];
  const float* start = out.accumulate ? Y : out.bias;
  const size_t start_stride = out.accumulate ? y_stride : 0;
  UNROLL for (int r = 0; r < R; r++)
    UNROLL for (int v = 0; v < V; v++)
      a[r][v] = start ? load<LANES>(start + r * start_stride + v * LANES) : vec<LANES>{};
  if (start && PART) {
    parts[0].begin(start + V * LANES, start_stride);
    UNROLL for (int g = 1; g < R / TOGETHER; g++) {
      parts[g] = parts[0];
      const float* here = start + g * TOGETHER * start_stride + V * LANES;
      if (out.accumulate) parts[g].begin(here, start_stride);
    }
  }
  for (int k = 0; k < K; k++) {
    vec<LANES> w[V > 0 ? V : 1];
    UNROLL for (int v = 0; v < V; v++) w[v] = load<LANES>(W + v * LANES);
    const auto rest = Part<PART, TOGETHER>::weights(W + V * LANES);
    UNROLL for (int r = 0; r < R; r++) {
      const vec<LANES> x = splat<LANES>(X.p[r * X.row_stride]);
      UNROLL for (int v = 0; v < V; v++) a[r][v] += x * w[v];
      parts[r / TOGETHER].add(r % TOGETHER, x, rest);
    }
    X.p += X.k_stride;
    W += w_stride;
  }
  UNROLL for (int r = 0; r < R; r++) {
    const auto put = [&](auto x, int c) {
      constexpr int N = sizeof(x) / sizeof(float);
      if constexpr (FINISH == LEAKY) x = leaky(x);
      if constexpr (FINISH == SLOPE_AT_SIGN)
        x = leaky_gradient(x, load<N>(out.sign + r * out.sign_stride + c));
      store<N>(Y + r * y_stride + c, x);
    };
    UNROLL for (int v = 0; v < V; v++) put(a[r][v], v * LANES);
    if constexpr (PART > 0) put(parts[r / TOGETHER].row(r % TOGETHER), V * LANES);
  }
}

// One panel of at most PANEL vectors, all rows: big blocks, then small ones for what is left.
template <int V, int PART, int FINISH>
void panel(Broadcast X, int rows, const float* W, size_t w_stride, int K, float* Y,
           size_t y_stride, Epilogue out) {
  constexpr int R = block_rows(V, PART);
  auto step = [&](auto count) {
    block<V, PART, FINISH, count>(X, W, w_stride, K, Y, y_stride, out);
    X.p += count * X.row_stride;
    Y += count * y_stride;
    if (out.sign) out.sign += count * out.sign_stride;
    rows -= count;
  };
  while (rows >= R) step(std::integral_constant<int, R>{});
  while (R > 4 && rows >= 4) step(std::integral_constant<int, 4>{});
  if (rows == 3) step(std::integral_constant<int, 3>{});
  if (rows == 2) step(std::integral_constant<int, 2>{});
  if (rows == 1) step(std::integral_constant<int, 1>{});
}

// Columns of the panel that starts where `rest` columns are left: even panels, whole vectors
// except in the last.
inline int panel_width(int rest) {
  const int panels = (rest + PANEL * LANES - 1) / (PANEL * LANES);
  const int even = padded((rest + panels - 1) / panels, LANES);
  return even < rest ? even : rest;
}

// W and Y have as many columns as padded to QUANTUM.
inline void any_panel(int count, Broadcast X, int rows, const float* W, size_t w_stride, int K,
                      float* Y, size_t y_stride, const Epilogue& out) {
  const Columns columns = columns_of(count);
  const auto finished = [&](auto v, auto part, auto finish) {
    panel<v, part, finish>(X, rows, W, w_stride, K, Y, y_stride, out);
  };
  const auto with_part = [&](auto v, auto part) {
    if (out.leaky) return finished(v, part, std::integral_constant<int, LEAKY>{});
    if (out.sign) return finished(v, part, std::integral_constant<int, SLOPE_AT_SIGN>{});
    finished(v, part, std::integral_constant<int, AS_IS>{});
  };
  const auto with_vectors = [&](auto v) {
    if constexpr (PARTS && v < PANEL) {
      if (columns.part == LANES / 2) return with_part(v, std::integral_constant<int, LANES / 2>{});
      if (columns.part) return with_part(v, std::integral_constant<int, LANES / 4>{});
    }
    if constexpr (v > 0) with_part(v, std::integral_constant<int, 0>{});
  };
  switch (columns.vectors) {
    case 0: return with_vectors(std::integral_constant<int, 0>{});
    case 1: return with_vectors(std::integral_constant<int, 1>{});
    case 2: return with_vectors(std::integral_constant<int, 2>{});
    case 3: return with_vectors(std::integral_constant<int, 3>{});
    default: return with_vectors(std::integral_constant<int, PANEL>{});
  }
}

// Calls body(first column, columns) for every panel of `width` columns.
template <class Body>
INLINE void each_panel(int width, Body&& body) {
  for (int c = 0, wide; c < width; c += wide) body(c, wide = panel_width(width - c));
}

// Floats of a packed weight matrix of K rows.
inline size_t packed_size(int K, int columns) {
  size_t size = 0;
  each_panel(columns, [&](int, int wide) { size += static_cast<size_t>(K) * padded(wide, LANES); });
  return size;
}

// Copies element (k, n) = W[k * k_stride + n * n_stride] panel by panel, so that a panel is read
// in one aligned stream, padded with 0.
inline void pack(const float* W, size_t k_stride, size_t n_stride, int K, int columns, float* to) {
  each_panel(columns, [&](int c, int wide) {
    const int stride = padded(wide, LANES);
    for (int k = 0; k < K; k++, to += stride)
      for (int n = 0; n < stride; n++)
        to[n] = n < wide ? W[k * k_stride + (c + n) * n_stride] : 0.0f;
  });
}

// Y (rows, columns, padded to QUANTUM with 0) = X (rows, K) W + ..., W packed.
inline void multiply(const float* X, size_t x_stride, int rows, int K, const float* W, int columns,
                     float* Y, size_t y_stride, const Epilogue& out) {
  each_panel(columns, [&](int c, int wide) {
    const int stride = padded(wide, LANES);
    Epilogue here = out;
    if (here.bias) here.bias += c;
    if (here.sign) here.sign += c;
    any_panel(wide, {X, x_stride, 1}, rows, W, stride, K, Y + c, y_stride, here);
    W += static_cast<size_t>(K) * stride;
  });
}

// Gathers the gradient of a weight matrix (K, columns) and its bias: (K + 1, columns), X^T D for
// X (rows, K), D (rows, columns), both padded to QUANTUM, and below it the column sums of D.
struct WeightGradient {
  int K, columns;

  size_t stride() const { return padded(columns, LANES); }
  size_t size() const { return (K + 1) * stride(); }

  void add(const float* X, size_t x_stride, const float* D, size_t d_stride, int rows,
           float* to) const {
    add_matrix(X, x_stride, D, d_stride, rows, to);
    add_bias(D, d_stride, rows, to);
  }

  void add_matrix(const float* X, size_t x_stride, const float* D, size_t d_stride, int rows,
                  float* to) const {
    // So few rows at a time that both operands stay in the nearest cache while every block of
    // accumulators goes through them.
    constexpr int AT_ONCE = 64;
    const Epilogue accumulate{nullptr, true};
    for (int r0 = 0; r0 < rows; r0 += AT_ONCE, X += AT_ONCE * x_stride, D += AT_ONCE * d_stride) {
      const int n = rows - r0 < AT_ONCE ? rows - r0 : AT_ONCE;
      each_panel(columns, [&](int c, int wide) {
        any_panel(wide, {X, 1, x_stride}, K, D + c, d_stride, n, to + c, stride(), accumulate);
      });
    }
  }

  void add_bias(const float* D, size_t d_stride, int rows, float* to) const {
    each(padded(columns, QUANTUM), [&](auto L, int c) {
      float* sums = to + K * stride() + c;
      const auto term = [&](int r) { return load<L>(D + r * d_stride + c); };
      store<L>(sums, load<L>(sums) + sum_rows<L>(rows, term));
    });
  }

  // Adds what was gathered to the tight weights and the bias behind them.
  void deliver(const float* from, float* to) const {
    for (int k = 0; k <= K; k++, from += stride(), to += columns)
      for (int n = 0; n < columns; n++) to[n] += from[n];
  }
};

}  // namespace argnp
