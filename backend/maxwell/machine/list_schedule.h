// List scheduling: a graph of what must follow what at which distance, and an order that keeps the machine
// busy.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>

#include "ir/base/buffer.h"

namespace texlate::maxwell::machine {

/// Longer blocks are ordered in pieces, so that time stays linear in the program.
constexpr uint32_t kMaxRegion = 400;

/// A set of nodes by position, in words of 64.
using NodeSet = std::array<uint64_t, (kMaxRegion + 63) / 64>;
inline void insert(NodeSet& set, uint32_t position) {
  set[position / 64] |= uint64_t{1} << (position % 64);
}
inline void remove(NodeSet& set, uint32_t position) {
  set[position / 64] &= ~(uint64_t{1} << (position % 64));
}

/// What must follow what in a region, ready for any number of schedules. The memory is the arena's that
/// DependenceGraph::prepare() is given. It is kept for all regions of a function: numbers are short.
struct Dependences {
  using Short = uint16_t;  // of nodes, of which there are at most kMaxRegion, and of cycles between two
  static constexpr uint32_t kNoEdge = 0xffffffffu;
  struct Edge {
    union {
      uint32_t from;  // while edges are collected
      uint32_t next;  // edge from the same node
    };
    Short to, distance;
  };
  struct Node {
    uint32_t first_edge;  // from it
    Short position;
    Short beyond;  // cycles that its results need beyond the graph
  };
  /// What a node waits for.
  struct Wait {
    uint32_t earliest;  // cycle, of the predecessors that have issued
    uint32_t left;      // predecessors that have not
  };
  std::span<const Node> nodes;
  std::span<const Edge> edges;
  std::span<const Wait> waits;  // by node, at the start
  // Positions are the ranks of the nodes by merit: first by height in the graph, then by program order.
  std::span<const Short> node_at;
  NodeSet roots{};  // nodes that wait for nothing

  uint32_t size() const { return static_cast<uint32_t>(nodes.size()); }
};

/// Collects edges. The nodes are numbered in program order; edges go forward.
class DependenceGraph {
 public:
  explicit DependenceGraph(std::pmr::memory_resource* memory)
      : edges_(memory), nodes_(memory), keys_(memory) {}

  void reset(uint32_t count) {
    edges_.clear();
    nodes_.assign(count, Node{});
  }
  /// `to` may issue `distance` cycles after `from`, an earlier node, at the earliest. Call it in the order of
  /// `to`.
  void add(uint32_t from, uint32_t to, unsigned distance) {
    *edges_.extend(1) = {{from}, static_cast<Short>(to), static_cast<Short>(distance)};
  }
  /// Sets what a node's results need beyond the graph, in cycles.
  void set_height(uint32_t node, unsigned height) { nodes_[node].beyond = nodes_[node].height = height; }

  Dependences prepare(std::pmr::memory_resource& arena);

 private:
  using Short = Dependences::Short;
  using Edge = Dependences::Edge;
  struct Node {
    uint32_t beyond = 0;
    uint32_t height = 0;        // cycles to the end of everything that depends on it
    uint32_t predecessors = 0;  // their number
    uint32_t first_edge = Dependences::kNoEdge;
  };

  void find_heights();

  Buffer<Edge> edges_;
  Buffer<Node> nodes_;
  Buffer<uint32_t> keys_;  // nodes, in the order of merit when sorted
};

/// `count` numbers or the like, not set yet.
template <typename T>
std::span<T> room_for(std::pmr::memory_resource& arena, size_t count) {
  return {static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T))), count};
}

template <typename T>
std::span<T> copy_of(const Buffer<T>& list, std::pmr::memory_resource& arena) {
  const auto copy = room_for<T>(arena, list.size());
  std::copy_n(list.data(), list.size(), copy.data());
  return copy;
}

/// Lists the edges by source as well.
inline void DependenceGraph::find_heights() {
  // All edges from a node come after those to it.
  for (auto e = static_cast<uint32_t>(edges_.size()); e-- > 0;) {
    Edge& edge = edges_[e];
    Node& from = nodes_[edge.from];
    Node& to = nodes_[edge.to];
    from.height = std::max(from.height, to.height + edge.distance);
    ++to.predecessors;
    edge.next = std::exchange(from.first_edge, e);
  }
}

inline Dependences DependenceGraph::prepare(std::pmr::memory_resource& arena) {
  constexpr unsigned kNodeBits = 9;
  static_assert(kMaxRegion <= 1u << kNodeBits);
  const uint32_t count = static_cast<uint32_t>(nodes_.size());
  find_heights();
  keys_.clear();
  uint32_t* const keys = keys_.extend(count);
  for (uint32_t n = 0; n < count; ++n) keys[n] = ~nodes_[n].height << kNodeBits | n;
  std::sort(keys, keys + count);
  const auto nodes = room_for<Dependences::Node>(arena, count);
  const auto waits = room_for<Dependences::Wait>(arena, count);
  const auto node_at = room_for<Short>(arena, count);
  NodeSet roots{};
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t n = keys[p] % (1u << kNodeBits);
    const Node& node = nodes_[n];
    nodes[n] = {node.first_edge, static_cast<Short>(p), static_cast<Short>(node.beyond)};
    waits[n] = {0, node.predecessors};
    node_at[p] = static_cast<Short>(n);
    if (node.predecessors == 0) insert(roots, p);
  }
  return {nodes, copy_of(edges_, arena), waits, node_at, roots};
}

