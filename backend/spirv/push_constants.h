// Constant buffers that the caller passes as push constants, and numbers there that move registers in arrays
// of descriptors (one heap for all draws). There is one block per entry point (Vulkan 1.1, 14.6.1), with a
// member for each such range. It consists of words, since the same bytes may be read as floats and as
// integers, and start at any word.
#pragma once

#include "backend/spirv/descriptor_report.h"

namespace texlate::spirv {

class PushConstants : private Writer {
 public:
  PushConstants(Core& core, const RegisterPlaces& places, DescriptorReport& report)
      : Writer(core), places_(places), report_(report) {}

  /// cb.load from a buffer that is passed in this way.
  void emit_load(const Instruction& instruction);
  /// Is the index of an element in an array of descriptors known only at run time?
  bool is_indexed(const Place& place, Value at) const {
    return place.offset_at != kNoOffset || (at != ir::kNoValue && !module_.is_constant(at));
  }
  /// Index of the element in an array of descriptors: of the range that the shader declares, or of the host.
  /// `at`, an index into the range of registers, counts from the place's own element. kNoValue: 0.
  /// `non_uniform`: it differs between invocations.
  Id index(DescriptorKind kind, const Place& place, Value at, bool non_uniform);

 private:
  /// Bytes of the push constants: of a constant buffer, or one word.
  struct Range {
    uint32_t offset, words;
    uint32_t buffer;  // kNoIndex: an offset into arrays of descriptors
    uint32_t end() const { return offset + 4 * words; }
  };

  void collect_ranges();
  void refuse_overlaps();
  void declare();
  /// Index of the block's member: a buffer, or (kNoIndex) the word at the offset.
  uint32_t member(uint32_t buffer, uint32_t offset) const;
  Id word(uint32_t offset);

  const RegisterPlaces& places_;
  DescriptorReport& report_;
  ArenaBuffer<Range> ranges_{&arena_};  // by member
  Id variable_ = Id::none;
};

}  // namespace texlate::spirv
