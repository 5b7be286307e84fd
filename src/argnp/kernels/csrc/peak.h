// What the micro-kernels reach at best: products of small matrices that never leave the nearest
// cache. The roof of the roofline.
#pragma once
#include "gemm.h"
#include "plan.h"

namespace argnp {

// Each thread multiplies (96, 64) by (64, 64) so many times. Returns operations done, 0: no memory.
inline double multiply_in_cache(int64_t threads, int64_t times) {
  constexpr int ROWS = 96, WIDTH = 64;
  const int count = static_cast<int>(threads < 1 ? 1 : threads);
  const bool done = in_parallel(threads, count, [&](int) {
    Scratch& scratch = Scratch::mine();
    const float* X = scratch.zeros(ROWS * WIDTH);
    const float* W = scratch.zeros(packed_size(WIDTH, WIDTH));
    float* Y = scratch.zeros(ROWS * WIDTH);
    for (int64_t i = 0; i < times; i++) multiply(X, WIDTH, ROWS, WIDTH, W, WIDTH, Y, WIDTH, {});
  });
  return done ? 2.0 * ROWS * WIDTH * WIDTH * static_cast<double>(times) * count : 0.0;
}

}  // namespace argnp
