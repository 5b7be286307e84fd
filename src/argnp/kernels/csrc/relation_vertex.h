// A relation operation on a block of relations: x = h(V_s, V_t), film, q = gamma act(E) + beta,
// out. Forward over a vertex.
#pragma once
#include "film.h"
#include "gradients.h"
#include "mining.h"

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

// The most that an operation meets at a time: nodes of a tile, relations of a block.
struct Most {
  explicit Most(const Span& span) {
    for (const Tile& tile : span.tiles) {
      nodes = std::max(nodes, tile.nodes);
      block = std::max(block, std::min(BLOCK, tile.relations));
    }
  }
  int nodes = 0, block = 0;
};

// One operation with its weights and the buffers of a block.
class RelationOperation {
 public:
  RelationOperation(const Problem& p, const Linears& layers, const float* packed, float* gradient,
                    const Term& term, const Most& most, Scratch& scratch)
      : out{layers[4], packed, gradient},
        film(layers, 0, packed, gradient),
        mining(function_of(term.operation, p.undirected != 0), film.film1, most.nodes, most.block,
               scratch),
        stride(out.shape.stride()),
        width(out.shape.wide()),
        q(scratch.take(most.block * stride)) {
    film.reserve(most.block, scratch);
  }

  Block block(const Problem& p, const Tile& tile, int r0, int count) const {
    return {p.edge_source + r0, p.edge_target + r0, tile.node0, count};
  }

  // q of a block, from the tile's V and the block's act(E), both padded.
  void forward(const Block& block, const float* V, const float* active_E) const {
    mining.forward(block, V, film.x1);
    film.forward_from_x1(block.count);
    for (int r = 0; r < block.count; r++)
      each(width, [&](auto L, int c) {
        const size_t z = r * film.stride + c, at = r * stride + c;
        store<L>(q + at, load<L>(film.gamma + z) * load<L>(active_E + at) + load<L>(film.beta + z));
      });
  }

  Layer out;
  Film film;
  Mining mining;
  const size_t stride;
  const int width;
  float* q;
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
      const Most most(span);
      int loaded = -1;
      for (const Term& term : terms) {
        if (term.row < 0) continue;
        if (term.source != loaded) inputs.read(p, loaded = term.source);
        Scratch::Mark term_mark;
        const RelationOperation op(p, layers, weights.of(term), nullptr, term, most, scratch);
        const size_t at = (tile_group * plan.slots + term.slot) * moments_size;
        const Moments gather{moments.data() + at, rows.width};
        for (const Tile& tile : span.tiles) {
          op.mining.begin(inputs.V_of(tile), tile.nodes);
          for (int b0 = 0; b0 < tile.relations; b0 += BLOCK) {
            const int count = std::min(BLOCK, tile.relations - b0), r0 = tile.relation0 + b0;
            op.forward(op.block(p, tile, r0, count), inputs.V_of(tile),
                       inputs.E_of(tile) + b0 * op.stride);
            float* y = p.y + (term.slot * static_cast<size_t>(p.relations) + r0) * rows.width;
            op.out.forward(op.q, op.stride, count, y, rows.width);
            gather.add(y, rows.width, count, rows.weights ? rows.weights + r0 : nullptr);
          }
        }
      }
    }
  });
  if (!done) return false;
  settle_norms(p, rows, plan, moments);
  return sum_terms(p, rows, plan);
}

}  // namespace argnp
