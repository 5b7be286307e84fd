// The end of a layer, Y = act(scale norm(X) + shift), block by block, and its way back.
#pragma once
#include <algorithm>

#include "batchnorm.h"
#include "plan.h"

namespace argnp {

// As fused_abi.py declares it.
struct NormAct {
  int64_t rows, width, threads, training;
  const float *X, *weights;     // (rows, width); (rows,), how often a row counts, or null: once
  const float *scale, *shift;   // (width,)
  float *running_mean, *running_var;
  float *mean, *rstd;           // (width,): what normalised, kept for backward
  float* Y;                     // (rows, width)
  const float* dY;              // (rows, width)
  float *dX, *dscale, *dshift;  // (rows, width), or null where not wanted; (width,)
};

class NormActor {
 public:
  explicit NormActor(const NormAct& p)
      : p_(p),
        d_(static_cast<int>(p.width)),
        width_(padded(d_, QUANTUM)),
        chunks_(static_cast<int>(std::max<int64_t>(1, p.threads))),
        total_(static_cast<double>(p.rows)) {
    if (!p.weights) return;
    total_ = 0;
    for (int64_t r = 0; r < p.rows; r++) total_ += p.weights[r];
  }

  bool forward() const {
    if (by_batch() && !settle()) return false;
    if (!by_batch())
      for (int c = 0; c < d_; c++) {
        p_.mean[c] = p_.running_mean[c];
        p_.rstd[c] = static_cast<float>(1.0 / std::sqrt(double(p_.running_var[c]) + EPS));
      }
    return each_chunk([&](int chunk) {
      const Channels channels(*this);
      float* x = Scratch::mine().take(static_cast<size_t>(ROWS) * width_);
      each_block(chunk, [&](int64_t r0, int n) {
        widen(p_.X + r0 * d_, n, d_, width_, x, width_);
        each(width_, [&](auto L, int c) {
          for (int r = 0; r < n; r++)
            store<L>(x + r * width_ + c, leaky(channels.before_act(L, x + r * width_, c)));
        });
        tighten(x, width_, n, d_, p_.Y + r0 * d_);
      });
    });
  }

  // g = dY act'(..); shift takes sum g, scale takes sum g xhat, X what `norm_gradient` says.
  bool backward() const {
    std::vector<double> sums(2 * static_cast<size_t>(width_) * chunks_, 0.0);
    const bool added = each_chunk([&](int chunk) {
      double* mine = sums.data() + 2 * static_cast<size_t>(width_) * chunk;
      each_gradient(chunk, [&](const Channels& channels, int64_t, int n, float* x, float* g) {
        each(width_, [&](auto L, int c) {
          const auto row = [&](int r) { return load<L>(g + r * width_ + c); };
          const vec<L> sum = sum_rows<L>(n, row);
          const vec<L> with_x = sum_rows<L>(n, [&](int r) {
            return row(r) * (load<L>(x + r * width_ + c) - load<L>(channels.mean + c));
          });
          for (int i = 0; i < L; i++) mine[c + i] += sum[i], mine[width_ + c + i] += with_x[i];
        });
      });
    });
    if (!added) return false;
    Scratch::Mark mark;
    Scratch& scratch = Scratch::mine();
    float *sum = scratch.zeros(width_), *sum_xhat = scratch.zeros(width_);
    for (int c = 0; c < d_; c++) {
      double g = 0, with_x = 0;
      for (int i = 0; i < chunks_; i++) {
        g += sums[2 * static_cast<size_t>(width_) * i + c];
        with_x += sums[2 * static_cast<size_t>(width_) * i + width_ + c];
      }
      p_.dshift[c] = sum[c] = static_cast<float>(g);
      p_.dscale[c] = sum_xhat[c] = static_cast<float>(with_x * p_.rstd[c]);
    }
    if (!p_.dX) return true;
    return each_chunk([&](int chunk) {
      each_gradient(chunk, [&](const Channels& channels, int64_t r0, int n, float* x, float* g) {
        const NormGradient norm{channels.mean,
                                channels.rstd,
                                channels.scale,
                                by_batch() ? sum : nullptr,
                                sum_xhat,
                                static_cast<float>(1 / total_)};
        norm_gradient(norm, g, width_, x, width_, n, width_,
                      p_.weights ? p_.weights + r0 : nullptr, g, width_);
        tighten(g, width_, n, d_, p_.dX + r0 * d_);
      });
    });
  }

