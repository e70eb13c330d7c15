#include "library/fixed_function.h"

#include <algorithm>
#include <bit>

#include "frontend/sm4/declaration.h"
#include "library/stage_linkage.h"

namespace texlate::library {

namespace {

using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::RegisterFile;

constexpr uint32_t kMostOutputs = 32;

Operand reg(RegisterFile file, uint32_t number) {
  Operand made;
  made.file = file;
  made.component_count = sm4::ComponentCount::four;
  made.index_count = 1;
  made.index[0].immediate = number;
  return made;
}

Operand masked(RegisterFile file, uint32_t number, uint8_t mask) {
  Operand made = reg(file, number);
  made.selection = sm4::Selection::mask;
  made.components = mask;
  return made;
}

Operand swizzled(Operand made, uint8_t swizzle = sm4::kIdentitySwizzle) {
  made.selection = sm4::Selection::swizzle;
  made.components = swizzle;
  return made;
}

/// One component for all lanes.
Operand component(RegisterFile file, uint32_t number, uint32_t c) {
  return swizzled(reg(file, number), static_cast<uint8_t>(c * 0x55));
}

Operand temp(uint32_t number, uint32_t c) {
  return component(RegisterFile::temp, number, c);
}

Operand negated(Operand made) {
  made.modifier = sm4::OperandModifier::negate;
  return made;
}

Operand literal(const std::array<uint32_t, 4>& bits) {
  Operand made;
  made.file = RegisterFile::immediate32;
  made.component_count = sm4::ComponentCount::four;
  made.immediate = bits;
  return made;
}

Operand literal(uint32_t bits) {
  return literal({bits, bits, bits, bits});
}

class Builder {
 public:
  Builder(const sm4::Program& source, const FixedFunction& state, Diagnostics& diagnostics)
      : source_(source), state_(state), diagnostics_(diagnostics), made_(source), copies_(made_.memory()) {}

  std::optional<sm4::Program> run() {
    if (!survey()) return std::nullopt;
    made_.instructions.clear();
    size_t i = 0;
    const auto& code = source_.instructions;
    for (; i < code.size() && is_declaration(code[i]); ++i) {
      if (code[i].opcode != Opcode::dcl_temps) made_.instructions.push_back(code[i]);
    }
    const size_t declarations = made_.instructions.size();
    bool in_main = true;  // subroutines follow the main program, and their `ret` ends no shader
    for (; i < code.size(); ++i) {
      if (code[i].opcode == Opcode::label) in_main = false;
      copy(code[i], in_main);
    }
    Buffer<Instruction> body(made_.memory());
    body.append(std::span<const Instruction>(made_.instructions).subspan(declarations));
    made_.instructions.resize(declarations);
    declare();
    made_.instructions.append(body);
    if (failed_) return std::nullopt;
    return std::move(made_);
  }

 private:
  static bool is_declaration(const Instruction& instruction) {
    return sm4::info(instruction.opcode).has(sm4::kDeclaration);
  }

  void refuse(std::string_view what) {
    diagnostics_.error(source_.version_location, "{}", what);
    failed_ = true;
  }

  /// What the program declares, and which registers are free.
  bool survey() {
    for (const Instruction& dcl : source_.instructions) {
      if (!is_declaration(dcl)) continue;
      if (dcl.opcode == Opcode::dcl_temps) temps_ = source_.words_of(dcl)[0];
      if (dcl.opcode == Opcode::dcl_indexrange && source_.operands_of(dcl)[0].file == RegisterFile::output)
        refuse("alpha test, clip planes and fog cannot be combined with outputs that have run-time numbers");
      for (const Operand& operand : source_.operands_of(dcl)) {
        if (operand.file == RegisterFile::output && operand.index_count != 0)
          note_output(dcl, operand.index[operand.index_count - 1u].immediate, operand.components);
      }
      if (dcl.opcode == Opcode::dcl_constantbuffer)
        buffers_ = std::max(buffers_, sm4::declared_range(source_, dcl).id + 1);
    }
    first_output_temp_ = temps_;
    temps_ += kMostOutputs;
    scratch_ = temps_++;
    return !failed_;
  }

  void note_output(const Instruction& dcl, uint32_t number, uint8_t mask) {
    if (number >= kMostOutputs) return;
    output_masks_[number] |= mask;
    if (sm4::declared_system_value(source_, dcl) == sm4::SystemValue::position) position_ = number;
    if (sm4::declared_system_value(source_, dcl) == sm4::SystemValue::clip_distance)
      has_clip_distances_ = true;
  }

