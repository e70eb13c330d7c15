// List scheduling: a graph of what must follow what at which distance, and an order that keeps the machine
// busy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace texlate::maxwell::machine {

/// Longer blocks are ordered in pieces, so that time stays linear in the program.
constexpr uint32_t kMaxRegion = 400;

/// What must follow what in a region, ready for any number of schedules. The memory is the arena's that
/// DependenceGraph::prepare() is given. It is kept for all regions of a function: numbers are short.
struct Dependences {
  using Short = uint16_t;  // of nodes, of which there are at most kMaxRegion, and of cycles between two
  struct Edge {
    Short to, distance;
  };
  std::span<const uint32_t> first;  // of a node's edges; one more at the end
  std::span<const Edge> edges;
  std::span<const Short> predecessors;  // their number
  std::span<const Short> beyond;        // cycles that a node's results need beyond the graph
  // Positions are the ranks of the nodes by merit: first by height in the graph, then by program order.
  std::span<const Short> node_at;   // by position
  std::span<const Short> position;  // by node

  uint32_t size() const { return static_cast<uint32_t>(position.size()); }
  uint32_t words() const { return (size() + 63) / 64; }  // of a set of nodes
};

/// Collects edges. The nodes are numbered in program order; edges go forward.
class DependenceGraph {
 public:
  explicit DependenceGraph(std::pmr::memory_resource* memory)
      : edges_(memory), height_(memory), keys_(memory), next_(memory) {}

  void reset(uint32_t count) {
    edges_.clear();
    height_.assign(count, 0);
  }
  /// `to` may issue `distance` cycles after `from` at the earliest.
  void add(uint32_t from, uint32_t to, unsigned distance) {
    if (from != to) edges_.push_back({from, to, distance});
  }
  /// Sets what a node's results need beyond the graph, in cycles.
  void set_height(uint32_t node, unsigned height) { height_[node] = height; }

  Dependences prepare(std::pmr::memory_resource& arena);

 private:
  struct Edge {
    uint32_t from, to, distance;
    Dependences::Edge by_source() const {
      return {static_cast<Dependences::Short>(to), static_cast<Dependences::Short>(distance)};
    }
  };

  std::pmr::vector<Edge> edges_;
  std::pmr::vector<uint32_t> height_;  // cycles from a node to the end of everything that depends on it
  std::pmr::vector<uint64_t> keys_;    // nodes, in the order of merit when sorted
  std::pmr::vector<uint32_t> next_;    // by node: where its next edge goes
};

/// `count` numbers or the like, not set yet.
template <typename T>
std::span<T> room_for(std::pmr::memory_resource& arena, size_t count) {
  return {static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T))), count};
}

inline Dependences DependenceGraph::prepare(std::pmr::memory_resource& arena) {
  const uint32_t count = static_cast<uint32_t>(height_.size());
  using Short = Dependences::Short;
  const auto first = room_for<uint32_t>(arena, count + 1);
  const auto predecessors = room_for<Short>(arena, count);
  const auto beyond = room_for<Short>(arena, count);
  for (uint32_t n = 0; n < count; ++n) beyond[n] = static_cast<Short>(height_[n]);
  std::ranges::fill(first, 0);
  std::ranges::fill(predecessors, 0);
  for (const Edge& e : edges_) {
    ++first[e.from + 1];
    ++predecessors[e.to];
  }
  for (uint32_t n = 0; n < count; ++n) first[n + 1] += first[n];
  const auto edges = room_for<Dependences::Edge>(arena, edges_.size());
  next_.assign(first.begin(), first.end() - 1);
  for (const Edge& e : edges_) edges[next_[e.from]++] = e.by_source();
  keys_.resize(count);
  for (uint32_t n = count; n-- > 0;) {
    uint32_t height = height_[n];
    for (uint32_t e = first[n]; e < first[n + 1]; ++e)
      height = std::max(height, height_[edges[e].to] + edges[e].distance);
    height_[n] = height;
    keys_[n] = uint64_t{~height} << 32 | n;
  }
  std::ranges::sort(keys_);
  const auto node_at = room_for<Short>(arena, count);
  const auto position = room_for<Short>(arena, count);
  for (uint32_t p = 0; p < count; ++p) {
    node_at[p] = static_cast<Short>(keys_[p]);
    position[node_at[p]] = static_cast<Short>(p);
  }
  return {first, edges, predecessors, beyond, node_at, position};
}

/// Orders the nodes of a region. Its memory is used again by the next one.
class ListScheduler {
 public:
  explicit ListScheduler(std::pmr::memory_resource* memory)
      : waiting_(memory), earliest_(memory), available_(memory), unissued_(memory), pending_(memory) {}

