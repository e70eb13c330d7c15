// The pipeline around a program of deko3d: attributes that the hardware provides and takes, results of pixels
// in registers, discarded pixels (docs/reference/maxwell-graphics.md 1 and 2).

#include <algorithm>
#include <bit>

#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

namespace {

constexpr uint32_t kPositionW = 0x7c;
/// Keys under which attributes are remembered: the address, and above it the interpolation.
constexpr uint64_t attribute_key(uint32_t address, uint32_t how) {
  return kPlaneKey | uint64_t{1} << 32 | address | uint64_t{how} << 12;
}

struct InterpolationRule {
  Interpolation mode;
  InterpolationSample where;
};

/// .MUL reverses the perspective division: the hardware interpolates attribute / w.
InterpolationRule rule_of(ir::Interpolation interpolation) {
  using enum ir::Interpolation;
  switch (interpolation) {
    case constant: return {Interpolation::constant, InterpolationSample::default_};
    case undefined:
    case linear: return {Interpolation::mul, InterpolationSample::default_};
    // If every sample runs separately, .CENTROID means its position (docs/dksh.md).
    case linear_sample:
    case linear_centroid: return {Interpolation::mul, InterpolationSample::centroid};
    case linear_noperspective: return {Interpolation::pass, InterpolationSample::default_};
    case linear_noperspective_sample:
    case linear_noperspective_centroid: return {Interpolation::pass, InterpolationSample::centroid};
  }
  return {Interpolation::mul, InterpolationSample::default_};
}

const ir::Parameter* find_parameter(const std::pmr::vector<ir::Parameter>& parameters, uint32_t payload) {
  for (const ir::Parameter& parameter : parameters) {
    if (parameter.reg == payload / 4 && ((parameter.mask >> (payload % 4)) & 1) != 0) return &parameter;
  }
  return nullptr;
}

bool writes_memory(const ir::Module& module) {
  return std::ranges::any_of(module.code, [](const ir::Instruction& instruction) {
    const ir::OpInfo& info = ir::info(instruction.op);
    return info.has(ir::kResource) && info.has(ir::kWritesMemory);
  });
}

}  // namespace

void Attributes::begin() {
  variables_.clear();
  for (const ir::Parameter& parameter : module_.inputs)
    input_masks_.resize(std::max<size_t>(input_masks_.size(), parameter.reg + 1), 0);
  for (const ir::Instruction& instruction : module_.code) {
    if (instruction.op != Op::input || instruction.payload / 4 >= input_masks_.size()) continue;
    if (is_used(instruction.first_result))
      input_masks_[instruction.payload / 4] |= static_cast<uint8_t>(1u << (instruction.payload % 4));
  }
  Predicate lives = kAlways;
  if (module_.stage == ir::Stage::pixel && writes_memory(module_)) {
    // Helpers only contribute to derivatives.
    const Source helper = Source::of(special_register(kThreadKill));
    lives = compare_words(helper, IntegerCompare::eq, Source::immediate(0));
  }
  variables_.set_live(lives);
}

// ---- inputs

void Attributes::select_input(const ir::Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand)) return refuse(instruction, "a run-time input register number");
  const ir::Parameter* parameter = find_parameter(module_.inputs, instruction.payload);
  if (parameter == nullptr) return refuse(instruction, "an undeclared input");
  const size_t number = static_cast<size_t>(parameter - module_.inputs.data());
  const graphics::Attribute& attribute = options_.graphics->inputs[number];
  if (module_.stage == ir::Stage::vertex) return select_vertex_input(instruction, *parameter, attribute);
  select_pixel_input(instruction, *parameter, attribute[instruction.payload % 4]);
}

/// Loads the components of a register that are used, as few and as wide as alignment allows.
void Attributes::select_vertex_input(const ir::Instruction& instruction, const ir::Parameter& parameter,
                                     const graphics::Attribute& attribute) {
  const uint32_t component = instruction.payload % 4;
  const bool is_scalar = attribute[0] == attribute[1];
  const MachineValue there = assembler_.recall(attribute_key(attribute[component], 0));
  if (there != kNone) return define(instruction.first_result, there);
  const uint32_t used = is_scalar ? 1u << component : input_masks_[parameter.reg] & parameter.mask;
  std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
  const uint32_t end = static_cast<uint32_t>(std::bit_width(used));
  for (uint32_t first = 0, count = 0; first < end; first += count) {
    count = std::min(end - first, widest_attribute(attribute[first]));
    while (count != 0 && ((used >> (first + count - 1)) & 1) == 0) --count;
    if (((used >> first) & 1) == 0) count = 1;
    for (uint32_t c = first; c < first + count; ++c) {
      if (((used >> c) & 1) != 0) values[c] = assembler_.general();
    }
    if (values[first] == kNone) continue;
    emit({Opcode::ald,
          {Arg::regs(std::span(values).subspan(first, count)),
           Arg::word(static_cast<int32_t>(attribute[first]))},
          {{Modifier::attribute_size, static_cast<AttributeSize>(count - 1)}}});
  }
  if (parameter.system_value == SystemValue::vertex_id) {
    // Direct3D counts without the draw's base.
    Source base = Source::constant(0, graphics::kBaseVertex);
    base.flags = kNegate;
    values[component] = emit_word({Opcode::iadd, {Arg(), Source::of(values[component]), base}});
  }
  for (uint32_t c = 0; c < end; ++c) {
    if (values[c] != kNone) assembler_.remember(attribute_key(attribute[c], 0), values[c]);
  }
  define(instruction.first_result, values[component]);
}

