// The library's entry points. A plain C interface, pointers and sizes only, so that a built
// library belongs to a machine and a compiler, not to a version of torch.
#include "gather.h"
#include "neighbours.h"
#include "node_backward.h"
#include "norm_act.h"
#include "peak.h"
#include "readout.h"
#include "relation_backward.h"

namespace {
template <class Body>
int guarded(Body&& body) {
  try {
    return body() ? 0 : 1;
  } catch (...) {  // only memory can run out; nothing may unwind into the caller
    return 1;
  }
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
// 0: done; 1: out of memory.
int argnp_forward_nodes(const argnp::Problem* p) {
  return guarded([&] { return argnp::forward_nodes(*p); });
}
int argnp_backward_nodes(const argnp::Problem* p) {
  return guarded([&] { return argnp::backward_nodes(*p); });
}
int argnp_forward_relations(const argnp::Problem* p) {
  return guarded([&] { return argnp::forward_relations(*p); });
}
int argnp_backward_relations(const argnp::Problem* p) {
  return guarded([&] { return argnp::backward_relations(*p); });
}

int argnp_forward_gather(const argnp::Gather* g) {
  return guarded([&] { return argnp::Gatherer(*g).forward(); });
}
int argnp_backward_gather(const argnp::Gather* g) {
  return guarded([&] { return argnp::Gatherer(*g).backward(); });
}

int argnp_forward_norm_act(const argnp::NormAct* p) {
  return guarded([&] { return argnp::NormActor(*p).forward(); });
}
int argnp_backward_norm_act(const argnp::NormAct* p) {
  return guarded([&] { return argnp::NormActor(*p).backward(); });
}

int argnp_forward_read_out(const argnp::ReadOut* p) {
  return guarded([&] { return argnp::Reader(*p).forward(); });
}
int argnp_backward_read_out(const argnp::ReadOut* p) {
  return guarded([&] { return argnp::Reader(*p).backward(); });
}

int argnp_nearest_points(const argnp::Neighbours* p) {
  return guarded([&] { return argnp::NeighbourSearch(*p).run(); });
}

// For benchmarks: operations done.
double argnp_multiply_in_cache(int64_t threads, int64_t times) {
  try {
    return argnp::multiply_in_cache(threads, times);
  } catch (...) {
    return 0;
  }
}

// Asks for large pages for a caller's buffer that is yet to be touched.
void argnp_huge_pages(void* memory, int64_t bytes) { argnp::huge_pages(memory, bytes); }

// For the caller to check and to lay out its buffers by.
int64_t argnp_problem_size() { return sizeof(argnp::Problem); }
int64_t argnp_gather_size() { return sizeof(argnp::Gather); }
int64_t argnp_norm_act_size() { return sizeof(argnp::NormAct); }
int64_t argnp_neighbours_size() { return sizeof(argnp::Neighbours); }
int64_t argnp_read_out_size() { return sizeof(argnp::ReadOut); }
int64_t argnp_quantum() { return argnp::QUANTUM; }
int64_t argnp_lanes() { return argnp::LANES; }
}
#pragma GCC visibility pop
