// Aggregators over the messages that reach a node: M = gamma * U_source + beta, or U_source.
// Messages are absorbed one relation at a time, so that any number of them needs no memory.
#pragma once
#include "vec.h"

namespace argnp {

enum Aggregator { MEAN, SUM, MAX, STD, GEM2, GEM3 };

inline bool has_extra(int kind) { return kind == MAX || kind == STD; }

// A block of relations of one tile; node numbers less `node0` index U and the states.
struct Messages {
  const int32_t *source, *target;
  int32_t node0;
  int count;
  bool both;  // each relation carries a message either way; a self-loop is its own reverse
  const float* U;
  size_t u_stride;
  const float *gamma, *beta;  // null where relations are off
  size_t z_stride;
  int width;
};

// What a tile's nodes have absorbed, and what they make of it.
//   value: sum | sum | maximum | mean of M - pivot | sum of M^2 | sum of M^3, then the aggregate
//   extra: MAX: how many messages attain it; STD: mean - pivot
//   pivot, square, count: STD only: the pivot, the sum of squared deviations from the mean, how
//     many messages there were
// The pivot of a node is the first message to reach it, in either direction: what all messages
// have in common goes no further. Mean and squares then follow message by message (Welford), so
// that no two large numbers are subtracted even where the pivot itself is far from all others.
struct State {
  float *value, *extra;
  size_t stride;
  float *pivot, *square;
  float* count;
};

template <int KIND, int N>
INLINE void absorb_one(vec<N> m, const State& to, size_t at, bool first, float share) {
  float* value = to.value + at;
  vec<N> v = load<N>(value);
  if constexpr (KIND == MEAN || KIND == SUM) v += m;
  if constexpr (KIND == GEM2) v += m * m;
  if constexpr (KIND == GEM3) v += m * m * m;
  if constexpr (KIND == MAX) {
    const vec<N> one = splat<N>(1.0f), zero{}, count = load<N>(to.extra + at);
    store<N>(to.extra + at, m > v ? one : count + (m == v ? one : zero));
    v = larger(m, v);
  }
  if constexpr (KIND == STD) {
    if (first) store<N>(to.pivot + at, m);
    const vec<N> off = m - load<N>(to.pivot + at), step = off - v;
    v += step * share;
    store<N>(to.square + at, load<N>(to.square + at) + step * (off - v));
  }
  store<N>(value, v);
}

template <int KIND, bool FILM>
void absorb(const Messages& in, const State& to) {
  for (int r = 0; r < in.count; r++) {
    const size_t s = in.source[r] - in.node0, t = in.target[r] - in.node0;
    const bool back = in.both && s != t;
    const float before[] = {KIND == STD ? to.count[t] : 0.0f, KIND == STD ? to.count[s] : 0.0f};
    const float share[] = {1.0f / (before[0] + 1.0f), 1.0f / (before[1] + 1.0f)};
    each(in.width, [&](auto L, int c) {
      vec<L> gamma{}, beta{};
      if (FILM) {
        gamma = load<L>(in.gamma + r * in.z_stride + c);
        beta = load<L>(in.beta + r * in.z_stride + c);
      }
      auto send = [&](size_t from, size_t node, int end) {
        vec<L> m = load<L>(in.U + from * in.u_stride + c);
        if (FILM) m = gamma * m + beta;
        absorb_one<KIND, L>(m, to, node * to.stride + c, before[end] == 0, share[end]);
      };
      send(s, t, 0);
      if (back) send(t, s, 1);
    });
    if (KIND == STD) {
      to.count[t]++;
      if (back) to.count[s]++;
    }
  }
}

template <int KIND>
void begin(const State& state, int nodes, int width) {
  constexpr float LOWEST = -3.402823466e38f;
  for (int i = 0; i < nodes; i++) {
    each(width, [&](auto L, int c) {
      const size_t at = i * state.stride + c;
      store<L>(state.value + at, splat<L>(KIND == MAX ? LOWEST : 0.0f));
      if (KIND == STD) store<L>(state.square + at, vec<L>{});
      if (KIND == MAX) store<L>(state.extra + at, vec<L>{});
    });
  }
}

// From what was absorbed to the aggregate; 0 for a node that no message reached.
template <int KIND>
void finish(const State& state, const float* degree, int nodes, int width) {
  for (int i = 0; i < nodes; i++) {
    const float share = degree[i] > 0 ? 1.0f / degree[i] : 0.0f;
    each(width, [&](auto L, int c) {
      const size_t at = i * state.stride + c;
      vec<L> v = load<L>(state.value + at);
      const vec<L> zero{};
      if (KIND == MEAN) v *= share;
      if (KIND == STD) {
        store<L>(state.extra + at, v);
        v = square_root<L>(larger(load<L>(state.square + at) * share, zero) + EPS);
      }
      if (KIND == GEM2) v = square_root<L>(v * share + EPS);
      if (KIND == GEM3) v = cube_root<L>(larger(v * share, zero) + EPS);
      store<L>(state.value + at, degree[i] > 0 ? v : zero);
    });
  }
}

// The part of dM that all messages into a node share, in place of the aggregate's gradient d:
// dM = d (SUM, MEAN), d where M is the maximum, d (M - mean), d M, d M^2.
template <int KIND>
void share_gradient(const State& state, const float* degree, int nodes, int width, float* d,
                    size_t d_stride) {
  // Of GEM3, where the mean of M^3 was not positive; roots of equal numbers may round apart.
  const float floor = cube_root<QUANTUM>(splat<QUANTUM>(EPS))[0] * (1 + 1e-6f);
  for (int i = 0; i < nodes; i++) {
    if (degree[i] == 0) continue;  // no message will ask
    const float share = 1.0f / degree[i];
    each(width, [&](auto L, int c) {
      const size_t at = i * state.stride + c;
      vec<L> g = load<L>(d + i * d_stride + c);
      const vec<L> a = load<L>(state.value + at), zero{};
      if (KIND == MEAN) g *= share;
      if (KIND == MAX) g /= larger(load<L>(state.extra + at), splat<L>(1.0f));
      if (KIND == STD || KIND == GEM2) g *= share / a;
      if (KIND == GEM3) g = a > floor ? g * share / (a * a) : zero;
      store<L>(d + i * d_stride + c, g);
    });
  }
}

// Where the messages' gradients go: added to dU; gamma's (before its sigmoid) and beta's take
// the place of gamma and beta.
template <int KIND, bool FILM>
void spread(const Messages& in, const State& state, const float* d, size_t d_stride, float* dU,
            float* gamma_out, float* beta_out) {
  for (int r = 0; r < in.count; r++) {
    const size_t s = in.source[r] - in.node0, t = in.target[r] - in.node0;
    const bool back = in.both && s != t;
    each(in.width, [&](auto L, int c) {
      const size_t z = r * in.z_stride + c;
      vec<L> gamma{}, beta{}, d_gamma{}, d_beta{};
      if (FILM) {
        gamma = load<L>(in.gamma + z);
        beta = load<L>(in.beta + z);
      }
      auto receive = [&](size_t from, size_t node) {
        const size_t at = node * state.stride + c;
        const vec<L> u = load<L>(in.U + from * in.u_stride + c), zero{};
        const vec<L> m = FILM ? gamma * u + beta : u;
        vec<L> g = load<L>(d + node * d_stride + c);
        if (KIND == MAX) g = m == load<L>(state.value + at) ? g : zero;
        if (KIND == STD) {
          if (state.count[node] == 0) store<L>(state.pivot + at, m);
          g *= m - load<L>(state.pivot + at) - load<L>(state.extra + at);
        }
        if (KIND == GEM2) g *= m;
        if (KIND == GEM3) g *= m * m;
        float* to = dU + from * d_stride + c;
        store<L>(to, load<L>(to) + (FILM ? g * gamma : g));
        d_gamma += g * u;
        d_beta += g;
      };
      receive(s, t);
      if (back) receive(t, s);
      if (FILM) {
        store<L>(gamma_out + z, d_gamma * gamma * (1.0f - gamma));
        store<L>(beta_out + z, d_beta);
      }
    });
    if (KIND == STD) state.count[t] = state.count[back ? s : t] = 1;
  }
}

// Calls body with the aggregator as a compile-time constant.
template <class Body>
void with_aggregator(int kind, Body&& body) {
  switch (kind) {
    case MEAN: return body(std::integral_constant<int, MEAN>{});
    case SUM: return body(std::integral_constant<int, SUM>{});
    case MAX: return body(std::integral_constant<int, MAX>{});
    case STD: return body(std::integral_constant<int, STD>{});
    case GEM2: return body(std::integral_constant<int, GEM2>{});
    default: return body(std::integral_constant<int, GEM3>{});
  }
}

}  // namespace argnp
