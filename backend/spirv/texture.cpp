#include <algorithm>
#include <array>

#include "backend/spirv/families.h"

namespace texlate::spirv {

using ir::BindingFact;
using ir::LodRule;
using ir::ResourceAccess;

namespace {

/// Image operands in the order of their mask bits (SPIR-V 3.14).
class ImageOperands {
 public:
  void add(spv::ImageOperandsMask bit, std::initializer_list<Id> ids) {
    mask_ |= static_cast<uint32_t>(bit);
    for (Id id : ids) ids_[count_++] = id;
  }
  void append_to(std::pmr::vector<Operand>& words) const {
    if (mask_ == 0) return;
    words.push_back(literal(mask_));
    words.insert(words.end(), ids_.begin(), ids_.begin() + count_);
  }

 private:
  uint32_t mask_ = 0, count_ = 0;
  std::array<Id, 8> ids_{};
};

/// The residency-returning form of an image operation: the numbers run in parallel, but for reads.
constexpr spv::Op sparse(spv::Op op) {
  constexpr uint32_t kApart = spv::OpImageSparseSampleImplicitLod - spv::OpImageSampleImplicitLod;
  static_assert(spv::OpImageSparseDrefGather - spv::OpImageDrefGather == kApart);
  return op == spv::OpImageRead ? spv::OpImageSparseRead : static_cast<spv::Op>(op + kApart);
}

}  // namespace

bool Textures::has_signed_texels(const ResourceAccess& contract) const {
  return module_.resources[contract.resource].component_types[0] == ir::ComponentType::sint;
}

Id Textures::coordinate(const Instruction& instruction, bool is_float) {
  const ResourceAccess& contract = access(instruction);
  const As as = is_float ? As::float_ : As::uint;
  const Value layer = slot(instruction, Slot::layer);
  Lanes lanes{};
  uint32_t count = 0;
  for (; count < ir::coordinate_count(contract.dimension); ++count)
    lanes[count] = slot(instruction, Slot::coordinate0 + count);
  if (layer != ir::kNoValue && is_float && contract.layer_is_integer) {
    std::array<Id, 4> parts{};
    for (uint32_t i = 0; i < count; ++i) parts[i] = as_float(lanes[i]);
    parts[count++] = emit(spv::OpConvertUToF, As::float_, {as_uint(layer)});
    return emit(spv::OpCompositeConstruct, builder_.vector_type(builder_.float_type(), count),
                std::span<const Id>(parts.data(), count));
  }
  if (layer != ir::kNoValue) lanes[count++] = layer;
  if (count == 1) return values_.use(lanes[0], as);
  const std::span<const Value> used(lanes.data(), count);
  // A sample takes a longer vector (SPIR-V 3.42.10, "It may be a vector larger than needed"); a fetch does
  // not.
  const bool samples = instruction.op == Op::tex_sample || instruction.op == Op::tex_gather;
  return samples ? values_.prefix(used, as) : vector(used, as);
}

/// Immediate offset: a constant for exactly the axes, never for the array index.
Id Textures::constant_offset(const ResourceAccess& contract) {
  const uint32_t count = ir::offset_count(contract.dimension);
  const Id type = builder_.int_type();
  if (count == 1) return builder_.constant_int(contract.offset[0]);
  std::array<uint32_t, 3> parts{};
  for (uint32_t i = 0; i < count; ++i) parts[i] = static_cast<uint32_t>(int32_t{contract.offset[i]});
  return builder_.constants(builder_.vector_type(type, count), type,
                            std::span<const uint32_t>(parts).first(count));
}

/// Offsets that are known need no feature if they are within the device's limits.
Textures::Offset Textures::gather_offset(const Instruction& instruction) {
  constexpr int64_t kLeast = -32, kMost = 31;  // of six bits
  const int64_t least = options_.device.limit(Limit::least_gather_offset).value_or(kLeast);
  const int64_t most = options_.device.limit(Limit::most_gather_offset).value_or(kMost);
  bool known = true, fits = true;
  std::array<uint32_t, 2> parts{};
  for (uint32_t i = 0; i < 2; ++i) {
    const Value given = slot(instruction, Slot::offset0 + i);
    known &= module_.is_constant(given);
    if (!known) break;
    const int32_t offset = static_cast<int32_t>(module_.constant_bits(given) << 26) >> 26;
    fits &= offset >= least && offset <= most;
    parts[i] = static_cast<uint32_t>(offset);
  }
  if (known ? !fits : least > kLeast || most < kMost) {
    diagnostics_.error(
        module_.location_of(instruction),
        "a gather with an offset {}: the device has minTexelGatherOffset {} and maxTexelGatherOffset "
        "{}, so it cannot be expressed on spirv",
        known ? "beyond its limits" : "from -32 to 31", least, most);
  }
  const Id type = builder_.int_type();
  if (known)
    return {spv::ImageOperandsConstOffsetMask,
            builder_.constants(builder_.vector_type(type, 2), type, parts)};
  builder_.require(spv::CapabilityImageGatherExtended);
  // gather4_po: the low six bits of each offset, signed.
  std::array<Id, 2> offsets{};
  for (uint32_t i = 0; i < 2; ++i) {
    offsets[i] = emit(spv::OpBitFieldSExtract, As::int_,
                      {emit(spv::OpBitcast, As::int_, {as_uint(slot(instruction, Slot::offset0 + i))}),
                       constant(0), constant(6)});
  }
  return {spv::ImageOperandsOffsetMask,
          emit(spv::OpCompositeConstruct, builder_.vector_type(builder_.int_type(), 2), offsets)};
}

/// The four slots from `first` on; zeros where they are absent.
Lanes Textures::texel_lanes(const Instruction& instruction, Slot first) const {
  Lanes lanes{};
  for (uint32_t i = 0; i < 4; ++i) {
    const Value value = slot(instruction, first + i);
    lanes[i] = value == ir::kNoValue ? kLiteralZero : value;
  }
  return lanes;
}

/// The result of a guarded access if its guard fails, as a vector of texels; computed before the guard.
Id Textures::texel_fallback(const Instruction& instruction, Kind kind) {
  if (slot(instruction, Slot::guard) == ir::kNoValue) return Id::none;
  const Id type = builder_.vector_type(bindings_.texel_component(access(instruction).resource), 4);
  const Lanes lanes = texel_lanes(instruction, Slot::fallback0);
  const auto is_zero = [&](Value value) { return value == kLiteralZero || module_.is_constant(value, 0); };
  if (std::ranges::all_of(lanes, is_zero)) return builder_.null(type);
  const Id texel = vector(lanes, as_of(kind));
  return has_signed_texels(access(instruction)) ? bitcast(type, texel) : texel;
}

/// A device that cannot say what is resident has no resources of which something is not.
bool Textures::asks_residency(const ResourceAccess& contract) const {
  return contract.feedback && device_has(Feature::residency);
}

/// The type of an access's result: texels or, with the residency code before them, a structure.
Id Textures::result_type(const ResourceAccess& contract, Id texel_type) {
  if (!asks_residency(contract)) return texel_type;
  return builder_.type(spv::OpTypeStruct, {builder_.uint_type(), texel_type});
}

/// Emits an access.
Textures::Texel Textures::emit_access(const ResourceAccess& contract, spv::Op op, Id result_type,
                                      Id texel_type, std::span<const Operand> operands) {
  if (!asks_residency(contract)) {
    const Id texel = emit(op, result_type, operands);
    return {texel, constant(ir::kAllMapped)};
  }
  builder_.require(spv::CapabilitySparseResidency);
  const Id result = emit(sparse(op), result_type, operands);
  const Id code = emit(spv::OpCompositeExtract, As::uint, {result, literal(0)});
  const Id resident = emit(spv::OpImageSparseTexelsResident, As::boolean, {code});
  const Id status = select(As::uint, {resident, constant(ir::kAllMapped), constant(ir::kNotAllMapped)});
  return {emit(spv::OpCompositeExtract, texel_type, {result, literal(1)}), status};
}

/// Sampling an unbound slot's replacement is harmless, and derivatives must not be under a condition.
Id Textures::guarded(const Instruction& instruction, Id type, Id texel, Kind kind) {
  const Value guard = slot(instruction, Slot::guard);
  if (guard == ir::kNoValue) return texel;
  const Id each = as_bool(guard);
  const Id condition = emit(spv::OpCompositeConstruct, builder_.vector_type(builder_.bool_type(), 4),
                            {each, each, each, each});
  return select(type, {condition, texel, texel_fallback(instruction, kind)});
}

void Textures::define_texel(const Instruction& instruction, Id texel, Kind kind, Id status) {
  const ResourceAccess& contract = access(instruction);
  const Value first = instruction.first_result;
  const bool is_signed = has_signed_texels(contract) && kind == Kind::uint;
  if (is_signed) texel = bitcast(builder_.vector_type(builder_.uint_type(), 4), texel);
  define_lanes(first, texel, 4, as_of(kind));
  if (contract.feedback) define(first + 4, Kind::uint, status);
}

void Textures::emit_fetch(const Instruction& instruction) {
  const ResourceAccess& contract = access(instruction);
  const Kind kind = texel_kind(module_, contract);
  const Id fallback = texel_fallback(instruction, kind);
  const Id texture = bindings_.image(instruction);
  begin_guard(slot(instruction, Slot::guard));
  const Id type = builder_.vector_type(bindings_.texel_component(contract.resource), 4);
  const Id result = result_type(contract, type);
  ImageOperands operands;
  if (const Value lod = slot(instruction, Slot::lod); lod != ir::kNoValue) {
    operands.add(spv::ImageOperandsLodMask, {as_uint(lod)});
  }
  const Value sample = slot(instruction, Slot::sample);
  const bool has_sample =
      sample != ir::kNoValue && bindings_.is_multisampled(module_.resources[contract.resource]);
  if (sample != ir::kNoValue && !has_sample) operands.add(spv::ImageOperandsLodMask, {constant(0)});
  if (contract.has_offset) operands.add(spv::ImageOperandsConstOffsetMask, {constant_offset(contract)});
  if (has_sample) operands.add(spv::ImageOperandsSampleMask, {as_uint(sample)});
  std::pmr::vector<Operand> words({texture, coordinate(instruction, false)}, module_.memory());
  operands.append_to(words);
  const spv::Op op = instruction.op == Op::surf_load ? spv::OpImageRead : spv::OpImageFetch;
  auto [texel, status] = emit_access(contract, op, result, type, words);
  if (slot(instruction, Slot::guard) != ir::kNoValue) {
    const Id from = body_.block();
    texel = end_guard(type, texel, fallback);
    // What is not accessed is not missing.
    if (contract.feedback)
      status = emit(spv::OpPhi, As::uint, {status, from, constant(ir::kAllMapped), body_.guard_failed_in()});
  }
  define_texel(instruction, texel, kind, status);
}

/// A vector with an axis in each slot from `first` on.
Id Textures::axes(const Instruction& instruction, Slot first) {
  const uint32_t count = ir::coordinate_count(access(instruction).dimension);
  Lanes lanes{};
  for (uint32_t i = 0; i < count; ++i) lanes[i] = slot(instruction, first + i);
  if (count == 1) return as_float(lanes[0]);
  return vector(std::span<const Value>(lanes).first(count), As::float_);
}

void Textures::emit_sample(const Instruction& instruction) {
  const ResourceAccess& contract = access(instruction);
  const bool compare = contract.compare;
  const Kind kind = compare ? Kind::float_ : texel_kind(module_, contract);
  const Id type =
      compare ? builder_.float_type() : builder_.vector_type(bindings_.texel_component(contract.resource), 4);
  const Id result = result_type(contract, type);
  const bool implicit = contract.lod == LodRule::implicit || contract.lod == LodRule::bias;
  ImageOperands operands;
  const Value lod = slot(instruction, Slot::lod);
  if (contract.lod == LodRule::bias && !module_.is_constant(lod, 0))
    operands.add(spv::ImageOperandsBiasMask, {as_float(lod)});
  if (contract.lod == LodRule::level) operands.add(spv::ImageOperandsLodMask, {as_float(lod)});
  if (contract.lod == LodRule::zero) operands.add(spv::ImageOperandsLodMask, {real(0)});
  if (contract.lod == LodRule::gradient) {
    const Id ddx = axes(instruction, Slot::ddx0);
    const Id ddy = axes(instruction, Slot::ddy0);
    operands.add(spv::ImageOperandsGradMask, {ddx, ddy});
  }
  if (contract.has_offset) operands.add(spv::ImageOperandsConstOffsetMask, {constant_offset(contract)});
  if (const Value clamp = slot(instruction, Slot::lod_clamp); clamp != ir::kNoValue) {
    builder_.require(spv::CapabilityMinLod);
    operands.add(spv::ImageOperandsMinLodMask, {as_float(clamp)});
  }
  const Id where = coordinate(instruction, true);
  std::pmr::vector<Operand> words({bindings_.sampled_image(instruction), where}, module_.memory());
  if (compare) words.push_back(as_float(slot(instruction, Slot::reference)));
  operands.append_to(words);
  const spv::Op op = compare
                         ? (implicit ? spv::OpImageSampleDrefImplicitLod : spv::OpImageSampleDrefExplicitLod)
                         : (implicit ? spv::OpImageSampleImplicitLod : spv::OpImageSampleExplicitLod);
  auto [texel, status] = emit_access(contract, op, result, type, words);
  if (compare) {
    const Value guard = slot(instruction, Slot::guard);
    if (guard != ir::kNoValue) texel = select(type, {as_bool(guard), texel, real(0)});
    for (uint32_t i = 0; i < 4; ++i) {
      if (is_used(instruction.first_result + i)) define(instruction.first_result + i, Kind::float_, texel);
    }
    if (contract.feedback) define(instruction.first_result + 4, Kind::uint, status);
    return;
  }
  define_texel(instruction, guarded(instruction, type, texel, kind), kind, status);
}

void Textures::emit_gather(const Instruction& instruction) {
  const ResourceAccess& contract = access(instruction);
  const Kind kind = contract.compare ? Kind::float_ : texel_kind(module_, contract);
  const Id component =
      contract.compare ? builder_.float_type() : bindings_.texel_component(contract.resource);
  const Id type = builder_.vector_type(component, 4);
  const Id result = result_type(contract, type);
  ImageOperands operands;
  if (contract.has_offset) operands.add(spv::ImageOperandsConstOffsetMask, {constant_offset(contract)});
  if (slot(instruction, Slot::offset0) != ir::kNoValue) {
    const Offset offset = gather_offset(instruction);
    operands.add(offset.kind, {offset.id});
  }
  const Id where = coordinate(instruction, true);
  // The component is a signed constant: one driver once required that (docs/reference/direct3d.md 6.1).
  const Id what = contract.compare ? as_float(slot(instruction, Slot::reference))
                                   : builder_.constant_int(contract.gather_component);
  std::pmr::vector<Operand> words({bindings_.sampled_image(instruction), where, what}, module_.memory());
  operands.append_to(words);
  const spv::Op op = contract.compare ? spv::OpImageDrefGather : spv::OpImageGather;
  const Texel texel = emit_access(contract, op, result, type, words);
  define_texel(instruction, guarded(instruction, type, texel.value, kind), kind, texel.status);
}

// (clamped, unclamped): the order of OpImageQueryLod. The array index is left out.
void Textures::emit_lod(const Instruction& instruction) {
  builder_.require(spv::CapabilityImageQuery);
  if (module_.stage != ir::Stage::pixel)
    return refuse(instruction, "a level from derivatives outside a pixel shader");
  const Id where = axes(instruction, Slot::coordinate0);
  const Id pair = builder_.vector_type(builder_.float_type(), 2);
  const Id levels = emit(spv::OpImageQueryLod, pair, {bindings_.sampled_image(instruction), where});
  define_lanes(instruction.first_result, levels, 2, As::float_);
}

// Sizes of a mip, then the number of mips.
void Textures::emit_size(const Instruction& instruction) {
  const ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const Dimension dimension = contract.dimension;
  const Value first = instruction.first_result;
  const Id uint = builder_.uint_type();
  builder_.require(spv::CapabilityImageQuery);
  const Id texture = bindings_.image(instruction);
  const uint32_t count = size_count(dimension);
  const bool one_level = resource.is_uav || ir::is_multisampled(dimension);
  const Id sizes = bindings_.image_size(resource, texture, slot(instruction, Slot::lod));
  if (!is_used(first + 3)) {
  } else if (one_level) {
    // An unordered access view or multisampled texture has one mip; if unbound, none: its width is 0.
    const Id width = count == 1 ? sizes : emit(spv::OpCompositeExtract, uint, {sizes, literal(0)});
    const Id there = emit(spv::OpINotEqual, As::boolean, {width, constant(0)});
    define(first + 3, Kind::uint, select(uint, {there, constant(1), constant(0)}));
  } else {
    define(first + 3, Kind::uint, bindings_.query(instruction, BindingFact::levels));
  }
  // x, y, z: width, height or layers, depth or layers.
  if (count == 1) {
    define(first, Kind::uint, sizes);
  } else {
    define_lanes(first, sizes, count, As::uint);
  }
  for (uint32_t i = count; i < 3; ++i) define(first + i, Kind::uint, constant(0));
}

void Textures::emit_atomic(const Instruction& instruction) {
  const ResourceAccess& contract = access(instruction);
  // R32_FLOAT is the only format of floats with atomics, and an exchange its only one (Vulkan,
  // VUID-StandaloneSpirv-OpImageTexelPointer-04658; shaderImageFloat32Atomics).
  const bool is_exchange = contract.atomic == ir::AtomicOp::exchange;
  const bool is_r32 = module_.resources[contract.resource].component_types[0] == ir::ComponentType::float_;
  if (texel_kind(module_, contract) == Kind::float_ && !(is_exchange && is_r32))
    return refuse(instruction, "this atomic on a view of floats");
  const Id type = bindings_.texel_component(contract.resource);
  const Id uint = builder_.uint_type();
  const bool is_cast = type != uint;
  begin_guard(slot(instruction, Slot::guard));
  const Id pointer = bindings_.texel_pointer(instruction, type, coordinate(instruction, false));
  Id value = as_uint(slot(instruction, Slot::value0));
  const Value compare = slot(instruction, Slot::compare);
  Id expected = compare == ir::kNoValue ? Id::none : as_uint(compare);
  if (is_cast) {
    value = bitcast(type, value);
    if (expected != Id::none) expected = bitcast(type, expected);
  }
  Id before =
      spirv::emit_atomic(body_, builder_, contract.atomic, type, pointer, spv::ScopeDevice, value, expected);
  if (is_cast) before = bitcast(uint, before);
  if (slot(instruction, Slot::guard) != ir::kNoValue) before = end_guard(uint, before, constant(0));
  define(instruction.first_result, Kind::uint, before);
}

void Textures::emit_store(const Instruction& instruction) {
  const ResourceAccess& contract = access(instruction);
  const Kind kind = texel_kind(module_, contract);
  const Id texture = bindings_.image(instruction);
  const Lanes lanes = texel_lanes(instruction, Slot::value0);
  begin_guard(slot(instruction, Slot::guard));
  const Id where = coordinate(instruction, false);
  Id texel = vector(lanes, as_of(kind));
  const Id type = builder_.vector_type(bindings_.texel_component(contract.resource), 4);
  if (has_signed_texels(contract)) texel = bitcast(type, texel);
  effect(spv::OpImageWrite, {texture, where, texel});
  if (slot(instruction, Slot::guard) != ir::kNoValue) end_guard();
}

// The access has left ~0 or 0.
void Textures::emit_mapped(const Instruction& instruction) {
  define_bool(instruction.first_result,
              emit(spv::OpIEqual, As::boolean, {as_uint(operand(instruction, 0)), constant(ir::kAllMapped)}));
}

}  // namespace texlate::spirv
