// What changes while a program runs and is no value of the IR: whether the pixel is live, if the program
// discards pixels; or the handle of the vertex under construction, in a geometry program. Constructs that
// change it pass it on, as they pass values.
#pragma once

#include <memory_resource>
#include <vector>

#include "backend/maxwell/select/assembler.h"
#include "ir/module.h"

namespace texlate::maxwell::select {

class State {
 public:
  State(const ir::Module& module, Assembler& assembler);
  /// At the start of a program of a stage. No vertex has a handle yet: 0.
  void begin(Predicate lives);

  bool discards() const { return kind_ == Kind::live; }
  /// True for pixels that may write, false for helpers. Constant true in compute shaders.
  Predicate live() const { return discards() ? Predicate{value_, false} : entry_live_; }
  void set_live(Predicate condition);
  MachineValue handle() const { return value_; }
  void set_handle(MachineValue handle) { value_ = handle; }

  /// Appends what a jump out of the construct at `marker` passes.
  void pass(uint32_t marker, std::pmr::vector<MachineValue>& list) const;
  /// Appends a new value for it, as a block's parameter. With `keep`, it is the state from here on.
  void make(uint32_t marker, std::pmr::vector<MachineValue>& list, bool keep = true);
  void pass_always(std::pmr::vector<MachineValue>& list) const;
  void make_always(std::pmr::vector<MachineValue>& list);
  /// At the start of a construct, for restore() where its other arms begin.
  MachineValue save() const { return value_; }
  void restore(MachineValue saved) { value_ = saved; }

 private:
  enum class Kind : uint8_t { none, live, handle };
  MachineValue fresh() { return discards() ? assembler_.predicate() : assembler_.general(); }

  Assembler& assembler_;
  Kind kind_ = Kind::none;
  MachineValue value_ = kNone;
  Predicate entry_live_;
  std::pmr::vector<bool> changes_;  // by marker: is the state changed in the construct?
};

}  // namespace texlate::maxwell::select
