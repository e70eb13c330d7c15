// Rasterizer-ordered views (DirectX-Specs, RasterOrderViews.md): all their accesses are in one section that
// the fragments of a pixel enter in the order of their primitives (SPV_EXT_fragment_shader_interlock).
//
// The section must begin and end exactly once on every path. It starts before the outermost construct that
// contains the first such access, and stops after the one that contains the last; a return inside also
// ends it.
#pragma once

#include "backend/spirv/writer.h"

namespace texlate::spirv {

class OrderedSection : private Writer {
 public:
  explicit OrderedSection(Core& core) : Writer(core) {}

  /// Finds the accesses; declares the capability and the entry point's mode if there are any.
  void find(Id entry);
  bool exists() const { return first_ != kNoIndex; }
  /// Called before and after each instruction.
  void begin();
  void end();
  /// Control leaves the function.
  void leave() {
    if (is_open_) effect(spv::OpEndInvocationInterlockEXT, {});
  }

 private:
  uint32_t first_ = kNoIndex, last_ = 0;  // first and last instruction of the section
  bool is_open_ = false;
};

}  // namespace texlate::spirv
