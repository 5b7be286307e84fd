// The FiLM generator on a block of rows: z = act(act(X film1) film2), gamma = sigmoid(z gamma),
// beta = z beta; and its way back.
#pragma once
#include "linears.h"

namespace argnp {

class Film {
 public:
  // `first` is the position of film1 among the operation's layers; the other three follow.
  Film(const Linears& layers, int first, const float* packed, float* gradient)
      : film1{layers[first], packed, gradient},
        film2_{layers[first + 1], packed, gradient},
        gamma_{layers[first + 2], packed, gradient},
        beta_{layers[first + 3], packed, gradient},
        hidden(film1.shape.stride()),
        stride(2 * gamma_.shape.stride()) {}

  // Room for blocks of up to `rows` rows.
  void reserve(int rows, Scratch& scratch) {
    x1 = scratch.take(rows * hidden);
    x2_ = scratch.take(rows * hidden);
    gamma = scratch.take(rows * stride);
    beta = gamma + stride / 2;
  }

  void reserve_backward(int rows, Scratch& scratch) {
    d1 = scratch.take(rows * hidden);
    d2_ = scratch.take(rows * hidden);
  }

  void forward(const float* X, size_t x_stride, int rows) const {
    film1.forward(X, x_stride, rows, x1, hidden, true);
    forward_from_x1(rows);
  }

  void forward_from_x1(int rows) const {
    film2_.forward(x1, hidden, rows, x2_, hidden, true);
    gamma_.forward(x2_, hidden, rows, gamma, stride);
    beta_.forward(x2_, hidden, rows, beta, stride);
    for (int r = 0; r < rows; r++) {
      float* g = gamma + r * stride;
      each(gamma_.shape.wide(), [&](auto L, int c) {
        store<L>(g + c, sigmoid<L>(load<L>(g + c)));
      });
    }
  }

  // From the gradients of beta and of gamma before its sigmoid, which stand where beta and gamma
  // stood, to the weights' and, unless null, to X's: written, or added where `accumulate`.
  void backward(const float* X, size_t x_stride, int rows, float* dX, size_t dx_stride,
                bool accumulate) const {
    backward_to_x1(rows, dX || film1.gradient);
    film1.weights(X, x_stride, d1, hidden, rows);
    if (dX) film1.backward(d1, hidden, rows, dX, dx_stride, accumulate);
  }

  // Likewise, to the weights behind x1 and, where `wanted`, to d1 before its activation.
  void backward_to_x1(int rows, bool wanted) const {
    gamma_.weights(x2_, hidden, gamma, stride, rows);
    beta_.weights(x2_, hidden, beta, stride, rows);
    gamma_.backward(gamma, stride, rows, d2_, hidden);
    beta_.backward(beta, stride, rows, d2_, hidden, x2_, hidden, true);
    film2_.weights(x1, hidden, d2_, hidden, rows);
    if (wanted) film2_.backward(d2_, hidden, rows, d1, hidden, x1, hidden);
  }

  const Layer film1;

 private:
  Layer film2_, gamma_, beta_;
  float *x2_ = nullptr, *d2_ = nullptr;

 public:
  const size_t hidden, stride;  // between rows: of x1 and x2, of gamma and beta
  float *x1 = nullptr, *d1 = nullptr, *gamma = nullptr, *beta = nullptr;
};

}  // namespace argnp