  /// Outputs go to registers of their own, which the end of the shader reads.
  void copy(const Instruction& instruction, bool in_main) {
    if (in_main && instruction.opcode == Opcode::ret) finish(instruction.location);
    if (in_main && instruction.opcode == Opcode::retc) {
      Instruction opening = instruction;
      opening.opcode = Opcode::if_;
      add_copy(opening);
      finish(instruction.location);
      add(Opcode::ret, {}, instruction.location);
      add(Opcode::endif, {}, instruction.location);
      return;
    }
    add_copy(instruction);
  }

  void add_copy(Instruction instruction) {
    const std::span<const Operand> operands = source_.operands_of(instruction);
    copies_.clear();
    for (const Operand& operand : operands) copies_.push_back(copied(operand));
    instruction.first_operand = static_cast<uint32_t>(made_.operands.size());
    made_.operands.append(copies_);
    made_.instructions.push_back(instruction);
  }

  /// An operand with copies of the registers of its indices, which are appended.
  Operand copied(const Operand& operand) {
    Operand made = operand;
    if (operand.is_immediate()) return made;
    if (operand.file == RegisterFile::output && operand.index_count == 1 &&
        operand.index[0].immediate < kMostOutputs) {
      made.file = RegisterFile::temp;
      made.index[0].immediate += first_output_temp_;
    }
    for (uint32_t i = 0; i < operand.index_count; ++i) {
      if (operand.index[i].relative == sm4::kNoOperand) continue;
      const Operand reg = copied(source_.operands[operand.index[i].relative]);
      made.index[i].relative = static_cast<uint32_t>(made_.operands.size());
      made_.operands.push_back(reg);
    }
    return made;
  }

  void add(Opcode opcode, std::initializer_list<Operand> operands, const SourceLocation& location,
           uint16_t controls = 0) {
    Instruction made;
    made.opcode = opcode;
    made.controls = controls;
    made.operand_count = static_cast<uint8_t>(operands.size());
    made.first_operand = static_cast<uint32_t>(made_.operands.size());
    made.first_word = static_cast<uint32_t>(made_.words.size());
    made.location = location;
    made_.operands.append(operands.begin(), operands.size());
    made_.instructions.push_back(made);
  }

  Operand scratch(uint8_t mask) const { return masked(RegisterFile::temp, scratch_, mask); }
  uint32_t held(uint32_t output) const { return first_output_temp_ + output; }

  /// The value for all lanes (`count` 1), or four of them.
  Operand value(const StateValue& given, uint32_t count) {
    if (!given.in_buffer) return count == 1 ? literal(given.bits[0]) : literal(given.bits);
    if (given.offset % (count == 1 ? 4 : 16) != 0)
      refuse("a value of the fixed-function state has a wrong offset");
    Used& buffer = used(given);
    const uint32_t row = given.offset / 16;
    buffer.rows = std::max(buffer.rows, row + 1);
    const uint32_t c = given.offset / 4 % 4;
    Operand made = count == 1 ? component(RegisterFile::constant_buffer, buffer.id, c)
                              : swizzled(reg(RegisterFile::constant_buffer, buffer.id));
    if (source_.version.model() >= 51) {
      made.index_count = 3;
      made.index[1].immediate = given.buffer;
      made.index[2].immediate = row;
    } else {
      made.index_count = 2;
      made.index[1].immediate = row;
    }
    return made;
  }

  struct Used {
    uint32_t id, buffer, space, rows;
  };
  Used& used(const StateValue& given) {
    for (Used& known : used_) {
      if (known.buffer == given.buffer && known.space == given.space) return known;
    }
    const uint32_t id = source_.version.model() >= 51 ? buffers_++ : given.buffer;
    return used_.emplace_back(Used{id, given.buffer, given.space, 0});
  }

  /// What happens where the shader returns: Direct3D 9's state, then the outputs.
  void finish(const SourceLocation& at) {
    const sm4::Stage stage = source_.version.stage;
    if (stage == sm4::Stage::pixel) {
      test_alpha(at);
      add_fog(at);
    } else {
      write_fog(at);  // first, so that its output is the one after the shader's own, as hosts expect
      if (stage == sm4::Stage::vertex) measure_clip_planes(at);
    }
    for (uint32_t o = 0; o < kMostOutputs; ++o) {
      if (output_masks_[o] == 0) continue;
      add(Opcode::mov,
          {masked(RegisterFile::output, o, output_masks_[o]), swizzled(reg(RegisterFile::temp, held(o)))},
          at);
    }
  }

