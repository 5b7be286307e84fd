// Vectors of floats: as wide as the machine's registers, written with the compilers' portable
// vector extension, so that the same source serves AVX-512, AVX2, NEON and whatever comes.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif
#define INLINE inline __attribute__((always_inline))

namespace argnp {

#if defined(__AVX512F__)
constexpr int LANES = 16;
#elif defined(__AVX__)
constexpr int LANES = 8;
#else
constexpr int LANES = 4;
#endif

// Whether a register may be shared by columns of several rows: where registers are very wide, and
// the compiler can move lanes about.
#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define ARGNP_PARTS
#endif
#endif
#if defined(ARGNP_PARTS)
constexpr bool PARTS = true;
#else
constexpr bool PARTS = false;
#endif

// Widths are padded to a multiple of this: half a register where registers can be shared.
constexpr int QUANTUM = PARTS ? LANES / 2 : LANES;

template <int N>
struct Lanes {
  typedef float type __attribute__((vector_size(N * 4)));
  typedef float loose __attribute__((vector_size(N * 4), aligned(4), may_alias));
  typedef int32_t bits __attribute__((vector_size(N * 4)));
};
template <int N>
using vec = typename Lanes<N>::type;

constexpr int padded(int width, int to) { return (width + to - 1) / to * to; }

template <int N>
INLINE vec<N> load(const float* p) {
  return *reinterpret_cast<const typename Lanes<N>::loose*>(p);
}
template <int N>
INLINE void store(float* p, vec<N> x) {
  *reinterpret_cast<typename Lanes<N>::loose*>(p) = x;
}
template <int N>
INLINE vec<N> splat(float x) {
  return x - vec<N>{};
}

// Calls body(lanes, c) for c = 0, LANES, .. while c < width, and once with half the lanes where
// width, a multiple of QUANTUM, leaves half a register. In the body: load<L>(p + c).
template <class Body>
INLINE void each(int width, Body&& body) {
  int c = 0;
  for (; c + LANES <= width; c += LANES) body(std::integral_constant<int, LANES>{}, c);
  if constexpr (LANES > QUANTUM)
    if (c < width) body(std::integral_constant<int, QUANTUM>{}, c);
}

// Sum of term(row) over rows, four sums side by side: one alone would wait for each addition.
template <int N, class Term>
INLINE vec<N> sum_rows(int rows, Term&& term) {
  vec<N> a{}, b{}, c{}, d{};
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    a += term(r);
    b += term(r + 1);
    c += term(r + 2);
    d += term(r + 3);
  }
  for (; r < rows; r++) a += term(r);
  return (a + b) + (c + d);
}

// Asks for memory that will be read soon: values kept from the forward pass are in no near cache.
INLINE void prefetch(const float* p, size_t count) {
  for (size_t i = 0; i < count; i += 16) __builtin_prefetch(p + i);
}

template <class V>
INLINE V larger(V a, V b) {
  return a > b ? a : b;
}
template <class V>
INLINE V smaller(V a, V b) {
  return a < b ? a : b;
}

constexpr float SLOPE = 0.2f;  // of LeakyReLU
constexpr float EPS = 1e-5f;   // of STD, GEM and BatchNorm

template <class V>
INLINE V leaky(V x) {
  return larger(x, x * SLOPE);
}
// d times the slope of LeakyReLU at x; the sign of LeakyReLU(x) serves as well as that of x.
template <class V>
INLINE V leaky_gradient(V d, V x) {
  return x > 0.0f ? d : d * SLOPE;
}

// e^x. 2^t with t = x log2(e) split into a whole and a fractional part; the whole part goes to
// the exponent bits. Clamped, so that it never leaves the normal numbers.
template <int N>
INLINE vec<N> exponential(vec<N> x) {
  constexpr float LOG2E = 1.44269504f, ROUND = 12582912.0f;  // 1.5 * 2^23: adding it rounds
  x = smaller(larger(x, splat<N>(-87.0f)), splat<N>(87.0f));
  const vec<N> rounded = x * LOG2E + ROUND;
  const vec<N> whole = rounded - ROUND;
  const vec<N> r = x * LOG2E - whole;
  vec<N> p = r * 1.3276524e-3f + 9.6755585e-3f;  // 2^r on [-1/2, 1/2], relative error 8e-8
  p = p * r + 5.5507133e-2f;
  p = p * r + 2.4022119e-1f;
  p = p * r + 6.9314697e-1f;
  p = p * r + 1.0000001f;
  using Bits = typename Lanes<N>::bits;
  return (vec<N>)((Bits)p + ((Bits)rounded << 23));
}

template <int N>
INLINE vec<N> sigmoid(vec<N> x) {
  return 1.0f / (1.0f + exponential<N>(-x));
}

template <int N>
INLINE vec<N> square_root(vec<N> x) {
  UNROLL for (int i = 0; i < N; i++) x[i] = __builtin_sqrtf(x[i]);
  return x;
}

// x^(1/3) for x > 0: a third of the exponent bits is a first guess within 4%; each of Halley's
// steps triples the digits.
template <int N>
INLINE vec<N> cube_root(vec<N> x) {
  using Bits = typename Lanes<N>::bits;
  const vec<N> third = __builtin_convertvector((Bits)x, vec<N>) * (1.0f / 3.0f);
  vec<N> y = (vec<N>)(__builtin_convertvector(third, Bits) + 709921077);
  for (int step = 0; step < 2; step++) {
    const vec<N> cube = y * y * y;
    y = y * (cube + 2.0f * x) / (2.0f * cube + x);
  }
  return y;
}

}  // namespace argnp
