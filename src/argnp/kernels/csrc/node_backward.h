// The way back through a node vertex, tile by tile: what was cheap is computed again.
#pragma once
#include "node_vertex.h"

namespace argnp {

// Gradients on their way: of a span, and those of a tile while an operation is at it.
struct NodeSpan {
  NodeSpan(const Span& span, size_t stride, size_t relation_stride, bool relations,
           Scratch& scratch)
      : all(span.all),
        g(scratch.take(all.nodes * stride)),
        dV(scratch.take(all.nodes * stride)),
        dE(relations ? scratch.take(all.relations * relation_stride) : nullptr) {
    int nodes = 0;
    for (const Tile& tile : span.tiles) nodes = std::max(nodes, tile.nodes);
    dy = scratch.take(nodes * stride);
    dA = scratch.take(nodes * stride);
    dU = scratch.take(nodes * stride);
  }
  // The same, beginning at a tile.
  NodeSpan at(const Tile& tile, size_t stride, size_t relation_stride) const {
    NodeSpan moved = *this;
    moved.g += (tile.node0 - all.node0) * stride;
    moved.dV += (tile.node0 - all.node0) * stride;
    if (dE) moved.dE += (tile.relation0 - all.relation0) * relation_stride;
    return moved;
  }
  Tile all;
  float *g, *dV, *dE, *dy, *dA, *dU;
};

inline void backward_term(const Problem& p, NodeOperation& op, const Tile& tile, const Term& term,
                          const NodeInputs& inputs, const NodeSpan& b, bool V_wanted, bool E_wanted,
                          const NormGradient& norm, Scratch& scratch) {
  const size_t stride = op.stride, relation_stride = op.relation_stride;
  const int width = op.width;
  const bool weights = op.mlp1.gradient != nullptr;
  const float *active = inputs.active_of(tile), *E = inputs.E_of(tile);
  const float* y = p.y + (term.slot * static_cast<size_t>(p.nodes) + tile.node0) * width;
  norm_gradient(norm, b.g, stride, y, width, tile.nodes, width, nullptr, b.dy, stride);
  const State state = state_of(p, term, tile, width, scratch);
  op.out.weights(state.value, state.stride, b.dy, stride, tile.nodes);
  op.out.backward(b.dy, stride, tile.nodes, b.dA, stride);
  const Hidden hidden(p, term, tile, scratch);
  if (!p.hidden) op.node_mlp(active, tile.nodes, hidden);
  std::memset(b.dU, 0, tile.nodes * stride * sizeof(float));
  if (p.E) {
    op.film.reserve(largest_block(tile), scratch);
    op.film.reserve_backward(largest_block(tile), scratch);
  }
  with_aggregator(term.operation, [&](auto KIND) {
    share_gradient<KIND>(state, p.degree + tile.node0, tile.nodes, width, b.dA, stride);
    op.each_block(tile, E, hidden, [&](const Messages& m, int r0) {
      if (!p.E) return spread<KIND, false>(m, state, b.dA, stride, b.dU, nullptr, nullptr);
      spread<KIND, true>(m, state, b.dA, stride, b.dU, op.film.gamma, op.film.beta);
      if (!weights && !E_wanted) return;
      float* dE = E_wanted ? b.dE + r0 * relation_stride : nullptr;
      op.film.backward(E + r0 * relation_stride, relation_stride, m.count, dE,
                       relation_stride, true);
    });
  });
  op.mlp2.weights(hidden.h, hidden.stride, b.dU, stride, tile.nodes);
  if (!weights && !V_wanted) return;
  op.mlp2.backward(b.dU, stride, tile.nodes, b.dA, stride, hidden.h, hidden.stride);
  op.mlp1.weights(active, stride, b.dA, stride, tile.nodes);
  if (V_wanted) op.mlp1.backward(b.dA, stride, tile.nodes, b.dV, stride, true);
}

inline bool backward_nodes(const Problem& p) {
  const Linears layers = node_layers(p);
  const Plan plan = node_plan(p);
  const Rows rows = node_rows(p);
  GradientSums sums;
  if (!gradient_sums(p, rows, plan, sums)) return false;
  Scratch::Mark mark;
  const PackedWeights weights(p, plan, layers);
  const WeightGradients weight_grads(p, plan, layers);
  const StreamGradients V_grads(p.V_grad, p.sources, p.nodes, rows.d, plan.term_groups.size());
  const StreamGradients E_grads(p.E_grad, p.sources, p.relations, static_cast<int>(p.edge_dim),
                                plan.term_groups.size());
  const size_t stride = padded(rows.d, LANES);
  const size_t relation_stride = padded(static_cast<int>(p.edge_dim), LANES);

  const bool done = in_parallel(p.threads, plan.groups(), [&](int group) {
    const size_t tile_group = group % plan.tile_groups.size();
    const size_t term_group = group / plan.tile_groups.size();
    const auto& terms = plan.term_groups[term_group];
    Scratch& scratch = Scratch::mine();
    float* coef = scratch.take(rows.width);
    for (const Span& span : spans_of(plan.tile_groups[tile_group])) {
      Scratch::Mark span_mark;
      const Tile& all = span.all;
      const NodeInputs inputs(p, all, scratch);
      const NodeSpan b(span, stride, relation_stride, p.E_grad != nullptr, scratch);
      widen(p.grad + static_cast<size_t>(all.node0) * rows.d, all.nodes, rows.d, rows.width, b.g,
            stride);
      for (size_t first = 0, last; first < terms.size(); first = last) {
        const int source = terms[first].source;
        for (last = first; last < terms.size() && terms[last].source == source;) last++;
        const bool V_wanted = V_grads.wanted(source), E_wanted = E_grads.wanted(source);
        if (!p.bank_grad && !V_wanted && !E_wanted) continue;
        inputs.read(p, source);
        std::memset(b.dV, 0, all.nodes * stride * sizeof(float));
        if (E_wanted) std::memset(b.dE, 0, all.relations * relation_stride * sizeof(float));
        for (size_t i = first; i < last; i++) {
          const Term& term = terms[i];
          if (term.row < 0) continue;
          widen(p.coef + static_cast<size_t>(term.index) * rows.d, 1, rows.d, rows.width, coef, 0);
          const size_t slot = static_cast<size_t>(term.slot) * rows.width;
          const bool batch = rows.batch_statistics(p);
          const NormGradient norm{p.mean + slot,
                                  p.rstd + slot,
                                  coef,
                                  batch ? sums.g.data() : nullptr,
                                  sums.g_xhat.data() + term.index * static_cast<size_t>(rows.width),
                                  static_cast<float>(1 / rows.total)};
          NodeOperation op(p, layers, weights.of(term), weight_grads.of(tile_group, term));
          for (const Tile& tile : span.tiles) {
            Scratch::Mark tile_mark;
            backward_term(p, op, tile, term, inputs, b.at(tile, stride, relation_stride), V_wanted,
                          E_wanted, norm, scratch);
          }
        }
        if (V_wanted) {
          for (int r = 0; r < all.nodes; r++)
            each(rows.width, [&](auto L, int c) {
              const size_t at = r * stride + c;
              store<L>(b.dV + at, leaky_gradient(load<L>(b.dV + at), load<L>(inputs.active + at)));
            });
          add_skips(p, rows, terms, source, b.g, stride, all.nodes, b.dV, stride);
          V_grads.add(term_group, source, all.node0, all.nodes, b.dV, stride);
        }
        if (E_wanted)
          E_grads.add(term_group, source, all.relation0, all.relations, b.dE, relation_stride);
      }
    }
  });
  weight_grads.deliver(p, plan, layers);
  V_grads.deliver();
  E_grads.deliver();
  return done;
}

}  // namespace argnp
