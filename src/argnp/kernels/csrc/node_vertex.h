// A node operation on a tile: U = act(act(V) mlp1) mlp2, messages, aggregate, out.
#pragma once
#include "aggregate.h"
#include "film.h"
#include "gradients.h"

namespace argnp {

// Layers in the order of layout.py.
inline Linears node_layers(const Problem& p) {
  const int d = static_cast<int>(p.node_dim), e = static_cast<int>(p.edge_dim);
  Linears layers;
  layers.add(d, d);
  layers.add(d, d);
  if (p.E) {
    layers.add(e, e);
    layers.add(e, e);
    layers.add(e, d);
    layers.add(e, d);
  }
  layers.add(d, d);
  return layers;
}

inline Plan node_plan(const Problem& p) {
  const double d = p.node_dim, e = p.edge_dim;
  return make_plan(p, 3 * d * d, p.E ? 2 * e * (d + e) : d, has_extra);
}

// h = act(act(V) mlp1) and U of a tile's nodes: kept for backward, or a tile's own.
struct Hidden {
  float *h, *U;
  size_t stride;

  Hidden(const Problem& p, const Term& term, const Tile& tile, Scratch& scratch)
      : stride(padded(static_cast<int>(p.node_dim), QUANTUM)) {
    const size_t size = tile.nodes * stride;
    const size_t at = (term.slot * static_cast<size_t>(p.nodes) + tile.node0) * 2 * stride;
    h = p.hidden ? p.hidden + at : scratch.take(2 * size);
    U = h + size;
  }
};

// One operation with its weights, on rows padded to `stride` floats.
class NodeOperation {
 public:
  NodeOperation(const Problem& p, const Linears& layers, const float* packed, float* gradient)
      : mlp1{layers[0], packed, gradient},
        mlp2{layers[1], packed, gradient},
        out{layers[p.E ? 6 : 2], packed, gradient},
        film(layers, p.E ? 2 : 0, packed, gradient),
        problem_(p),
        stride(mlp1.shape.stride()),
        relation_stride(film.hidden),
        width(mlp1.shape.wide()) {}

  void node_mlp(const float* active_V, int nodes, const Hidden& to) const {
    mlp1.forward(active_V, stride, nodes, to.h, to.stride, true);
    mlp2.forward(to.h, to.stride, nodes, to.U, to.stride);
  }

  // Calls body(messages, first relation of the tile) with the film of the tile's E, padded,
  // computed block by block.
  template <class Body>
  void each_block(const Tile& tile, const float* E, const Hidden& hidden, Body&& body) const {
    for (int r0 = tile.relation0; r0 < tile.relation0 + tile.relations; r0 += BLOCK) {
      const int count = std::min(BLOCK, tile.relation0 + tile.relations - r0);
      Messages m{problem_.edge_source + r0,
                 problem_.edge_target + r0,
                 tile.node0,
                 count,
                 problem_.undirected != 0,
                 hidden.U,
                 hidden.stride,
                 nullptr,
                 nullptr,
                 film.stride,
                 width};
      if (problem_.E) {
        film.forward(E + (r0 - tile.relation0) * relation_stride, relation_stride, count);
        m.gamma = film.gamma;
        m.beta = film.beta;
      }
      body(m, r0 - tile.relation0);
    }
  }

  const Layer mlp1, mlp2, out;
  Film film;

 private:
  const Problem& problem_;

 public:
  const size_t stride, relation_stride;
  const int width;
};

// act(V) and E of consecutive tiles, padded, from one source at a time.
class NodeInputs {
 public:
  NodeInputs(const Problem& p, const Tile& tile, Scratch& scratch)
      : d_(static_cast<int>(p.node_dim)),
        e_(static_cast<int>(p.edge_dim)),
        all_(tile),
        active(scratch.take(static_cast<size_t>(tile.nodes) * padded(d_, LANES))),
        E(p.E ? scratch.take(static_cast<size_t>(tile.relations) * padded(e_, LANES)) : nullptr) {}

  void read(const Problem& p, int source) const {
    const size_t stride = padded(d_, LANES);
    const int width = padded(d_, QUANTUM);
    widen(p.V[source] + static_cast<size_t>(all_.node0) * d_, all_.nodes, d_, width, active,
          stride);
    for (int r = 0; r < all_.nodes; r++)
      each(width, [&](auto L, int c) {
        store<L>(active + r * stride + c, leaky(load<L>(active + r * stride + c)));
      });
    if (E)
      widen(p.E[source] + static_cast<size_t>(all_.relation0) * e_, all_.relations, e_,
            padded(e_, QUANTUM), E, padded(e_, LANES));
  }

