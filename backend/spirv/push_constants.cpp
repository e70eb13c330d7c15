// Constant buffers that the caller passes as push constants. There is one block an entry point
// (Vulkan 1.1, 14.6.1), with a member for each such buffer; of words, since the same bytes may be read as
// floats and as integers.

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

/// Two buffers in the same bytes: members of a block do not overlap (SPIR-V 2.16.2), and what would the host
/// write?
void Emitter::refuse_overlap(size_t index, uint32_t offset) {
  const ir::ConstantBuffer& buffer = module_.constant_buffers[index];
  const uint64_t end = offset + uint64_t{16} * buffer.rows;
  for (size_t i = 0; i < index; ++i) {
    if (constant_buffers_[i].passing != Passing::push_constants) continue;
    const ir::ConstantBuffer& other = module_.constant_buffers[i];
    const uint32_t start =
        options_.bindings.find(RegisterClass::constant_buffer, other.space, other.lower_bound).binding;
    if (offset >= start + uint64_t{16} * other.rows || start >= end) continue;
    diagnostics_.error({},
                       "cb{} (bytes {} to {}) and cb{} (bytes {} to {}) overlap in push constants on spirv",
                       other.id, start, start + uint64_t{16} * other.rows - 1, buffer.id, offset, end - 1);
  }
}

void Emitter::declare_push_constants() {
  std::pmr::vector<uint32_t> members(module_.memory());
  const Id row = builder_.vector_type(builder_.uint_type(), 4);
  for (size_t i = 0; i < constant_buffers_.size(); ++i) {
    if (constant_buffers_[i].passing != Passing::push_constants) continue;
    const Id array = builder_.own_type(spv::OpTypeArray, {row, constant(module_.constant_buffers[i].rows)});
    builder_.decorate(array, spv::DecorationArrayStride, 16);
    constant_buffers_[i].push_member = static_cast<uint32_t>(members.size());
    members.push_back(array);
  }
  const Id block = builder_.own_type(spv::OpTypeStruct, members);
  builder_.decorate(block, spv::DecorationBlock);
  for (size_t i = 0; i < constant_buffers_.size(); ++i) {
    const Binding& binding = constant_buffers_[i];
    if (binding.passing != Passing::push_constants) continue;
    const ir::ConstantBuffer& buffer = module_.constant_buffers[i];
    const Place place =
        options_.bindings.find(RegisterClass::constant_buffer, buffer.space, buffer.lower_bound);
    refuse_overlap(i, place.binding);
    builder_.decorate_member(block, binding.push_member, spv::DecorationOffset, place.binding);
    report(
        {DescriptorKind::push_constants, RegisterClass::constant_buffer, static_cast<uint32_t>(i), 0, place});
  }
  push_constants_ = builder_.variable(spv::StorageClassPushConstant, block);
  if (options_.names) builder_.name(push_constants_, "push_constants");
}

// No driver answers for bounds here, so a row outside is always replaced by zeros.
void Emitter::emit_push_constant(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  const Value first = instruction.first_result;
  const Kind kind = kind_[first];
  const uint32_t rows = module_.constant_buffers[index].rows;
  if (rows == 0) return refuse(instruction, "a constant buffer of unknown size in push constants");
  if (push_constants_ == 0) declare_push_constants();
  const Value row = operand(instruction, 0);
  const bool is_constant = module_.is_constant(row);
  const Id zero = builder_.constant(type_of(kind), 0);
  Id row_id = as_uint(row), inside = 0;
  if (!is_constant) {
    inside = emit(spv::OpULessThan, Scalar::boolean, {row_id, constant(rows)});
    row_id = select(Scalar::uint, {inside, row_id, constant(0)});
  }
  const Id pointer_type = builder_.pointer_type(spv::StorageClassPushConstant, builder_.uint_type());
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(first + i)) continue;
    if (is_constant && module_.constant_bits(row) >= rows) {
      define(first + i, kind, zero);
      continue;
    }
    const Id member = constant(constant_buffers_[index].push_member);
    const Id pointer = emit(spv::OpAccessChain, pointer_type, {push_constants_, member, row_id, constant(i)});
    const Id word = convert(emit(spv::OpLoad, Scalar::uint, {pointer}), Kind::uint, kind);
    define(first + i, kind, is_constant ? word : select(scalar_of(kind), {inside, word, zero}));
  }
}

}  // namespace texlate::spirv
