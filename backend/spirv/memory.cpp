// Tables, local arrays, shared memory, barriers, and the rest of the operations that are no
// arithmetic.

#include <array>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

void Emitter::emit_table_load(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  const ir::ConstantTable& table = module_.tables[index];
  const Kind kind = table_kind_[index];
  const Id type = type_of(kind);
  const Id four = builder_.vector_type(type, 4);
  if (tables_[index] == 0) {
    std::pmr::vector<Id> rows(module_.memory());
    for (uint32_t r = 0; r < table.rows; ++r) {
      std::array<Id, 4> words{};
      for (uint32_t c = 0; c < 4; ++c)
        words[c] = builder_.constant(type, module_.table_words[table.first_word + 4 * r + c]);
      rows.push_back(builder_.composite(four, words));
    }
    const Id array = builder_.array_type(four, table.rows);
    tables_[index] = builder_.variable(spv::StorageClassPrivate, array, builder_.composite(array, rows));
  }
  const Id row = as_uint(operand(instruction, 0));
  uint32_t used = 0, last = 0;
  const Value first = instruction.first_result;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(first + i)) continue;
    ++used;
    last = i;
  }
  if (used == 1) {
    const Id pointer = access_chain(spv::StorageClassPrivate, type, {tables_[index], row, constant(last)});
    return define(first + last, kind, emit(spv::OpLoad, type, {pointer}));
  }
  const Id pointer = access_chain(spv::StorageClassPrivate, four, {tables_[index], row});
  const Id whole = emit(spv::OpLoad, four, {pointer});
  for (uint32_t i = 0; i < 4; ++i) {
    if (is_used(first + i)) define(first + i, kind, emit(spv::OpCompositeExtract, type, {whole, i}));
  }
}

void Emitter::emit_local(const Instruction& instruction) {
  const uint32_t index = instruction.payload / 4;
  const Kind kind = local_kind_[index];
  const Id type = type_of(kind);
  if (locals_[index] == 0) {
    const Id row = builder_.vector_type(type, 4);
    locals_[index] =
        builder_.variable(spv::StorageClassPrivate, builder_.array_type(row, module_.locals[index].rows));
  }
  const Id pointer =
      access_chain(spv::StorageClassPrivate, type,
                   {locals_[index], as_uint(operand(instruction, 0)), constant(instruction.payload % 4)});
  if (instruction.op == Op::local_store)
    return effect(spv::OpStore, {pointer, use(operand(instruction, 1), kind)});
  define(instruction.first_result, kind, emit(spv::OpLoad, type, {pointer}));
}

Id Emitter::atomic(ir::AtomicOp op, Id type, Id pointer, spv::Scope scope, Id value, Id compare) {
  const Id where = constant(static_cast<uint32_t>(scope));
  const Id relaxed = constant(0);
  if (op == ir::AtomicOp::compare_exchange) {
    return emit(spv::OpAtomicCompareExchange, type, {pointer, where, relaxed, relaxed, value, compare});
  }
  static constexpr spv::Op kOps[] = {spv::OpAtomicIAdd, spv::OpAtomicAnd,  spv::OpAtomicOr,
                                     spv::OpAtomicXor,  spv::OpAtomicSMin, spv::OpAtomicSMax,
                                     spv::OpAtomicUMin, spv::OpAtomicUMax, spv::OpAtomicExchange};
  return emit(kOps[static_cast<uint32_t>(op)], type, {pointer, where, relaxed, value});
}

// g#: words.
void Emitter::emit_shared(const Instruction& instruction) {
  const bool is_atomic = instruction.op == Op::shared_atomic;
  const uint32_t index = is_atomic ? instruction.payload / 16 : instruction.payload;
  const Kind kind = shared_kind_[index];
  const Id type = type_of(kind);
  const uint32_t words = (module_.shared[index].bytes + 3) / 4;
  if (shared_[index] == 0) {
    shared_[index] = builder_.variable(spv::StorageClassWorkgroup, builder_.array_type(type, words));
    if (options_.names) {
      const char text[2] = {'g', static_cast<char>('0' + index % 10)};
      builder_.name(shared_[index], std::string_view(text, 2));
    }
  }
  const Value offset = operand(instruction, 0);
  const Id element = module_.is_constant(offset)
                         ? constant(module_.constant_bits(offset) / 4)
                         : emit(spv::OpShiftRightLogical, Scalar::uint, {as_uint(offset), constant(2)});
  const Id pointer = access_chain(spv::StorageClassWorkgroup, type, {shared_[index], element});
  if (instruction.op == Op::shared_load) {
    return define(instruction.first_result, kind, emit(spv::OpLoad, type, {pointer}));
  }
  if (instruction.op == Op::shared_store)
    return effect(spv::OpStore, {pointer, use(operand(instruction, 1), kind)});
  const auto op = static_cast<ir::AtomicOp>(instruction.payload % 16);
  const bool compares = op == ir::AtomicOp::compare_exchange;
  const Id compare = compares ? as_uint(operand(instruction, 1)) : 0;
  const Id value = as_uint(operand(instruction, compares ? 2 : 1));
  define(instruction.first_result, Kind::uint,
         atomic(op, type, pointer, spv::ScopeWorkgroup, value, compare));
}

