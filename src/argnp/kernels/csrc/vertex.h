// What both spaces share: the sum of a vertex's normalised terms, and the gradients of the
// coefficients. Rows are nodes or relations; width is padded, d is not.
#pragma once
#include "batchnorm.h"
#include "linears.h"
#include "plan.h"

namespace argnp {

struct Rows {
  int64_t count;
  int d, width;
  const float* weights;       // how often each row counts in BatchNorm; null: once
  double total;               // rows counted
  const float* const* skips;  // (sources,) the streams this space sums over
  float* const* skip_grads;

  bool batch_statistics(const Problem& p) const { return p.training && total >= 2; }
};

inline Rows node_rows(const Problem& p) {
  const int d = static_cast<int>(p.node_dim);
  return {p.nodes, d, padded(d, QUANTUM), nullptr, double(p.nodes), p.V, p.V_grad};
}

inline Rows relation_rows(const Problem& p) {
  const int d = static_cast<int>(p.edge_dim);
  double total = static_cast<double>(p.relations);
  if (p.multiplicity) {
    total = 0;
    for (int64_t r = 0; r < p.relations; r++) total += p.multiplicity[r];
  }
  return {p.relations, d, padded(d, QUANTUM), p.multiplicity, total, p.E, p.E_grad};
}

// Rows of [0, count) that chunk `i` of `chunks` owns.
struct Chunk {
  int64_t begin, end;
  Chunk(int64_t count, int i, int chunks)
      : begin(count * i / chunks), end(count * (i + 1) / chunks) {}
};

// mean and rstd of every slot, from the moments of all tile groups or from what is running, which
// batch statistics update.
inline void settle_norms(const Problem& p, const Rows& rows, const Plan& plan,
                         const std::vector<double>& moments) {
  const size_t size = Moments::size(rows.width);
  for (const Term& term : plan.terms) {
    if (term.row < 0) continue;
    float* mean = p.mean + static_cast<size_t>(term.slot) * rows.width;
    float* rstd = p.rstd + static_cast<size_t>(term.slot) * rows.width;
    float* running_mean = p.running_mean + static_cast<size_t>(term.row) * rows.d;
    float* running_var = p.running_var + static_cast<size_t>(term.row) * rows.d;
    std::fill(mean, mean + rows.width, 0.0f);
    std::fill(rstd, rstd + rows.width, 0.0f);
    if (!rows.batch_statistics(p)) {
      for (int c = 0; c < rows.d; c++) {
        mean[c] = running_mean[c];
        rstd[c] = static_cast<float>(1.0 / std::sqrt(double(running_var[c]) + EPS));
      }
      continue;
    }
    std::vector<double> sum(size, 0.0);
    const Moments all{sum.data(), rows.width};
    for (size_t g = 0; g < plan.tile_groups.size(); g++) {
      const double* part = moments.data() + (g * plan.slots + term.slot) * size;
      all.merge({const_cast<double*>(part), rows.width});
    }
    for (int c = 0; c < rows.d; c++)
      settle_channel(all.mean()[c], all.squares()[c], rows.total, mean[c], rstd[c],
                     running_mean[c], running_var[c]);
  }
}

// out = shift + sum over terms of coef (y - mean) rstd, or coef V for a skip.
inline bool sum_terms(const Problem& p, const Rows& rows, const Plan& plan) {
  const int chunks = static_cast<int>(std::max<int64_t>(1, p.threads));
  return in_parallel(p.threads, chunks, [&](int i) {
    const Chunk chunk(rows.count, i, chunks);
    Scratch::Mark mark;
    Scratch& scratch = Scratch::mine();
    constexpr int AT_ONCE = 32;
    const int width = rows.width;
    float* sum = scratch.take(static_cast<size_t>(AT_ONCE) * width);
    float* skip = scratch.take(static_cast<size_t>(AT_ONCE) * width);
    float* coef = scratch.take(width);
    float* shift = scratch.zeros(width);
    if (p.shift) widen(p.shift, 1, rows.d, width, shift, 0);
    for (int64_t r0 = chunk.begin; r0 < chunk.end; r0 += AT_ONCE) {
      const int n = static_cast<int>(std::min<int64_t>(AT_ONCE, chunk.end - r0));
      for (int r = 0; r < n; r++) std::memcpy(sum + r * width, shift, width * sizeof(float));
      for (const Term& term : plan.terms) {
        widen(p.coef + static_cast<size_t>(term.index) * rows.d, 1, rows.d, width, coef, 0);
        const float* x = skip;
        const float *mean = nullptr, *rstd = nullptr;
        if (term.row < 0) {
          widen(rows.skips[term.source] + r0 * rows.d, n, rows.d, width, skip, width);
        } else {
          x = p.y + (term.slot * rows.count + r0) * width;
          prefetch(x + rows.count * width, static_cast<size_t>(n) * width);  // the next term's
          mean = p.mean + static_cast<size_t>(term.slot) * width;
          rstd = p.rstd + static_cast<size_t>(term.slot) * width;
        }
        each(width, [&](auto L, int c) {
          vec<L> scale = load<L>(coef + c), center{};
          if (mean) scale *= load<L>(rstd + c), center = load<L>(mean + c);
          for (int r = 0; r < n; r++) {
            const size_t at = static_cast<size_t>(r) * width + c;
            store<L>(sum + at, load<L>(sum + at) + scale * (load<L>(x + at) - center));
          }
        });
      }
      tighten(sum, width, n, rows.d, p.out + r0 * rows.d);
    }
  });
}

// The sums over rows that gradients through BatchNorm need, padded: of g (width,), and of
// g xhat, or g V for a skip, (terms, width), which is the coefficients' gradient.
struct GradientSums {
  std::vector<float> g, g_xhat;
};

inline bool gradient_sums(const Problem& p, const Rows& rows, const Plan& plan,
                          GradientSums& sums) {
  const int chunks = static_cast<int>(std::max<int64_t>(1, p.threads)), width = rows.width;
  const size_t g_at = plan.terms.size() * width, size = g_at + width;
  std::vector<double> partial(size * chunks, 0.0);
  const bool done = in_parallel(p.threads, chunks, [&](int i) {
    const Chunk chunk(rows.count, i, chunks);
    Scratch& scratch = Scratch::mine();
    // Rows are added up in float for a while only.
    constexpr int AT_ONCE = 32, A_WHILE = 256;
    float* g = scratch.take(static_cast<size_t>(AT_ONCE) * width);
    float* skip = scratch.take(static_cast<size_t>(AT_ONCE) * width);
    float* some = scratch.zeros(size);
    double* all = partial.data() + size * i;
    const auto factor = [&](auto L, int r, int c) { return load<L>(g + r * width + c); };
    const auto add = [&](float* to, const float* x, const float* mean, int n) {
      each(width, [&](auto L, int c) {
        const vec<L> center = mean ? load<L>(mean + c) : vec<L>{};
        const vec<L> sum = sum_rows<L>(n, [&](int r) {
          return factor(L, r, c) * (load<L>(x + static_cast<size_t>(r) * width + c) - center);
        });
        store<L>(to + c, load<L>(to + c) + sum);
      });
    };
    int64_t since = chunk.begin;
    for (int64_t r0 = chunk.begin; r0 < chunk.end; r0 += AT_ONCE) {
      const int n = static_cast<int>(std::min<int64_t>(AT_ONCE, chunk.end - r0));
      widen(p.grad + r0 * rows.d, n, rows.d, width, g, width);
      each(width, [&](auto L, int c) {
        float* to = some + g_at + c;
        store<L>(to, load<L>(to) + sum_rows<L>(n, [&](int r) { return factor(L, r, c); }));
      });
      for (const Term& term : plan.terms) {
        float* to = some + static_cast<size_t>(term.index) * width;
        if (term.row < 0) {
          widen(rows.skips[term.source] + r0 * rows.d, n, rows.d, width, skip, width);
          add(to, skip, nullptr, n);
        } else {
          const float* x = p.y + (term.slot * rows.count + r0) * width;
          prefetch(x + rows.count * width, static_cast<size_t>(n) * width);  // the next term's
          add(to, x, p.mean + static_cast<size_t>(term.slot) * width, n);
        }
      }
      if (r0 + n - since < A_WHILE && r0 + n < chunk.end) continue;
      since = r0 + n;
      for (size_t at = 0; at < size; at++) all[at] += some[at];
      std::memset(some, 0, size * sizeof(float));
    }
  });
  std::vector<const Term*> by_index(plan.terms.size());
  for (const Term& term : plan.terms) by_index[term.index] = &term;
  sums.g.assign(width, 0.0f);
  sums.g_xhat.assign(g_at, 0.0f);
  for (size_t at = 0; at < size; at++) {
    double sum = 0;
    for (int i = 0; i < chunks; i++) sum += partial[size * i + at];
    if (at >= g_at) {
      const size_t c = at - g_at;
      sums.g[c] = static_cast<float>(sum);
      if (p.shift_grad && c < static_cast<size_t>(rows.d)) p.shift_grad[c] = sums.g[c];
      continue;
    }
    const Term& term = *by_index[at / width];
    const size_t c = at % width;
    if (term.row >= 0) sum *= p.rstd[term.slot * static_cast<size_t>(width) + c];
    sums.g_xhat[at] = static_cast<float>(sum);
    if (c < static_cast<size_t>(rows.d))
      p.coef_grad[term.index * static_cast<size_t>(rows.d) + c] = static_cast<float>(sum);
  }
  return done;
}

}  // namespace argnp
