// Temporary memory of a thread: taken from the front, given back all at once, kept for the next
// call, so that the hot path neither allocates nor touches fresh pages.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "vec.h"

namespace argnp {

constexpr size_t HUGE_PAGE = size_t{1} << 21;

// Asks for large pages where the system grants them on request: what a vertex keeps is streamed
// through once per pass, and with small pages every 4 kB of it costs a walk through page tables.
inline void huge_pages(void* memory, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) & ~(HUGE_PAGE - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

class Scratch {
 public:
  static Scratch& mine() {
    static thread_local Scratch scratch;
    return scratch;
  }

  // `count` floats on a cache line of their own, valid until the Mark before it is destroyed.
  float* take(size_t count) {
    count = (count + 15) / 16 * 16;
    while (block_ < blocks_.size() && used_ + count > blocks_[block_].size) {
      block_++;
      used_ = 0;
    }
    if (block_ == blocks_.size()) {
      const size_t bytes = (count * sizeof(float) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
      void* memory = std::aligned_alloc(HUGE_PAGE, bytes);
      if (!memory) throw std::bad_alloc();
      huge_pages(memory, bytes);
      blocks_.push_back({{static_cast<float*>(memory), std::free}, bytes / sizeof(float)});
    }
    float* result = blocks_[block_].memory.get() + used_;
    used_ += count;
    return result;
  }

  float* zeros(size_t count) {
    float* result = take(count);
    std::memset(result, 0, count * sizeof(float));
    return result;
  }

  // Gives back, at the end of its scope, everything taken since it was made.
  class Mark {
   public:
    Mark() : scratch_(mine()), block_(scratch_.block_), used_(scratch_.used_) {}
    ~Mark() {
      scratch_.block_ = block_;
      scratch_.used_ = used_;
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    Scratch& scratch_;
    size_t block_, used_;
  };

 private:
  struct Block {
    std::unique_ptr<float[], decltype(&std::free)> memory;
    size_t size;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0;
};

// Rows are copied a vector at a time, which reads or writes a little of the next row; where that
// would leave the memory of the tight rows, at their end, a row is copied to the letter.
inline bool may_overrun(int rows_left, int d) {
  return static_cast<int64_t>(rows_left) * d >= padded(d, QUANTUM);
}

// Rows of d floats, laid tight, into rows of `stride` floats whose first `width` (a multiple of
// QUANTUM) are defined.
inline void widen(const float* from, int rows, int d, int width, float* to, size_t stride) {
  using Bits = Lanes<QUANTUM>::bits;
  const int whole = d / QUANTUM * QUANTUM;
  Bits mask{};
  for (int i = 0; i < d - whole; i++) mask[i] = -1;
  for (int r = 0; r < rows; r++, from += d, to += stride) {
    if (!may_overrun(rows - r, d)) {
      std::memcpy(to, from, d * sizeof(float));
      for (int c = d; c < width; c++) to[c] = 0.0f;
      continue;
    }
    each(whole, [&](auto L, int c) { store<L>(to + c, load<L>(from + c)); });
    int c = whole;
    if (c < d) {
      store<QUANTUM>(to + c, (vec<QUANTUM>)((Bits)load<QUANTUM>(from + c) & mask));
      c += QUANTUM;
    }
    for (; c < width; c += QUANTUM) store<QUANTUM>(to + c, vec<QUANTUM>{});
  }
}

// The way back: `from` has rows of at least d floats, padded to QUANTUM.
inline void tighten(const float* from, size_t stride, int rows, int d, float* to) {
  for (int r = 0; r < rows; r++, from += stride, to += d) {
    if (may_overrun(rows - r, d))
      each(padded(d, QUANTUM), [&](auto L, int c) { store<L>(to + c, load<L>(from + c)); });
    else
      std::memcpy(to, from, d * sizeof(float));
  }
}

}  // namespace argnp
