#include "backend/spirv/debug_info.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <tuple>

namespace texlate::spirv {

namespace {

constexpr uint32_t kDwarfVersion = 4;
constexpr uint32_t kVersion = 100;  // of the instruction set

/// Texts that are longer continue in another instruction.
constexpr size_t kMostText = size_t{kMostInstructionWords - 3} * sizeof(uint32_t) - 1;

auto key(const SourceLocation& at) {
  return std::tuple(at.line, at.column, at.offset);
}

}  // namespace

void DebugInfo::declare() {
  if (!options_.debug_info) return;
  set_ = builder_.non_semantic_set("NonSemantic.Shader.DebugInfo.100");
  describe(options_.listing != nullptr ? std::string_view(options_.listing->text) : options_.source);
  unit_ = builder_.extended(
      set_, NonSemanticShaderDebugInfo100DebugCompilationUnit,
      {constant(kVersion), constant(kDwarfVersion), source_, constant(spv::SourceLanguageUnknown)});
  const Id none = constant(0);
  function_type_ =
      builder_.extended(set_, NonSemanticShaderDebugInfo100DebugTypeFunction, {none, builder_.void_type()});
  if (options_.listing == nullptr) return;
  lines_.assign(options_.listing->lines.begin(), options_.listing->lines.end());
  std::ranges::stable_sort(lines_, {}, [](const Listing::Line& line) { return key(line.location); });
}

/// The file, and its text in as many pieces as it needs.
void DebugInfo::describe(std::string_view text) {
  const Id file = builder_.string(options_.source_name);
  if (text.empty()) {
    source_ = builder_.extended(set_, NonSemanticShaderDebugInfo100DebugSource, {file});
    return;
  }
  const Id first = builder_.string(text.substr(0, kMostText));
  source_ = builder_.extended(set_, NonSemanticShaderDebugInfo100DebugSource, {file, first});
  for (size_t at = kMostText; at < text.size(); at += kMostText) {
    const Id more = builder_.string(text.substr(at, kMostText));
    builder_.extended(set_, NonSemanticShaderDebugInfo100DebugSourceContinued, {more});
  }
}

Id DebugInfo::emit_debug(uint32_t instruction, std::initializer_list<Id> operands) {
  std::pmr::vector<Operand> words({set_, literal(instruction)}, module_.memory());
  words.insert(words.end(), operands.begin(), operands.end());
  return emit(spv::OpExtInst, builder_.void_type(), words);
}

void DebugInfo::begin_function(Id function, std::string_view name) {
  if (set_ == Id::none) return;
  const Id called = builder_.string(name);
  const Id one = constant(1), none = constant(0);
  scope_ = builder_.extended(set_, NonSemanticShaderDebugInfo100DebugFunction,
                             {called, function_type_, source_, one, one, unit_, called, none, one});
  emit_debug(NonSemanticShaderDebugInfo100DebugFunctionDefinition, {scope_, function});
  block_ = Id::none;
}

uint32_t DebugInfo::line_of(const SourceLocation& location) const {
  if (options_.listing == nullptr) return location.line;
  const auto found = std::ranges::lower_bound(lines_, key(location), {},
                                              [](const Listing::Line& line) { return key(line.location); });
  return found != lines_.end() && found->location == location ? found->line : 0;
}

void DebugInfo::at(const Instruction& instruction) {
  if (set_ == Id::none || scope_ == Id::none || !body_.reached()) return;
  const uint32_t line = line_of(module_.location_of(instruction));
  if (line == 0 || (block_ == body_.block() && line_ == line)) return;
  // A scope ends with its block.
  if (block_ != body_.block()) emit_debug(NonSemanticShaderDebugInfo100DebugScope, {scope_});
  block_ = body_.block();
  line_ = line;
  const Id number = constant(line), column = constant(1);
  emit_debug(NonSemanticShaderDebugInfo100DebugLine, {source_, number, number, column, column});
}

}  // namespace texlate::spirv
