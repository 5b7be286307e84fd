// What a relation operation mines from the two nodes of a relation, x = h(V_s, V_t), elementwise.
#pragma once
#include "vec.h"

namespace argnp {

enum RelationFunction { SUB, GAUSS, HAD, MAXIMUM, ADD, AVERAGE, DISTANCE };

// DISTANCE is SUB where relations are undirected: |a - b|.
inline int function_of(int operation, bool undirected) {
  return operation == SUB && undirected ? DISTANCE : operation;
}

template <int H, class V>
INLINE V relate(V a, V b) {
  if constexpr (H == SUB) return a - b;
  if constexpr (H == DISTANCE) return larger(a - b, b - a);
  if constexpr (H == HAD) return a * b;
  if constexpr (H == MAXIMUM) return larger(a, b);
  if constexpr (H == ADD) return a + b;
  if constexpr (H == AVERAGE) return (a + b) * 0.5f;
  if constexpr (H == GAUSS) {
    const V d = a - b;
    return exponential<sizeof(V) / sizeof(float)>(d * d * -0.5f);
  }
}

// From the gradient g of x to those of a and b. Ties of the maximum share it; |0| has slope 0.
template <int H, class V>
INLINE void relate_gradient(V g, V a, V b, V x, V& da, V& db) {
  const V zero{};
  if constexpr (H == SUB) da = g, db = -g;
  if constexpr (H == DISTANCE) {
    da = a > b ? g : (a < b ? -g : zero);
    db = -da;
  }
  if constexpr (H == HAD) da = g * b, db = g * a;
  if constexpr (H == MAXIMUM) {
    da = a > b ? g : (a < b ? zero : g * 0.5f);
    db = g - da;
  }
  if constexpr (H == ADD) da = db = g;
  if constexpr (H == AVERAGE) da = db = g * 0.5f;
  if constexpr (H == GAUSS) da = g * x * (b - a), db = -da;
}

// Relations of one tile, whose nodes begin with node0.
struct Block {
  const int32_t *source, *target;
  int32_t node0;
  int count;
};

// With what is fetched for them from the tile's nodes: its width, and how far rows are apart.
struct Ends : Block {
  int width;
  size_t stride;
};

template <int H>
void relate_block(const Ends& ends, const float* V, float* x) {
  for (int r = 0; r < ends.count; r++) {
    const float* a = V + (ends.source[r] - ends.node0) * ends.stride;
    const float* b = V + (ends.target[r] - ends.node0) * ends.stride;
    each(ends.width, [&](auto L, int c) {
      store<L>(x + r * ends.stride + c, relate<H>(load<L>(a + c), load<L>(b + c)));
    });
  }
}

// Adds to dV. A self-loop's two ends are one row: the second addition has to see the first.
template <int H>
void relate_block_gradient(const Ends& ends, const float* V, const float* x, const float* dx,
                           float* dV) {
  for (int r = 0; r < ends.count; r++) {
    const size_t s = (ends.source[r] - ends.node0) * ends.stride;
    const size_t t = (ends.target[r] - ends.node0) * ends.stride;
    each(ends.width, [&](auto L, int c) {
      const size_t at = r * ends.stride + c;
      vec<L> da, db;
      relate_gradient<H>(load<L>(dx + at), load<L>(V + s + c), load<L>(V + t + c),
                         load<L>(x + at), da, db);
      store<L>(dV + s + c, load<L>(dV + s + c) + da);
      store<L>(dV + t + c, load<L>(dV + t + c) + db);
    });
  }
}

// Calls body with the function as a compile-time constant.
template <class Body>
void with_function(int function, Body&& body) {
  switch (function) {
    case SUB: return body(std::integral_constant<int, SUB>{});
    case GAUSS: return body(std::integral_constant<int, GAUSS>{});
    case HAD: return body(std::integral_constant<int, HAD>{});
    case MAXIMUM: return body(std::integral_constant<int, MAXIMUM>{});
    case ADD: return body(std::integral_constant<int, ADD>{});
    case AVERAGE: return body(std::integral_constant<int, AVERAGE>{});
    default: return body(std::integral_constant<int, DISTANCE>{});
  }
}

}  // namespace argnp
