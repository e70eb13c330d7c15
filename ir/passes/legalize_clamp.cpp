// A floor for the level of a sample (`_cl`), for targets that have none and cannot be asked for the state of
// a sampler: Vulkan without shaderResourceMinLod. The query of a level (tex.lod) shows what the sampler makes
// of derivatives, and so its LOD bias, which it adds to explicit levels, too.

#include "ir/passes/legalize_clamp.h"

#include <algorithm>
#include <limits>

#include "ir/passes/legalize_anisotropy.h"

namespace texlate::ir {

namespace {

/// The registers of inputs that a pass adds are beyond those of the program.
constexpr uint32_t kPositionRegister = kSpecialRegister + static_cast<uint32_t>(SystemValue::position);

}  // namespace

bool MeasuredFloors::has_fixed_registers(const AccessDraft& draft) const {
  const auto is_fixed = [&](Slot slot) {
    return !draft.access.has(slot) || module_.is_constant(draft.access.get(slot));
  };
  return is_fixed(Slot::resource_index) && is_fixed(Slot::sampler_index);
}

bool MeasuredFloors::has_floor_in_code(const AccessDraft& draft) {
  return draft.access.has(Slot::lod_clamp) && !draft.promises(kLodClamp);
}

// Derivatives exist only in pixel shaders. Beside given ones they may be undefined where the sample is: what
// is measured then must be measurable at the start of the shader.
bool MeasuredFloors::measures_bias(const AccessDraft& draft) const {
  if (module_.stage != Stage::pixel) return false;
  return draft.access.contract.lod == LodRule::implicit || draft.access.contract.lod == LodRule::bias ||
         has_fixed_registers(draft);
}

void MeasuredFloors::measure_biases() {
  for (const Instruction& instruction : module_.code) {
    if (instruction.op != Op::tex_sample) continue;
    AccessDraft draft = draft_of(instruction);
    if (!has_floor_in_code(draft) || !measures_bias(draft) || !has_fixed_registers(draft)) continue;
    if (known_bias(draft) != kNoValue) continue;
    builder_.set_location(instruction);
    const Value bias = measured_bias(draft);
    biases_.push_back({draft.access.contract.resource, draft.access.contract.sampler,
                       draft.access.get(Slot::resource_index), draft.access.get(Slot::sampler_index), bias});
  }
}

Value MeasuredFloors::known_bias(const AccessDraft& draft) const {
  for (const MeasuredBias& known : biases_) {
    if (known.resource == draft.access.contract.resource && known.sampler == draft.access.contract.sampler &&
        known.resource_index == draft.access.get(Slot::resource_index) &&
        known.sampler_index == draft.access.get(Slot::sampler_index))
      return known.bias;
  }
  return kNoValue;
}

/// x or y of the pixel.
Value MeasuredFloors::pixel_position(uint32_t axis) {
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
Value MeasuredFloors::query_level(const AccessDraft& draft, const Results& coordinates) {
  ResourceAccess contract;
  contract.resource = draft.access.contract.resource;
  contract.sampler = draft.access.contract.sampler;
  contract.dimension = draft.access.contract.dimension;
  contract.type = draft.access.contract.type;
  contract.non_uniform = draft.access.contract.non_uniform;
  AccessBuilder query(contract);
  for (uint32_t i = 0; i < coordinate_count(contract.dimension); ++i)
    query.set(Slot::coordinate0 + i, coordinates[i]);
  for (const Slot slot : {Slot::resource_index, Slot::sampler_index}) {
    if (draft.access.has(slot)) query.set(slot, draft.access.get(slot));
  }
  return query.emit(builder_, Op::tex_lod) + 1;
}

// Coordinates that differ by half a texel between neighboring pixels have level -1, whatever the sampler's
// filter. On a cube's face, which spans -1 to 1, it is a quarter.
Value MeasuredFloors::measured_bias(AccessDraft& draft) {
  const Dimension dimension = draft.access.contract.dimension;
  const bool cube = is_cube(dimension);
  Results coordinates;
  coordinates.fill(real(0.0f));
  for (uint32_t axis = 0; axis < std::min(2u, coordinate_count(dimension)); ++axis) {
    const BindingFact size = axis == 0 || cube ? BindingFact::width : BindingFact::height;
    const Value odd = emit(Op::and_, {emit(Op::ftou, {pixel_position(axis)}), word(1)});
    const Value step = emit(Op::fdiv, {real(0.5f), emit(Op::utof, {fact(draft, size)})});
    coordinates[axis] = emit(Op::fmul, {emit(Op::utof, {odd}), step});
  }
  if (cube) coordinates[2] = real(1.0f);
  return emit(Op::fadd, {query_level(draft, coordinates), real(cube ? 2.0f : 1.0f)});
}

void MeasuredFloors::sample(AccessDraft& draft) {
  measures_bias(draft) ? sample_above_floor(draft) : finish(draft);
}

// The sampler's own sample comes first, so that its derivatives are in no branch; it is replaced where its
// level was below the floor.
void MeasuredFloors::sample_above_floor(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  Value bias = known_bias(draft);
  if (bias == kNoValue) bias = measured_bias(draft);
  if (!draft.promises(kUnbound)) guard_bound(draft);
  Value floor = draft.access.get(Slot::lod_clamp);
  if (access.compare) {
    // Beyond the last mip, a guarded comparison would give 0 and not compare with it.
    closed(draft, Gap::lod_clamp);
    draft.access.clear(Slot::lod_clamp);
  } else {
    floor = levels_.floor_of_level(draft);
  }
  const Value lowest = emit(Op::fadd, {floor, emit(Op::fneg, {bias})});
  if (access.lod == LodRule::implicit || access.lod == LodRule::bias)
    return replace_below(draft, floor, lowest);
  if (access.lod == LodRule::gradient && AnisotropicSamples::is_anisotropic(draft)) {
    lengthen_gradients(draft, lowest);
    return finish(draft);
  }
  Value level = access.lod == LodRule::level ? draft.access.get(Slot::lod) : real(0.0f);
  if (access.lod == LodRule::gradient) {
    closed(draft, Gap::level_in_code);
    level = levels_.level_of_gradients(draft);
  }
  draft.set_level(
      emit(Op::fmax, {emit(Op::fmin, {level, real(std::numeric_limits<float>::infinity())}), lowest}));
  finish(draft);
}

void MeasuredFloors::replace_below(AccessDraft& draft, Value floor, Value lowest) {
  const uint32_t count = draft.instruction->result_count;
  Results coordinates;
  for (uint32_t i = 0; i < 3; ++i) coordinates[i] = draft.access.get(Slot::coordinate0 + i);
  Value level = query_level(draft, coordinates);
  if (draft.access.contract.lod == LodRule::bias)
    level = emit(Op::fadd, {level, draft.access.get(Slot::lod)});
  AccessDraft raised = draft;
  raised.access.clear(Slot::lod);
  if (AnisotropicSamples::is_anisotropic(draft)) {
    raised.access.contract.lod = LodRule::gradient;
    levels_.derive_coordinates(raised);
  } else {
    raised.set_level(lowest);
  }
  const Results5 own = read_once(draft);
  emit(Op::if_, {emit(Op::flt, {level, floor})});
  if (raised.access.contract.lod == LodRule::gradient) lengthen_gradients(raised, lowest);
  const Results5 higher = read_once(raised);
  emit(Op::else_, std::span(higher).first(count));
  const Value first = builder_.emit_variadic(Op::endif, std::span(own).first(count), count);
  finish_with(draft, {first, first + 1, first + 2, first + 3, first + 4});
}

// An anisotropic sampler takes its level from the shorter axis of a footprint, and averages along the longer
// one; an isotropic one takes it from the longer one. Both axes get the length of a texel of the floor's mip
// at least: the shorter one becomes perpendicular to the other.
void MeasuredFloors::lengthen_gradients(AccessDraft& draft, Value lowest) {
  const std::array<Value, 2> size = {emit(Op::utof, {fact(draft, BindingFact::width)}),
                                     emit(Op::utof, {fact(draft, BindingFact::height)})};
  std::array<Value, 2> x, y;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    x[axis] = emit(Op::fmul, {draft.access.get(Slot::ddx0 + axis), size[axis]});
    y[axis] = emit(Op::fmul, {draft.access.get(Slot::ddy0 + axis), size[axis]});
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
      draft.access.set(slot, emit(Op::select, {shorter, moved, draft.access.get(slot)}));
    };
    replace(Slot::ddx0 + axis, longer[axis]);
    replace(Slot::ddy0 + axis, across[axis]);
  }
}

}  // namespace texlate::ir
