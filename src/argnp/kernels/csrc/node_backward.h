// The way back through a node vertex, tile by tile: what was cheap is computed again.
#pragma once
#include "node_vertex.h"

namespace argnp {

// Gradients on their way.
struct NodeTile {
  NodeTile(const Tile& tile, size_t stride, size_t relation_stride, bool relations,
           Scratch& scratch)
      : g(scratch.take(tile.nodes * stride)),
        dy(scratch.take(tile.nodes * stride)),
        dA(scratch.take(tile.nodes * stride)),
        dU(scratch.take(tile.nodes * stride)),
        dV(scratch.take(tile.nodes * stride)),
        dE(relations ? scratch.take(tile.relations * relation_stride) : nullptr) {}
  float *g, *dy, *dA, *dU, *dV, *dE;
};

inline void backward_term(const Problem& p, NodeOperation& op, const Tile& tile, const Term& term,
                          const NodeInputs& inputs, const NodeTile& b, bool V_wanted, bool E_wanted,
                          const NormGradient& norm, Scratch& scratch) {
  const size_t stride = op.stride, relation_stride = op.relation_stride;
  const int width = op.width;
  const bool weights = op.mlp1.gradient != nullptr;
  const float* y = p.y + (term.slot * static_cast<size_t>(p.nodes) + tile.node0) * width;
  norm_gradient(norm, b.g, stride, y, width, tile.nodes, width, nullptr, b.dy, stride);
  const State state = state_of(p, term, tile, width, scratch);
  op.out.weights(state.value, state.stride, b.dy, stride, tile.nodes);
  op.out.backward(b.dy, stride, tile.nodes, b.dA, stride);
  const Hidden hidden(p, term, tile, scratch);
  if (!p.hidden) op.node_mlp(inputs.active, tile.nodes, hidden);
  std::memset(b.dU, 0, tile.nodes * stride * sizeof(float));
  if (p.E) {
    op.film.reserve(largest_block(tile), scratch);
    op.film.reserve_backward(largest_block(tile), scratch);
  }
  with_aggregator(term.operation, [&](auto KIND) {
    share_gradient<KIND>(state, p.degree + tile.node0, tile.nodes, width, b.dA, stride);
    op.each_block(tile, inputs.E, hidden, [&](const Messages& m, int r0) {
      if (!p.E) return spread<KIND, false>(m, state, b.dA, stride, b.dU, nullptr, nullptr);
      spread<KIND, true>(m, state, b.dA, stride, b.dU, op.film.gamma, op.film.beta);
      if (!weights && !E_wanted) return;
      float* dE = E_wanted ? b.dE + r0 * relation_stride : nullptr;
      op.film.backward(inputs.E + r0 * relation_stride, relation_stride, m.count, dE,
                       relation_stride, true);
    });
  });
  op.mlp2.weights(hidden.h, hidden.stride, b.dU, stride, tile.nodes);
  if (!weights && !V_wanted) return;
  op.mlp2.backward(b.dU, stride, tile.nodes, b.dA, stride, hidden.h, hidden.stride);
  op.mlp1.weights(inputs.active, stride, b.dA, stride, tile.nodes);
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
    for (const Tile& tile : plan.tile_groups[tile_group]) {
      Scratch::Mark tile_mark;
      const NodeInputs inputs(p, tile, scratch);
      const NodeTile b(tile, stride, relation_stride, p.E_grad != nullptr, scratch);
      widen(p.grad + static_cast<size_t>(tile.node0) * rows.d, tile.nodes, rows.d, rows.width, b.g,
            stride);
      for (size_t first = 0, last; first < terms.size(); first = last) {
        const int source = terms[first].source;
        for (last = first; last < terms.size() && terms[last].source == source;) last++;
        const bool V_wanted = V_grads.wanted(source), E_wanted = E_grads.wanted(source);
        if (!p.bank_grad && !V_wanted && !E_wanted) continue;
        inputs.read(p, tile, source);
        std::memset(b.dV, 0, tile.nodes * stride * sizeof(float));
        if (E_wanted) std::memset(b.dE, 0, tile.relations * relation_stride * sizeof(float));
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
          NodeOperation op(p, layers, weights.of(term), weight_grads.of(tile_group, term));
          backward_term(p, op, tile, term, inputs, b, V_wanted, E_wanted, norm, scratch);
        }
        if (V_wanted) {
          for (int r = 0; r < tile.nodes; r++)
            each(rows.width, [&](auto L, int c) {
              const size_t at = r * stride + c;
              store<L>(b.dV + at, leaky_gradient(load<L>(b.dV + at), load<L>(inputs.active + at)));
            });
          add_skips(p, rows, terms, source, b.g, stride, tile.nodes, b.dV, stride);
          V_grads.add(term_group, source, tile.node0, tile.nodes, b.dV, stride);
        }
        if (E_wanted)
          E_grads.add(term_group, source, tile.relation0, tile.relations, b.dE, relation_stride);
      }
    }
  });
  weight_grads.deliver(p, plan, layers);
  V_grads.deliver();
  E_grads.deliver();
  return done;
}

}  // namespace argnp
