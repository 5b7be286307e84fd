// Who computes what. Consecutive graphs make a tile whose temporaries stay in cache; tiles and
// terms are dealt out to threads beforehand, so that the order of every sum is fixed for a fixed
// number of threads.
#pragma once
#include <algorithm>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "problem.h"
#include "scratch.h"

namespace argnp {

struct Tile {
  int node0, nodes, relation0, relations;
};

struct Term {
  int index;      // of its coefficients
  int operation;
  int source;
  int row;        // of the bank; -1: skip
  int slot;       // position among terms with a row
  int extra;      // position among the terms that keep something extra; -1: none
};

// Rows that make a tile full. Two dozen buffers of 64 floats a row fit a cache of half a megabyte.
constexpr int TILE_NODES = 128, TILE_RELATIONS = 192;
// Relations worked on at a time, however many the tile has.
constexpr int BLOCK = 256;

// Consecutive tiles that an operation goes through before the next one does: its weights and their
// gradients then come into the near caches once for all of them.
struct Span {
  Tile all;
  std::vector<Tile> tiles;
};
constexpr int TILES_TOGETHER = 8;

inline std::vector<Span> spans_of(const std::vector<Tile>& tiles) {
  std::vector<Span> spans;
  for (const Tile& tile : tiles) {
    const bool joins = !spans.empty() &&
                       spans.back().all.nodes + tile.nodes <= TILES_TOGETHER * TILE_NODES &&
                       spans.back().all.relations + tile.relations <=
                           TILES_TOGETHER * TILE_RELATIONS;
    if (!joins) {
      spans.push_back({tile, {tile}});
      continue;
    }
    spans.back().all.nodes += tile.nodes;
    spans.back().all.relations += tile.relations;
    spans.back().tiles.push_back(tile);
  }
  return spans;
}

struct Plan {
  std::vector<Term> terms;
  int slots = 0, extras = 0;
  std::vector<std::vector<Tile>> tile_groups;
  std::vector<std::vector<Term>> term_groups;

  int groups() const { return static_cast<int>(tile_groups.size() * term_groups.size()); }
};

inline std::vector<Tile> tiles_of(const Problem& p, int64_t begin, int64_t end) {
  std::vector<Tile> tiles;
  const int nodes = p.node_ptr[end] - p.node_ptr[begin];
  const int relations = p.relation_ptr[end] - p.relation_ptr[begin];
  const int count = std::max({1, (nodes + TILE_NODES - 1) / TILE_NODES,
                              (relations + TILE_RELATIONS - 1) / TILE_RELATIONS});
  const auto progress = [&](int64_t g) {
    return static_cast<int64_t>(p.node_ptr[g] - p.node_ptr[begin]) + p.relation_ptr[g] -
           p.relation_ptr[begin];
  };
  int64_t first = begin;
  for (int64_t g = begin + 1; g <= end; g++) {
    const int64_t target = progress(end) * static_cast<int64_t>(tiles.size() + 1) / count;
    if (g < end && progress(g) < target) continue;
    tiles.push_back({p.node_ptr[first], p.node_ptr[g] - p.node_ptr[first], p.relation_ptr[first],
                     p.relation_ptr[g] - p.relation_ptr[first]});
    first = g;
  }
  return tiles;
}

// Graph boundaries that divide the work into `parts` as evenly as whole graphs allow; returns
// the largest part's share of the work.
inline double divide_graphs(const Problem& p, double node_cost, double relation_cost, int parts,
                            std::vector<int64_t>& bounds) {
  const auto cost = [&](int64_t g) {
    return p.node_ptr[g] * node_cost + p.relation_ptr[g] * relation_cost + 1e-9 * g;
  };
  const double total = cost(p.graphs);
  bounds.assign(1, 0);
  double worst = 0;
  for (int part = 1; part <= parts; part++) {
    int64_t g = bounds.back();
    if (part == parts) {
      g = p.graphs;
    } else {
      const double target = total * part / parts;
      while (g < p.graphs && cost(g + 1) <= target) g++;
      if (g < p.graphs && cost(g + 1) - target < target - cost(g)) g++;
    }
    worst = std::max(worst, cost(g) - cost(bounds.back()));
    bounds.push_back(g);
  }
  return total > 0 ? worst / total : 1;
}

// Threads = tile groups x term groups. Dividing the graphs needs no copies of the streams'
// gradients, so terms are divided only where whole graphs divide badly (one large graph).
inline void divide(const Problem& p, double node_cost, double relation_cost, Plan& plan) {
  const int threads = static_cast<int>(std::max<int64_t>(1, p.threads));
  std::vector<int64_t> bounds, best;
  double shortest = 1e30;
  int parts = 1;
  for (int t = 1; t <= std::min(threads, std::max(1, plan.slots)); t++) {
    const double term_share =
        plan.slots ? ((plan.slots + t - 1) / t) / static_cast<double>(plan.slots) : 1;
    const double time =
        divide_graphs(p, node_cost, relation_cost, threads / t, bounds) * term_share;
    if (time < shortest * 0.95) shortest = time, best = bounds, parts = t;
  }
  for (size_t i = 0; i + 1 < best.size(); i++)
    if (best[i] < best[i + 1]) plan.tile_groups.push_back(tiles_of(p, best[i], best[i + 1]));
  if (plan.tile_groups.empty()) plan.tile_groups.emplace_back();
  plan.term_groups.resize(parts);
  for (const Term& term : plan.terms) {
    const int at = plan.slots ? std::min(term.slot, plan.slots - 1) * parts / plan.slots : 0;
    plan.term_groups[at].push_back(term);
  }
}

// Terms sorted by source, as handed over. A skip takes the slot number of the
// term after it: it only has to land somewhere.
template <class HasExtra>
Plan make_plan(const Problem& p, double node_cost, double relation_cost, HasExtra has_extra) {
  Plan plan;
  for (int i = 0; i < p.terms; i++) {
    Term term{p.index[i], p.operation[i], p.source[i], p.row[i], plan.slots, -1};
    if (term.row >= 0) {
      plan.slots++;
      if (has_extra(term.operation)) term.extra = plan.extras++;
    }
    plan.terms.push_back(term);
  }
  divide(p, node_cost, relation_cost, plan);
  return plan;
}

// Runs body(i) for i in 0..count-1 on at most so many threads of the caller's OpenMP runtime, i
// always on the same one. Returns false where memory ran out.
template <class Body>
bool in_parallel(int64_t most, int count, Body&& body) {
  bool failed = false;
  const int threads = static_cast<int>(std::min<int64_t>(std::max<int64_t>(1, most), count));
  (void)threads;
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
  for (int i = 0; i < count; i++) {
    try {
      Scratch::Mark mark;
      body(i);
    } catch (...) {
#pragma omp atomic write
      failed = true;
    }
  }
  return !failed;
}

}  // namespace argnp
