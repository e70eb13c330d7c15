#include <algorithm>
#include <bit>

#include "backend/spirv/families.h"

namespace texlate::spirv {

namespace {

/// By ir::AtomicOp.
constexpr spv::Op kAtomics[] = {spv::OpAtomicIAdd,     spv::OpAtomicAnd,
                                spv::OpAtomicOr,       spv::OpAtomicXor,
                                spv::OpAtomicSMin,     spv::OpAtomicSMax,
                                spv::OpAtomicUMin,     spv::OpAtomicUMax,
                                spv::OpAtomicExchange, spv::OpAtomicCompareExchange};
static_assert(std::size(kAtomics) == static_cast<size_t>(ir::AtomicOp::compare_exchange) + 1);

}  // namespace

Id emit_atomic(FunctionBody& body, ModuleBuilder& builder, ir::AtomicOp op, Id type, Id pointer,
               spv::Scope scope, Id value, Id compare) {
  const Id where = builder.constant(static_cast<uint32_t>(scope));
  const Id relaxed = builder.constant(0);
  const spv::Op atomic = kAtomics[static_cast<size_t>(op)];
  if (op == ir::AtomicOp::compare_exchange)
    return body.emit(atomic, type, {pointer, where, relaxed, relaxed, value, compare});
  return body.emit(atomic, type, {pointer, where, relaxed, value});
}

void Memory::emit_table_load(const Instruction& instruction) {
  const uint32_t index = instruction.payload;
  const ir::ConstantTable& table = module_.tables[index];
  const Kind kind = values_.types().tables[index];
  const Id type = type_of(kind);
  const Id four = builder_.vector_type(type, 4);
  if (tables_[index] == Id::none) {
    const std::span<const uint32_t> words(module_.table_words.data() + table.first_word, 4 * table.rows);
    std::pmr::vector<Id> rows(module_.memory());
    for (uint32_t r = 0; r < table.rows; ++r)
      rows.push_back(builder_.constants(four, type, words.subspan(4 * r, 4)));
    const Id array = builder_.array_type(four, table.rows);
    const bool is_zero = std::ranges::all_of(words, [](uint32_t word) { return word == 0; });
    tables_[index] = builder_.variable(spv::StorageClassPrivate, array,
                                       is_zero ? builder_.null(array) : builder_.composite(array, rows));
  }
  const Id row = as_uint(operand(instruction, 0));
  const Value first = instruction.first_result;
  if (const uint32_t used = used_lanes(first); std::has_single_bit(used)) {
    const auto last = static_cast<uint32_t>(std::countr_zero(used));
    const Id pointer = access_chain(spv::StorageClassPrivate, type, {tables_[index], row, constant(last)});
    return define(first + last, kind, emit(spv::OpLoad, type, {pointer}));
  }
  const Id pointer = access_chain(spv::StorageClassPrivate, four, {tables_[index], row});
  const Id whole = emit(spv::OpLoad, four, {pointer});
  define_lanes(first, whole, 4, as_of(kind));
}

void Memory::emit_local(const Instruction& instruction) {
  const uint32_t index = instruction.payload / 4;
  const Kind kind = values_.types().locals[index];
  const Id type = type_of(kind);
  if (locals_[index] == Id::none) {
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

// g#: words.
void Memory::emit_shared(const Instruction& instruction) {
  const bool is_atomic = instruction.op == Op::shared_atomic;
  const uint32_t index = is_atomic ? instruction.payload / 16 : instruction.payload;
  const Kind kind = values_.types().shared[index];
  const Id type = type_of(kind);
  const uint32_t words = (module_.shared[index].bytes + 3) / 4;
  if (shared_[index] == Id::none) {
    shared_[index] = builder_.variable(spv::StorageClassWorkgroup, builder_.array_type(type, words));
    if (options_.names) {
      const char text[2] = {'g', static_cast<char>('0' + index % 10)};
      builder_.name(shared_[index], std::string_view(text, 2));
    }
  }
  // Only accesses that write have one (ir/passes/memory_guarantees.h).
  const Value guard = module_.guard_of(instruction);
  begin_guard(guard);
  const Value offset = operand(instruction, 0);
  const Id element = module_.is_constant(offset)
                         ? constant(module_.constant_bits(offset) / 4)
                         : emit(spv::OpShiftRightLogical, As::uint, {as_uint(offset), constant(2)});
  const Id pointer = access_chain(spv::StorageClassWorkgroup, type, {shared_[index], element});
  if (instruction.op == Op::shared_load) {
    return define(instruction.first_result, kind, emit(spv::OpLoad, type, {pointer}));
  }
  if (instruction.op == Op::shared_store) {
    effect(spv::OpStore, {pointer, use(operand(instruction, 1), kind)});
    if (guard != ir::kNoValue) end_guard();
    return;
  }
  const auto op = static_cast<ir::AtomicOp>(instruction.payload % 16);
  const bool compares = op == ir::AtomicOp::compare_exchange;
  const Id compare = compares ? as_uint(operand(instruction, 1)) : Id::none;
  const Id value = as_uint(operand(instruction, compares ? 2 : 1));
  Id before = spirv::emit_atomic(body_, builder_, op, type, pointer, spv::ScopeWorkgroup, value, compare);
  if (guard != ir::kNoValue) before = end_guard(type, before, constant(0));
  define(instruction.first_result, Kind::uint, before);
}

void Memory::emit_barrier(const Instruction& instruction) {
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

}  // namespace texlate::spirv
