// The PTX module around the code: header, parameter block, registers, prologue, epilogue.

#include "backend/ptx/emit.h"

#include <algorithm>

#include "backend/ptx/families.h"
#include "ir/base/characters.h"

namespace texlate::ptx {

namespace {

struct TargetName {
  uint32_t sm;
  std::string_view version;
};

// The first PTX version that supports the target (PTX ISA 11.1.2 .target; docs/reference/ptx.md 1.1), but at
// least 6.3: shfl.sync, vote.sync and everything for textures require 6.0, and sm_75 requires 6.3.
constexpr TargetName kTargetNames[] = {
    {50, "6.3"}, {52, "6.3"},  {53, "6.3"},  {60, "6.3"},  {61, "6.3"},  {62, "6.3"},  {70, "6.3"},
    {72, "6.3"}, {75, "6.3"},  {80, "7.0"},  {86, "7.1"},  {87, "7.4"},  {88, "9.0"},  {89, "7.8"},
    {90, "7.8"}, {100, "8.6"}, {103, "8.8"}, {110, "9.0"}, {120, "8.7"}, {121, "8.8"},
};

const TargetName* find_target(uint32_t sm) {
  const auto found = std::ranges::find(kTargetNames, sm, &TargetName::sm);
  return found == std::end(kTargetNames) ? nullptr : &*found;
}

/// A letter, or `_` or `$` and at least one more character (PTX ISA 4.4). WARP_SZ is PTX's only predefined
/// constant.
bool is_identifier(std::string_view name) {
  if (name.empty() || is_digit(name[0]) || name == "WARP_SZ") return false;
  if (name.size() == 1) return is_letter(name[0]);
  return std::ranges::all_of(name,
                             [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; });
}

/// Is it the name of a label of the code (L1, LEXIT), or may it be that of a variable or function?
bool is_taken(std::string_view name) {
  if (name == "LEXIT" || name.starts_with("texlate_")) return true;
  return name.size() > 1 && name[0] == 'L' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

constexpr std::string_view kLeastVersionOfResidency = "7.1";

/// The parts, and the walk over the instructions.
class Emitter : private Writer {
 public:
  Emitter(Core& core, std::pmr::string& out)
      : Writer(core),
        out_(out),
        records_(core),
        interface_(core, records_),
        control_flow_(core, records_),
        functions_(core, records_),
        arithmetic_(core, control_flow_),
        memory_(core),
        textures_(core, records_, functions_),
        views_(core, records_) {}

  /// Appends a module to `out`. Returns false on errors.
  bool run();
  /// Appends a function to it.
  void run_function(CompareFunction& function, uint32_t number);

 private:
  void emit_instruction(const Instruction& instruction);
  void emit_argument(const Instruction& instruction);
  void emit_header();
  void emit_limits();
  void emit_tables();
  void emit_prologue();
  void mark_line(const Instruction& instruction);
  void emit_location(const Instruction& instruction);
  std::string_view source_line(uint32_t number);

  std::pmr::string& out_;
  Records records_;
  Interface interface_;
  ControlFlow control_flow_;
  CompareFunctions functions_;
  CompareFunction* function_ = nullptr;  // whose body this is: instead of the interface and the records
  Arithmetic arithmetic_;
  Memory memory_;
  Textures textures_;
  Views views_;
  uint32_t marked_location_ = 0;     // of the last instruction whose lines were marked
  SourceLocation written_location_;  // the last location that emit_location wrote
  std::pmr::vector<uint32_t> line_starts_{module_.memory()};  // of the source; filled for its first line
};

/// Is the name of the entry one that PTX accepts?
bool check_entry(std::string_view name, Diagnostics& diagnostics) {
  if (!is_identifier(name)) {
    diagnostics.error({}, "'{}' is not a valid name for a ptx entry", name);
    return false;
  }
  if (is_taken(name)) {
    diagnostics.error(
        {}, "a ptx entry cannot be named '{}': labels are named L1 or LEXIT, variables texlate_...", name);
    return false;
  }
  return true;
}

bool Emitter::run() {
  Diagnostics& diagnostics = core_.diagnostics;
  const uint32_t errors_before = diagnostics.error_count();
  text_.reserve(module_.code.size() * 48);
  for (uint32_t& current = core_.current; current < module_.code.size(); ++current) {
    const Instruction& instruction = module_.code[current];
    if (instruction.location != marked_location_) mark_line(instruction);
    if (options_.own.debug) emit_location(instruction);
    if (!uses_.is_deferred(current)) emit_instruction(instruction);
    if (diagnostics.full()) break;
  }
  if (diagnostics.error_count() != errors_before) return false;
  const Buffer<char> code = text_.take();
  emit_header();
  emit_prologue();
  const Buffer<char> head = text_.take();
  put("LEXIT:\n\tret;\n}\n");
  const Buffer<char> end = text_.take();
  out_.reserve(out_.size() + head.size() + code.size() + end.size());
  for (const Buffer<char>* part : {&head, &code, &end}) out_.append(part->data(), part->size());
  if (options_.lines == nullptr) return true;
  const auto before = static_cast<uint32_t>(std::ranges::count(head, '\n'));
  for (LineMark& mark : *options_.lines) mark.line += before;
  return true;
}

void Emitter::run_function(CompareFunction& function, uint32_t number) {
  function_ = &function;
  for (uint32_t& current = core_.current; current < module_.code.size(); ++current) {
    if (!uses_.is_deferred(current)) emit_instruction(module_.code[current]);
  }
  const Buffer<char> code = text_.take();
  const uint32_t count = function.argument_count() + static_cast<uint32_t>(function.facts.size());
  put(".func (.param .b32 texlate_result) texlate_compare", number, "(\n");
  for (uint32_t i = 0; i < count; ++i) put("\t.param .b32 texlate_a", i, ",\n");
  put("\t.param .b64 texlate_object\n)\n{\n");
  line(".reg .b32 %a<", count, ">, %result");
  line(".reg .b64 %object");
  emit_prologue();
  for (uint32_t i = 0; i < count; ++i) line("ld.param.b32 %a", i, ", [texlate_a", i, "]");
  line("ld.param.u64 %object, [texlate_object]");
  put(std::string_view(code.data(), code.size()));
  put("LEXIT:\n");
  line("st.param.b32 [texlate_result], %result");
  put("\tret;\n}\n\n");
  const Buffer<char> text = text_.take();
  out_.append(text.data(), text.size());
}

// The instruction's first line will be the next one. Lines after the code have the location of its last line.
void Emitter::mark_line(const Instruction& instruction) {
  if (options_.lines == nullptr) return;
  marked_location_ = instruction.location;
  options_.lines->push_back({text_.lines() + 1, module_.location_of(instruction)});
}

void Emitter::emit_header() {
  const std::string_view version = find_target(options_.sm)->version;  // digit, dot, digit: compares as text
  put("//\n// Generated by texlate\n//\n.version ",
      core_.needs_residency ? std::max(version, kLeastVersionOfResidency) : version, "\n.target sm_",
      options_.sm, "\n.address_size 64\n\n");
  if (options_.own.debug && !options_.own.source_name.empty()) {
    put(".file 1 \"");
    // ptxas 12.4 crashes if the name is not ASCII.
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    for (const char c : options_.own.source_name) put(is_plain(c) ? c : '_');
    put("\"\n\n");
  }
  emit_tables();
  put(functions_.text(), options_.own.function ? ".visible .func " : ".visible .entry ", options_.entry);
  if (layout_.in_memory) {
    put("(\n\t.param .u64 ", kParameters, "\n)\n");
  } else {
    put("(\n\t.param .align 16 .b8 ", kParameters, '[', layout_.size == 0 ? 16u : layout_.size, "]\n)\n");
  }
  if (!options_.own.function) emit_limits();
  put("{\n");
}

// What a launch may request (PTX ISA 11.4): with it the assembler leaves enough registers for a whole block.
// Without a minimum of blocks per multiprocessor ptxas aims at two or more, and spills for them.
void Emitter::emit_limits() {
  const auto& group = module_.thread_group;
  if (is_stream()) put(".maxntid ", options_.own.max_threads, '\n');
  if (!is_stream()) put(".reqntid ", group[0], ", ", group[1], ", ", group[2], '\n');
  if (options_.own.max_registers == 0) return put(".minnctapersm 1\n");
  // ptxas obeys .maxnreg even if a block of that many threads has no such number of registers.
  const uint32_t threads = is_stream() ? options_.own.max_threads : group[0] * group[1] * group[2];
  put(".maxnreg ", std::min(options_.own.max_registers, launch::most_registers(options_.sm, threads)), '\n');
}

/// A line of the source, counted from 1, without its indentation; empty if there is no such line.
std::string_view Emitter::source_line(uint32_t number) {
  const std::string_view source = options_.own.source;
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (size_t at = source.find('\n'); at != std::string_view::npos; at = source.find('\n', at + 1))
      line_starts_.push_back(static_cast<uint32_t>(at + 1));
  }
  if (number > line_starts_.size()) return {};
  std::string_view line = source.substr(line_starts_[number - 1]);
  line = line.substr(0, line.find_first_of("\r\n"));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

void Emitter::emit_location(const Instruction& instruction) {
  const SourceLocation location = module_.location_of(instruction);
  if (location.line == written_location_.line && location.offset == written_location_.offset) return;
  written_location_ = location;
  if (location.line == 0) return put("\t// offset 0x", Hex{location.offset, 6}, '\n');
  const std::string_view line = source_line(location.line);
  if (!line.empty()) put("\t// ", line, '\n');
  if (options_.own.source_name.empty()) return;
  put("\t.loc 1 ", location.line, ' ', std::max(1u, location.column), '\n');
}

void Emitter::emit_tables() {
  if (core_.needs_unbound) put(".global .align 16 .b8 texlate_unbound[", record::kSize, "];\n\n");
  for (uint32_t i = 0; i < module_.tables.size(); ++i) {
    const ir::ConstantTable& table = module_.tables[i];
    if (table.rows == 0) continue;
    put(".global .align 16 .b32 texlate_table", i, '[', table.rows * 4, "] = {");
    for (uint32_t w = 0; w < table.rows * 4; ++w)
      put(w == 0 ? "0x" : w % 8 == 0 ? ",\n\t0x" : ", 0x", Hex{module_.table_words[table.first_word + w], 8});
    put("};\n\n");
  }
}

void Emitter::emit_prologue() {
  text_.declare_registers();
  for (uint32_t i = 0; i < module_.locals.size(); ++i) {
    line(".local .align 16 .b8 texlate_x", i, "[", std::max(1u, module_.locals[i].rows) * 16u, "]");
  }
  for (uint32_t i = 0; i < module_.shared.size(); ++i) {
    line(".shared .align 16 .b8 texlate_g", i, "[", std::max(1u, (module_.shared[i].bytes + 3) / 4) * 4u,
         "]");
  }
  text_.declare_constants();
  if (layout_.in_memory) {
    line(".reg .b64 ", kBlock);
    line("ld.param.u64 ", kBlock, ", [", kParameters, "]");
  }
  if (is_stream()) interface_.begin(control_flow_.has_masks(), control_flow_.has_pending());
  text_.set_constants();
  put('\n');
}

void Emitter::emit_instruction(const Instruction& instruction) {
  switch (ir::info(instruction.op).family) {
    case ir::Family::float32:
    case ir::Family::conversion:
    case ir::Family::integer:
    case ir::Family::predicate:
    case ir::Family::float64:
    case ir::Family::derivative: return arithmetic_.emit(instruction);
    case ir::Family::texture: return textures_.emit(instruction);
    case ir::Family::surface:
    case ir::Family::buffer: return views_.emit(instruction);
    case ir::Family::memory: return memory_.emit(instruction);
    case ir::Family::binding:
      return function_ != nullptr ? emit_argument(instruction) : records_.emit(instruction);
    case ir::Family::interface:
    case ir::Family::effect:
      return function_ != nullptr ? emit_argument(instruction) : interface_.emit(instruction);
    case ir::Family::source_register: return refuse(instruction, "this operation");
    case ir::Family::control: ++core_.region; return control_flow_.emit(instruction);
  }
}

/// Families interface and binding in a function: inputs are the arguments; facts follow them, in the order in
/// which the body queries them.
void Emitter::emit_argument(const Instruction& instruction) {
  const Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::input: return line("mov.b32 ", Int{result}, ", %a", instruction.payload);
    case Op::output: return line("mov.b32 %result, ", Int{operand(instruction, 0)});
    case Op::bound: return line("setp.ne.u64 ", Pred{result}, ", %object, 0");
    case Op::binding: {
      auto& facts = function_->facts;
      const auto known = std::ranges::find(facts, instruction.payload);
      const auto index = static_cast<uint32_t>(known - facts.begin());
      if (known == facts.end()) facts.push_back(instruction.payload);
      return line("mov.b32 ", Int{result}, ", %a", function_->argument_count() + index);
    }
    default: return refuse(instruction, "this operation in a function");
  }
}

}  // namespace

bool is_known_target(uint32_t sm) {
  return find_target(sm) != nullptr;
}

void emit_function(const ir::Module& body, const Options& options, const Layout& layout, uint32_t number,
                   CompareFunction& function, std::pmr::string& out, Diagnostics& diagnostics) {
  Core core(body, options, layout, diagnostics, true);
  Emitter(core, out).run_function(function, number);
}

bool emit(const ir::Module& module, const Options& options, const Layout& layout, std::pmr::string& out,
          Diagnostics& diagnostics) {
  if (!is_known_target(options.sm)) {
    diagnostics.error({}, "ptx has no target sm_{}", options.sm);
    return false;
  }
  if (!check_entry(options.entry, diagnostics)) return false;
  Core core(module, options, layout, diagnostics, false);
  return Emitter(core, out).run();
}

}  // namespace texlate::ptx
