// What the caller hands over: plain pointers and sizes, the same structure for both directions
// and both spaces. The Python side (fused_abi.py) declares the same fields in the same order.
#pragma once
#include <cstdint>

namespace argnp {

struct Problem {
  // the batch of graphs, as in topology.py
  int64_t nodes, relations, graphs;
  const int32_t *edge_source, *edge_target, *node_ptr, *relation_ptr;
  const float *degree, *multiplicity;  // multiplicity: null where relations are directed
  int64_t undirected, threads;

  // the vertex, as in core.py and layout.py
  int64_t node_dim, edge_dim, terms, sources, bank_rows;
  const int32_t *index, *operation, *source, *row;  // (terms,), sorted by source; index: in coef
  const float *bank, *coef;                 // (bank_rows, size), (terms, d)
  const float* shift;                       // (d,), added to every row; or null
  const float *const *V, *const *E;         // (sources,); E: null where relations are off
  float *running_mean, *running_var;        // (bank_rows, d)
  int64_t training;

  // forward's results; all but `out` are kept for backward. S: terms that have a bank row.
  float* out;          // (rows, d)
  float* y;            // (S, rows, D): before BatchNorm; D is d padded to QUANTUM
  float* aggregate;    // (S, nodes, D), or null: needed for backward only
  float* hidden;       // (S, 2 * nodes, D), or null: backward then computes it again
  float* extra;        // (terms of MAX and STD, nodes, D), or null with `aggregate`
  float *mean, *rstd;  // (S, D): what normalised

  // backward
  const float* grad;         // (rows, d)
  float* coef_grad;          // (terms, d)
  float* shift_grad;         // (d,), or null
  float* bank_grad;          // (bank_rows, size), zeroed, or null
  float *const *V_grad, *const *E_grad;  // (sources,) of zeroed tensors, or null
};

}  // namespace argnp
