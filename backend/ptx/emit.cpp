// The PTX module around the code: header, parameter block, registers, prologue, epilogue.

#include "backend/ptx/emit.h"

#include <algorithm>
#include <array>

#include "backend/launch/coverage.h"
#include "backend/ptx/emitter.h"

namespace texlate::ptx {

namespace {

struct Target {
  uint32_t sm;
  std::string_view version;
};

// The first PTX version that supports the target (PTX ISA 11.1.2 .target; docs/reference/ptx.md 1.1), but at
// least 6.3: shfl.sync, vote.sync and everything for textures require 6.0, and sm_75 requires 6.3.
constexpr Target kTargets[] = {
    {50, "6.3"}, {52, "6.3"},  {53, "6.3"},  {60, "6.3"},  {61, "6.3"},  {62, "6.3"},  {70, "6.3"},
    {72, "6.3"}, {75, "6.3"},  {80, "7.0"},  {86, "7.1"},  {87, "7.4"},  {88, "9.0"},  {89, "7.8"},
    {90, "7.8"}, {100, "8.6"}, {103, "8.8"}, {110, "9.0"}, {120, "8.7"}, {121, "8.8"},
};

const Target* find_target(uint32_t sm) {
  for (const Target& target : kTargets) {
    if (target.sm == sm) return &target;
  }
  return nullptr;
}

/// A letter, or `_` or `$` and at least one more character (PTX ISA 4.4). WARP_SZ is PTX's only predefined
/// constant.
bool is_identifier(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || is_digit(name[0]) || name == "WARP_SZ") return false;
  if (name.size() == 1) return is_letter(name[0]);
  return std::ranges::all_of(name,
                             [&](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; });
}

/// Is it the name of a label of the code (L1, LEXIT), or may it be that of a variable or function?
bool is_taken(std::string_view name) {
  if (name == "LEXIT" || name.starts_with("texlate_")) return true;
  return name.size() > 1 && name[0] == 'L' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

bool is_known_target(uint32_t sm) {
  return find_target(sm) != nullptr;
}

Emitter::Emitter(const ir::Module& source, const Options& choices, const Layout& abi, std::pmr::string& text,
                 Diagnostics& sink)
    : module_(source),
      options_(choices),
      layout_(abi),
      out_(text),
      diagnostics_(sink),
      body_(source.memory()),
      uses_(source.memory()),
      definition_(source.memory()),
      deferred_(source.memory()),
      structure_(source, source.memory(), ir::Structure::Extent::control),
      flows_(source.memory()),
      paths_(source.memory()),
      copy_stamp_(source.memory()),
      fields_(source.memory()),
      known_fields_(source.memory()),
      functions_(source.memory()),
      function_text_(source.memory()),
      line_starts_(source.memory()),
      is_stream_(source.stage != ir::Stage::compute),
      errors_before_(sink.error_count()) {}

void Emitter::put_hex(uint64_t bits, uint32_t digits) {
  write_hex(body_.extend(digits), bits, digits);
}

char* Emitter::write(char* at, Int operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%r", operand.value);
  const uint32_t bits = static_cast<uint32_t>(info.bits);
  if (bits <= 0xffff) return write_number(at, bits);
  const bool small_negative = bits >= 0xffffff00u;
  if (small_negative) return write_number(write(at, '-'), ~bits + 1u);
  return write_hex(write(at, "0x"), bits, 8);
}

char* Emitter::write(char* at, Float operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%r", operand.value);
  return write_hex(write(at, "0f"), info.bits, 8);
}

char* Emitter::write(char* at, Double operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%rd", operand.value);
  return write_hex(write(at, "0d"), info.bits, 16);
}

char* Emitter::write(char* at, Pred operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%p", operand.value);
  (info.bits != 0 ? needs_true_ : needs_false_) = true;
  return info.bits != 0 ? write(at, "%ptrue") : write(at, "%pfalse");
}

void Emitter::refuse(const Instruction& instruction, std::string_view what) {
  diagnostics_.error(module_.location_of(instruction), "{} cannot be expressed on ptx", what);
}

// Finds uses, definitions, and which instructions are emitted inside their only user.
void Emitter::scan() {
  uses_.assign(module_.values.size(), 0);
  definition_.assign(module_.values.size(), kNowhere);
  deferred_.assign(module_.code.size(), 0);
  std::pmr::vector<uint32_t> takers(module_.memory());  // instructions that may emit an operand's definition
  uint32_t* const uses = uses_.data();
  uint32_t* const definition = definition_.data();
  uint32_t at = 0;
  for (const Instruction& instruction : module_.code) {
    for (const Value value : module_.operands_of(instruction)) ++uses[value];
    const uint32_t results = instruction.result_count;
    for (uint32_t r = 0; r < results; ++r) definition[instruction.first_result + r] = at;
    uses_quads_ |= ir::info(instruction.op).family == ir::Family::derivative;
    if (instruction.op == Op::pand || instruction.op == Op::fsat) takers.push_back(at);
    needs_coverage_ |= launch::reads_coverage(instruction);
    discards_ |= instruction.op == Op::discard;
    ++at;
  }
  for (const uint32_t taker : takers) defer_definition(module_.code[taker]);
  const ir::KnownLaunch& known = module_.relied.launch;
  const bool has_helpers = module_.stage == ir::Stage::pixel && known.helper_lanes != false;
  tests_live_ = is_stream_ && (discards_ || has_helpers || !known.has_exact_threads());
}

void Emitter::defer_definition(const Instruction& user) {
  for (const Value value : module_.operands_of(user)) {
    if (uses_[value] != 1 || definition_[value] == kNowhere) continue;
    const Instruction& definer = module_.code[definition_[value]];
    const ir::OpInfo& info = ir::info(definer.op);
    const bool compare = user.op == Op::pand && info.results == "p" &&
                         (info.family == ir::Family::float32 || info.family == ir::Family::integer);
    const bool saturated =
        user.op == Op::fsat && (definer.op == Op::fadd || definer.op == Op::fmul || definer.op == Op::ffma);
    if (!compare && !saturated) continue;
    deferred_[definition_[value]] = 1;
    return;  // an `and` includes one comparison
  }
}

bool Emitter::run() {
  const Target* target = find_target(options_.sm);
  if (target == nullptr) {
    diagnostics_.error({}, "ptx has no target sm_{}", options_.sm);
    return false;
  }
  if (!is_identifier(options_.entry)) {
    diagnostics_.error({}, "'{}' is not a valid name for a ptx entry", options_.entry);
    return false;
  }
  if (is_taken(options_.entry)) {
    diagnostics_.error(
        {}, "a ptx entry cannot be named '{}': labels are named L1 or LEXIT, variables texlate_...",
        options_.entry);
    return false;
  }
  scan();
  find_structure();
  body_.reserve(module_.code.size() * 48);
  const auto count = static_cast<uint32_t>(module_.code.size());
  for (current_ = 0; current_ < count; ++current_) {
    const Instruction& instruction = module_.code[current_];
    if (instruction.location != marked_location_) mark_line(instruction);
    if (options_.debug) emit_location(instruction);
    if (deferred_[current_] == 0) emit_instruction(instruction);
    if (diagnostics_.full()) break;
  }
  if (diagnostics_.error_count() != errors_before_) return false;
  Buffer<char> code(module_.memory());
  code.swap(body_);
  emit_header();
  emit_prologue();
  out_.reserve(out_.size() + body_.size() + code.size() + 1024);
  out_.append(body_.data(), body_.size());
  out_.append(code.data(), code.size());
  if (options_.lines != nullptr) {
    const auto head = static_cast<uint32_t>(std::ranges::count(body_, '\n'));
    for (LineMark& mark : *options_.lines) mark.line += head;
  }
  body_.clear();
  emit_epilogue();
  out_.append(body_.data(), body_.size());
  return true;
}

// The instruction's first line will be the next one. Lines after the code have the location of its last line.
void Emitter::mark_line(const Instruction& instruction) {
  if (options_.lines == nullptr) return;
  marked_location_ = instruction.location;
  options_.lines->push_back({lines_ + 1, module_.location_of(instruction)});
}

void Emitter::emit_header() {
  put("//\n// Generated by texlate\n//\n.version ");
  const std::string_view version = find_target(options_.sm)->version;  // digit, dot, digit: compares as text
  put(needs_residency_ ? std::max(version, kLeastVersionOfResidency) : version);
  put("\n.target sm_");
  put(options_.sm);
  put("\n.address_size 64\n\n");
  if (options_.debug && !options_.source_name.empty()) {
    put(".file 1 \"");
    // ptxas 12.4 crashes if the name is not ASCII.
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    for (const char c : options_.source_name) put(is_plain(c) ? c : '_');
    put("\"\n\n");
  }
  emit_tables();
  put(std::string_view(function_text_));
  put(options_.is_function ? ".visible .func " : ".visible .entry ");
  put(options_.entry);
  if (layout_.in_memory) {
    put("(\n\t.param .u64 ");
    put(kParameters);
    put("\n)\n");
  } else {
    put("(\n\t.param .align 16 .b8 texlate_params[");
    put(layout_.size == 0 ? 16u : layout_.size);
    put("]\n)\n");
  }
  if (!options_.is_function) emit_limits();
  put("{\n");
}

// What a launch may request (PTX ISA 11.4): with it the assembler leaves enough registers for a whole block.
// Without a minimum of blocks per multiprocessor ptxas aims at two or more, and spills for them.
void Emitter::emit_limits() {
  if (is_stream_) {
    put(".maxntid ");
    put(options_.max_threads);
    put('\n');
  } else {
    put(".reqntid ");
    put(module_.thread_group[0]);
    put(", ");
    put(module_.thread_group[1]);
    put(", ");
    put(module_.thread_group[2]);
    put('\n');
  }
  if (options_.max_registers == 0) return put(".minnctapersm 1\n");
  put(".maxnreg ");
  put(options_.max_registers);
  put('\n');
}

/// A line of the source, counted from 1, without its indentation; empty if there is no such line.
std::string_view Emitter::source_line(uint32_t number) {
  const std::string_view source = options_.source;
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
  if (location.line == 0) {
    put("\t// offset 0x");
    put_hex(location.offset, 6);
    return put('\n');
  }
  const std::string_view line = source_line(location.line);
  if (!line.empty()) {
    put("\t// ");
    put(line);
    put('\n');
  }
  if (options_.source_name.empty()) return;
  put("\t.loc 1 ");
  put(location.line);
  put(' ');
  put(std::max(1u, location.column));
  put('\n');
}

void Emitter::emit_tables() {
  if (needs_unbound_) {
    put(".global .align 16 .b8 texlate_unbound[");
    put(record::kSize);
    put("];\n\n");
  }
  for (uint32_t i = 0; i < module_.tables.size(); ++i) {
    const ir::ConstantTable& table = module_.tables[i];
    if (table.rows == 0) continue;
    put(".global .align 16 .b32 texlate_table");
    put(i);
    put('[');
    put(table.rows * 4);
    put("] = {");
    for (uint32_t w = 0; w < table.rows * 4; ++w) {
      put(w == 0 ? "" : w % 8 == 0 ? ",\n\t" : ", ");
      put("0x");
      put_hex(module_.table_words[table.first_word + w], 8);
    }
    put("};\n\n");
  }
}

void Emitter::emit_prologue() {
  const uint32_t values = static_cast<uint32_t>(module_.values.size());
  auto declare = [this](std::string_view type, std::string_view name, uint32_t count) {
    if (count != 0) line(".reg ", type, " ", name, "<", count, ">");
  };
  declare(".b32", "%r", values);
  declare(".b64", "%rd", values);
  declare(".pred", "%p", values);
  declare(".b32", "%t", temps_);
  declare(".b64", "%td", temps64_);
  declare(".pred", "%tp", temp_preds_);
  declare(".b16", "%h", halves_);
  for (uint32_t i = 0; i < module_.locals.size(); ++i) {
    line(".local .align 16 .b8 texlate_x", i, "[", std::max(1u, module_.locals[i].rows) * 16u, "]");
  }
  for (uint32_t i = 0; i < module_.shared.size(); ++i) {
    line(".shared .align 16 .b8 texlate_g", i, "[", std::max(1u, (module_.shared[i].bytes + 3) / 4) * 4u,
         "]");
  }
  if (needs_true_) line(".reg .pred %ptrue");
  if (needs_false_) line(".reg .pred %pfalse");
  if (layout_.in_memory) {
    line(".reg .b64 ", kBlock);
    line("ld.param.u64 ", kBlock, ", [", kParameters, "]");
  }
  if (is_stream_) emit_stream_head();
  if (needs_true_) line("setp.eq.u32 %ptrue, 0, 0");
  if (needs_false_) line("setp.ne.u32 %pfalse, 0, 0");
  put('\n');
}

void Emitter::emit_stream_head() {
  line(".reg .b32 %element, %count, %lane, %xsign, %ysign, %xmate, %ymate, %pending");
  if (paths_.needed()) line(".reg .b32 %m<", masks_, ">");
  line(".reg .b64 %inputs, %outputs, %plane, %covered, %written, %offset");
  line(".reg .pred %live, %has");
  for (const ir::Parameter& parameter : module_.outputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) line(".reg .b32 %o", parameter.reg * 4 + c);
    }
  }
  line(load_of({}), "u64 %inputs, [", Record{}, "+", stream_head::kInputs, "]");
  line(load_of({}), "u64 %outputs, [", Record{}, "+", stream_head::kOutputs, "]");
  emit_element();
  if (module_.stage == ir::Stage::pixel) {
    emit_coverage();
    line("mov.u32 %lane, ", std::string_view("%laneid"));
    if (uses_quads_) {
      // The sign bit in left pixels, and in upper ones: see emit_derivative.
      line("not.b32 %ysign, %lane");
      line("shl.b32 %xsign, %ysign, 31");
      line("and.b32 %ysign, %ysign, 2");
      line("shl.b32 %ysign, %ysign, 30");
    }
    if (paths_.needed()) {
      line("mov.b32 %m0, -1");
      line("xor.b32 %xmate, %lane, 1");
      line("shl.b32 %xmate, 1, %xmate");
      line("xor.b32 %ymate, %lane, 2");
      line("shl.b32 %ymate, 1, %ymate");
      if (needs_pending_) line("mov.b32 %pending, 0");
    }
  }
  for (const ir::Parameter& parameter : module_.outputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) line("mov.b32 %o", parameter.reg * 4 + c, ", 0");
    }
  }
}