/// Orders the nodes of a region. Its memory is used again by the next one.
class ListScheduler {
 public:
  /// Fills in `order`, the numbers of nodes counted from `first`. The next node is the best by merit of those
  /// that are ready and preferred. If all of these must be waited for, it is the one that can issue first; if
  /// none is preferred, the first in program order. The policy:
  ///   bool prefers_all() const
  ///   preferred() const        a function: by word, a bit for each of the positions 64 * word ..
  ///   bool issued(position)    false: stop
  /// Adds to `cycles` those until all have issued, and the results that are needed beyond the graph are
  /// ready. Returns false if the policy has stopped it.
  template <typename Policy>
  bool schedule(const Dependences& graph, Policy& policy, uint32_t first, std::span<uint32_t> order,
                uint32_t& cycles);

 private:
  static constexpr uint32_t kIssued = 0xffffffffu;
  static constexpr unsigned kPositionBits = 9;

  void begin(const Dependences& graph) {
    std::copy_n(graph.waits.data(), graph.size(), waits_.data());
    pending_count_ = 0;
    next_of_program_ = 0;
    available_ = graph.roots;
    filled_ = (1u << available_.size()) - 1;
  }

  void make_available(uint32_t at) {
    insert(available_, at);
    filled_ |= 1u << at / 64;
  }
  /// Ready, but it must be waited for.
  void add_pending(uint32_t at, uint32_t earliest) {
    const uint32_t key = earliest << kPositionBits | at;
    uint32_t k = pending_count_++;
    for (; k > 0 && pending_[k - 1] < key; --k) pending_[k] = pending_[k - 1];
    pending_[k] = key;
  }
  uint32_t take_pending(uint32_t k) {
    const uint32_t at = pending_[k] % (1u << kPositionBits);
    --pending_count_;
    for (; k < pending_count_; ++k) pending_[k] = pending_[k + 1];
    return at;
  }
  void settle_pending(uint32_t now) {
    while (pending_count_ > 0 && pending_[pending_count_ - 1] >> kPositionBits <= now)
      make_available(take_pending(pending_count_ - 1));
  }

  uint32_t take_best() {
    for (; filled_ != 0; filled_ &= filled_ - 1) {
      const auto word = static_cast<uint32_t>(std::countr_zero(filled_));
      const uint64_t left = available_[word];
      if (left == 0) continue;
      available_[word] = left & (left - 1);
      return 64 * word + static_cast<uint32_t>(std::countr_zero(left));
    }
    return take_pending(pending_count_ - 1);
  }
  template <typename Policy>
  uint32_t take(const Dependences& graph, const Policy& policy);
  uint32_t take_first_of_program(const Dependences& graph);

  std::array<Dependences::Wait, kMaxRegion> waits_;  // by node
  NodeSet available_;                                // ready, and can issue without waiting
  uint32_t filled_;                                  // a bit for each word of it that may not be 0
  std::array<uint32_t, kMaxRegion> pending_;  // the others that are ready: the first to issue is the last
  uint32_t pending_count_;
  uint32_t next_of_program_;  // node; all before it have issued
};

template <typename Policy>
[[gnu::always_inline]] inline uint32_t ListScheduler::take(const Dependences& graph, const Policy& policy) {
  if (policy.prefers_all()) return take_best();
  const auto preferred = policy.preferred();
  for (uint32_t words = filled_; words != 0; words &= words - 1) {
    const auto word = static_cast<uint32_t>(std::countr_zero(words));
    if (available_[word] == 0) filled_ ^= words & -words;
    const uint64_t left = available_[word] & preferred(word);
    if (left == 0) continue;
    available_[word] ^= left & -left;
    return 64 * word + static_cast<uint32_t>(std::countr_zero(left));
  }
  for (uint32_t k = pending_count_; k-- > 0;) {
    const uint32_t at = pending_[k] % (1u << kPositionBits);
    if ((preferred(at / 64) >> (at % 64) & 1) != 0) return take_pending(k);
  }
  return take_first_of_program(graph);
}

/// All that it depends on come before it: it is ready.
inline uint32_t ListScheduler::take_first_of_program(const Dependences& graph) {
  while (waits_[next_of_program_].left == kIssued) ++next_of_program_;
  const uint32_t at = graph.nodes[next_of_program_].position;
  for (uint32_t k = 0; k < pending_count_; ++k) {
    if (pending_[k] % (1u << kPositionBits) == at) return take_pending(k);
  }
  remove(available_, at);
  return at;
}

template <typename Policy>
bool ListScheduler::schedule(const Dependences& graph, Policy& policy, uint32_t first,
                             std::span<uint32_t> order, uint32_t& cycles) {
  begin(graph);
  uint32_t now = 0, end = 0;
  for (uint32_t& next : order) {
    const uint32_t at = take(graph, policy);
    const uint32_t number = graph.node_at[at];
    const Dependences::Node& node = graph.nodes[number];
    now = std::max(now, waits_[number].earliest);
    waits_[number].left = kIssued;
    end = std::max(end, now + node.beyond);
    next = first + number;
    if (!policy.issued(at)) return false;
    const uint32_t issued = now++;
    for (uint32_t e = node.first_edge; e != Dependences::kNoEdge; e = graph.edges[e].next) {
      const Dependences::Edge& edge = graph.edges[e];
      Dependences::Wait& wait = waits_[edge.to];
      wait.earliest = std::max(wait.earliest, issued + edge.distance);
      if (--wait.left != 0) continue;
      const uint32_t ready = graph.nodes[edge.to].position;
      wait.earliest > now ? add_pending(ready, wait.earliest) : make_available(ready);
    }
    settle_pending(now);
  }
  cycles += std::max(now, end);
  return true;
}

}  // namespace texlate::maxwell::machine
