// Registers that are elements of an array of descriptors: either of the range that the shader declares, or of
// an array of the host. A number in the push constants can move the element in the latter (one heap for all
// draws).
#pragma once

#include "backend/spirv/push_constants.h"

namespace texlate::spirv {

class DescriptorArrays : private Writer {
 public:
  DescriptorArrays(Core& core, PushConstants& push_constants)
      : Writer(core), push_constants_(push_constants) {}

  /// Is the index of an element known only at run time?
  bool is_indexed(const Place& place, Value at) const {
    return place.offset_at != kNoOffset || (at != ir::kNoValue && !module_.is_constant(at));
  }
  /// Index of the element. `at`, an index into the range of registers, counts from the place's own element.
  /// kNoValue: 0. `non_uniform`: it differs between invocations.
  Id index(DescriptorKind kind, const Place& place, Value at, bool non_uniform);

 private:
  void require_indexing(DescriptorKind kind, bool non_uniform);

  PushConstants& push_constants_;
};

}  // namespace texlate::spirv
