// Instructions of NonSemantic.Shader.DebugInfo.100, with which a debugger such as RenderDoc steps through the
// assembly: the text, its lines, and the function that they belong to.
#pragma once

#include "backend/spirv/writer.h"

namespace texlate::spirv {

class DebugInfo : private Writer {
 public:
  explicit DebugInfo(Core& core) : Writer(core) {}

  /// Describes the text. For before the code.
  void declare();
  /// The function that is being written is this one.
  void begin_function(Id function, std::string_view name);
  /// What follows belongs to the instruction's line.
  void at(const Instruction& instruction);

 private:
  Id set_ = Id::none;  // none: there is no debug information
  Id source_ = Id::none, unit_ = Id::none, function_type_ = Id::none;
  Id scope_ = Id::none;                             // the current function
  Id block_ = Id::none;                             // in which that has been said
  uint32_t line_ = 0;                               // the same
  std::pmr::vector<Listing::Line> lines_{&arena_};  // by location

  void describe(std::string_view text);
  uint32_t line_of(const SourceLocation& location) const;
  Id emit_debug(uint32_t instruction, std::initializer_list<Id> operands);
};

}  // namespace texlate::spirv
