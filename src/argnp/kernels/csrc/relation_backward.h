// The way back through a relation vertex, block by block of each tile.
#pragma once
#include "relation_vertex.h"

namespace argnp {

// Gradients of q to those of gamma (before its sigmoid), beta, and act(E), which is added to.
inline void modulation_gradient(const RelationOperation& op, const float* dq,
                                const float* active_E, int count, float* dE) {
  for (int r = 0; r < count; r++)
    each(op.width, [&](auto L, int c) {
      const size_t z = r * op.film.stride + c, at = r * op.stride + c;
      const vec<L> gamma = load<L>(op.film.gamma + z), d = load<L>(dq + at);
      if (dE) store<L>(dE + at, load<L>(dE + at) + d * gamma);
      store<L>(op.film.gamma + z, d * load<L>(active_E + at) * gamma * (1.0f - gamma));
      store<L>(op.film.beta + z, d);
    });
}

// Buffers of a span and of a block: what is on its way back.
struct RelationSpan {
  RelationSpan(const Tile& all, int block, size_t stride, size_t node_stride, Scratch& scratch)
      : all(all),
        g(scratch.take(all.relations * stride)),
        dy(scratch.take(block * stride)),
        dq(scratch.take(block * stride)),
        dE(scratch.take(all.relations * stride)),
        dV(scratch.take(all.nodes * node_stride)) {}
  // The same, beginning at a tile.
  RelationSpan at(const Tile& tile, size_t stride, size_t node_stride) const {
    RelationSpan moved = *this;
    moved.g += (tile.relation0 - all.relation0) * stride;
    moved.dE += (tile.relation0 - all.relation0) * stride;
    moved.dV += (tile.node0 - all.node0) * node_stride;
    return moved;
  }
  Tile all;
  float *g, *dy, *dq, *dE, *dV;
};

inline void backward_term(const Problem& p, const Rows& rows, RelationOperation& op,
                          const Tile& tile, const Term& term, const RelationInputs& inputs,
                          const RelationSpan& b, bool V_wanted, bool E_wanted,
                          const NormGradient& norm) {
  const bool weights = op.out.gradient != nullptr;
  const float* V = inputs.V_of(tile);
  float* dV = V_wanted ? b.dV : nullptr;
  op.mining.begin(V, tile.nodes);
  for (int b0 = 0; b0 < tile.relations; b0 += BLOCK) {
    const int count = std::min(BLOCK, tile.relations - b0), r0 = tile.relation0 + b0;
    const float* active_E = inputs.E_of(tile) + b0 * op.stride;
    const float* y = p.y + (term.slot * static_cast<size_t>(p.relations) + r0) * rows.width;
    const Block block = op.block(p, tile, r0, count);
    op.forward(block, V, active_E);
    norm_gradient(norm, b.g + b0 * op.stride, op.stride, y, rows.width, count, rows.width,
                  rows.weights ? rows.weights + r0 : nullptr, b.dy, op.stride);
    op.out.weights(op.q, op.stride, b.dy, op.stride, count);
    op.out.backward(b.dy, op.stride, count, b.dq, op.stride);
    modulation_gradient(op, b.dq, active_E, count, E_wanted ? b.dE + b0 * op.stride : nullptr);
    op.film.backward_to_x1(count, weights || dV);
    if (weights || dV) op.mining.backward(block, V, op.film.d1, dV);
  }
  if (weights || dV) op.mining.end_backward(V, tile.nodes, dV);
}

inline bool backward_relations(const Problem& p) {
  const Linears layers = relation_layers(p);
  const Plan plan = relation_plan(p);
  const Rows rows = relation_rows(p);
  GradientSums sums;
  if (!gradient_sums(p, rows, plan, sums)) return false;
  Scratch::Mark mark;
  const PackedWeights weights(p, plan, layers);
  const WeightGradients weight_grads(p, plan, layers);
  const int d = static_cast<int>(p.node_dim);
  const StreamGradients V_grads(p.V_grad, p.sources, p.nodes, d, plan.term_groups.size());
  const StreamGradients E_grads(p.E_grad, p.sources, p.relations, rows.d, plan.term_groups.size());
  const size_t stride = padded(rows.d, LANES), node_stride = padded(d, LANES);

  const bool done = in_parallel(p.threads, plan.groups(), [&](int group) {
    const size_t tile_group = group % plan.tile_groups.size();
    const size_t term_group = group / plan.tile_groups.size();
    const auto& terms = plan.term_groups[term_group];
    Scratch& scratch = Scratch::mine();
    float* coef = scratch.take(rows.width);
    for (const Span& span : spans_of(plan.tile_groups[tile_group])) {
      Scratch::Mark span_mark;
      const Tile& all = span.all;
      const Most most(span);
      const RelationInputs inputs(p, all, scratch);
      const RelationSpan b(all, most.block, stride, node_stride, scratch);
      widen(p.grad + static_cast<size_t>(all.relation0) * rows.d, all.relations, rows.d,
            rows.width, b.g, stride);
      for (size_t first = 0, last; first < terms.size(); first = last) {
        const int source = terms[first].source;
        for (last = first; last < terms.size() && terms[last].source == source;) last++;
        const bool V_wanted = V_grads.wanted(source), E_wanted = E_grads.wanted(source);
        if (!p.bank_grad && !V_wanted && !E_wanted) continue;
        inputs.read(p, source);
        std::memset(b.dE, 0, all.relations * stride * sizeof(float));
        std::memset(b.dV, 0, all.nodes * node_stride * sizeof(float));
        for (size_t i = first; i < last; i++) {
          const Term& term = terms[i];
          if (term.row < 0) continue;
          Scratch::Mark term_mark;
          widen(p.coef + static_cast<size_t>(term.index) * rows.d, 1, rows.d, rows.width, coef, 0);
          const size_t slot = static_cast<size_t>(term.slot) * rows.width;
          const bool batch = rows.batch_statistics(p);
          const NormGradient norm{p.mean + slot,
                                  p.rstd + slot,
                                  coef,
                                  batch ? sums.g.data() : nullptr,
                                  sums.g_xhat.data() + term.index * static_cast<size_t>(rows.width),
                                  static_cast<float>(1 / rows.total)};
          RelationOperation op(p, layers, weights.of(term), weight_grads.of(tile_group, term), term,
                               most, scratch);
          op.film.reserve_backward(most.block, scratch);
          op.mining.reserve_backward(most.nodes, most.block, scratch);
          for (const Tile& tile : span.tiles)
            backward_term(p, rows, op, tile, term, inputs,
                          b.at(tile, stride, node_stride), V_wanted, E_wanted, norm);
        }
        if (V_wanted) V_grads.add(term_group, source, all.node0, all.nodes, b.dV, node_stride);
        if (!E_wanted) continue;
        for (int r = 0; r < all.relations; r++)
          each(rows.width, [&](auto L, int c) {
            const size_t at = r * stride + c;
            store<L>(b.dE + at, leaky_gradient(load<L>(b.dE + at), load<L>(inputs.E + at)));
          });
        add_skips(p, rows, terms, source, b.g, stride, all.relations, b.dE, stride);
        E_grads.add(term_group, source, all.relation0, all.relations, b.dE, stride);
      }
    }
  });
  weight_grads.deliver(p, plan, layers);
  V_grads.deliver();
  E_grads.deliver();
  return done;
}

}  // namespace argnp
