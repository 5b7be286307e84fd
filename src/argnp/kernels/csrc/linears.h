// The linear layers of one operation: where they stand in a bank row, packed for the kernels in
// both directions, and the accumulators of their gradients.
#pragma once
#include "gemm.h"
#include "scratch.h"

namespace argnp {

struct Linear {
  int inputs, outputs;
  size_t weight, bias;               // offsets in a bank row
  size_t forward, backward, packed;  // offsets among an operation's packed weights; its bias
  size_t gradient;                   // offset among its gradient accumulators

  WeightGradient gradients() const { return {inputs, outputs}; }
  int wide() const { return padded(outputs, QUANTUM); }
  size_t stride() const { return padded(outputs, LANES); }
};

class Linears {
 public:
  static constexpr int MOST = 7;

  void add(int inputs, int outputs) {
    Linear l{inputs, outputs, 0, 0, 0, 0, 0, gradient_size};
    l.weight = bank_size;
    l.bias = l.weight + static_cast<size_t>(inputs) * outputs;
    bank_size = l.bias + outputs;
    l.forward = packed_size;
    l.backward = l.forward + argnp::packed_size(inputs, outputs);
    l.packed = l.backward + argnp::packed_size(outputs, inputs);
    packed_size = l.packed + padded(outputs, LANES);
    gradient_size += l.gradients().size();
    layers_[count_++] = l;
  }

  const Linear& operator[](int i) const { return layers_[i]; }

  void pack(const float* bank, float* to) const {
    for (int i = 0; i < count_; i++) {
      const Linear& l = layers_[i];
      const float* w = bank + l.weight;
      argnp::pack(w, l.outputs, 1, l.inputs, l.outputs, to + l.forward);
      argnp::pack(w, 1, l.outputs, l.outputs, l.inputs, to + l.backward);
      widen(bank + l.bias, 1, l.outputs, l.stride(), to + l.packed, 0);
    }
  }

  // Adds gathered gradients (the bias as one more row) to a tight bank row.
  void unpack_gradient(const float* from, float* bank_grad) const {
    for (int i = 0; i < count_; i++) {
      const Linear& l = layers_[i];
      l.gradients().deliver(from + l.gradient, bank_grad + l.weight);
    }
  }

  size_t bank_size = 0, packed_size = 0, gradient_size = 0;

 private:
  Linear layers_[MOST] = {};  // those not added have no size
  int count_ = 0;
};

// One layer with its numbers at hand: Y = X W + b and the two ways back.
struct Layer {
  const Linear& shape;
  const float* packed;  // of the operation
  float* gradient;      // of the operation; null where weights need none

  void forward(const float* X, size_t x_stride, int rows, float* Y, size_t y_stride,
               bool leaky = false) const {
    Epilogue out;
    out.bias = packed + shape.packed;
    out.leaky = leaky;
    multiply(X, x_stride, rows, shape.inputs, packed + shape.forward, shape.outputs, Y,
             y_stride, out);
  }

  // Y = X W.
  void products(const float* X, size_t x_stride, int rows, float* Y, size_t y_stride) const {
    multiply(X, x_stride, rows, shape.inputs, packed + shape.forward, shape.outputs, Y, y_stride,
             {});
  }
  const float* bias() const { return packed + shape.packed; }

  // dX = dY W^T, or added to dX.
  void backward(const float* dY, size_t y_stride, int rows, float* dX, size_t x_stride,
                bool accumulate = false) const {
    Epilogue out;
    out.accumulate = accumulate;
    backward(dY, y_stride, rows, dX, x_stride, out);
  }

  // Likewise, times the slope of LeakyReLU at `sign`.
  void backward(const float* dY, size_t y_stride, int rows, float* dX, size_t x_stride,
                const float* sign, size_t sign_stride, bool accumulate = false) const {
    Epilogue out;
    out.accumulate = accumulate;
    out.sign = sign;
    out.sign_stride = sign_stride;
    backward(dY, y_stride, rows, dX, x_stride, out);
  }

  void backward(const float* dY, size_t y_stride, int rows, float* dX, size_t x_stride,
                const Epilogue& out) const {
    multiply(dY, y_stride, rows, shape.outputs, packed + shape.backward, shape.inputs, dX,
             x_stride, out);
  }

  void weights(const float* X, size_t x_stride, const float* dY, size_t y_stride,
               int rows) const {
    if (gradient)
      shape.gradients().add(X, x_stride, dY, y_stride, rows, gradient + shape.gradient);
  }
  // Of the matrix alone, and of the bias alone.
  void matrix_gradient(const float* X, size_t x_stride, const float* dY, size_t y_stride,
                       int rows) const {
    if (gradient)
      shape.gradients().add_matrix(X, x_stride, dY, y_stride, rows, gradient + shape.gradient);
  }
  void bias_gradient(const float* dY, size_t y_stride, int rows) const {
    if (gradient) shape.gradients().add_bias(dY, y_stride, rows, gradient + shape.gradient);
  }
};

}  // namespace argnp