void Attributes::select_pixel_input(const ir::Instruction& instruction, const ir::Parameter& parameter,
                                    uint32_t address) {
  const Value result = instruction.first_result;
  InterpolationRule rule = rule_of(parameter.interpolation);
  if (instruction.op == Op::eval_centroid) rule.where = InterpolationSample::centroid;
  switch (parameter.system_value) {
    case SystemValue::none: break;
    case SystemValue::position:
      // Direct3D's w is the vertex's, interpolated; the attribute is its reciprocal.
      if (address == kPositionW)
        return define(result, interpolate(kPositionW, Interpolation::mul, rule.where));
      return define(result, interpolate(address, Interpolation::pass, rule.where));
    case SystemValue::sample_index: return define(result, emit_pixel_state(Pixel::my_index));
    default: rule = {Interpolation::constant, InterpolationSample::default_}; break;
  }
  define(result, interpolate(address, rule.mode, rule.where));
}

/// IPA. With .MUL, position w gives w itself.
MachineValue Attributes::interpolate(uint32_t address, Interpolation mode, InterpolationSample where) {
  const uint64_t key =
      attribute_key(address, static_cast<uint32_t>(mode) << 4 | static_cast<uint32_t>(where));
  return assembler_.once(key, [&] {
    if (address == kPositionW && mode == Interpolation::mul)
      return emit_function(Function::rcp, Source::of(interpolate(address, Interpolation::pass, where)));
    const Arg factor =
        mode == Interpolation::mul ? Arg::reg(interpolate(kPositionW, Interpolation::mul, where)) : Arg();
    return emit_word({Opcode::ipa,
                      {Arg(), Arg::word(static_cast<int32_t>(address)), factor},
                      {{Modifier::interpolation, mode}, {Modifier::interpolation_sample, where}}});
  });
}

MachineValue Attributes::emit_pixel_state(Pixel what) {
  return emit_word({Opcode::pixld, {Arg(), Arg(), Arg::address(kNone, 0)}, {{Modifier::pixel, what}}});
}

void Attributes::select_coverage(const ir::Instruction& instruction) {
  define(instruction.first_result, emit_pixel_state(Pixel::covmask));
}

// ---- outputs

/// Stores runs of attributes in accesses as wide as possible.
void Attributes::store(std::span<const ir::Parameter> parameters, std::span<const graphics::Attribute> places,
                       uint32_t stream, const Target& target, uint32_t file) {
  struct Component {
    uint32_t address;
    MachineValue value;
  };
  std::pmr::vector<Component> components(module_.memory());
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    for (uint32_t c = 0; c < 4 && parameters[i].stream == stream; ++c) {
      const Variable* const variable = variables_.find(file + parameters[i].reg * 4 + c);
      if (((parameters[i].mask >> c) & 1) == 0 || variable == nullptr) continue;
      components.push_back({places[i][c], variable->value});
    }
  }
  std::ranges::sort(components, {}, &Component::address);
  for (size_t first = 0; first < components.size();) {
    std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
    const uint32_t address = components[first].address;
    const uint32_t most = widest_attribute(address);  // which never crosses into the next vector
    uint32_t count = 0;
    while (count < most && first + count < components.size() &&
           components[first + count].address == address + 4 * count) {
      values[count] = components[first + count].value;
      ++count;
    }
    const Arg vertex = target.vertex != kNone ? Arg::reg(target.vertex) : Arg();
    Draft store{
        Opcode::ast,
        {Arg::word(static_cast<int32_t>(address)), Arg::regs(std::span(values.data(), count)), vertex},
        {{Modifier::attribute_size, static_cast<AttributeSize>(count - 1)}}};
    if (target.patch) store.spelled("P");
    machine::Instruction& code = emit(store);
    code.effect = machine::Effect::write;
    code.space = kAttributeSpace;
    first += count;
  }
}

// Colors of the targets that the header enables, in order; then the sample mask, then depth, whose place
// does not depend on whether there is a mask. Discarded pixels stay alive as helpers until this point,
// because their neighbors may need derivatives.
void Attributes::exit_pixel() {
  machine::Builder& builder = assembler_.builder();
  if (variables_.discards()) {
    const machine::BlockId last = builder.block();
    builder.jump(last);
    builder.begin(last);
    emit(Draft{Opcode::kil, {}}.under(!variables_.live())).effect = machine::Effect::barrier;
  }
  std::pmr::vector<MachineValue> results(module_.memory());
  const auto put = [&](size_t place, uint32_t payload) {
    const Variable* const variable = variables_.find(payload);
    if (variable == nullptr) return;
    results.resize(std::max(results.size(), place + 1), kNone);
    results[place] = variable->value;
  };
  const uint32_t enabled = graphics::targets_of(module_);
  uint32_t targets = 0;
  for (uint32_t reg = 0; reg < graphics::kRenderTargets; ++reg) {
    if ((enabled >> reg & 1) == 0) continue;
    for (uint32_t c = 0; c < 4; ++c) put(4 * size_t{targets} + c, reg * 4 + c);
    ++targets;
  }
  for (const ir::Parameter& output : module_.outputs) {
    const uint32_t payload = output.reg * 4 + static_cast<uint32_t>(std::countr_zero(output.mask));
    if (output.reg < ir::kSpecialRegister) continue;
    put(4 * size_t{targets} + (output.system_value == SystemValue::coverage_out ? 0 : 1), payload);
  }
  builder.exit(results);
}

}  // namespace texlate::maxwell::select
