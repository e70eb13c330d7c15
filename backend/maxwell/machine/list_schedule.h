// List scheduling: a graph of what must follow what at which distance, and the order that keeps the machine
// busy.
#pragma once

#include <algorithm>
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
        waiting_(memory),
        earliest_(memory),
        ready_(memory) {}

  void reset(uint32_t count) {
    edges_.clear();
    height_.assign(count, 0);
  }
  uint32_t size() const { return static_cast<uint32_t>(height_.size()); }

  /// `to` may issue `distance` cycles after `from` at the earliest.
  void add(uint32_t from, uint32_t to, unsigned distance) {
    if (from != to) edges_.push_back({from, to, distance});
  }
  /// What a node's results need beyond the graph.
  void set_height(uint32_t node, unsigned height) { height_[node] = height; }

  /// Fills `order` in. The policy:
  ///   unsigned rank(node)   nodes of the lowest rank come first, then those that need not be waited for,
  ///   then
  ///                         the highest of the graph, then the first of the program
  ///   void issued(node)
  template <typename Policy>
  void schedule(Policy& policy, std::pmr::vector<uint32_t>& order);

 private:
  struct Edge {
    uint32_t from, to, distance;
  };
  /// Less is better: rank and cycles to wait, then height (less for a higher node) and number.
  struct Merit {
    uint64_t first, second;
    bool operator<(const Merit& other) const {
      return first != other.first ? first < other.first : second < other.second;
    }
  };
  template <typename Policy>
  Merit merit(Policy& policy, uint32_t node, uint32_t now) const {
    const uint32_t late = earliest_[node] > now ? earliest_[node] - now : 0;
    return {uint64_t{policy.rank(node)} << 32 | late, uint64_t{~height_[node]} << 32 | node};
  }
  void prepare();

  std::pmr::vector<Edge> edges_;
  std::pmr::vector<uint32_t> first_;  // of a node's edges in sorted_
  std::pmr::vector<Edge> sorted_;
  std::pmr::vector<unsigned> height_;  // cycles from a node to the end of all that follows from it
  std::pmr::vector<uint32_t> waiting_;
  std::pmr::vector<uint32_t> earliest_;
  std::pmr::vector<uint32_t> ready_;
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
}

template <typename Policy>
void DependenceGraph::schedule(Policy& policy, std::pmr::vector<uint32_t>& order) {
  prepare();
  order.clear();
  ready_.clear();
  for (uint32_t n = 0; n < size(); ++n) {
    if (waiting_[n] == 0) ready_.push_back(n);
  }
  uint32_t now = 0;
  while (!ready_.empty()) {
    size_t best = 0;
    Merit best_merit = merit(policy, ready_[0], now);
    for (size_t i = 1; i < ready_.size(); ++i) {
      const Merit other = merit(policy, ready_[i], now);
      if (other < best_merit) best = i, best_merit = other;
    }
    const uint32_t node = ready_[best];
    ready_[best] = ready_.back();
    ready_.pop_back();
    now = std::max(now, earliest_[node]);
    order.push_back(node);
    policy.issued(node);
    for (uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
      const uint32_t to = sorted_[e].to;
      earliest_[to] = std::max(earliest_[to], now + sorted_[e].distance);
      if (--waiting_[to] == 0) ready_.push_back(to);
    }
    ++now;
  }
}

}  // namespace texlate::maxwell::machine