  /// Comparisons are ordered: alpha that is not a number fails every test.
  void test_alpha(const SourceLocation& at) {
    using enum CompareFunction;
    const CompareFunction function = state_.alpha_function;
    if (function == none || function == always || (output_masks_[0] & 8) == 0) return;
    const Operand alpha = temp(held(0), 3);
    const Operand ref = value(state_.alpha_reference, 1);
    const bool is_uint = state_.alpha_is_uint;
    const Opcode below = is_uint ? Opcode::ult : Opcode::lt, from = is_uint ? Opcode::uge : Opcode::ge;
    switch (function) {
      case none:
      case always: return;
      case never: add(Opcode::mov, {scratch(1), literal(0)}, at); break;
      case less: add(below, {scratch(1), alpha, ref}, at); break;
      case equal: add(is_uint ? Opcode::ieq : Opcode::eq, {scratch(1), alpha, ref}, at); break;
      case less_equal: add(from, {scratch(1), ref, alpha}, at); break;
      case greater: add(below, {scratch(1), ref, alpha}, at); break;
      case greater_equal: add(from, {scratch(1), alpha, ref}, at); break;
      case not_equal:
        add(below, {scratch(1), alpha, ref}, at);
        add(below, {scratch(2), ref, alpha}, at);
        add(Opcode::or_, {scratch(1), temp(scratch_, 0), temp(scratch_, 1)}, at);
        break;
    }
    Operand test = reg(RegisterFile::temp, scratch_);
    test.selection = sm4::Selection::select;
    test.components = 0;
    add(Opcode::discard, {test}, at);  // discard_z
  }

  void add_fog(const SourceLocation& at) {
    if (state_.fog_mode == FogMode::none || output_masks_[0] == 0) return;
    const Operand factor = component(RegisterFile::input, fog_input(), fog_component_);
    const Operand scale = value(state_.fog_scale, 1);
    switch (state_.fog_mode) {
      case FogMode::none: return;
      case FogMode::linear:
        add(Opcode::add, {scratch(1), value(state_.fog_end, 1), negated(factor)}, at);
        add(Opcode::mul, {scratch(1), temp(scratch_, 0), scale}, at, sm4::controls::kSaturate);
        break;
      case FogMode::exp:
        add(Opcode::mul, {scratch(1), factor, scale}, at);
        add(Opcode::exp, {scratch(1), negated(temp(scratch_, 0))}, at, sm4::controls::kSaturate);
        break;
      case FogMode::exp2:
        add(Opcode::mul, {scratch(1), factor, scale}, at);
        add(Opcode::mul, {scratch(1), temp(scratch_, 0), temp(scratch_, 0)}, at);
        add(Opcode::exp, {scratch(1), negated(temp(scratch_, 0))}, at, sm4::controls::kSaturate);
        break;
    }
    const Operand color = value(state_.fog_color, 4);
    const Operand target = masked(RegisterFile::temp, held(0), output_masks_[0]);
    const Operand written = swizzled(reg(RegisterFile::temp, held(0)));
    Operand minus = color;
    if (color.file == RegisterFile::immediate32) {
      for (uint32_t& bits : minus.immediate) bits ^= 0x80000000u;
    } else {
      minus.modifier = sm4::OperandModifier::negate;
    }
    add(Opcode::add, {target, written, minus}, at);
    add(Opcode::mad, {target, written, temp(scratch_, 0), color}, at);
  }

  /// Distances from the planes of the mask, in ascending order without gaps.
  void measure_clip_planes(const SourceLocation& at) {
    if (state_.clip_mask == 0) return;
    if (has_clip_distances_) return refuse("clip planes for a shader that writes clip distances itself");
    if (position_ == kNone) return refuse("clip planes for a shader without SV_Position");
    const auto count = static_cast<uint32_t>(std::popcount(state_.clip_mask));
    if (first_clip_ == kNone) {
      for (uint32_t first = 0; first < count; first += 4) {
        const uint32_t number = new_output("SV_ClipDistance", first / 4, 2,
                                           static_cast<uint8_t>((1u << std::min(4u, count - first)) - 1));
        if (first == 0) first_clip_ = number;
        clip_outputs_ = first / 4 + 1;
      }
    }
    uint32_t index = 0;
    for (uint32_t plane = 0; plane < state_.clip_planes.size(); ++plane) {
      if ((state_.clip_mask >> plane & 1) == 0) continue;
      add(Opcode::dp4,
          {masked(RegisterFile::temp, held(first_clip_ + index / 4), static_cast<uint8_t>(1u << index % 4)),
           swizzled(reg(RegisterFile::temp, held(position_))), value(state_.clip_planes[plane], 4)},
          at);
      ++index;
    }
  }