// Threads past the last element run as helpers on that element: quad exchanges require them.
void Emitter::emit_element() {
  const ir::KnownLaunch& known = module_.relied.launch;
  if (known.elements != 0) {
    line("mov.u32 %count, ", known.elements);
  } else {
    line(load_of({}), "u32 %count, [", Record{}, "+", stream_head::kCount, "]");
  }
  const std::string_view ctaid = "%ctaid.x", ntid = "%ntid.x", tid = "%tid.x";
  line("mov.u32 %element, ", ctaid);
  line("mov.u32 %lane, ", ntid);
  line("mul.lo.u32 %element, %element, %lane");
  line("mov.u32 %lane, ", tid);
  line("add.u32 %element, %element, %lane");
  if (!known.has_exact_threads()) {
    line("setp.lt.u32 %live, %element, %count");
    line("sub.u32 %lane, %count, 1");
    line("min.u32 %element, %element, %lane");
  } else if (tests_live_) {
    line("setp.eq.u32 %live, 0, 0");
  }
  line("mul.wide.u32 %offset, %element, 4");
  line("add.u64 %inputs, %inputs, %offset");
}

// Helpers must not write, and the shader may read what the host gives for its pixel.
void Emitter::emit_coverage() {
  const bool has_helpers = module_.relied.launch.helper_lanes != false;
  if (!has_helpers && !needs_coverage_) return;
  line(load_of({}), "u64 %covered, [", Record{}, "+", stream_head::kCovered, "]");
  line("setp.ne.u64 %has, %covered, 0");
  line("add.u64 %covered, %covered, %offset");
  line("mov.u32 %lane, 1");
  put("\t@%has ld.global.u32 %lane, [%covered];\n");
  if (has_helpers) line("setp.ne.and.u32 %live, %lane, 0, %live");
  if (!needs_coverage_) return;
  line(".reg .b32 %coverage");
  line("selp.b32 %coverage, %lane, 0x80000001, %has");
}