  const float* active_of(const Tile& tile) const {
    return active + static_cast<size_t>(tile.node0 - all_.node0) * padded(d_, LANES);
  }
  const float* E_of(const Tile& tile) const {
    if (!E) return nullptr;
    return E + static_cast<size_t>(tile.relation0 - all_.relation0) * padded(e_, LANES);
  }

 private:
  int d_, e_;
  Tile all_;

 public:
  float *active, *E;
};

inline int largest_block(const Tile& tile) { return std::min(BLOCK, tile.relations); }

// Buffers for aggregates: those kept for backward, or a tile's own.
inline State state_of(const Problem& p, const Term& term, const Tile& tile, int width,
                      Scratch& scratch) {
  const size_t size = static_cast<size_t>(tile.nodes) * width;
  State state{nullptr, nullptr, static_cast<size_t>(width), nullptr, nullptr, nullptr};
  if (p.aggregate) {
    const size_t slot = static_cast<size_t>(p.nodes) * width;
    const size_t at = tile.node0 * static_cast<size_t>(width);
    state.value = p.aggregate + term.slot * slot + at;
    if (term.extra >= 0) state.extra = p.extra + term.extra * slot + at;
  } else {
    state.value = scratch.take(size);
    if (term.extra >= 0) state.extra = scratch.take(size);
  }
  if (term.operation == STD) {
    state.pivot = scratch.take(size);
    state.square = scratch.take(size);
    state.count = scratch.zeros(tile.nodes);
  }
  return state;
}

// y of a tile, and what is kept of it.
inline void forward_term(const Problem& p, NodeOperation& op, const Tile& tile, const Term& term,
                         const NodeInputs& inputs, int width, Scratch& scratch) {
  const Hidden hidden(p, term, tile, scratch);
  op.node_mlp(inputs.active_of(tile), tile.nodes, hidden);
  const State state = state_of(p, term, tile, width, scratch);
  if (p.E) op.film.reserve(largest_block(tile), scratch);
  with_aggregator(term.operation, [&](auto KIND) {
    begin<KIND>(state, tile.nodes, width);
    op.each_block(tile, inputs.E_of(tile), hidden, [&](const Messages& m, int) {
      p.E ? absorb<KIND, true>(m, state) : absorb<KIND, false>(m, state);
    });
    finish<KIND>(state, p.degree + tile.node0, tile.nodes, width);
  });
  float* y = p.y + (term.slot * static_cast<size_t>(p.nodes) + tile.node0) * width;
  op.out.forward(state.value, state.stride, tile.nodes, y, width);
}

inline bool forward_nodes(const Problem& p) {
  const Linears layers = node_layers(p);
  const Plan plan = node_plan(p);
  const Rows rows = node_rows(p);
  Scratch::Mark mark;
  const PackedWeights weights(p, plan, layers);
  const size_t moments_size = Moments::size(rows.width);
  std::vector<double> moments(plan.tile_groups.size() * plan.slots * moments_size, 0.0);
  const bool done = in_parallel(p.threads, plan.groups(), [&](int group) {
    const size_t tile_group = group % plan.tile_groups.size();
    const auto& terms = plan.term_groups[group / plan.tile_groups.size()];
    Scratch& scratch = Scratch::mine();
    for (const Span& span : spans_of(plan.tile_groups[tile_group])) {
      Scratch::Mark span_mark;
      const NodeInputs inputs(p, span.all, scratch);
      int loaded = -1;
      for (const Term& term : terms) {
        if (term.row < 0) continue;
        NodeOperation op(p, layers, weights.of(term), nullptr);
        if (term.source != loaded) inputs.read(p, loaded = term.source);
        const size_t at = (tile_group * plan.slots + term.slot) * moments_size;
        const Moments gather{moments.data() + at, rows.width};
        for (const Tile& tile : span.tiles) {
          Scratch::Mark tile_mark;
          forward_term(p, op, tile, term, inputs, rows.width, scratch);
          const size_t row0 = term.slot * static_cast<size_t>(p.nodes) + tile.node0;
          const float* y = p.y + row0 * rows.width;
          for (int r = 0; r < tile.nodes; r += BLOCK)  // a graph is one tile, however large
            gather.add(y + static_cast<size_t>(r) * rows.width, rows.width,
                       std::min(BLOCK, tile.nodes - r), nullptr);
        }
      }
    }
  });
  if (!done) return false;
  settle_norms(p, rows, plan, moments);
  return sum_terms(p, rows, plan);
}

}  // namespace argnp
