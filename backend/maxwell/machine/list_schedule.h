// List scheduling: a graph of what must follow what at which distance, and an order that keeps the machine
// busy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace texlate::maxwell::machine {

/// The nodes are numbered in program order; edges go forward.
class DependenceGraph {
 public:
  explicit DependenceGraph(std::pmr::memory_resource* memory)
      : edges_(memory),
        first_(memory),
        sorted_(memory),
        height_(memory),
        beyond_(memory),
        waiting_(memory),
        earliest_(memory),
        node_at_(memory),
        position_(memory),
        available_(memory),
        unissued_(memory),
        pending_(memory) {}

  void reset(uint32_t count) {
    edges_.clear();
    height_.assign(count, 0);
    beyond_.assign(count, 0);
  }
  uint32_t size() const { return static_cast<uint32_t>(height_.size()); }

  /// `to` may issue `distance` cycles after `from` at the earliest.
  void add(uint32_t from, uint32_t to, unsigned distance) {
    if (from != to) edges_.push_back({from, to, distance});
  }
  /// Sets what a node's results need beyond the graph.
  void set_height(uint32_t node, unsigned height) { height_[node] = beyond_[node] = height; }

  /// The rank of a node by merit: first by height in the graph, then by program order.
  uint32_t position(uint32_t node) const { return position_[node]; }

  /// Fills in `order`. The next node is the best by merit of those that are ready and preferred. If all of
  /// these must be waited for, it is the one that can issue first; if none is preferred, the first in program
  /// order. The policy:
  ///   void begin()                     positions are known
  ///   uint64_t preferred(word) const   a bit for each of the positions 64 * word ..
  ///   void issued(node)
  /// Returns the cycles until all have issued, and the results that are needed beyond the graph are ready.
  template <typename Policy>
  uint32_t schedule(Policy& policy, std::pmr::vector<uint32_t>& order);

 private:
  struct Edge {
    uint32_t from, to, distance;
  };
  static constexpr uint32_t kNone = 0xffffffffu;

  void prepare();
  void make_ready(uint32_t node, uint32_t now) {
    if (earliest_[node] > now) {
      pending_.push_back(node);
      next_pending_ = std::min(next_pending_, earliest_[node]);
    } else {
      set_available(node);
    }
  }
  void set_available(uint32_t node) {
    available_[position_[node] / 64] |= uint64_t{1} << (position_[node] % 64);
  }
  void settle_pending(uint32_t now);
  template <typename Policy>
  uint32_t choose(const Policy& policy) const;
  uint32_t first_of_program() const;
  void take(uint32_t node);

  std::pmr::vector<Edge> edges_;
  std::pmr::vector<uint32_t> first_;  // of a node's edges in sorted_
  std::pmr::vector<Edge> sorted_;
  std::pmr::vector<unsigned> height_;  // cycles from a node to the end of everything that depends on it
  std::pmr::vector<unsigned> beyond_;  // set_height()
  std::pmr::vector<uint32_t> waiting_;
  std::pmr::vector<uint32_t> earliest_;
  std::pmr::vector<uint32_t> node_at_;  // by position
  std::pmr::vector<uint32_t> position_;
  std::pmr::vector<uint64_t> available_;  // by position: ready, and can issue without waiting
  std::pmr::vector<uint64_t> unissued_;   // by node: ready
  std::pmr::vector<uint32_t> pending_;    // ready, but not available yet
  uint32_t next_pending_ = kNone;         // cycle from which the first of them is available
};

inline void DependenceGraph::prepare() {
  first_.assign(size() + 1, 0);
  for (const Edge& e : edges_) ++first_[e.from + 1];
  for (uint32_t n = 0; n < size(); ++n) first_[n + 1] += first_[n];
  sorted_.resize(edges_.size());
  earliest_.assign(first_.begin(), first_.end() - 1);
  for (const Edge& e : edges_) sorted_[earliest_[e.from]++] = e;
  earliest_.assign(size(), 0);
  waiting_.assign(size(), 0);
  for (const Edge& e : edges_) ++waiting_[e.to];
  for (uint32_t n = size(); n-- > 0;) {
    for (uint32_t e = first_[n]; e < first_[n + 1]; ++e) {
      height_[n] = std::max(height_[n], height_[sorted_[e].to] + sorted_[e].distance);
    }
  }
  node_at_.resize(size());
  for (uint32_t n = 0; n < size(); ++n) node_at_[n] = n;
  std::sort(node_at_.begin(), node_at_.end(), [&](uint32_t a, uint32_t b) {
    return height_[a] != height_[b] ? height_[a] > height_[b] : a < b;
  });
  position_.resize(size());
  for (uint32_t p = 0; p < size(); ++p) position_[node_at_[p]] = p;
  available_.assign((size() + 63) / 64, 0);
  unissued_.assign((size() + 63) / 64, 0);
  pending_.clear();
  next_pending_ = kNone;
}

inline void DependenceGraph::settle_pending(uint32_t now) {
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
  pending_.resize(kept);
}

template <typename Policy>
uint32_t DependenceGraph::choose(const Policy& policy) const {
  for (uint32_t word = 0; word < available_.size(); ++word) {
    const uint64_t left = available_[word] & policy.preferred(word);
    if (left != 0) return node_at_[64 * word + static_cast<uint32_t>(std::countr_zero(left))];
  }
  uint32_t best = kNone;
  for (const uint32_t node : pending_) {
    const uint32_t at = position_[node];
    if ((policy.preferred(at / 64) >> (at % 64) & 1) == 0) continue;
    if (best == kNone || earliest_[node] < earliest_[best] ||
        (earliest_[node] == earliest_[best] && at < position_[best]))
      best = node;
  }
  return best != kNone ? best : first_of_program();
}

inline uint32_t DependenceGraph::first_of_program() const {
  uint32_t word = 0;
  while (unissued_[word] == 0) ++word;
  return 64 * word + static_cast<uint32_t>(std::countr_zero(unissued_[word]));
}

inline void DependenceGraph::take(uint32_t node) {
  unissued_[node / 64] &= ~(uint64_t{1} << (node % 64));
  const uint64_t bit = uint64_t{1} << (position_[node] % 64);
  uint64_t& word = available_[position_[node] / 64];
  if ((word & bit) != 0) {
    word &= ~bit;
    return;
  }
  pending_.erase(std::find(pending_.begin(), pending_.end(), node));
}

template <typename Policy>
uint32_t DependenceGraph::schedule(Policy& policy, std::pmr::vector<uint32_t>& order) {
  prepare();
  policy.begin();
  order.clear();
  uint32_t now = 0, end = 0;
  const auto enter = [&](uint32_t node) {
    unissued_[node / 64] |= uint64_t{1} << (node % 64);
    make_ready(node, now);
  };
  for (uint32_t n = 0; n < size(); ++n) {
    if (waiting_[n] == 0) enter(n);
  }
  while (order.size() < size()) {
    const uint32_t node = choose(policy);
    take(node);
    now = std::max(now, earliest_[node]);
    end = std::max(end, now + beyond_[node]);
    order.push_back(node);
    policy.issued(node);
    for (uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
      const uint32_t to = sorted_[e].to;
      earliest_[to] = std::max(earliest_[to], now + sorted_[e].distance);
      if (--waiting_[to] == 0) enter(to);
    }
    ++now;
    settle_pending(now);
  }
  return std::max(now, end);
}

}  // namespace texlate::maxwell::machine