// The address of a plane is that of the one before plus %offset, or counted from the first one.
void Emitter::emit_output_stores() {
  struct Plane {
    uint32_t plane, reg;
  };
  std::pmr::vector<Plane> planes(module_.memory());
  for (uint32_t i = 0; i < module_.outputs.size(); ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((module_.outputs[i].mask >> c) & 1) == 0) continue;
      planes.push_back({output_plane_register(module_, i) * 4 + c, module_.outputs[i].reg * 4 + c});
    }
  }
  std::sort(planes.begin(), planes.end(), [](const Plane& a, const Plane& b) { return a.plane < b.plane; });
  const std::string_view condition = tests_live_ ? "@%live " : "";
  std::string_view before = "%outputs";
  for (size_t i = 0; i < planes.size(); ++i) {
    const uint32_t plane = planes[i].plane;
    if (const auto displacement = launch::plane_displacement(module_, plane, kMostDisplacement)) {
      line(condition, "st.global.b32 [%outputs+", *displacement, "], %o", planes[i].reg);
      continue;
    }
    std::string_view at = "%plane";
    if (plane == 0) {
      at = "%outputs";
    } else if (i != 0 && plane == planes[i - 1].plane + 1 && module_.relied.launch.elements == 0) {
      line("add.u64 %plane, ", before, ", %offset");
    } else {
      line("mad.wide.u32 %plane, %count, ", plane * 4, ", %outputs");
    }
    before = at;
    line(condition, "st.global.b32 [", at, "], %o", planes[i].reg);
  }
}

