// The pipeline around a program of deko3d: what pixels read and leave, discarded pixels, system values
// (docs/reference/maxwell-graphics.md 1 and 2).

#include <algorithm>
#include <bit>

#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

namespace {

constexpr uint32_t kPosition = 0x70, kPositionW = 0x7c;

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

bool is_centroid(ir::Interpolation interpolation) {
  return interpolation == ir::Interpolation::linear_centroid ||
         interpolation == ir::Interpolation::linear_noperspective_centroid;
}

bool writes_memory(const ir::Module& module) {
  return std::ranges::any_of(module.code, [](const ir::Instruction& instruction) {
    const ir::OpInfo& info = ir::info(instruction.op);
    return info.has(ir::kResource) && info.has(ir::kWritesMemory);
  });
}

}  // namespace

void GraphicsHost::begin() {
  Host::begin();
  if (!is_stream()) return;
  Predicate lives = kAlways;
  if (module_.stage == ir::Stage::pixel && writes_memory(module_)) {
    // Helpers only contribute to derivatives.
    const Source helper = Source::of(special_register(kThreadKill));
    lives = compare_words(helper, IntegerCompare::eq, Source::immediate(0));
  }
  state_.begin(lives);
}

void GraphicsHost::select_input(const ir::Instruction& instruction) {
  if (!is_used(instruction.first_result)) return;
  if (module_.stage == ir::Stage::pixel) return select_pixel_input(instruction);
  if (instruction.has(ir::kIndexOperand)) return load_indexed(instruction);
  load_vector(instruction);
}

void GraphicsHost::select_stream_value(const ir::Instruction& instruction, SystemValue value) {
  const Value result = instruction.first_result;
  switch (value) {
    case SystemValue::coverage:
      if (module_.stage != ir::Stage::pixel) break;
      return define(result, emit_pixel_state(Pixel::covmask));
    case SystemValue::gs_instance_id:
    case SystemValue::output_control_point_id: return define(result, special_register(kInvocationId));
    case SystemValue::primitive_register: {
      const Arg address = Arg::word(static_cast<int32_t>(graphics::kPrimitiveId));
      return emit_to(result, {Opcode::ald, {Arg(), address, Arg()}});
    }
    default: break;
  }
  refuse(instruction, "this system value");
}

void GraphicsHost::select_output(const ir::Instruction& instruction) {
  if (module_.stage != ir::Stage::pixel) return store_vector(instruction);
  results_.resize(std::max<size_t>(results_.size(), instruction.payload + 1), kNone);
  results_[instruction.payload] = reg(operand(instruction, 0));
}

// Discarded pixels stay alive as helpers until the end, because their neighbors may need derivatives. The
// hardware takes the last handle of a geometry program from R0.
void GraphicsHost::leave() {
  machine::Builder& builder = assembler_.builder();
  if (state_.discards()) {
    const machine::BlockId last = builder.block();
    builder.jump(last);
    builder.begin(last);
    emit(Draft{Opcode::kil, {}}.under(!state_.live())).effect = machine::Effect::barrier;
  }
  if (module_.stage == ir::Stage::geometry) return builder.exit(std::array{state_.handle()});
  // EXIT reads the registers of every target that the header enables.
  if (module_.stage == ir::Stage::pixel) {
    const auto targets = static_cast<size_t>(std::popcount(graphics::targets_of(module_)));
    results_.resize(std::max(results_.size(), 4 * targets), kNone);
  }
  builder.exit(results_);
}

// ---- pixels

void GraphicsHost::select_pixel_input(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  const auto parameter = std::ranges::find_if(module_.inputs, [&](const ir::Parameter& input) {
    return input.reg == instruction.payload / 4 && ((input.mask >> (instruction.payload % 4)) & 1) != 0;
  });
  // The position at the sample has its name for an address (lower_deko3d.cpp).
  const bool is_named =
      parameter->system_value == SystemValue::position && parameter->reg >= ir::kSpecialRegister;
  const uint32_t address = is_named ? kPosition + 4 * (instruction.payload % 4) : 4 * instruction.payload;
  InterpolationRule rule = rule_of(parameter->interpolation);
  if (instruction.op == Op::eval_centroid) rule.where = InterpolationSample::centroid;
  const bool is_for_centroid = instruction.op == Op::eval_centroid || is_centroid(parameter->interpolation);
  if (is_for_centroid && ir::runs_per_sample(module_)) {
    // Which pixel it is, is known.
    if (parameter->system_value != SystemValue::position || instruction.payload % 4 > 1)
      return refuse(instruction, "an evaluation at the centroid in a shader that runs once for each sample");
    rule.where = InterpolationSample::default_;
  }
  switch (parameter->system_value) {
    case SystemValue::none: break;
    case SystemValue::position:
      if (address == kPositionW) return define(result, interpolated_w(rule.where));
      rule.mode = Interpolation::pass;
      break;
    case SystemValue::sample_index: return define(result, emit_pixel_state(Pixel::my_index));
    default: rule = {Interpolation::constant, InterpolationSample::default_}; break;
  }
  const bool is_divided = rule.mode == Interpolation::mul;
  define(result, interpolate(address, rule, is_divided ? Arg::reg(interpolated_w(rule.where)) : Arg()));
}

/// Direct3D's w is the vertex's, interpolated; the attribute is its reciprocal.
MachineValue GraphicsHost::interpolated_w(InterpolationSample where) {
  return assembler_.once({Shared::pixel_w, static_cast<uint32_t>(where)}, [&] {
    return emit_function(Function::rcp,
                         Source::of(interpolate(kPositionW, {Interpolation::pass, where}, Arg())));
  });
}

MachineValue GraphicsHost::interpolate(uint32_t address, InterpolationRule rule, const Arg& factor) {
  return emit_word({Opcode::ipa,
                    {Arg(), Arg::word(static_cast<int32_t>(address)), factor},
                    {{Modifier::interpolation, rule.mode}, {Modifier::interpolation_sample, rule.where}}});
}

MachineValue GraphicsHost::emit_pixel_state(Pixel what) {
  return emit_word({Opcode::pixld, {Arg(), Arg(), Arg::address(kNone, 0)}, {{Modifier::pixel, what}}});
}

}  // namespace texlate::maxwell::select
