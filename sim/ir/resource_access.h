// Accesses to textures, typed views, buffers and their counters.
#pragma once

#include <vector>

#include "sim/ir/access_order.h"
#include "sim/ir/lane_access.h"

namespace texlate::sim {

/// True if the operation writes memory (and reads it).
bool is_store(ir::Op op);
bool is_read_write(ir::Op op);

/// The order of accesses to u#, where it matters: uav_order.cpp.
class UavOrder {
 public:
  explicit UavOrder(Lanes& lanes);

  void note_read(LaneAccess& at, uint64_t place);
  void note_write(LaneAccess& at, uint64_t place, const MemoryWrite& write, bool changes);
  void note_atomic(LaneAccess& at, uint64_t place, AtomicOp op, uint32_t a, uint32_t b);
  /// Does the shader read the u#, too?
  bool is_read(const LaneAccess& at) const { return uses_[at.contract.resource].is_read; }

 private:
  struct Use {
    bool is_read = false, is_written = false;
    std::vector<AccessOrder> order;  // by register
  };

  AccessOrder* order_of(const LaneAccess& at);
  ThreadMoment moment_of(const LaneAccess& at) const {
    return {lanes_.group_number, lanes_.barriers.uav, lanes_.first_element + at.lane};
  }
  /// The element has read what another one may have written before or after.
  void flag_element(uint32_t element, Undefined reason);

  Lanes& lanes_;
  std::vector<Use> uses_;  // by resource
  std::vector<uint32_t> disturbed_;
};

class ResourceAccesses {
 public:
  explicit ResourceAccesses(Lanes& lanes) : lanes_(lanes), order_(lanes) {}

  /// Families texture, surface and buffer.
  void run(const Step& step);

 private:
  /// Where an access to a raw or structured buffer starts.
  struct BufferWord {
    uint32_t x;       // raw: bytes; structured: the index of the structure
    uint32_t offset;  // structured: bytes
  };

  static BufferWord first_word(const LaneAccess& at, const BufferView& view);
  void access_lane(LaneAccess& at);
  void access_surface(LaneAccess& at, const BoundResource& resource);
  void store_texel(LaneAccess& at, const BoundResource& resource, const Word4& address, bool inside);
  void access_buffer(LaneAccess& at, const BoundResource& resource);
  /// `place` is the number of the first word, for the order of accesses.
  void store_words(LaneAccess& at, const BufferView& view, BufferWord first, uint64_t place, bool inside);
  void count(LaneAccess& at, const BoundResource& resource);

  Lanes& lanes_;
  UavOrder order_;
};

}  // namespace texlate::sim
