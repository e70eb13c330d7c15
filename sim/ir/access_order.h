// Finds accesses to memory that threads share whose order Direct3D leaves open, where the order matters: the
// value read, or the value left in memory, is then undefined (D3D11.3 functional specification 7.14).
//
// Accesses of one thread are ordered, and accesses of one group by barriers. Nothing else orders threads.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/texture_unit/texture.h"
#include "sim/texture_unit/unordered_access.h"

namespace texlate::sim {

/// A thread at some moment: `barriers` is the number of barriers that its group has passed.
struct ThreadMoment {
  uint32_t group, barriers, thread;
};

/// What a write does. Compared to find out whether two writes leave the same value in either order.
struct MemoryWrite {
  static MemoryWrite store(const Word4& value) { return {true, AtomicOp::exch, value}; }
  static MemoryWrite atomic(AtomicOp op, uint32_t a, uint32_t b) { return {false, op, {a, b, 0, 0}}; }

  /// False if an atomic leaves every value as it is: and with ~0, or with 0 ...
  bool can_change() const;
  bool commutes_with(const MemoryWrite& other) const;

  bool is_store;
  AtomicOp op;  // of an atomic
  Word4 value;  // of an atomic: the operands a and b of apply_atomic()
};

/// The accesses to all places of one resource. A place is any number that the caller gives to a location.
class AccessOrder {
 public:
  /// `keeps_readers`: write() names the threads that it disturbs.
  explicit AccessOrder(bool keeps_readers) : keeps_readers_(keeps_readers) {}

  /// Forgets everything.
  void clear() { places_.clear(); }

  /// True if the value read depends on the order of threads.
  bool read(uint64_t place, const ThreadMoment& reader);
  /// True if the value left in memory, or the value that another thread has read, depends on the order of
  /// threads. `changes`: the write may give memory another value than it had. `disturbed` gets the threads
  /// that have read and would read something else in another order.
  bool write(uint64_t place, const ThreadMoment& writer, const MemoryWrite& write, bool changes,
             std::vector<uint32_t>& disturbed);

 private:
  /// The threads that took part, as far as they are not ordered before everything that still comes.
  class Threads {
   public:
    void add(const ThreadMoment& moment);
    bool is_unordered_with(const ThreadMoment& moment) const;
    /// The only one is this thread, with no barrier since then.
    bool is_only(const ThreadMoment& moment) const;

   private:
    enum class Extent : uint8_t { none, one_thread, one_group, several_groups };
    Extent extent_ = Extent::none;
    ThreadMoment last_{};
  };
  struct Place {
    Threads readers, writers;
    Threads changers;  // those writers that could change the value
    MemoryWrite last{};
    bool is_mixed = false;  // the writers did different things, of which `last` is one
    std::vector<uint32_t> kept_readers;
  };

  bool keeps_readers_;
  std::unordered_map<uint64_t, Place> places_;
};

}  // namespace texlate::sim
