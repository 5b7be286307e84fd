// The end of a cell, Y = sum over streams of act(X_i) W_i, and its ways back, block by block.
#pragma once
#include <algorithm>

#include "gemm.h"
#include "plan.h"

namespace argnp {

// As fused_abi.py declares it.
struct Gather {
  int64_t rows, streams, inputs, outputs, threads;
  const float* const* X;  // (streams,) of (rows, inputs)
  const float* W;         // (outputs, streams * inputs)
  float* Y;               // (rows, outputs)
  const float* dY;        // (rows, outputs)
  float* const* dX;       // (streams,) of (rows, inputs), or null where not wanted
  float* dW;              // (outputs, streams * inputs), or null
};

class Gatherer {
 public:
  explicit Gatherer(const Gather& g)
      : g_(g),
        K_(static_cast<int>(g.inputs)),
        N_(static_cast<int>(g.outputs)),
        wide_K_(padded(K_, QUANTUM)),
        wide_N_(padded(N_, QUANTUM)),
        chunks_(static_cast<int>(std::max<int64_t>(1, g.threads))) {}

  bool forward() const {
    const size_t size = packed_size(K_, N_);
    Scratch::Mark mark;
    float* weights = Scratch::mine().take(size * g_.streams);
    for (int i = 0; i < g_.streams; i++)
      pack(g_.W + i * K_, 1, total(), K_, N_, weights + i * size);
    return in_parallel(g_.threads, chunks_, [&](int chunk) {
      Scratch& scratch = Scratch::mine();
      float* active = scratch.take(static_cast<size_t>(ROWS) * wide_K_);
      float* sum = scratch.take(static_cast<size_t>(ROWS) * wide_N_);
      each_block(chunk, [&](int64_t r0, int n) {
        Epilogue out;
        for (int i = 0; i < g_.streams; i++) {
          activate(i, r0, n, active);
          multiply(active, wide_K_, n, K_, weights + i * size, N_, sum, wide_N_, out);
          out.accumulate = true;
        }
        tighten(sum, wide_N_, n, N_, g_.Y + r0 * N_);
      });
    });
  }

  bool backward() const {
    const size_t size = packed_size(N_, K_);
    const WeightGradient gradient{N_, K_};
    Scratch::Mark mark;
    Scratch& shared = Scratch::mine();
    float* weights = shared.take(size * g_.streams);
    for (int i = 0; i < g_.streams; i++)
      pack(g_.W + i * K_, total(), 1, N_, K_, weights + i * size);
    const size_t of_chunk = gradient.size() * g_.streams;
    float* found = g_.dW ? shared.zeros(of_chunk * chunks_) : nullptr;
    const bool done = in_parallel(g_.threads, chunks_, [&](int chunk) {
      Scratch& scratch = Scratch::mine();
      float* active = scratch.take(static_cast<size_t>(ROWS) * wide_K_);
      float* dX = scratch.take(static_cast<size_t>(ROWS) * wide_K_);
      float* dY = scratch.take(static_cast<size_t>(ROWS) * wide_N_);
      each_block(chunk, [&](int64_t r0, int n) {
        widen(g_.dY + r0 * N_, n, N_, wide_N_, dY, wide_N_);
        for (int i = 0; i < g_.streams; i++) {
          if (!g_.dX[i] && !found) continue;
          activate(i, r0, n, active);
          if (found)
            gradient.add(dY, wide_N_, active, wide_K_, n,
                         found + chunk * of_chunk + i * gradient.size());
          if (!g_.dX[i]) continue;
          Epilogue out;
          out.sign = active;
          out.sign_stride = wide_K_;
          multiply(dY, wide_N_, n, N_, weights + i * size, K_, dX, wide_K_, out);
          tighten(dX, wide_K_, n, K_, g_.dX[i] + r0 * K_);
        }
      });
    });
    if (found && done) deliver(gradient, found, of_chunk);
    return done;
  }

 private:
  static constexpr int ROWS = 96;  // of a block: all that it touches stays in the nearest caches

  int64_t total() const { return g_.streams * g_.inputs; }

  template <class Body>
  void each_block(int chunk, Body&& body) const {
    const int64_t end = g_.rows * (chunk + 1) / chunks_;
    for (int64_t r0 = g_.rows * chunk / chunks_; r0 < end; r0 += ROWS)
      body(r0, static_cast<int>(std::min<int64_t>(ROWS, end - r0)));
  }

  // act(X_i) of some rows, padded.
  void activate(int i, int64_t r0, int n, float* to) const {
    widen(g_.X[i] + r0 * K_, n, K_, wide_K_, to, wide_K_);
    for (float* end = to + static_cast<size_t>(n) * wide_K_; to < end; to += QUANTUM)
      store<QUANTUM>(to, leaky(load<QUANTUM>(to)));
  }

  // Sums what the chunks found, in their order.
  void deliver(const WeightGradient& gradient, const float* found, size_t of_chunk) const {
    Scratch::Mark mark;
    float* sum = Scratch::mine().take(static_cast<size_t>(N_ + 1) * K_);
    for (int i = 0; i < g_.streams; i++) {
      std::memset(sum, 0, static_cast<size_t>(N_ + 1) * K_ * sizeof(float));
      for (int chunk = 0; chunk < chunks_; chunk++)
        gradient.deliver(found + chunk * of_chunk + i * gradient.size(), sum);
      for (int n = 0; n < N_; n++)
        std::memcpy(g_.dW + n * total() + i * K_, sum + n * K_, K_ * sizeof(float));
    }
  }

  const Gather& g_;
  int K_, N_, wide_K_, wide_N_, chunks_;
};

}  // namespace argnp
