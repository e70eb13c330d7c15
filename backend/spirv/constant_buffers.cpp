// Constant buffers: uniform buffers of rows. One of which few rows are read, all of them known, is a struct
// of just these; every other one is an array.

#include <algorithm>
#include <bit>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

namespace {

/// Rows of the largest constant buffer in Direct3D.
constexpr uint32_t kGreatest = 4096;

/// A second view of an array, of the other kind, takes as many instructions as about so many casts.
constexpr uint32_t kFewLoads = 8;

}  // namespace

/// A row that one load reads as floats and another as integers has the kind of the first.
void Emitter::ConstantLayout::read_row(uint32_t row, Kind kind) {
  end = std::max(end, row + 1);
  if (overflowed || member_of(row) != kNoIndex) return;
  if (count == kMostRowMembers) {
    overflowed = true;
    return;
  }
  uint32_t at = count++;
  for (; at != 0 && rows[at - 1].row > row; --at) rows[at] = rows[at - 1];
  rows[at] = {row, kind, 0};
}

/// How each buffer is laid out, and one kind for each of its rows or, where few loads would have it
/// otherwise, for the whole.
void Emitter::plan_constant_buffers() {
  constant_layouts_.assign(module_.constant_buffers.size(), {});
  for (const uint32_t i : constant_loads_) {
    const Instruction& load = module_.code[i];
    ConstantLayout& layout = constant_layouts_[load.payload];
    ++layout.loads[kind_[load.first_result] == Kind::float_ ? 0 : 1];
    const Value row = operand(load, 0);
    if (!module_.is_constant(row)) {
      layout.indexed = true;
    } else if (module_.constant_bits(row) < kGreatest) {
      layout.read_row(module_.constant_bits(row), kind_[load.first_result]);
    }
  }
  for (size_t i = 0; i < constant_layouts_.size(); ++i) {
    ConstantLayout& layout = constant_layouts_[i];
    const ir::ConstantBuffer& buffer = module_.constant_buffers[i];
    // A member takes a decoration and an index of its own; an array a stride, a length and a type.
    const bool few = layout.count < kMostRowMembers || layout.rows[0].row != 0;
    layout.is_array =
        layout.indexed || layout.overflowed || layout.count == 0 || !few ||
        is_element(place_of(RegisterClass::constant_buffer, buffer.space, buffer.lower_bound), buffer);
  }
  for (const uint32_t i : constant_loads_) {
    const Instruction& load = module_.code[i];
    const ConstantLayout& layout = constant_layouts_[load.payload];
    Kind kind = kind_[load.first_result];
    if (layout.is_array) {
      if (std::min(layout.loads[0], layout.loads[1]) <= kFewLoads)
        kind = layout.loads[0] >= layout.loads[1] ? Kind::float_ : Kind::uint;
    } else if (const uint32_t member = layout.member_of(operand_bits(load, 0)); member != kNoIndex) {
      kind = layout.rows[member].kind;
    }
    for (uint32_t r = 0; r < 4; ++r) kind_[load.first_result + r] = kind;
  }
}

/// With the uses known: of which rows is one component enough?
void Emitter::note_constant_components() {
  for (const uint32_t i : constant_loads_) {
    const Instruction& load = module_.code[i];
    ConstantLayout& layout = constant_layouts_[load.payload];
    if (layout.is_array) continue;
    const uint32_t member = layout.member_of(operand_bits(load, 0));
    if (member == kNoIndex) continue;
    for (uint32_t r = 0; r < 4; ++r) {
      if (is_used(load.first_result + r)) layout.rows[member].used |= static_cast<uint8_t>(1u << r);
    }
  }
}

/// struct { the rows that are read, or their one component; }, the same for buffers that are read alike.
Id Emitter::row_block(const ConstantLayout& layout) {
  for (const ConstantLayout& known : constant_layouts_) {
    if (known.block != 0 && !known.is_array && known.count == layout.count && known.rows == layout.rows)
      return known.block;
  }
  std::array<Id, kMostRowMembers> types{};
  for (uint32_t m = 0; m < layout.count; ++m) {
    const RowMember& member = layout.rows[m];
    types[m] = builder_.vector_type(type_of(member.kind), member.is_scalar() ? 1 : 4);
  }
  const Id block = builder_.own_type(spv::OpTypeStruct, std::span<const Id>(types).first(layout.count));
  builder_.decorate(block, spv::DecorationBlock);
  for (uint32_t m = 0; m < layout.count; ++m) {
    const RowMember& member = layout.rows[m];
    const uint32_t component = member.is_scalar() ? static_cast<uint32_t>(std::countr_zero(member.used)) : 0;
    builder_.decorate_member(block, m, spv::DecorationOffset, 16 * member.row + 4 * component);
  }
  return block;
}

