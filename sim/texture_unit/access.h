// What an access tells besides its value: residency, and which rule of Direct3D left the value undefined.
#pragma once

#include <cstdint>

namespace texlate::sim {

/// Situations whose outcome Direct3D does not define. The unit returns 0 or drops the write and sets the bit,
/// so that comparisons between executors can mask such results (facts/d3d.md 1.3, "executor recommendation").
enum class Undefined : uint32_t {
  none = 0,
  sample_index = 1u << 0,          // ld2dms: sample index out of range
  structure_offset = 1u << 1,      // structured access past the stride
  misaligned = 1u << 2,            // raw or structured address not a multiple of 4
  atomic_out_of_bounds = 1u << 3,  // the returned value of an out-of-range imm_atomic_*
  wrong_dimension = 1u << 4,       // operation not allowed on the view's dimension or kind of buffer
  wrong_sampler = 1u << 5,         // comparison bit of the sampler contradicts the instruction
  wrong_format = 1u << 6,  // linear filter on an integer format, atomic on anything but R32_UINT/SINT ...
  cube_offset = 1u << 7,   // texel offset on a cube
  offset_range = 1u << 8,  // immediate offset outside -8..7
  bias_range = 1u << 9,    // bias outside [-16, 15.99]
  lod_point = 1u << 10,    // `lod` through a sampler with MIP_POINT
  group_shared_bounds = 1u << 11,  // g#: all shared memory, or the value read, is undefined
  descriptor_index = 1u << 12,     // index outside of a 5.1 range
  local_bounds = 1u << 13,         // x#: row out of range
  divergent_quad = 1u << 14,       // a derivative while some pixel of the quad is elsewhere
  interpolant = 1u << 15,          // v#: register number out of range
  budget = 1u << 16,               // not Direct3D's: the run was cut off
};

struct Access {
  uint32_t undefined = 0;  // bits of Undefined
  bool mapped = true;      // what check_access_fully_mapped reads; false once an unmapped texel was needed

  void flag(Undefined reason) { undefined |= static_cast<uint32_t>(reason); }
  bool has(Undefined reason) const { return (undefined & static_cast<uint32_t>(reason)) != 0; }
};

}  // namespace texlate::sim
