// BatchNorm without affine part: weighted moments gathered while a block is still in cache,
// normalisation folded into the sum of a vertex's terms, and the gradient of a block.
#pragma once
#include "scratch.h"

namespace argnp {

// Count, mean and sum of squared deviations per channel, in double.
struct Moments {
  double* count;  // count, then `width` means, then `width` sums of squares
  int width;

  static size_t size(int width) { return 1 + 2 * static_cast<size_t>(width); }
  double* mean() const { return count + 1; }
  double* squares() const { return count + 1 + width; }

  void merge(double n, int channel, double other_mean, double other_squares) const {
    const double total = *count + n, delta = other_mean - mean()[channel];
    mean()[channel] += delta * n / total;
    squares()[channel] += other_squares + delta * delta * *count * n / total;
  }

  void merge(const Moments& other) const {
    if (*other.count == 0) return;
    for (int c = 0; c < width; c++) merge(*other.count, c, other.mean()[c], other.squares()[c]);
    *count += *other.count;
  }

  // Two passes over a block that is in cache: its mean, then the deviations from it. Blocks are
  // added up in float, so they are to be small.
  // `weights`: how often each row counts; null: once.
  void add(const float* y, size_t stride, int rows, const float* weights) const {
    float n = 0;
    for (int r = 0; r < rows; r++) n += weights ? weights[r] : 1.0f;
    if (n == 0) return;
    each(width, [&](auto L, int c) {
      const auto x = [&](int r) { return load<L>(y + r * stride + c); };
      const vec<L> sum =
          weights ? sum_rows<L>(rows, [&](int r) { return x(r) * weights[r]; })
                  : sum_rows<L>(rows, x);
      const vec<L> center = sum * (1.0f / n);
      const auto square = [&](int r) { return (x(r) - center) * (x(r) - center); };
      const vec<L> squares =
          weights ? sum_rows<L>(rows, [&](int r) { return square(r) * weights[r]; })
                  : sum_rows<L>(rows, square);
      for (int i = 0; i < L; i++) merge(n, c + i, center[i], squares[i]);
    });
    *count += n;
  }
};

// What normalises a channel, from its mean and sum of squared deviations over `total` rows; the
// running statistics follow.
inline void settle_channel(double mean, double squares, double total, float& settled_mean,
                           float& rstd, float& running_mean, float& running_var) {
  constexpr double MOMENTUM = 0.1;
  settled_mean = static_cast<float>(mean);
  rstd = static_cast<float>(1.0 / std::sqrt(squares / total + EPS));
  running_mean += MOMENTUM * (mean - running_mean);
  running_var += MOMENTUM * (squares / (total - 1) - running_var);
}

// What a term needs to take a gradient through its normalisation, all (width,), padded.
struct NormGradient {
  const float *mean, *rstd;
  const float* coef;
  const float* sum;        // of g over rows; null where running statistics normalised
  const float* sum_xhat;   // of g * xhat over rows
  float share;             // 1 / rows counted
};

// dy = coef rstd (g - w sum(g) / N - w xhat sum(g xhat) / N) for a block of rows, w being how
// often a row counts.
inline void norm_gradient(const NormGradient& in, const float* g, size_t g_stride, const float* y,
                          size_t y_stride, int rows, int width, const float* weights, float* dy,
                          size_t dy_stride) {
  // Per channel, dy = scale g - w (slope (y - mean) + offset): constants first, then the rows in
  // the order in which they lie.
  Scratch::Mark mark;
  Scratch& scratch = Scratch::mine();
  float *scale = scratch.take(width), *slope = scratch.take(width), *offset = scratch.take(width);
  each(width, [&](auto L, int c) {
    const vec<L> rstd = load<L>(in.rstd + c), s = load<L>(in.coef + c) * rstd;
    vec<L> a{}, b{};
    if (in.sum) {
      b = s * load<L>(in.sum_xhat + c) * in.share * rstd;
      a = s * load<L>(in.sum + c) * in.share;
    }
    store<L>(scale + c, s);
    store<L>(slope + c, b);
    store<L>(offset + c, a);
  });
  for (int r = 0; r < rows; r++) {
    const float weight = weights ? weights[r] : 1.0f;
    prefetch(y + (r + 8) * y_stride, width);
    each(width, [&](auto L, int c) {
      const vec<L> off = load<L>(y + r * y_stride + c) - load<L>(in.mean + c);
      const vec<L> drift = load<L>(slope + c) * off + load<L>(offset + c);
      store<L>(dy + r * dy_stride + c,
               load<L>(scale + c) * load<L>(g + r * g_stride + c) - weight * drift);
    });
  }
}

}  // namespace argnp
