#include "sim/ir/access_order.h"

#include <algorithm>

namespace texlate::sim {

bool MemoryWrite::can_change() const {
  if (is_store) return true;
  switch (op) {
    case AtomicOp::iadd:
    case AtomicOp::or_:
    case AtomicOp::xor_:
    case AtomicOp::umax: return value[0] != 0;
    case AtomicOp::and_:
    case AtomicOp::umin: return value[0] != 0xffffffffu;
    case AtomicOp::imax: return value[0] != 0x80000000u;
    case AtomicOp::imin: return value[0] != 0x7fffffffu;
    case AtomicOp::exch: return true;
    case AtomicOp::cmp_exch: return value[0] != value[1];
  }
  return true;
}

// Different operations do not commute, even where one pair of operands would.
bool MemoryWrite::commutes_with(const MemoryWrite& other) const {
  if (is_store != other.is_store || op != other.op) return false;
  const bool depends_on_order = is_store || op == AtomicOp::exch || op == AtomicOp::cmp_exch;
  return !depends_on_order || value == other.value;
}

void AccessOrder::Threads::add(const ThreadMoment& moment) {
  if (extent_ == Extent::none) {
    extent_ = Extent::one_thread;
  } else if (moment.group != last_.group) {
    extent_ = Extent::several_groups;
  } else if (extent_ != Extent::several_groups) {
    if (moment.barriers != last_.barriers) {
      extent_ = Extent::one_thread;  // the others came before the barrier
    } else if (moment.thread != last_.thread) {
      extent_ = Extent::one_group;
    }
  }
  last_ = moment;
}

bool AccessOrder::Threads::is_unordered_with(const ThreadMoment& moment) const {
  switch (extent_) {
    case Extent::none: return false;
    case Extent::several_groups: return true;
    case Extent::one_thread:
    case Extent::one_group: break;
  }
  if (moment.group != last_.group) return true;
  return moment.barriers == last_.barriers && (extent_ == Extent::one_group || moment.thread != last_.thread);
}

bool AccessOrder::Threads::is_only(const ThreadMoment& moment) const {
  return extent_ == Extent::one_thread && moment.group == last_.group && moment.barriers == last_.barriers &&
         moment.thread == last_.thread;
}

bool AccessOrder::read(uint64_t place, const ThreadMoment& reader) {
  Place& at = places_[place];
  at.readers.add(reader);
  if (keeps_readers_ && (at.kept_readers.empty() || at.kept_readers.back() != reader.thread))
    at.kept_readers.push_back(reader.thread);
  return at.changers.is_unordered_with(reader);
}

bool AccessOrder::write(uint64_t place, const ThreadMoment& writer, const MemoryWrite& write, bool changes,
                        std::vector<uint32_t>& disturbed) {
  Place& at = places_[place];
  bool matters = false;
  if (at.writers.is_unordered_with(writer)) {
    matters = at.is_mixed || !at.last.commutes_with(write);
    at.is_mixed = matters;
  } else {
    // A store replaces what its thread did before; an atomic builds on it.
    const bool builds = !write.is_store && at.writers.is_only(writer);
    at.is_mixed = builds && (at.is_mixed || !at.last.commutes_with(write));
  }
  at.last = write;
  at.writers.add(writer);
  if (!changes) return matters;
  at.changers.add(writer);
  if (!at.readers.is_unordered_with(writer)) return matters;
  for (const uint32_t reader : at.kept_readers) {
    if (reader != writer.thread) disturbed.push_back(reader);
  }
  at.kept_readers.clear();
  return true;
}

}  // namespace texlate::sim