void Emitter::emit_epilogue() {
  put("LEXIT:\n");
  if (is_stream_) {
    line("add.u64 %outputs, %outputs, %offset");
    if (module_.relied.launch.elements == 0) line("mul.wide.u32 %offset, %count, 4");
    emit_output_stores();
    if (module_.stage == ir::Stage::pixel && !launch::writes_all_pixels(module_)) {
      line(load_of({}), "u64 %written, [", Record{}, "+", stream_head::kWritten, "]");
      line("setp.ne.and.u64 %has, %written, 0, %live");
      line("mul.wide.u32 %offset, %element, 4");
      line("add.u64 %written, %written, %offset");
      put("\t@%has st.global.u32 [%written], 1;\n");
    }
  }
  put("\tret;\n}\n");
}

void Emitter::emit_instruction(const Instruction& instruction) {
  switch (ir::info(instruction.op).family) {
    case ir::Family::float32:
    case ir::Family::conversion:
    case ir::Family::integer:
    case ir::Family::predicate:
    case ir::Family::float64:
    case ir::Family::derivative: return emit_arithmetic(instruction);
    case ir::Family::texture: return emit_texture(instruction);
    case ir::Family::surface: return emit_surface(instruction);
    case ir::Family::buffer: return emit_buffer(instruction);
    case ir::Family::source_register:
    case ir::Family::interface:
    case ir::Family::memory:
    case ir::Family::binding:
    case ir::Family::effect: return emit_memory(instruction);
    case ir::Family::control: ++region_; return emit_control(instruction);
  }
}

bool emit(const ir::Module& module, const Options& options, const Layout& layout, std::pmr::string& out,
          Diagnostics& diagnostics) {
  return Emitter(module, options, layout, out, diagnostics).run();
}

}  // namespace texlate::ptx
