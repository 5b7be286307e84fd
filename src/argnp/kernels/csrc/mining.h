// The first layer of a relation operation's film, x1 = act(h(V_s, V_t) W + b), block by block.
//
// Where h is linear, so is h(V_s, V_t) W = h(V_s W, V_t W): then W meets every node once, not every
// relation, and what is fetched for a relation is as wide as x1, not as V.
#pragma once
#include "linears.h"
#include "relation_functions.h"

namespace argnp {

constexpr bool is_linear(int function) {
  return function == SUB || function == ADD || function == AVERAGE;
}

class Mining {
 public:
  // `nodes`, `block`: most nodes of a tile, most relations of a block.
  Mining(int function, const Layer& layer, int nodes, int block, Scratch& scratch)
      : function_(function),
        layer_(layer),
        in_(padded(layer.shape.inputs, LANES)),
        out_(layer.shape.stride()) {
    if (linear())
      at_nodes_ = scratch.take(nodes * out_);
    else
      x_ = scratch.take(block * in_);
  }

  void reserve_backward(int nodes, int block, Scratch& scratch) {
    if (linear())
      d_at_nodes_ = scratch.take(nodes * out_);
    else
      dx_ = scratch.take(block * in_);
  }

  // Before the blocks of a tile; V is the tile's, padded.
  void begin(const float* V, int nodes) const {
    if (linear()) layer_.products(V, in_, nodes, at_nodes_, out_);
    if (d_at_nodes_) std::memset(d_at_nodes_, 0, nodes * out_ * sizeof(float));
  }

  void forward(const Block& block, const float* V, float* x1) const {
    with_function(function_, [&](auto H) {
      if constexpr (is_linear(H)) {
        relate_block<H>(of_outputs(block), at_nodes_, x1);
      } else {
        relate_block<H>(of_inputs(block), V, x_);
      }
    });
    if (!linear()) return layer_.forward(x_, in_, block.count, x1, out_, true);
    for (int r = 0; r < block.count; r++)
      each(layer_.shape.wide(), [&](auto L, int c) {
        float* at = x1 + r * out_ + c;
        store<L>(at, leaky(load<L>(at) + load<L>(layer_.bias() + c)));
      });
  }

  // From the gradient of x1 before its activation to the weights' and, unless null, dV, added to.
  void backward(const Block& block, const float* V, const float* d1, float* dV) const {
    if (linear()) {
      layer_.bias_gradient(d1, out_, block.count);
      with_function(function_, [&](auto H) {
        relate_block_gradient<H>(of_outputs(block), at_nodes_, d1, d1, d_at_nodes_);
      });
      return;
    }
    layer_.weights(x_, in_, d1, out_, block.count);
    if (!dV) return;
    layer_.backward(d1, out_, block.count, dx_, in_);
    with_function(function_, [&](auto H) {
      relate_block_gradient<H>(of_inputs(block), V, x_, dx_, dV);
    });
  }

  // After the blocks of a tile.
  void end_backward(const float* V, int nodes, float* dV) const {
    if (!linear()) return;
    layer_.matrix_gradient(V, in_, d_at_nodes_, out_, nodes);
    if (dV) layer_.backward(d_at_nodes_, out_, nodes, dV, in_, true);
  }

 private:
  bool linear() const { return is_linear(function_); }
  Ends of_inputs(const Block& block) const {
    return {block, padded(layer_.shape.inputs, QUANTUM), in_};
  }
  Ends of_outputs(const Block& block) const { return {block, layer_.shape.wide(), out_}; }

  int function_;
  Layer layer_;
  size_t in_, out_;  // between rows: of V and x, of x1
  float *at_nodes_ = nullptr, *d_at_nodes_ = nullptr;  // V W of a tile, and its gradient
  float *x_ = nullptr, *dx_ = nullptr;
};

}  // namespace argnp
