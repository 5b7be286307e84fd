// One row per graph from its rows: [sum or mean | maximum], and the way back.
#pragma once
#include <algorithm>

#include "plan.h"

namespace argnp {

// As fused_abi.py declares it.
struct ReadOut {
  int64_t graphs, width, threads, mean;  // mean: whether sums are divided by the rows' weights
  const float *X, *weights;              // (rows, width); (rows,), or null: 1 each
  const int32_t* ptr;                    // (graphs + 1,): a graph's rows
  float *Y, *ties;                       // (graphs, 2 width); (graphs, width): rows at the maximum
  const float* dY;                       // (graphs, 2 width)
  float* dX;                             // (rows, width)
};

class Reader {
 public:
  explicit Reader(const ReadOut& p)
      : p_(p),
        d_(static_cast<int>(p.width)),
        width_(padded(d_, QUANTUM)),
        chunks_(static_cast<int>(std::max<int64_t>(1, p.threads))) {}

  bool forward() const {
    return each_graph([&](int64_t g) {
      Scratch::Mark mark;
      Scratch& scratch = Scratch::mine();
      float* sum = scratch.zeros(width_);
      float *most = scratch.zeros(width_), *ties = scratch.zeros(width_);
      float* x = scratch.take(static_cast<size_t>(ROWS) * width_);
      for (int64_t r0 = p_.ptr[g]; r0 < p_.ptr[g + 1]; r0 += ROWS) {
        const int n = static_cast<int>(std::min<int64_t>(ROWS, p_.ptr[g + 1] - r0));
        widen(p_.X + r0 * d_, n, d_, width_, x, width_);
        if (r0 == p_.ptr[g]) std::memcpy(most, x, width_ * sizeof(float));
        each(width_, [&](auto L, int c) {
          vec<L> m = load<L>(most + c), count = load<L>(ties + c);
          const vec<L> one = splat<L>(1.0f), zero{};
          const auto row = [&](int r) { return load<L>(x + r * width_ + c); };
          for (int r = 0; r < n; r++) {
            const vec<L> v = row(r);
            count = v > m ? one : count + (v == m ? one : zero);
            m = larger(v, m);
          }
          store<L>(most + c, m);
          store<L>(ties + c, count);
          const auto weighed = [&](int r) { return row(r) * weight(r0 + r); };
          store<L>(sum + c, load<L>(sum + c) + sum_rows<L>(n, weighed));
        });
      }
      const float part = share(g);
      each(width_, [&](auto L, int c) { store<L>(sum + c, load<L>(sum + c) * part); });
      std::memcpy(p_.Y + 2 * g * d_, sum, d_ * sizeof(float));
      std::memcpy(p_.Y + (2 * g + 1) * d_, most, d_ * sizeof(float));
      std::memcpy(p_.ties + g * d_, ties, d_ * sizeof(float));
    });
  }

  // Equal largest rows share the maximum's gradient equally.
  bool backward() const {
    return each_graph([&](int64_t g) {
      Scratch::Mark mark;
      Scratch& scratch = Scratch::mine();
      float *of_sum = scratch.take(width_), *of_most = scratch.take(width_);
      float *most = scratch.take(width_), *ties = scratch.take(width_);
      float* x = scratch.take(static_cast<size_t>(ROWS) * width_);
      widen(p_.dY + 2 * g * d_, 1, d_, width_, of_sum, 0);
      widen(p_.dY + (2 * g + 1) * d_, 1, d_, width_, of_most, 0);
      widen(p_.Y + (2 * g + 1) * d_, 1, d_, width_, most, 0);
      widen(p_.ties + g * d_, 1, d_, width_, ties, 0);
      const float part = share(g);
      for (int64_t r0 = p_.ptr[g]; r0 < p_.ptr[g + 1]; r0 += ROWS) {
        const int n = static_cast<int>(std::min<int64_t>(ROWS, p_.ptr[g + 1] - r0));
        widen(p_.X + r0 * d_, n, d_, width_, x, width_);
        each(width_, [&](auto L, int c) {
          const vec<L> all = load<L>(of_sum + c) * part, m = load<L>(most + c), zero{};
          const vec<L> won = load<L>(of_most + c) / larger(load<L>(ties + c), splat<L>(1.0f));
          for (int r = 0; r < n; r++) {
            float* at = x + r * width_ + c;
            store<L>(at, all * weight(r0 + r) + (load<L>(at) == m ? won : zero));
          }
        });
        tighten(x, width_, n, d_, p_.dX + r0 * d_);
      }
    });
  }

 private:
  static constexpr int ROWS = 64;  // of a block: it stays in the nearest cache

  float weight(int64_t r) const { return p_.weights ? p_.weights[r] : 1.0f; }

  float share(int64_t g) const {
    if (!p_.mean) return 1.0f;
    double total = 0;
    for (int64_t r = p_.ptr[g]; r < p_.ptr[g + 1]; r++) total += weight(r);
    return static_cast<float>(1 / std::max(total, 1.0));
  }

  // Graphs are dealt out by their rows, as evenly as whole graphs allow.
  template <class Body>
  bool each_graph(Body&& body) const {
    return in_parallel(p_.threads, chunks_, [&](int chunk) {
      for (int64_t g = first(chunk); g < first(chunk + 1); g++) body(g);
    });
  }
  int64_t first(int chunk) const {
    if (chunk == chunks_) return p_.graphs;
    const int64_t row = static_cast<int64_t>(p_.ptr[p_.graphs]) * chunk / chunks_;
    return std::lower_bound(p_.ptr, p_.ptr + p_.graphs, row) - p_.ptr;
  }

  const ReadOut& p_;
  int d_, width_, chunks_;
};

}  // namespace argnp
