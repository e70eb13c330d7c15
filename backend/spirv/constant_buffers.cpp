#include "backend/spirv/constant_buffers.h"

#include <algorithm>
#include <bit>

namespace texlate::spirv {

/// struct { the rows that are read, or their only component; }, shared by buffers that are read alike.
Id ConstantBuffers::row_block(const ConstantLayout& layout) {
  for (const ConstantLayout& known : layouts_) {
    if (known.block != Id::none && !known.is_array && known.count == layout.count &&
        known.rows == layout.rows)
      return known.block;
  }
  std::array<Id, ConstantLayout::kMostMembers> types{};
  for (uint32_t m = 0; m < layout.count; ++m) {
    const ConstantLayout::Member& member = layout.rows[m];
    types[m] = builder_.vector_type(type_of(member.kind), member.is_scalar() ? 1 : 4);
  }
  const Id block = builder_.own_type(spv::OpTypeStruct, std::span<const Id>(types).first(layout.count));
  builder_.decorate(block, spv::DecorationBlock);
  for (uint32_t m = 0; m < layout.count; ++m) {
    const ConstantLayout::Member& member = layout.rows[m];
    const uint32_t component = member.is_scalar() ? static_cast<uint32_t>(std::countr_zero(member.used)) : 0;
    builder_.decorate_member(block, m, spv::DecorationOffset, 16 * member.row + 4 * component);
  }
  return block;
}

/// struct { T4 rows[N]; }. What is bound may be larger than what is declared, and a shader may index it
/// (docs/reference/direct3d.md 6.3): a buffer that is indexed at run time has Direct3D's greatest size, and
/// the driver handles the bounds.
Id ConstantBuffers::array_block(const ConstantLayout& layout, const ir::ConstantBuffer& buffer, Kind kind) {
  const bool indexed = (layout.indexed || buffer.dynamically_indexed) && !is_guarded();
  const uint32_t rows = std::max(buffer.rows, layout.end);
  const uint32_t length = rows == 0 || indexed ? kMostConstantRows : rows;
  for (const Block& known : blocks_) {
    if (known.rows == length && known.kind == kind) return known.type;
  }
  const Id row = builder_.vector_type(type_of(kind), 4);
  const Id array = builder_.own_type(spv::OpTypeArray, {row, constant(length)});
  builder_.decorate(array, spv::DecorationArrayStride, 16);
  const Id block = builder_.own_type(spv::OpTypeStruct, {array});
  builder_.decorate(block, spv::DecorationBlock);
  builder_.decorate_member(block, 0, spv::DecorationOffset, 0);
  blocks_.push_back({length, kind, block});
  return block;
}

Id ConstantBuffers::variable_of(uint32_t index, Kind kind) {
  ConstantLayout& layout = layouts_[index];
  Variables& known = variables_[index];
  Id& variable = kind == Kind::float_ || !layout.is_array ? known.floats : known.uints;
  if (variable != Id::none) return variable;
  const ir::ConstantBuffer& buffer = module_.constant_buffers[index];
  layout.block = layout.is_array ? array_block(layout, buffer, kind) : row_block(layout);
  return variable = report_.declare(spv::StorageClassUniform, layout.block, DescriptorKind::uniform_buffer,
                                    RegisterClass::constant_buffer, index);
}

/// Which buffer of a range or an array. `non_uniform`: is it an index that differs between invocations?
Id ConstantBuffers::range_index(const Instruction& load, bool& non_uniform) {
  const Place& place = places_.constant_buffers[load.payload];
  const bool has_index = load.operand_count > (load.has(ir::kGuarded) ? 2u : 1u);
  const Value at = has_index ? operand(load, 1) : ir::kNoValue;
  non_uniform = load.has(ir::kNonUniform) && push_constants_.is_indexed(place, at);
  return push_constants_.index(DescriptorKind::uniform_buffer, place, at, non_uniform);
}

void ConstantBuffers::emit_specialization(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  const Value row = operand(instruction, 0);
  if (!module_.is_constant(row))
    return refuse(instruction, "a run-time index into a constant buffer of specialization constants");
  const Value first = instruction.first_result;
  const Kind kind = values_.kind(first);
  const uint32_t rows = module_.constant_buffers[index].rows;
  const bool is_inside = rows == 0 || module_.constant_bits(row) < rows;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(first + i)) continue;
    const Id word =
        is_inside ? report_.fact(Fact::word, index, 4 * module_.constant_bits(row) + i) : constant(0);
    define(first + i, kind, convert(word, Kind::uint, kind));
  }
}

void ConstantBuffers::emit_load(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  if (places_.constant_buffers[index].passing == Passing::push_constants)
    return push_constants_.emit_load(instruction);
  if (places_.constant_buffers[index].passing == Passing::specialization)
    return emit_specialization(instruction);
  const Value first = instruction.first_result;
  const Kind kind = values_.kind(first);
  const Id type = type_of(kind);
  const ir::ConstantBuffer& buffer = module_.constant_buffers[index];
  const uint32_t lanes = used_lanes(first);
  if (lanes == 0) return;
  const bool is_single = std::has_single_bit(lanes);
  const auto last = static_cast<uint32_t>(std::countr_zero(lanes));
  const Value row = operand(instruction, 0);
  if (module_.is_constant(row) && module_.constant_bits(row) >= kMostConstantRows) {
    for (uint32_t i = 0; i < 4; ++i) define(first + i, kind, builder_.constant(type, 0));
    return;
  }
  const Id variable = variable_of(index, kind);
  const Id loaded = is_single ? type : builder_.vector_type(type, 4);
  const auto define_all = [&](Id value) {
    if (is_single) return define(first + last, kind, value);
    define_lanes(first, value, 4, as_of(kind));
  };
  if (const ConstantLayout& layout = layouts_[index]; !layout.is_array && layout.count == 1) {
    // A struct with one member is loaded as a whole, without a pointer to the member and without an index.
    const Id block = emit(spv::OpLoad, layout.block, {variable});
    const bool part = is_single && !layout.rows[0].is_scalar();
    return define_all(part ? emit(spv::OpCompositeExtract, type, {block, literal(0), literal(last)})
                           : emit(spv::OpCompositeExtract, loaded, {block, literal(0)}));
  }
  std::array<Id, 5> chain{variable};
  uint32_t length = 1;
  Value guard = ir::kNoValue;
  bool non_uniform = false, is_scalar = false;
  if (const ConstantLayout& layout = layouts_[index]; !layout.is_array) {
    const uint32_t member = layout.member_of(module_.constant_bits(row));
    chain[length++] = constant(member);
    is_scalar = layout.rows[member].is_scalar();
  } else {
    if (is_array(places_.constant_buffers[index], buffer))
      chain[length++] = range_index(instruction, non_uniform);
    chain[length++] = constant(0);
    chain[length++] = as_uint(row);
    guard = module_.guard_of(instruction);
    begin_guard(guard);
  }
  if (is_single && !is_scalar) chain[length++] = constant(last);
  const Id pointer = emit(spv::OpAccessChain, builder_.pointer_type(spv::StorageClassUniform, loaded),
                          std::span<const Id>(chain).first(length));
  if (non_uniform) builder_.decorate(pointer, spv::DecorationNonUniformEXT);
  Id value = emit(spv::OpLoad, loaded, {pointer});
  if (guard != ir::kNoValue)
    value = end_guard(loaded, value, is_single ? builder_.constant(type, 0) : builder_.null(loaded));
  define_all(value);
}

}  // namespace texlate::spirv
