#include "ir/text_printer.h"

#include <bit>
#include <charconv>
#include <iterator>

#include "ir/spelling.h"
#include "ir/text_form.h"

namespace texlate::ir {

namespace {

using namespace text_form;

constexpr size_t kCommentColumn = 72;
constexpr uint32_t kDeepestIndentation = 128;  // otherwise deep nesting would print mostly blanks

/// Shortest digits that read back as the same number, always with a decimal point or an exponent.
template <typename Float>
void append_float(Float value, char suffix, std::pmr::string& out) {
  char digits[64];
  const char* end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  const std::string_view text(digits, static_cast<size_t>(end - digits));
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
  out += suffix;
}

/// Is it a magnitude that shaders write as a float, and not a small integer?
template <typename Bits>
bool looks_like_float(Bits bits, int mantissa_bits, int bias) {
  const int exponent = static_cast<int>((bits << 1 >> 1) >> mantissa_bits) - bias;
  return bits << 1 == 0 ? bits != 0 : exponent >= -40 && exponent <= 40;
}

class Printer {
 public:
  Printer(const Module& module, std::pmr::string& out)
      : module_(module),
        out_(out),
        scratch_(module.memory()),
        number_(module.values.size(), kNoNumber, &scratch_) {}

  void run() {
    number_values();
    print_header();
    print_resources();
    print_parameters();
    print_memories();
    out_ += "code {\n";
    for (const Instruction& instruction : module_.code) print_line(instruction);
    out_ += "}\n";
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void number_values() {
    uint32_t next = 0;
    for (const Instruction& instruction : module_.code) {
      for (uint32_t i = 0; i < instruction.result_count; ++i) {
        const size_t value = size_t{instruction.first_result} + i;
        if (value < number_.size() && number_[value] == kNoNumber) number_[value] = next++;
      }
    }
  }

  // ---- declarations ----

  void print_header() {
    const Module initial;
    add("module {} {}.{} ", spelling(module_.stage), module_.shader_model / 10, module_.shader_model % 10);
    print_string(module_.name);
    out_ += '\n';
    for (const ModuleNumber& number : kModuleNumbers) {
      if (module_.*number.member != initial.*number.member)
        add("{} {}\n", number.word, module_.*number.member);
    }
    if (std::bit_cast<uint32_t>(module_.max_tessellation_factor) !=
        std::bit_cast<uint32_t>(initial.max_tessellation_factor)) {
      out_ += "max_tessellation_factor ";
      print_constant({std::bit_cast<uint32_t>(module_.max_tessellation_factor), Type::b32, true}, out_);
      out_ += '\n';
    }
    const uint32_t* group = module_.thread_group;
    if (group[0] != 1 || group[1] != 1 || group[2] != 1)
      add("thread_group {} {} {}\n", group[0], group[1], group[2]);
    for (const ModuleFlag& flag : kModuleFlags) {
      if (module_.*flag.member) add("{}\n", flag.word);
    }
  }

  void print_string(std::string_view text) {
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) {
        add("\\x{:02x}", static_cast<unsigned char>(c));
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  template <typename Declared>
  void print_range(const Declared& declared) {
    if (declared.lower_bound != declared.id || declared.upper_bound != declared.id) {
      add(" registers({}, ", declared.lower_bound);
      if (declared.upper_bound == UINT32_MAX) {
        out_ += "unbounded)";
      } else {
        add("{})", declared.upper_bound);
      }
    }
    if (declared.space != 0) add(" space({})", declared.space);
  }

  static std::string_view prefix_of(const Resource& resource) {
    return resource.is_uav ? "u" : resource.is_constant_buffer ? "cb" : "t";
  }
  void print_resources() {
    for (const Resource& resource : module_.resources) {
      add("{} {}{} {} {}", resource.is_uav ? "uav" : "resource", prefix_of(resource), resource.id,
          spelling(resource.dimension), spelling(resource.component_types[0]));
      bool same = true;
      for (const ComponentType type : resource.component_types)
        same = same && type == resource.component_types[0];
      for (uint32_t i = 1; i < 4 && !same; ++i) add(", {}", spelling(resource.component_types[i]));
      print_range(resource);
      for (const ResourceFlag& flag : kResourceFlags) {
        if (resource.*flag.member) add(" {}", flag.word);
      }
      if (resource.sample_count != 0) add(" samples({})", resource.sample_count);
      if (resource.stride != 0) add(" stride({})", resource.stride);
      out_ += '\n';
    }
    for (const Sampler& sampler : module_.samplers) {
      add("sampler s{}{}", sampler.id, sampler.comparison ? " comparison" : "");
      print_range(sampler);
      out_ += '\n';
    }
    for (const ConstantBuffer& buffer : module_.constant_buffers) {
      add("constant_buffer cb{}", buffer.id);
      if (buffer.rows != 0) add(" rows({})", buffer.rows);
      if (buffer.dynamically_indexed) out_ += " dynamic";
      print_range(buffer);
      out_ += '\n';
    }
  }

  void print_system_value(uint32_t value) {
    const std::string_view name =
        value < 256 ? spelling(static_cast<SystemValue>(value)) : std::string_view{};
    if (name.empty()) {
      add("{}", value);
    } else {
      out_ += name;
    }
  }

  void print_register(std::string_view prefix, uint32_t reg) {
    const uint32_t special = reg - kSpecialRegister;
    if (reg >= kSpecialRegister && special < 256 && !spelling(static_cast<SystemValue>(special)).empty()) {
      print_system_value(special);
    } else {
      add("{}{}", prefix, reg);
    }
  }

  void print_parameters() {
    for (const ParameterList& list : kParameterLists) {
      for (const Parameter& parameter : module_.*list.member) {
        add("{} ", list.word);
        print_register(list.prefix, parameter.reg);
        out_ += '.';
        for (uint32_t i = 0; i < 4; ++i) {
          if ((parameter.mask >> i) & 1) out_ += kComponents[i];
        }
        if (parameter.semantic != kNoName) {
          out_ += " semantic ";
          print_string(module_.name_at(parameter.semantic));
        }
        if (parameter.semantic_index != 0) add(" semantic_index({})", parameter.semantic_index);
        if (parameter.system_value != SystemValue::none) {
          out_ += " sv(";
          print_system_value(static_cast<uint32_t>(parameter.system_value));
          out_ += ')';
        }
        if (parameter.interpolation != Interpolation::undefined)
          add(" {}", spelling(parameter.interpolation));
        for (const ParameterNumber& number : kParameterNumbers) {
          if (parameter.*number.member != 0) add(" {}({})", number.word, parameter.*number.member);
        }
        if (parameter.array_size != 0) add(" array({})", parameter.array_size);
        out_ += '\n';
      }
    }
  }

  void print_memories() {
    uint32_t index = 0;
    for (const LocalArray& local : module_.locals) {
      add("local x{} rows({}) components({})\n", index++, local.rows, local.components);
    }
    index = 0;
    for (const SharedArray& shared : module_.shared) {
      add("shared g{} bytes({}) stride({})\n", index++, shared.bytes, shared.stride);
    }
    index = 0;
    for (const ConstantTable& table : module_.tables) {
      add("table table{}\n", index++);
      for (uint32_t row = 0; row < table.rows; ++row) {
        const size_t first = table.first_word + size_t{row} * 4;
        if (first + 4 > module_.table_words.size()) break;
        for (uint32_t i = 0; i < 4; ++i) {
          out_ += i == 0 ? "  row " : ", ";
          print_constant({module_.table_words[first + i], Type::b32, true}, out_);
        }
        out_ += '\n';
      }
    }
    index = 0;
    for (const HullPhaseInfo& phase : module_.phases) {
      add("phase {} {} instances({})\n", index++, spelling(phase.kind), phase.instance_count);
    }
  }

  // ---- instructions ----

  void print_line(const Instruction& instruction) {
    const Op op = instruction.op;
    uint32_t indentation = depth_;
    if (op == Op::else_ || op == Op::case_ || op == Op::default_) indentation -= std::min(indentation, 1u);
    if (op == Op::endif || op == Op::endloop) depth_ = indentation -= std::min(indentation, 1u);
    if (op == Op::endswitch) depth_ = indentation -= std::min(indentation, 2u);
    const size_t line_start = out_.size();
    out_.append(2 + size_t{std::min(indentation, kDeepestIndentation)} * 2, ' ');
    print_instruction(instruction);
    print_location(module_.location_of(instruction), line_start);
    out_ += '\n';
    if (op == Op::if_ || op == Op::loop) depth_ += 1;
    if (op == Op::switch_) depth_ += 2;
  }

  // The line is printed where it changes.
  void print_location(const SourceLocation& location, size_t line_start) {
    if (location.line == line_ && location.offset == offset_) return;
    line_ = location.line;
    offset_ = location.offset;
    const size_t column = out_.size() - line_start;
    out_.append(column < kCommentColumn ? kCommentColumn - column : 2, ' ');
    if (line_ != 0) {
      add("; line {}", line_);
    } else if (offset_ != SourceLocation::kNoOffset) {
      add("; offset {:#x}", offset_);
    } else {
      out_ += "; no line";
    }
  }

  void print_value(Value value) {
    if (value == kNoValue) {
      out_ += '_';
    } else if (value >= module_.values.size()) {
      add("%out_of_range_{}", value.number());
    } else if (module_.values[value].is_constant) {
      print_constant(module_.values[value], out_);
    } else if (number_[value] == kNoNumber) {
      add("%undefined_{}", value.number());
    } else {
      add("%{}", number_[value]);
    }
  }

  void print_values(std::span<const Value> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out_ += ", ";
      print_value(values[i]);
    }
  }

  void print_group(std::string_view word, std::span<const Value> values) {
    add(" {}(", word);
    print_values(values);
    out_ += ')';
  }

  void print_results(const Instruction& instruction) {
    if (instruction.result_count == 0) return;
    if (!info(instruction.op).passes_results()) {
      print_value(instruction.first_result);
      if (instruction.result_count > 1) {
        out_ += "..";
        print_value(instruction.first_result + instruction.result_count - 1);
      }
    } else {
      for (uint32_t i = 0; i < instruction.result_count; ++i) {
        const Value value = instruction.first_result + i;
        if (i != 0) out_ += ", ";
        print_value(value);
        if (value < module_.values.size() && module_.values[value].type != Type::b32) {
          add(": {}", spelling(module_.values[value].type));
        }
      }
    }
    out_ += " = ";
  }

  /// Empty if they are outside the pool.
  std::span<const Value> operands_of(const Instruction& instruction) const {
    const size_t end = size_t{instruction.first_operand} + instruction.operand_count;
    return end <= module_.operands.size() ? module_.operands_of(instruction) : std::span<const Value>{};
  }

  void print_instruction(const Instruction& instruction) {
    if (static_cast<uint32_t>(instruction.op) >= kOpCount)
      return add("unknown_operation_{}", static_cast<uint32_t>(instruction.op));
    print_results(instruction);
    const OpInfo& operation = info(instruction.op);
    out_ += operation.text;
    if (instruction.has(kPrecise)) out_ += " [precise]";
    std::span<const Value> operands = operands_of(instruction);
    const std::string_view word = operand_word(instruction.op);
    if (!word.empty()) {
      if (!operands.empty()) print_group(word, operands);
      return;
    }
    if (operation.payload == Payload::access) {
      if (instruction.payload < module_.accesses.size()) print_access(instruction);
      return;
    }
    operands = print_payload(instruction, operands);
    if (operands.empty()) return;
    out_ += operation.payload == Payload::none ? " " : ", ";
    print_values(operands);
  }

  /// Prints the payload and the operands that are part of it; returns the others.
  std::span<const Value> print_payload(const Instruction& instruction, std::span<const Value> operands) {
    const OpInfo& operation = info(instruction.op);
    const uint32_t payload = instruction.payload;
    switch (operation.payload) {
      case Payload::none: break;
      case Payload::reg:
        out_ += ' ';
        print_register(register_prefix(instruction.op), payload / 4);
        add(".{}", kComponents[payload % 4]);
        return print_register_operands(instruction, operands);
      case Payload::system_value:
        out_ += ' ';
        print_system_value(payload / 4);
        add(".{}", kComponents[payload % 4]);
        break;
      case Payload::constant_buffer:
      case Payload::table:
      case Payload::local:
      case Payload::shared:
      case Payload::shared_atomic: return print_memory(operation.payload, instruction, operands);
      case Payload::binding_query: return print_query(instruction, operands);
      case Payload::value:
        if (instruction.op == Op::case_) {
          out_ += ' ';
          print_constant({payload, Type::b32, true}, out_);
        } else {
          add(" {}", payload);
        }
        break;
      case Payload::barrier: print_barrier(payload); break;
      case Payload::phase: add(" {}", payload); break;
      case Payload::text: print_text(payload); break;
      case Payload::access: break;
    }
    return operands;
  }

  /// In quotation marks; what cannot stand between them has the form \\xNN.
  void print_text(uint32_t offset) {
    out_ += " \"";
    if (offset < module_.names.size()) {
      for (const char c : module_.name_at(offset)) {
        const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
        if (is_plain) {
          out_ += c;
        } else {
          add("\\x{:02x}", static_cast<unsigned char>(c));
        }
      }
    }
    out_ += '"';
  }

  std::span<const Value> print_register_operands(const Instruction& instruction,
                                                 std::span<const Value> operands) {
    if (instruction.has(kVertexOperand) && !operands.empty()) {
      print_group("vertex", operands.first(1));
      operands = operands.subspan(1);
    }
    if (instruction.has(kIndexOperand) && !operands.empty()) {
      print_group("index", operands.first(1));
      operands = operands.subspan(1);
    }
    return operands;
  }

  std::span<const Value> print_memory(Payload kind, const Instruction& instruction,
                                      std::span<const Value> operands) {
    const uint32_t payload = instruction.payload;
    Value guard = kNoValue;
    if (instruction.has(kGuarded) && !operands.empty()) {
      guard = operands.back();
      operands = operands.first(operands.size() - 1);
    }
    uint32_t index = payload;
    if (kind == Payload::shared_atomic) {
      add(" {}", spelling(static_cast<AtomicOp>(payload % 16)));
      index = payload / 16;
    } else if (kind == Payload::local) {
      index = payload / 4;
    } else if (kind == Payload::constant_buffer && index < module_.constant_buffers.size()) {
      index = module_.constant_buffers[index].id;
    }
    add(" {}{}", memory_prefix(kind), index);
    if (!operands.empty() && instruction.op != Op::cb_rows) {
      out_ += '[';
      print_value(operands[0]);
      out_ += ']';
      operands = operands.subspan(1);
    }
    if (kind == Payload::local) add(".{}", kComponents[payload % 4]);
    if (kind == Payload::constant_buffer && !operands.empty())
      operands = print_range_index(instruction, operands);
    if (guard != kNoValue) print_group("guard", std::span(&guard, 1));
    return operands;
  }

  std::span<const Value> print_query(const Instruction& instruction, std::span<const Value> operands) {
    const BindingQuery query = BindingQuery::unpack(instruction.payload);
    out_ += ' ';
    if (query.is_sampler_fact()) {
      print_sampler(query.resource);
    } else {
      print_resource(query.resource);
    }
    if (instruction.op != Op::address || query.fact != BindingFact::bound) add(".{}", spelling(query.fact));
    return operands.empty() ? operands : print_range_index(instruction, operands);
  }

  /// The first operand: an index into a 5.1 range.
  std::span<const Value> print_range_index(const Instruction& instruction, std::span<const Value> operands) {
    print_group("index", operands.first(1));
    if (instruction.has(kNonUniform)) out_ += " non_uniform";
    return operands.subspan(1);
  }

  void print_resource(uint32_t index) {
    if (index >= module_.resources.size()) return add("t_out_of_range_{}", index);
    add("{}{}", prefix_of(module_.resources[index]), module_.resources[index].id);
  }
  void print_sampler(uint32_t index) {
    if (index >= module_.samplers.size()) return add("s_out_of_range_{}", index);
    add("s{}", module_.samplers[index].id);
  }

  void print_barrier(uint32_t flags) {
    static constexpr std::string_view kWords[] = {"threads", "shared", "uav_group", "uav_global"};
    for (uint32_t i = 0; i < 4; ++i) {
      if ((flags >> i) & 1) add(" {}", kWords[i]);
    }
  }

  void print_access(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    out_ += ' ';
    print_resource(access.resource);
    if (access.sampler != ResourceAccess::kNoSampler) {
      out_ += ' ';
      print_sampler(access.sampler);
    }
    add(" {} {}", spelling(access.dimension), spelling(access.type));
    const std::span<const Value> operands = operands_of(instruction);
    for (const SlotGroup& group : kSlotGroups) print_slots(access, operands, group);
    print_level_rule(access);
    print_contract(instruction.op, access);
  }

  /// Is the operand written together with a rule or flag (`level(%1)`, `compare(%2)`)?
  static bool stands_with_rule(const ResourceAccess& access, Slot slot) {
    if (slot == Slot::lod) return access.lod == LodRule::level || access.lod == LodRule::bias;
    return slot == Slot::reference && access.compare;
  }

  void print_slots(const ResourceAccess& access, std::span<const Value> operands, const SlotGroup& group) {
    uint32_t last = 0;  // one past the last slot that is present
    for (uint32_t i = 0; i < group.count; ++i) {
      if (access.has(group.first + i)) last = i + 1;
    }
    if (last == 0) return;
    std::string_view word = group.word;
    if (stands_with_rule(access, group.first)) {
      word = group.first == Slot::reference ? "compare" : access.lod == LodRule::bias ? "bias" : "level";
    }
    add(" {}(", word);
    for (uint32_t i = 0; i < last; ++i) {
      if (i != 0) out_ += ", ";
      const bool present = access.has(group.first + i) && access.position(group.first + i) < operands.size();
      print_value(present ? operands[access.position(group.first + i)] : kNoValue);
    }
    out_ += ')';
  }

  void print_level_rule(const ResourceAccess& access) {
    if (access.has(Slot::lod) && stands_with_rule(access, Slot::lod)) return;
    for (const LodWord& word : kLodWords) {
      if (access.lod == word.rule) add(" {}", word.word);
    }
  }

  void print_contract(Op op, const ResourceAccess& access) {
    if (access.has_offset) {
      uint32_t axes = offset_count(access.dimension);
      while (axes < 3 && access.offset[axes] != 0) ++axes;
      out_ += " offset(";
      for (uint32_t i = 0; i < axes; ++i) add("{}{}", i == 0 ? "" : ", ", access.offset[i]);
      out_ += ')';
    }
    for (const AccessFlag& flag : kAccessFlags) {
      const bool stands_elsewhere = flag.member == &ResourceAccess::compare && access.has(Slot::reference);
      if (access.*flag.member && !stands_elsewhere) add(" {}", flag.word);
    }
    if (access.gather_component != 0) add(" component({})", access.gather_component);
    if (access.component_mask != 0xf) add(" mask({})", access.component_mask);
    if (access.alignment != 0) add(" align({})", access.alignment);
    if (op == Op::surf_atomic || op == Op::buf_atomic || access.atomic != AtomicOp::add) {
      add(" atomic({})", spelling(access.atomic));
    }
    if (op == Op::counter || access.counter != CounterOp::alloc)
      add(" counter({})", spelling(access.counter));
  }

  const Module& module_;
  std::pmr::string& out_;
  std::pmr::monotonic_buffer_resource scratch_;
  static constexpr uint32_t kNoNumber = 0xffffffffu;
  std::pmr::vector<uint32_t> number_;  // of a value in the text
  uint32_t depth_ = 0;
  uint32_t line_ = 0;
  uint32_t offset_ = SourceLocation::kNoOffset;
};

}  // namespace

void print(const Module& module, std::pmr::string& out) {
  Printer(module, out).run();
}

void print_constant(const ValueInfo& value, std::pmr::string& out) {
  if (value.type == Type::b1) {
    out += value.bits != 0 ? "true" : "false";
    return;
  }
  const bool wide = value.type == Type::b64;
  const int64_t number = wide ? static_cast<int64_t>(value.bits) : static_cast<int32_t>(value.bits);
  if (number >= -0x10000 && number <= 0x10000) {
    fmt::format_to(std::back_inserter(out), "{}", number);
  } else if (!wide && looks_like_float(static_cast<uint32_t>(value.bits), 23, 127)) {
    return append_float(std::bit_cast<float>(static_cast<uint32_t>(value.bits)), 'f', out);
  } else if (wide && looks_like_float(value.bits, 52, 1023)) {
    return append_float(std::bit_cast<double>(value.bits), 'd', out);
  } else {
    fmt::format_to(std::back_inserter(out), "{:#x}", value.bits);
  }
  if (wide) out += 'l';
}

}  // namespace texlate::ir