  void write_fog(const SourceLocation& at) {
    if (state_.fog_source == FogSource::fog) return;
    const sm4::SignatureElement* const fog = find_element(source_.output_signature, "FOG", 0, 0);
    uint32_t from = position_, c = state_.fog_source == FogSource::z ? 2 : 3;
    if (state_.fog_source == FogSource::fog_or_specular) {
      const sm4::SignatureElement* const specular = find_element(source_.output_signature, "COLOR", 1, 0);
      if (fog != nullptr || specular == nullptr || (specular->mask & 8) == 0) return;
      from = specular->register_index;
      c = 3;
    } else if (position_ == kNone) {
      return refuse("fog by the position for a shader without SV_Position");
    }
    if (fog_output_ == kNone) {
      fog_output_ = fog != nullptr ? fog->register_index : new_output("FOG", 0, 0, 1);
      fog_mask_ = fog != nullptr ? static_cast<uint8_t>(fog->mask & -fog->mask) : 1;
    }
    if (fog_output_ >= kMostOutputs || from >= kMostOutputs) return;
    add(Opcode::mov, {masked(RegisterFile::temp, held(fog_output_), fog_mask_), temp(held(from), c)}, at);
  }

  uint32_t new_output(const char* name, uint32_t index, uint32_t system_value, uint8_t mask) {
    uint32_t number = 0;
    for (uint32_t o = 0; o < kMostOutputs; ++o) {
      if (output_masks_[o] != 0) number = o + 1;
    }
    for (const sm4::SignatureElement& element : made_.output_signature) {
      if (element.register_index < kMostOutputs) number = std::max(number, element.register_index + 1);
    }
    if (number == kMostOutputs) {
      refuse("the fixed-function state needs an output, but all are taken");
      return 0;
    }
    output_masks_[number] = mask;
    sm4::SignatureElement element = {std::pmr::string(name), index, system_value, 3, number, mask};
    made_.output_signature.push_back(element);
    return number;
  }

  /// The register of input FOG0.x, which is added if the shader has none.
  uint32_t fog_input() {
    if (fog_input_ != kNone) return fog_input_;
    uint32_t next = 0;
    for (const sm4::SignatureElement& element : source_.input_signature) {
      if (element.register_index < kMostOutputs) next = std::max(next, element.register_index + 1);
    }
    for (const Instruction& dcl : source_.instructions) {
      for (const Operand& operand : source_.operands_of(dcl)) {
        if (is_declaration(dcl) && operand.file == RegisterFile::input && operand.index_count != 0)
          next = std::max(next, operand.index[operand.index_count - 1u].immediate + 1);
      }
    }
    if (const sm4::SignatureElement* const known = find_element(source_.input_signature, "FOG", 0, 0)) {
      fog_input_ = known->register_index;
      fog_component_ = static_cast<uint32_t>(std::countr_zero(uint32_t{known->mask} | 0x100));
      declares_fog_ = !is_declared_input(fog_input_, fog_component_);
      return fog_input_;
    }
    if (next >= kMostOutputs) refuse("fog needs an input, but all are taken");
    fog_input_ = next;
    declares_fog_ = true;
    sm4::SignatureElement element = {std::pmr::string("FOG"), 0, 0, 3, next, 1};
    element.used_mask = 1;
    made_.input_signature.push_back(element);
    return fog_input_;
  }

  bool is_declared_input(uint32_t number, uint32_t c) const {
    return std::ranges::any_of(source_.instructions, [&](const Instruction& dcl) {
      if (dcl.opcode != Opcode::dcl_input_ps) return false;
      const Operand& operand = source_.operands_of(dcl)[0];
      return operand.index[0].immediate == number && (operand.components >> c & 1) != 0;
    });
  }

  void add_words(std::initializer_list<uint32_t> words) {
    made_.instructions.back().word_count = static_cast<uint32_t>(words.size());
    made_.words.append(words.begin(), words.size());
  }

