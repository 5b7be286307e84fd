// A relation operation on a block of relations: x = h(V_s, V_t), film, q = gamma act(E) + beta,
// out. Forward over a vertex.
#pragma once
#include "film.h"
#include "gradients.h"
#include "relation_functions.h"

namespace argnp {

// Layers in the order of layout.py.
inline Linears relation_layers(const Problem& p) {
  const int d = static_cast<int>(p.node_dim), e = static_cast<int>(p.edge_dim);
  Linears layers;
  layers.add(d, e);
  for (int i = 0; i < 4; i++) layers.add(e, e);
  return layers;
}

inline Plan relation_plan(const Problem& p) {
  const double d = p.node_dim, e = p.edge_dim;
  return make_plan(p, d, d * e + 4 * e * e, [](int) { return false; });
}

// One operation with its weights and the buffers of a block.
class RelationOperation {
 public:
  RelationOperation(const Problem& p, const Linears& layers, const float* packed, float* gradient,
                    int function, int block, Scratch& scratch)
      : out{layers[4], packed, gradient},
        film(layers, 0, packed, gradient),
        function_(function),
        stride(out.shape.stride()),
        node_stride(padded(static_cast<int>(p.node_dim), LANES)),
        width(out.shape.wide()),
        node_width(padded(static_cast<int>(p.node_dim), QUANTUM)),
        x(scratch.take(block * node_stride)),
        q(scratch.take(block * stride)) {
    film.reserve(block, scratch);
  }

  Ends ends(const Problem& p, const Tile& tile, int r0, int count) const {
    return {p.edge_source + r0, p.edge_target + r0, tile.node0, count, node_width, node_stride};
  }

  // q of a block, from the tile's V and the block's act(E), both padded.
  void forward(const Ends& block, const float* V, const float* active_E) const {
    with_function(function_, [&](auto H) { relate_block<H>(block, V, x); });
    film.forward(x, node_stride, block.count);
    for (int r = 0; r < block.count; r++)
      each(width, [&](auto L, int c) {
        const size_t z = r * film.stride + c, at = r * stride + c;
        store<L>(q + at, load<L>(film.gamma + z) * load<L>(active_E + at) + load<L>(film.beta + z));
      });
  }

  Layer out;
  Film film;

 private:
  int function_;

 public:
  const size_t stride, node_stride;
  const int width, node_width;
  float *x, *q;
};

// V and act(E) of consecutive tiles, padded, from one source at a time.
struct RelationInputs {
  RelationInputs(const Problem& p, const Tile& tile, Scratch& scratch)
      : all(tile),
        node_stride(padded(static_cast<int>(p.node_dim), LANES)),
        stride(padded(static_cast<int>(p.edge_dim), LANES)),
        V(scratch.take(static_cast<size_t>(tile.nodes) *
                       padded(static_cast<int>(p.node_dim), LANES))),
        E(scratch.take(static_cast<size_t>(tile.relations) *
                       padded(static_cast<int>(p.edge_dim), LANES))) {}

  void read(const Problem& p, int source) const {
    const int d = static_cast<int>(p.node_dim), e = static_cast<int>(p.edge_dim);
    widen(p.V[source] + static_cast<size_t>(all.node0) * d, all.nodes, d, padded(d, QUANTUM), V,
          node_stride);
    widen(p.E[source] + static_cast<size_t>(all.relation0) * e, all.relations, e,
          padded(e, QUANTUM), E, stride);
    for (int r = 0; r < all.relations; r++)
      each(padded(e, QUANTUM), [&](auto L, int c) {
        store<L>(E + r * stride + c, leaky(load<L>(E + r * stride + c)));
      });
  }

  const float* V_of(const Tile& tile) const { return V + (tile.node0 - all.node0) * node_stride; }
  const float* E_of(const Tile& tile) const {
    return E + (tile.relation0 - all.relation0) * stride;
  }

  Tile all;
  size_t node_stride, stride;
  float *V, *E;
};

inline int largest_block(const Span& span) {
  int most = 0;
  for (const Tile& tile : span.tiles) most = std::max(most, tile.relations);
  return std::min(BLOCK, most);
}

inline bool forward_relations(const Problem& p) {
  const Linears layers = relation_layers(p);
  const Plan plan = relation_plan(p);
  const Rows rows = relation_rows(p);
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
      const RelationInputs inputs(p, span.all, scratch);
      int loaded = -1;
      for (const Term& term : terms) {
        if (term.row < 0) continue;
        if (term.source != loaded) inputs.read(p, loaded = term.source);
        Scratch::Mark term_mark;
        const RelationOperation op(p, layers, weights.of(term), nullptr,
                                   function_of(term.operation, p.undirected != 0),
                                   largest_block(span), scratch);
        const size_t at = (tile_group * plan.slots + term.slot) * moments_size;
        const Moments gather{moments.data() + at, rows.width};
        for (const Tile& tile : span.tiles)
          for (int b0 = 0; b0 < tile.relations; b0 += BLOCK) {
            const int count = std::min(BLOCK, tile.relations - b0), r0 = tile.relation0 + b0;
            op.forward(op.ends(p, tile, r0, count), inputs.V_of(tile),
                       inputs.E_of(tile) + b0 * op.stride);
            float* y = p.y + (term.slot * static_cast<size_t>(p.relations) + r0) * rows.width;
            op.out.forward(op.q, op.stride, count, y, rows.width);
            gather.add(y, rows.width, count, rows.weights ? rows.weights + r0 : nullptr);
          }
      }
    }
  });
  if (!done) return false;
  settle_norms(p, rows, plan, moments);
  return sum_terms(p, rows, plan);
}

}  // namespace argnp
