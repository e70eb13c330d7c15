// Discarded pixels, whose neighbors keep their derivatives (docs/reference/direct3d.md 6.3): the device
// demotes them to helpers or, where it cannot (Discard::flag), a variable remembers the discard, the pixel
// runs on without storing anything, and OpKill ends it where the shader returns.
#pragma once

#include "backend/spirv/writer.h"

namespace texlate::spirv {

class Discards : private Writer {
 public:
  explicit Discards(Core& core);

  void emit(const Instruction& instruction);
  /// Called before and after each instruction: one that writes memory does so only if the flag is not set.
  void begin(const Instruction& instruction);
  void end(const Instruction& instruction);
  /// Control leaves the function.
  void leave();

 private:
  Id load();

  Id variable_ = Id::none;  // none: the shader discards nothing, or the device demotes
  bool is_open_ = false;
  Id after_ = Id::none, from_ = Id::none;  // of the open guard: the block behind it, and the one before it
};

}  // namespace texlate::spirv
