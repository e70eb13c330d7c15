// A floor for the level of a sample (`_cl`), for targets that have none and cannot be asked for the state of
// a sampler: Vulkan without shaderResourceMinLod. The query of a level (tex.lod) shows what the sampler makes
// of derivatives, and so its LOD bias, which it adds to explicit levels, too.

#include <algorithm>
#include <limits>

#include "ir/passes/texture_legalizer.h"

namespace texlate::ir {

namespace {

/// The registers of inputs that a pass adds are beyond those of the program.
constexpr uint32_t kPositionRegister = kSpecialRegister + static_cast<uint32_t>(SystemValue::position);

}  // namespace

bool TextureLegalizer::has_fixed_registers(const Work& work) const {
  const auto is_fixed = [&](Slot slot) {
    return !work.access.has(slot) || module_.is_constant(work.access.get(slot));
  };
  return is_fixed(Slot::resource_index) && is_fixed(Slot::sampler_index);
}

bool TextureLegalizer::has_floor_in_code(const Work& work) const {
  return work.access.has(Slot::lod_clamp) && !work.promises(kLodClamp);
}

// Derivatives exist only in pixel shaders. Beside given ones they may be undefined where the sample is: what
// is measured then must be measurable at the start of the shader.
bool TextureLegalizer::measures_bias(const Work& work) const {
  if (module_.stage != Stage::pixel) return false;
  return work.access.contract.lod == LodRule::implicit || work.access.contract.lod == LodRule::bias ||
         has_fixed_registers(work);
}

/// Measures the bias of the samplers whose registers are known, at the start of the shader.
void TextureLegalizer::measure_biases() {
  for (const Instruction& instruction : module_.code) {
    if (instruction.op != Op::tex_sample) continue;
    Work work{&instruction, AccessBuilder(module_, instruction), nullptr,
              module_.access_of(instruction).dimension};
    work.guarantee = &table_.find(instruction.op, work.dimension);
    if (!has_floor_in_code(work) || !measures_bias(work) || !has_fixed_registers(work)) continue;
    if (known_bias(work) != kNoValue) continue;
    builder_.set_location(instruction);
    const Value bias = measured_bias(work);
    biases_.push_back({work.access.contract.resource, work.access.contract.sampler,
                       work.access.get(Slot::resource_index), work.access.get(Slot::sampler_index), bias});
  }
}

Value TextureLegalizer::known_bias(const Work& work) const {
  for (const MeasuredBias& known : biases_) {
    if (known.resource == work.access.contract.resource && known.sampler == work.access.contract.sampler &&
        known.resource_index == work.access.get(Slot::resource_index) &&
        known.sampler_index == work.access.get(Slot::sampler_index))
      return known.bias;
  }
  return kNoValue;
}

/// x or y of the pixel.
Value TextureLegalizer::pixel_position(uint32_t axis) {
  const bool is_declared = std::ranges::any_of(
      module_.inputs, [](const Parameter& input) { return input.reg == kPositionRegister; });
  if (!is_declared) {
    Parameter position;
    position.reg = kPositionRegister;
    position.mask = 3;
    position.system_value = SystemValue::position;
    position.interpolation = Interpolation::linear_noperspective;
    position.component_type = 3;
    module_.inputs.push_back(position);
  }
  return emit(Op::input, {}, kPositionRegister * 4 + axis);
}

/// The level that the sampler would have before its clamps, from the derivatives of these coordinates.
Value TextureLegalizer::query_level(const Work& work, const Results& coordinates) {
  ResourceAccess contract;
  contract.resource = work.access.contract.resource;
  contract.sampler = work.access.contract.sampler;
  contract.dimension = work.access.contract.dimension;
  contract.type = work.access.contract.type;
  contract.non_uniform = work.access.contract.non_uniform;
  AccessBuilder query(contract);
  for (uint32_t i = 0; i < coordinate_count(contract.dimension); ++i)
    query.set(Slot::coordinate0 + i, coordinates[i]);
  for (const Slot slot : {Slot::resource_index, Slot::sampler_index}) {
    if (work.access.has(slot)) query.set(slot, work.access.get(slot));
  }
  return query.emit(builder_, Op::tex_lod) + 1;
}

// Coordinates that differ by half a texel between neighboring pixels have level -1, whatever the sampler's
// filter. On a cube's face, which spans -1 to 1, it is a quarter.
Value TextureLegalizer::measured_bias(Work& work) {
  const Dimension dimension = work.access.contract.dimension;
  const bool cube = is_cube(dimension);
  Results coordinates;
  coordinates.fill(real(0.0f));
  for (uint32_t axis = 0; axis < std::min(2u, coordinate_count(dimension)); ++axis) {
    const BindingFact size = axis == 0 || cube ? BindingFact::width : BindingFact::height;
    const Value odd = emit(Op::and_, {emit(Op::ftou, {pixel_position(axis)}), word(1)});
    const Value step = emit(Op::fdiv, {real(0.5f), emit(Op::utof, {fact(work, size)})});
    coordinates[axis] = emit(Op::fmul, {emit(Op::utof, {odd}), step});
  }
  if (cube) coordinates[2] = real(1.0f);
  return emit(Op::fadd, {query_level(work, coordinates), real(cube ? 2.0f : 1.0f)});
}

// The sampler's own sample comes first, so that its derivatives are in no branch; it is replaced where its
// level was below the floor.
void TextureLegalizer::sample_above_floor(Work& work) {
  ResourceAccess& access = work.access.contract;
  Value bias = known_bias(work);
  if (bias == kNoValue) bias = measured_bias(work);
  if (!work.promises(kUnbound)) guard_bound(work);
  Value floor = work.access.get(Slot::lod_clamp);
  if (access.compare) {
    // Beyond the last mip, a guarded comparison would give 0 and not compare with it.
    closed(work, Gap::lod_clamp);
    work.access.clear(Slot::lod_clamp);
  } else {
    floor = floor_of_level(work);
  }
  const Value lowest = emit(Op::fadd, {floor, emit(Op::fneg, {bias})});
  if (access.lod == LodRule::implicit || access.lod == LodRule::bias)
    return replace_below(work, floor, lowest);
  if (access.lod == LodRule::gradient && is_anisotropic(work)) {
    lengthen_gradients(work, lowest);
    return finish(work);
  }
  Value level = access.lod == LodRule::level ? work.access.get(Slot::lod) : real(0.0f);
  if (access.lod == LodRule::gradient) {
    closed(work, Gap::level_by_hand);
    level = level_of_gradients(work);
  }
  set_level(work,
            emit(Op::fmax, {emit(Op::fmin, {level, real(std::numeric_limits<float>::infinity())}), lowest}));
  finish(work);
}

void TextureLegalizer::set_level(Work& work, Value level) {
  for (uint32_t i = 0; i < 3; ++i) {
    work.access.clear(Slot::ddx0 + i);
    work.access.clear(Slot::ddy0 + i);
  }
  work.access.contract.lod = LodRule::level;
  work.access.set(Slot::lod, level);
}

void TextureLegalizer::replace_below(Work& work, Value floor, Value lowest) {
  const uint32_t count = work.instruction->result_count;
  Results coordinates;
  for (uint32_t i = 0; i < 3; ++i) coordinates[i] = work.access.get(Slot::coordinate0 + i);
  Value level = query_level(work, coordinates);
  if (work.access.contract.lod == LodRule::bias) level = emit(Op::fadd, {level, work.access.get(Slot::lod)});
  Work raised = work;
  raised.access.clear(Slot::lod);
  if (is_anisotropic(work)) {
    raised.access.contract.lod = LodRule::gradient;
    derive_coordinates(raised);
  } else {
    set_level(raised, lowest);
  }
  const Results5 own = read_once(work);
  emit(Op::if_, {emit(Op::flt, {level, floor})});
  if (raised.access.contract.lod == LodRule::gradient) lengthen_gradients(raised, lowest);
  const Results5 higher = read_once(raised);
  emit(Op::else_, std::span(higher).first(count));
  const Value first = builder_.emit_variadic(Op::endif, std::span(own).first(count), count);
  finish_with(work, {first, first + 1, first + 2, first + 3, first + 4});
}

// An anisotropic sampler takes its level from the shorter axis of a footprint, and averages along the longer
// one; an isotropic one takes it from the longer one. Both axes get the length of a texel of the floor's mip
// at least: the shorter one becomes perpendicular to the other.
void TextureLegalizer::lengthen_gradients(Work& work, Value lowest) {
  const std::array<Value, 2> size = {emit(Op::utof, {fact(work, BindingFact::width)}),
                                     emit(Op::utof, {fact(work, BindingFact::height)})};
  std::array<Value, 2> x, y;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    x[axis] = emit(Op::fmul, {work.access.get(Slot::ddx0 + axis), size[axis]});
    y[axis] = emit(Op::fmul, {work.access.get(Slot::ddy0 + axis), size[axis]});
  }
  const auto square = [&](const std::array<Value, 2>& v) {
    return emit(Op::ffma, {v[1], v[1], emit(Op::fmul, {v[0], v[0]})});
  };
  const Value x_square = square(x), y_square = square(y);
  const Value x_is_longer = emit(Op::fge, {x_square, y_square});
  const Value length = emit(Op::fsqrt, {emit(Op::fmax, {x_square, y_square})});
  const Value product = emit(Op::fmul, {x[1], y[0]});
  const Value area = emit(Op::fabs, {emit(Op::ffma, {x[0], y[1], emit(Op::fneg, {product})})});
  const Value least = emit(Op::fexp2, {lowest});
  const Value is_short = emit(Op::flt, {length, least});
  const Value shorter = emit(Op::por, {is_short, emit(Op::flt, {area, emit(Op::fmul, {least, length})})});
  std::array<Value, 2> longer;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const Value own = emit(Op::select, {x_is_longer, x[axis], y[axis]});
    longer[axis] = emit(Op::select, {is_short, axis == 0 ? least : real(0.0f), own});
  }
  const Value ratio = emit(Op::fdiv, {least, emit(Op::fmax, {length, least})});
  const std::array<Value, 2> across = {emit(Op::fmul, {emit(Op::fneg, {longer[1]}), ratio}),
                                       emit(Op::fmul, {longer[0], ratio})};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const auto replace = [&](Slot slot, Value texels) {
      const Value moved = emit(Op::fdiv, {texels, size[axis]});
      work.access.set(slot, emit(Op::select, {shorter, moved, work.access.get(slot)}));
    };
    replace(Slot::ddx0 + axis, longer[axis]);
    replace(Slot::ddy0 + axis, across[axis]);
  }
}

}  // namespace texlate::ir
