// Where gradients gather while several threads work: weights apart per tile group, streams apart
// per term group, and summed in a fixed order at the end.
#pragma once
#include "vertex.h"

namespace argnp {

// Weights of all slots, packed for this call.
class PackedWeights {
 public:
  PackedWeights(const Problem& p, const Plan& plan, const Linears& layers)
      : size_(layers.packed_size), data_(Scratch::mine().take(size_ * plan.slots)) {
    const int threads = static_cast<int>(std::max<int64_t>(1, p.threads));
    in_parallel(p.threads, threads, [&](int i) {
      for (const Term& term : plan.terms)
        if (term.row >= 0 && term.slot % threads == i)
          layers.pack(p.bank + term.row * layers.bank_size, data_ + term.slot * size_);
    });
  }
  const float* of(const Term& term) const { return data_ + term.slot * size_; }

 private:
  size_t size_;
  float* data_;
};

class WeightGradients {
 public:
  WeightGradients(const Problem& p, const Plan& plan, const Linears& layers)
      : size_(layers.gradient_size), slots_(plan.slots), groups_(plan.tile_groups.size()) {
    if (p.bank_grad) data_ = Scratch::mine().zeros(size_ * slots_ * groups_);
  }
  float* of(size_t tile_group, const Term& term) const {
    return data_ ? data_ + (tile_group * slots_ + term.slot) * size_ : nullptr;
  }
  void deliver(const Problem& p, const Plan& plan, const Linears& layers) const {
    if (!data_) return;
    const int threads = static_cast<int>(std::max<int64_t>(1, p.threads));
    in_parallel(p.threads, threads, [&](int i) {
      for (const Term& term : plan.terms)
        if (term.row >= 0 && term.slot % threads == i)
          for (size_t g = 0; g < groups_; g++)
            layers.unpack_gradient(of(g, term), p.bank_grad + term.row * layers.bank_size);
    });
  }

 private:
  size_t size_, slots_, groups_;
  float* data_ = nullptr;
};

// Gradients of the streams of one space, (sources, count, d), tight.
class StreamGradients {
 public:
  StreamGradients(float* const* to, int64_t sources, int64_t count, int d, size_t term_groups)
      : to_(to), sources_(sources), size_(count * d), d_(d), groups_(term_groups) {
    if (to && groups_ > 1) apart_ = Scratch::mine().zeros(groups_ * sources_ * size_);
  }
  bool wanted(int source) const { return to_ && to_[source]; }

  // Adds padded rows from `row0` on.
  void add(size_t term_group, int source, int64_t row0, int rows, const float* from,
           size_t stride) const {
    float* to = (apart_ ? apart_ + (term_group * sources_ + source) * size_ : to_[source]) +
                row0 * d_;
    for (int r = 0; r < rows; r++, to += d_, from += stride)
      for (int c = 0; c < d_; c++) to[c] += from[c];
  }
  void deliver() const {
    if (!apart_) return;
    for (int s = 0; s < sources_; s++)
      for (size_t g = 0; wanted(s) && g < groups_; g++)
        for (size_t i = 0; i < size_; i++) to_[s][i] += apart_[(g * sources_ + s) * size_ + i];
  }

 private:
  float* const* to_;
  int64_t sources_;
  size_t size_;
  int d_;
  size_t groups_;
  float* apart_ = nullptr;
};

// Adds coef * g of the skips of `source` among `terms` to padded rows; g padded likewise.
inline void add_skips(const Problem& p, const Rows& rows, const std::vector<Term>& terms,
                      int source, const float* g, size_t g_stride, int count, float* to,
                      size_t stride) {
  Scratch::Mark mark;
  float* coef = Scratch::mine().take(rows.width);
  for (const Term& term : terms) {
    if (term.row >= 0 || term.source != source) continue;
    widen(p.coef + static_cast<size_t>(term.index) * rows.d, 1, rows.d, rows.width, coef, 0);
    each(rows.width, [&](auto L, int c) {
      for (int r = 0; r < count; r++) {
        float* at = to + r * stride + c;
        store<L>(at, load<L>(at) + load<L>(coef + c) * load<L>(g + r * g_stride + c));
      }
    });
  }
}

}  // namespace argnp
