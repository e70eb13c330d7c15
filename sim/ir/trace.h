// Following one lane of a run.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ir/module.h"
#include "sim/texture_unit/access.h"

namespace texlate::sim {

/// The values of the traced lane while a Tracer is called.
class LaneValues {
 public:
  virtual ~LaneValues() = default;
  virtual uint64_t operator[](ir::Value value) const = 0;
  /// False for helpers and discarded pixels, whose writes have no effect.
  virtual bool is_live() const = 0;
};

/// An access of the traced lane to a texture, buffer or view, after it has run.
struct TracedAccess {
  uint32_t instruction;          // index in Module::code
  bool allowed;                  // false: its guard was false, and nothing was accessed
  bool bound;                    // false: the slot is empty
  uint32_t register_index;       // in the range of the resource
  std::array<uint32_t, 3> size;  // of the view's mip 0 and, behind its axes, its slices; buffers: elements
  std::span<const TexelRead> texels;
  uint32_t undefined;  // bits of Undefined
};

class Tracer {
 public:
  virtual ~Tracer() = default;
  /// Before instruction `index` of Module::code, whenever the lane is active there.
  virtual void step(uint32_t index, const LaneValues& values) = 0;
  /// After an instruction that accesses a resource.
  virtual void access(const TracedAccess& access, const LaneValues& values) = 0;
};

/// The lane that a Tracer follows: a pixel or vertex, or a thread of a group.
struct TracedLane {
  uint32_t element = 0;  // pixels, vertices; thread of the group, x first
  std::array<uint32_t, 3> group{};
};

}  // namespace texlate::sim
