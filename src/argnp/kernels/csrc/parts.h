// The last columns of a block, where they fill at most half a register: those of two or four rows
// share one, so that 50 columns cost as much as 52 would, not as much as 64.
#pragma once
#include "vec.h"

namespace argnp {

// Accumulators of the last columns of ROWS rows. N: lanes that are computed of each row; they are
// read and written QUANTUM at a time.
template <int N, int ROWS>
struct Part {
  vec<QUANTUM> sum{};

  static vec<QUANTUM> weights(const float* W) {
    if constexpr (N > 0) return load<QUANTUM>(W);
    return vec<QUANTUM>{};
  }
  void begin(const float* start, size_t) { sum = load<QUANTUM>(start); }
  // x: a broadcast of the row. Rows come in their order.
  INLINE void add(int, vec<LANES> x, vec<QUANTUM> w) {
    if constexpr (N > 0) sum += reinterpret_cast<const vec<QUANTUM>&>(x) * w;
  }
  vec<QUANTUM> row(int) const { return sum; }
};

#if defined(ARGNP_PARTS)

template <int... FROM, class T>
INLINE auto lanes(T a, T b) {
  return __builtin_shufflevector(a, b, FROM...);
}

INLINE vec<16> side_by_side(vec<8> a, vec<8> b) {
  return lanes<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(a, b);
}

// Takes the lanes from `first` on from b, `count` of them, the others from a.
INLINE vec<16> merge(vec<16> a, vec<16> b, int first, int count) {
  Lanes<16>::bits chosen;
  UNROLL for (int i = 0; i < 16; i++) chosen[i] = i >= first && i < first + count ? -1 : 0;
  return chosen ? b : a;
}

// Two rows in one register.
template <>
struct Part<8, 2> {
  vec<16> sum{}, mixed;

  static vec<16> weights(const float* W) {
    const vec<8> w = load<8>(W);
    return side_by_side(w, w);
  }
  void begin(const float* start, size_t stride) {
    sum = side_by_side(load<8>(start), load<8>(start + stride));
  }
  INLINE void add(int r, vec<16> x, vec<16> w) {
    mixed = r ? merge(mixed, x, 8, 8) : x;
    if (r == 1) sum += mixed * w;
  }
  vec<8> row(int r) const {
    return r ? lanes<8, 9, 10, 11, 12, 13, 14, 15>(sum, sum)
             : lanes<0, 1, 2, 3, 4, 5, 6, 7>(sum, sum);
  }
};

// Four rows in one register.
template <>
struct Part<4, 4> {
  vec<16> sum{}, mixed;

  static vec<16> weights(const float* W) {
    const vec<8> w = load<8>(W);
    return lanes<0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3>(w, w);
  }
  void begin(const float* start, size_t stride) {
    const auto both = [&](const float* p) {
      return lanes<0, 1, 2, 3, 8, 9, 10, 11>(load<8>(p), load<8>(p + stride));
    };
    sum = side_by_side(both(start), both(start + 2 * stride));
  }
  INLINE void add(int r, vec<16> x, vec<16> w) {
    mixed = r ? merge(mixed, x, 4 * r, 4) : x;
    if (r == 3) sum += mixed * w;
  }
  // Behind the four lanes stands 0, so that what is written is defined.
  vec<8> row(int r) const {
    const vec<16> zero{};
    switch (r) {
      case 0: return lanes<0, 1, 2, 3, 16, 17, 18, 19>(sum, zero);
      case 1: return lanes<4, 5, 6, 7, 16, 17, 18, 19>(sum, zero);
      case 2: return lanes<8, 9, 10, 11, 16, 17, 18, 19>(sum, zero);
      default: return lanes<12, 13, 14, 15, 16, 17, 18, 19>(sum, zero);
    }
  }
};

#endif

}  // namespace argnp