  /// Fills in `order`. The next node is the best by merit of those that are ready and preferred. If all of
  /// these must be waited for, it is the one that can issue first; if none is preferred, the first in program
  /// order. The policy:
  ///   uint64_t preferred(word) const   a bit for each of the positions 64 * word ..
  ///   bool issued(node)                false: stop
  /// Adds to `cycles` those until all have issued, and the results that are needed beyond the graph are
  /// ready. Returns false if the policy has stopped it.
  template <typename Policy>
  bool schedule(const Dependences& graph, Policy& policy, std::span<uint32_t> order, uint32_t& cycles);

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  void begin(const Dependences& graph) {
    graph_ = graph;
    waiting_.assign(graph.predecessors.begin(), graph.predecessors.end());
    earliest_.assign(graph.size(), 0);
    available_.assign(graph.words(), 0);
    unissued_.assign(graph.words(), 0);
    pending_.clear();
    next_pending_ = kNone;
  }
  void make_ready(uint32_t node, uint32_t now) {
    unissued_[node / 64] |= uint64_t{1} << (node % 64);
    if (earliest_[node] > now) {
      pending_.push_back(node);
      next_pending_ = std::min(next_pending_, earliest_[node]);
    } else {
      set_available(node);
    }
  }
  void set_available(uint32_t node) {
    const uint32_t at = graph_.position[node];
    available_[at / 64] |= uint64_t{1} << (at % 64);
  }
  void settle_pending(uint32_t now);
  template <typename Policy>
  uint32_t choose(const Policy& policy) const;
  uint32_t first_of_program() const;
  void take_out(uint32_t node);

  Dependences graph_;
  std::pmr::vector<Dependences::Short> waiting_;  // for how many predecessors
  std::pmr::vector<uint32_t> earliest_;
  std::pmr::vector<uint64_t> available_;  // by position: ready, and can issue without waiting
  std::pmr::vector<uint64_t> unissued_;   // by node: ready
  std::pmr::vector<uint32_t> pending_;    // ready, but not available yet
  uint32_t next_pending_ = kNone;         // cycle from which the first of them is available
};

inline void ListScheduler::settle_pending(uint32_t now) {
  if (next_pending_ > now) return;
  next_pending_ = kNone;
  size_t kept = 0;
  for (const uint32_t node : pending_) {
    if (earliest_[node] <= now) {
      set_available(node);
    } else {
      pending_[kept++] = node;
      next_pending_ = std::min(next_pending_, earliest_[node]);
    }
  }
  pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(kept), pending_.end());
}

template <typename Policy>
uint32_t ListScheduler::choose(const Policy& policy) const {
  for (uint32_t word = 0; word < available_.size(); ++word) {
    if (available_[word] == 0) continue;
    const uint64_t left = available_[word] & policy.preferred(word);
    if (left != 0) return graph_.node_at[64 * word + static_cast<uint32_t>(std::countr_zero(left))];
  }
  uint32_t best = kNone;
  for (const uint32_t node : pending_) {
    const uint32_t at = graph_.position[node];
    if (best != kNone && (earliest_[node] > earliest_[best] ||
                          (earliest_[node] == earliest_[best] && at > graph_.position[best])))
      continue;
    if ((policy.preferred(at / 64) >> (at % 64) & 1) != 0) best = node;
  }
  return best != kNone ? best : first_of_program();
}

inline uint32_t ListScheduler::first_of_program() const {
  uint32_t word = 0;
  while (unissued_[word] == 0) ++word;
  return 64 * word + static_cast<uint32_t>(std::countr_zero(unissued_[word]));
}

inline void ListScheduler::take_out(uint32_t node) {
  unissued_[node / 64] &= ~(uint64_t{1} << (node % 64));
  const uint64_t bit = uint64_t{1} << (graph_.position[node] % 64);
  uint64_t& word = available_[graph_.position[node] / 64];
  if ((word & bit) != 0) {
    word &= ~bit;
    return;
  }
  pending_.erase(std::find(pending_.begin(), pending_.end(), node));
}

template <typename Policy>
bool ListScheduler::schedule(const Dependences& graph, Policy& policy, std::span<uint32_t> order,
                             uint32_t& cycles) {
  begin(graph);
  uint32_t now = 0, end = 0;
  for (uint32_t n = 0; n < graph.size(); ++n) {
    if (waiting_[n] == 0) make_ready(n, now);
  }
  for (uint32_t& next : order) {
    const uint32_t node = choose(policy);
    take_out(node);
    now = std::max(now, earliest_[node]);
    end = std::max(end, now + graph.beyond[node]);
    next = node;
    if (!policy.issued(node)) return false;
    for (uint32_t e = graph.first[node]; e < graph.first[node + 1]; ++e) {
      const auto [to, distance] = graph.edges[e];
      earliest_[to] = std::max(earliest_[to], now + distance);
      if (--waiting_[to] == 0) make_ready(to, now);
    }
    ++now;
    settle_pending(now);
  }
  cycles += std::max(now, end);
  return true;
}

}  // namespace texlate::maxwell::machine