  /// Declarations of what was added, with all temporaries.
  void declare() {
    for (const Used& buffer : used_) {
      Operand operand = swizzled(reg(RegisterFile::constant_buffer, buffer.id));
      if (source_.version.model() >= 51) {
        operand.index_count = 3;
        operand.index[1].immediate = operand.index[2].immediate = buffer.buffer;
        add(Opcode::dcl_constantbuffer, {operand}, {});
        add_words({buffer.rows, buffer.space});
      } else {
        operand.index_count = 2;
        operand.index[1].immediate = buffer.rows;
        add(Opcode::dcl_constantbuffer, {operand}, {});
      }
    }
    if (declares_fog_)
      add(Opcode::dcl_input_ps,
          {masked(RegisterFile::input, fog_input_, static_cast<uint8_t>(1u << fog_component_))}, {},
          static_cast<uint16_t>(sm4::Interpolation::linear));
    for (uint32_t o = 0; o < clip_outputs_; ++o) {
      add(Opcode::dcl_output_siv,
          {masked(RegisterFile::output, first_clip_ + o, output_masks_[first_clip_ + o])}, {});
      add_words({static_cast<uint32_t>(sm4::SystemValue::clip_distance)});
    }
    if (fog_output_ != kNone && fog_output_ < kMostOutputs &&
        find_element(source_.output_signature, "FOG", 0, 0) == nullptr)
      add(Opcode::dcl_output, {masked(RegisterFile::output, fog_output_, fog_mask_)}, {});
    add(Opcode::dcl_temps, {}, {});
    add_words({temps_});
  }

  static constexpr uint32_t kNone = 0xffffffffu;

  const sm4::Program& source_;
  const FixedFunction& state_;
  Diagnostics& diagnostics_;
  sm4::Program made_;
  Buffer<Operand> copies_;  // of the instruction that is being copied
  bool failed_ = false;
  std::array<uint8_t, kMostOutputs> output_masks_{};  // 0: no such output
  uint32_t position_ = kNone;                         // output register
  bool has_clip_distances_ = false;
  uint32_t temps_ = 0, first_output_temp_ = 0, scratch_ = 0;
  uint32_t buffers_ = 0;  // above the ids of all constant buffers
  std::vector<Used> used_;
  uint32_t first_clip_ = kNone, clip_outputs_ = 0;
  uint32_t fog_output_ = kNone, fog_input_ = kNone, fog_component_ = 0;
  uint8_t fog_mask_ = 0;
  bool declares_fog_ = false;
};

}  // namespace

bool applies(const FixedFunction& state, sm4::Stage stage) {
  switch (stage) {
    case sm4::Stage::pixel:
      return (state.alpha_function != CompareFunction::none &&
              state.alpha_function != CompareFunction::always) ||
             state.fog_mode != FogMode::none;
    case sm4::Stage::vertex: return state.clip_mask != 0 || state.fog_source != FogSource::fog;
    case sm4::Stage::domain: return state.fog_source != FogSource::fog;
    case sm4::Stage::geometry:
    case sm4::Stage::hull:
    case sm4::Stage::compute: break;
  }
  return false;
}

std::vector<NamedStateValue> values_of(const FixedFunction& state, sm4::Stage stage) {
  std::vector<NamedStateValue> values;
  if (!applies(state, stage)) return values;
  if (stage == sm4::Stage::pixel) {
    const bool tests =
        state.alpha_function != CompareFunction::none && state.alpha_function != CompareFunction::always;
    if (tests) values.push_back({"alpha_reference", &state.alpha_reference});
    if (state.fog_mode == FogMode::none) return values;
    values.push_back({"fog_color", &state.fog_color});
    values.push_back({"fog_scale", &state.fog_scale});
    if (state.fog_mode == FogMode::linear) values.push_back({"fog_end", &state.fog_end});
  } else if (stage == sm4::Stage::vertex) {
    for (size_t i = 0; i < state.clip_planes.size(); ++i) {
      if ((state.clip_mask >> i & 1) != 0)
        values.push_back({"clip_planes[" + std::to_string(i) + "]", &state.clip_planes[i]});
    }
  }
  return values;
}

std::optional<sm4::Program> with_fixed_function(const sm4::Program& program, const FixedFunction& state,
                                                Diagnostics& diagnostics) {
  return Builder(program, state, diagnostics).run();
}

}  // namespace texlate::library