void Emitter::emit_barrier(const Instruction& instruction) {
  const uint32_t flags = instruction.payload;
  uint32_t semantics = 0;
  if ((flags & ir::kBarrierShared) != 0) semantics |= spv::MemorySemanticsWorkgroupMemoryMask;
  if ((flags & (ir::kBarrierUavGlobal | ir::kBarrierUavGroup)) != 0) {
    semantics |= spv::MemorySemanticsUniformMemoryMask | spv::MemorySemanticsImageMemoryMask;
  }
  if (semantics != 0) semantics |= spv::MemorySemanticsAcquireReleaseMask;
  const uint32_t scope = (flags & ir::kBarrierUavGlobal) != 0 ? spv::ScopeDevice : spv::ScopeWorkgroup;
  if ((flags & ir::kBarrierThreads) != 0) {
    return effect(spv::OpControlBarrier,
                  {constant(spv::ScopeWorkgroup), constant(scope), constant(semantics)});
  }
  if (semantics != 0) effect(spv::OpMemoryBarrier, {constant(scope), constant(semantics)});
}

void Emitter::emit_memory(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::cb_load: return emit_constant_buffer(instruction);
    case Op::table_load: return emit_table_load(instruction);
    case Op::local_load:
    case Op::local_store: return emit_local(instruction);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return emit_shared(instruction);
    case Op::input: return emit_input(instruction);
    case Op::patch_input: return emit_patch_input(instruction);
    case Op::patch_output: return emit_patch_output(instruction);
    case Op::output_control_point: return emit_output_control_point(instruction);
    case Op::emit:
    case Op::cut: return emit_vertex(instruction);
    case Op::output: return emit_output(instruction);
    case Op::system_value: return emit_system_value(instruction);
    case Op::cycle_counter: {
      builder_.require(spv::CapabilityShaderClockKHR);
      builder_.require_extension("SPV_KHR_shader_clock");
      const Id uint = builder_.uint_type();
      const Id pair = builder_.vector_type(uint, 2);
      const Id clock = emit(spv::OpReadClockKHR, pair, {constant(spv::ScopeSubgroup)});
      for (uint32_t i = 0; i < 2; ++i) {
        if (is_used(instruction.first_result + i))
          define(instruction.first_result + i, Kind::uint, emit(spv::OpCompositeExtract, uint, {clock, i}));
      }
      return;
    }
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid: return emit_evaluation(instruction);
    case Op::binding:
    case Op::bound: return emit_binding(instruction);
    case Op::barrier: return emit_barrier(instruction);
    case Op::mapped:
      // The access left ~0 or 0.
      return define_bool(instruction.first_result, emit(spv::OpINotEqual, Scalar::boolean,
                                                        {as_uint(operand(instruction, 0)), constant(0)}));
    case Op::raster_samples:
      if (raster_samples_ == 0) {
        raster_samples_ = specialize(Fact::raster_samples, 0);
      }
      return define(instruction.first_result, Kind::uint, raster_samples_);
    case Op::discard: {
      // The pixel goes on as a helper, so that its neighbours keep their derivatives
      // (docs/reference/direct3d.md 6.3).
      builder_.require(spv::CapabilityDemoteToHelperInvocationEXT);
      builder_.require_extension("SPV_EXT_demote_to_helper_invocation");
      const Value condition = operand(instruction, 0);
      if (module_.is_constant(condition)) {
        if (module_.values[condition].bits != 0) effect(spv::OpDemoteToHelperInvocationEXT, {});
        return;
      }
      const Id then = builder_.new_id();
      const Id after = builder_.new_id();
      effect(spv::OpSelectionMerge, {after, spv::SelectionControlMaskNone});
      effect(spv::OpBranchConditional, {as_bool(condition), then, after});
      start_block(then);
      effect(spv::OpDemoteToHelperInvocationEXT, {});
      branch(after);
      return start_block(after);
    }
    default: return refuse(instruction, "this operation");
  }
}

}  // namespace texlate::spirv
