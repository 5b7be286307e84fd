// The nearest points of every point of a cloud, by looking at all of them: for a few thousand
// points that is faster than a tree.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>

#include "plan.h"

namespace argnp {

// As fused_abi.py declares it.
struct Neighbours {
  int64_t clouds, points, dims, k, threads;
  const float* P;  // (clouds, points, dims)
  int32_t* found;  // (clouds, points, k), nearest first, itself left out; k < points
};

class NeighbourSearch {
 public:
  explicit NeighbourSearch(const Neighbours& p)
      : p_(p),
        wide_((p.points + LANES - 1) / LANES * LANES),
        classes_((2 * (p.k + 1) + LANES - 1) / LANES * LANES) {}

  bool run() const {
    const int64_t total = p_.clouds * p_.points;
    const int chunks = static_cast<int>(std::max<int64_t>(1, p_.threads));
    return in_parallel(p_.threads, chunks, [&](int chunk) {
      Scratch& scratch = Scratch::mine();
      float* axes = scratch.take(p_.dims * wide_);
      float* squares = scratch.take(wide_);
      float* least = scratch.take(classes_);
      std::vector<std::pair<double, int32_t>> near;
      int64_t loaded = -1;
      for (int64_t i = total * chunk / chunks; i < total * (chunk + 1) / chunks; i++) {
        const int64_t cloud = i / p_.points, self = i % p_.points;
        const float* P = p_.P + cloud * p_.points * p_.dims;
        if (cloud != loaded) load_axes(P, axes), loaded = cloud;
        measure(axes, self, squares, least);
        collect(P, self, squares, bound(least), near);
        std::partial_sort(near.begin(), near.begin() + p_.k, near.end());
        for (int64_t n = 0; n < p_.k; n++) p_.found[i * p_.k + n] = near[n].second;
      }
    });
  }

 private:
  void load_axes(const float* P, float* axes) const {
    for (int64_t a = 0; a < p_.dims; a++)
      for (int64_t i = 0; i < wide_; i++)
        axes[a * wide_ + i] = i < p_.points ? P[i * p_.dims + a] : 0.0f;
  }

  // Squared distances, and the least one of every class of points.
  void measure(const float* axes, int64_t self, float* squares, float* least) const {
    constexpr float FAR = std::numeric_limits<float>::infinity();
    std::fill(least, least + classes_, FAR);
    int64_t at = 0;
    for (int64_t j = 0; j < wide_; j += LANES) {
      vec<LANES> sum{};
      for (int64_t a = 0; a < p_.dims; a++) {
        const float* axis = axes + a * wide_;
        const vec<LANES> off = load<LANES>(axis + j) - splat<LANES>(axis[self]);
        sum += off * off;
      }
      if (j + LANES > p_.points)
        for (int64_t i = p_.points - j; i < LANES; i++) sum[i] = FAR;
      store<LANES>(squares + j, sum);
      store<LANES>(least + at, smaller(load<LANES>(least + at), sum));
      at = at + LANES < classes_ ? at + LANES : 0;
    }
  }

  // Not less than the distance of the k-th neighbour: that of k other points is not more. The
  // slack is for the rounding of squares in single precision.
  float bound(float* least) const {
    std::nth_element(least, least + p_.k, least + classes_);
    return least[p_.k] * (1 + 1e-5f);
  }

  // Points within the bound, with their distances in double precision; of one distance, points come
  // in the order of their numbers.
  void collect(const float* P, int64_t self, const float* squares, float bound,
               std::vector<std::pair<double, int32_t>>& near) const {
    near.clear();
    for (int64_t j = 0; j < p_.points; j++) {
      if (squares[j] > bound || j == self) continue;
      double square = 0;
      for (int64_t a = 0; a < p_.dims; a++) {
        const double off = double(P[j * p_.dims + a]) - double(P[self * p_.dims + a]);
        square += off * off;
      }
      near.emplace_back(square, static_cast<int32_t>(j));
    }
  }

  const Neighbours& p_;
  int64_t wide_, classes_;
};

}  // namespace argnp