 private:
  static constexpr int ROWS = 64;  // of a block: it stays in the nearest cache

  // What stands per channel, padded.
  struct Channels {
    explicit Channels(const NormActor& a) : Channels(a, Scratch::mine()) {}
    Channels(const NormActor& a, Scratch& s)
        : mean(put(a, a.p_.mean, s)),
          rstd(put(a, a.p_.rstd, s)),
          scale(put(a, a.p_.scale, s)),
          shift(put(a, a.p_.shift, s)) {}
    static float* put(const NormActor& a, const float* from, Scratch& scratch) {
      float* to = scratch.take(a.width_);
      widen(from, 1, a.d_, a.width_, to, 0);
      return to;
    }
    template <class L>
    INLINE vec<L::value> before_act(L, const float* x, int c) const {
      constexpr int N = L::value;
      const vec<N> xhat = (load<N>(x + c) - load<N>(mean + c)) * load<N>(rstd + c);
      return xhat * load<N>(scale + c) + load<N>(shift + c);
    }
    const float *mean, *rstd, *scale, *shift;
  };

  bool by_batch() const { return p_.training && total_ >= 2; }

  template <class Body>
  bool each_chunk(Body&& body) const {
    return in_parallel(p_.threads, chunks_, body);
  }

  template <class Body>
  void each_block(int chunk, Body&& body) const {
    const int64_t end = p_.rows * (chunk + 1) / chunks_;
    for (int64_t r0 = p_.rows * chunk / chunks_; r0 < end; r0 += ROWS)
      body(r0, static_cast<int>(std::min<int64_t>(ROWS, end - r0)));
  }

  // Calls body(channels, first row, rows, x, g), x and g = dY act' padded.
  template <class Body>
  void each_gradient(int chunk, Body&& body) const {
    const Channels channels(*this);
    Scratch& scratch = Scratch::mine();
    float* x = scratch.take(static_cast<size_t>(ROWS) * width_);
    float* g = scratch.take(static_cast<size_t>(ROWS) * width_);
    each_block(chunk, [&](int64_t r0, int n) {
      widen(p_.X + r0 * d_, n, d_, width_, x, width_);
      widen(p_.dY + r0 * d_, n, d_, width_, g, width_);
      each(width_, [&](auto L, int c) {
        for (int r = 0; r < n; r++) {
          float* at = g + r * width_ + c;
          store<L>(at, leaky_gradient(load<L>(at), channels.before_act(L, x + r * width_, c)));
        }
      });
      body(channels, r0, n, x, g);
    });
  }

  // mean and rstd of the batch; the running ones follow.
  bool settle() const {
    const size_t size = Moments::size(width_);
    std::vector<double> found(size * chunks_, 0.0);
    const bool done = each_chunk([&](int chunk) {
      const Moments moments{found.data() + size * chunk, width_};
      float* x = Scratch::mine().take(static_cast<size_t>(ROWS) * width_);
      each_block(chunk, [&](int64_t r0, int n) {
        widen(p_.X + r0 * d_, n, d_, width_, x, width_);
        moments.add(x, width_, n, p_.weights ? p_.weights + r0 : nullptr);
      });
    });
    const Moments all{found.data(), width_};
    for (int i = 1; i < chunks_; i++) all.merge({found.data() + size * i, width_});
    for (int c = 0; c < d_; c++)
      settle_channel(all.mean()[c], all.squares()[c], total_, p_.mean[c], p_.rstd[c],
                     p_.running_mean[c], p_.running_var[c]);
    return done;
  }

  const NormAct& p_;
  int d_, width_, chunks_;
  double total_;
};

}  // namespace argnp
