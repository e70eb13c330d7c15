// Short names for code that emits text.
#pragma once

#include <memory_resource>
#include <vector>

#include "backend/ptx/emit.h"
#include "backend/ptx/text.h"

namespace texlate::ptx {

/// Uses and definitions of values, and what else the code as a whole needs.
class Uses {
 public:
  explicit Uses(const ir::Module& module);

  bool is_used(Value value) const { return uses_[value] != 0; }
  /// Is the instruction emitted inside its only user?
  bool is_deferred(uint32_t index) const { return deferred_[index] != 0; }
  /// The instruction that defines the value if it is deferred, otherwise null.
  const Instruction* deferred(Value value) const {
    const uint32_t index = definition_[value];
    return index != kNowhere && deferred_[index] != 0 ? &module_.code[index] : nullptr;
  }

  bool has_derivatives = false, reads_coverage = false;
  bool tests_live = false;  // not every thread may write: %live

 private:
  void defer_definition(const Instruction& user);

  static constexpr uint32_t kNowhere = 0xffffffffu;
  const ir::Module& module_;
  std::pmr::vector<uint32_t> uses_;        // by value
  std::pmr::vector<uint32_t> definition_;  // by value: index of the defining instruction, or kNowhere
  std::pmr::vector<uint8_t> deferred_;     // by instruction
};

/// What everything that emits the text of one module works with.
struct Core {
  Core(const ir::Module& source, const Options& choices, const Layout& abi, Diagnostics& sink,
       bool is_function_body)
      : module(source),
        options(choices),
        layout(abi),
        diagnostics(sink),
        text(source, abi.in_memory ? kBlock : kParameters),
        uses(source),
        is_function(is_function_body) {}

  const ir::Module& module;
  const Options& options;
  const Layout& layout;
  Diagnostics& diagnostics;
  Text text;
  const Uses uses;
  const bool is_function;  // of one comparison (compare_functions.h)
  uint32_t current = 0;    // index of the instruction that is being emitted
  uint32_t region = 1;     // counts control-flow markers
  bool needs_unbound = false, needs_residency = false;
};

/// Base of the parts and of the families of instructions.
class Writer {
 protected:
  explicit Writer(Core& core)
      : core_(core),
        module_(core.module),
        options_(core.options),
        layout_(core.layout),
        text_(core.text),
        uses_(core.uses) {}

  template <typename... Parts>
  void put(const Parts&... parts) {
    text_.put(parts...);
  }
  template <typename... Parts>
  void line(const Parts&... parts) {
    text_.line(parts...);
  }
  Temp temp() { return text_.temp(); }
  Temp64 temp64() { return text_.temp64(); }
  TempPred temp_pred() { return text_.temp_pred(); }

  const ir::ResourceAccess& access(const Instruction& instruction) const {
    return module_.access_of(instruction);
  }
  Value slot(const Instruction& instruction, ir::Slot which) const {
    return module_.operand(instruction, which);
  }
  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  bool is_used(Value value) const { return uses_.is_used(value); }
  /// The result of a comparing sample is one number, for all four components.
  void copy_comparison(const Instruction& sample) {
    for (uint32_t i = 1; i < 4; ++i) {
      if (is_used(sample.first_result + i))
        line("mov.b32 ", Int{sample.first_result + i}, ", ", Int{sample.first_result});
    }
  }
  bool is_stream() const { return module_.stage != ir::Stage::compute; }
  void refuse(const Instruction& instruction, std::string_view what) const {
    core_.diagnostics.error(module_.location_of(instruction), "{} cannot be expressed on ptx", what);
  }

  Core& core_;
  const ir::Module& module_;
  const Options& options_;
  const Layout& layout_;
  Text& text_;
  const Uses& uses_;
};

}  // namespace texlate::ptx