/// struct { T4 rows[N]; }. What is bound may be larger than what is declared, and a shader may index it
/// (docs/reference/direct3d.md 6.3): a buffer that is indexed at run time has Direct3D's greatest size, where
/// the driver answers for the bounds.
Id Emitter::array_block(const ConstantLayout& layout, const ir::ConstantBuffer& buffer, Kind kind) {
  const bool indexed = (layout.indexed || buffer.dynamically_indexed) && !guarded();
  const uint32_t rows = std::max(buffer.rows, layout.end);
  const uint32_t length = rows == 0 || indexed ? kGreatest : rows;
  for (const Block& known : constant_blocks_) {
    if (known.rows == length && known.kind == kind) return known.type;
  }
  const Id row = builder_.vector_type(type_of(kind), 4);
  const Id array = builder_.own_type(spv::OpTypeArray, {row, constant(length)});
  builder_.decorate(array, spv::DecorationArrayStride, 16);
  const Id block = builder_.own_type(spv::OpTypeStruct, {array});
  builder_.decorate(block, spv::DecorationBlock);
  builder_.decorate_member(block, 0, spv::DecorationOffset, 0);
  constant_blocks_.push_back({length, kind, block});
  return block;
}

Id Emitter::constant_buffer_variable(uint32_t index, Kind kind) {
  Binding& binding = constant_buffers_[index];
  ConstantLayout& layout = constant_layouts_[index];
  Id& variable = kind == Kind::float_ || !layout.is_array ? binding.variable : binding.uint_variable;
  if (variable != 0) return variable;
  const ir::ConstantBuffer& buffer = module_.constant_buffers[index];
  layout.block = layout.is_array ? array_block(layout, buffer, kind) : row_block(layout);
  const Id type =
      array_of(layout.block, buffer.lower_bound, buffer.upper_bound, binding.place, binding.pointee);
  variable = builder_.variable(spv::StorageClassUniform, type);
  describe(variable, DescriptorKind::uniform_buffer, RegisterClass::constant_buffer, index);
  return variable;
}

/// Which buffer of a range or an array. Is it a run-time number that differs among invocations?
Id Emitter::range_index(const Instruction& load, bool& non_uniform) {
  const Place& place = constant_buffers_[load.payload].place;
  const bool has_index = load.operand_count > (load.has(ir::kGuarded) ? 2u : 1u);
  const Value at = has_index ? operand(load, 1) : ir::kNoValue;
  if (is_indexed(place, at)) {
    non_uniform = load.has(ir::kNonUniform);
    builder_.require(non_uniform ? spv::CapabilityUniformBufferArrayNonUniformIndexingEXT
                                 : spv::CapabilityUniformBufferArrayDynamicIndexing);
    if (non_uniform) {
      builder_.require(spv::CapabilityShaderNonUniformEXT);
      builder_.require_extension("SPV_EXT_descriptor_indexing");
    }
  }
  return descriptor_index(place, at);
}

void Emitter::emit_constant_buffer(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  if (constant_buffers_[index].place.passing == Passing::push_constants)
    return emit_push_constant(instruction);
  const Value first = instruction.first_result;
  const Kind kind = kind_[first];
  const Id type = type_of(kind);
  const ir::ConstantBuffer& buffer = module_.constant_buffers[index];
  uint32_t used = 0, last = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(first + i)) continue;
    ++used;
    last = i;
  }
  if (used == 0) return;
  const Value row = operand(instruction, 0);
  if (module_.is_constant(row) && module_.constant_bits(row) >= kGreatest) {
    for (uint32_t i = 0; i < 4; ++i) define(first + i, kind, builder_.constant(type, 0));
    return;
  }
  const Id variable = constant_buffer_variable(index, kind);
  const Id loaded = used == 1 ? type : builder_.vector_type(type, 4);
  const auto define_all = [&](Id value) {
    if (used == 1) return define(first + last, kind, value);
    for (uint32_t i = 0; i < 4; ++i) {
      if (is_used(first + i)) define(first + i, kind, emit(spv::OpCompositeExtract, type, {value, i}));
    }
  };
  if (const ConstantLayout& layout = constant_layouts_[index]; !layout.is_array && layout.count == 1) {
    // The struct is its one member: loaded as it is, it needs no pointer to that and no index.
    const Id block = emit(spv::OpLoad, layout.block, {variable});
    const bool part = used == 1 && !layout.rows[0].is_scalar();
    return define_all(part ? emit(spv::OpCompositeExtract, type, {block, 0u, last})
                           : emit(spv::OpCompositeExtract, loaded, {block, 0u}));
  }
  std::array<Id, 5> chain{variable};
  uint32_t length = 1;
  const Value guard = module_.guard_of(instruction);
  bool non_uniform = false, is_scalar = false;
  if (const ConstantLayout& layout = constant_layouts_[index]; !layout.is_array) {
    const uint32_t member = layout.member_of(module_.constant_bits(row));
    chain[length++] = constant(member);
    is_scalar = layout.rows[member].is_scalar();
  } else {
    if (is_element(constant_buffers_[index].place, buffer))
      chain[length++] = range_index(instruction, non_uniform);
    chain[length++] = constant(0);
    chain[length++] = as_uint(row);
    guard_begin(guard);
  }
  if (used == 1 && !is_scalar) chain[length++] = constant(last);
  const Id pointer = emit(spv::OpAccessChain, builder_.pointer_type(spv::StorageClassUniform, loaded),
                          std::span<const Id>(chain).first(length));
  if (non_uniform) builder_.decorate(pointer, spv::DecorationNonUniformEXT);
  Id value = emit(spv::OpLoad, loaded, {pointer});
  if (guard != ir::kNoValue)
    value = guard_end(loaded, value, used == 1 ? builder_.constant(type, 0) : builder_.null(loaded));
  define_all(value);
}

}  // namespace texlate::spirv
