#include "ir/passes/legalize_memory.h"

#include <algorithm>
#include <array>
#include <optional>

#include "ir/base/zeroed.h"
#include "ir/builder.h"
#include "ir/passes/known_values.h"
#include "ir/passes/near_rows.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

// Bytes of g# in all that a program of Direct3D may have (docs/reference/direct3d.md 1.5).
constexpr uint32_t kSharedBytes4 = 16384, kSharedBytes5 = 32768;

/// Is there memory of known size, so that a counter's bound may make a guard unnecessary?
bool has_known_sizes(const Module& module) {
  return !module.locals.empty() || !module.shared.empty() || !module.tables.empty();
}

bool has_constant_row(const Module& module, const Instruction& instruction) {
  return instruction.op == Op::cb_load && module.is_constant(module.operands[instruction.first_operand]);
}

/// May the target lack something that the instruction requires?
bool lacks_something(const Module& module, const Instruction& instruction, const MemoryTable& table) {
  const OpInfo& operation = info(instruction.op);
  if (operation.family == Family::memory) {
    switch (operation.payload) {
      case Payload::constant_buffer:
        return !table.constant_buffer.has(kInRange) ||
               (table.greatest_row != 0xffffffffu && !has_constant_row(module, instruction)) ||
               (instruction.operand_count > 1 && !table.range.has(kInRange));
      case Payload::table: return !table.table.has(kInRange);
      case Payload::local: return !table.local.has(kInRange);
      default: return !table.shared.has(kInRange | kAligned);
    }
  }
  if (instruction.op == Op::input) {
    return (instruction.has(kIndexOperand) && !table.input.has(kInRange)) ||
           (instruction.has(kVertexOperand) && !table.vertex.has(kInRange));
  }
  if (instruction.op == Op::output_control_point) return !table.vertex.has(kInRange);
  if (table.range.has(kInRange)) return false;
  if (operation.family == Family::binding) return instruction.operand_count != 0;
  if (!operation.has(kResource)) return false;
  const ResourceAccess& access = module.access_of(instruction);
  return access.has(Slot::resource_index) || access.has(Slot::sampler_index);
}

/// By operation: can it have a gap?
constexpr std::array<bool, kOpCount> kConcerns = [] {
  std::array<bool, kOpCount> concerns{};
  for (uint32_t i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    const OpInfo& operation = info(op);
    concerns[i] = operation.family == Family::memory || operation.family == Family::binding ||
                  operation.has(kResource) || op == Op::input || op == Op::output_control_point;
  }
  return concerns;
}();

[[gnu::always_inline]] inline bool may_have_gap(const Module& module, const Instruction& instruction,
                                                const MemoryTable& table) {
  return kConcerns[static_cast<uint32_t>(instruction.op)] && lacks_something(module, instruction, table);
}

class MemoryLegalizer {
 public:
  MemoryLegalizer(Module& module, const MemoryTable& table, std::pmr::vector<ClosedGap>* report,
                  KnownFacts* facts)
      : module_(module),
        table_(table),
        report_(report),
        facts_(facts),
        scratch_(module.memory()),
        known_(module, scratch_,
               has_known_sizes(module) ? KnownValues::Counters::found : KnownValues::Counters::skipped),
        replacements_(module, &scratch_),
        spare_tables_(zeroed<uint8_t>(scratch_, module.tables.size())),
        spare_locals_(zeroed<uint8_t>(scratch_, module.locals.size())),
        spare_shared_(zeroed<uint8_t>(scratch_, module.shared.size())),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    const std::span<Instruction> code = module_.code;
    code_.reserve(code.size() + code.size() / 4);
    for (size_t i = 0; i < code.size(); ++i) {
      const size_t first = i;
      for (; i < code.size() && !may_have_gap(module_, code[i], table_); ++i)
        replacements_.apply(module_, code[i]);
      code_.append(code.subspan(first, i - first));
      if (i == code.size()) break;
      replacements_.apply(module_, code[i]);
      known_.set_instruction(static_cast<uint32_t>(i));
      const size_t before = code_.size();
      builder_.set_location(code[i]);
      legalize(code[i]);
      changed_ |= code_.size() != before + 1;
    }
    module_.code.swap(code_);
    make_room();
    return changed_;
  }

 private:
  void legalize(Instruction& instruction) {
    switch (instruction.op) {
      case Op::cb_load: return legalize_constant_buffer(instruction);
      case Op::cb_rows:
        if (instruction.operand_count != 0)
          clamp_index(instruction, 0, constant_buffers_in_range(instruction));
        break;
      case Op::table_load:
        return legalize_rows(instruction, table_.table, module_.tables[instruction.payload].rows,
                             spare_tables_, instruction.payload);
      case Op::local_load:
      case Op::local_store:
        return legalize_rows(instruction, table_.local, module_.locals[instruction.payload / 4].rows,
                             spare_locals_, instruction.payload / 4);
      case Op::shared_load:
      case Op::shared_store: return legalize_shared(instruction, instruction.payload);
      case Op::shared_atomic: return legalize_shared(instruction, instruction.payload / 16);
      case Op::input:
        clamp_input(instruction);
        clamp_vertex(instruction);
        break;
      case Op::output_control_point: clamp_vertex(instruction); break;
      case Op::binding:
      case Op::bound: clamp_query(instruction); break;
      default:
        if (info(instruction.op).has(kResource)) clamp_access(instruction);
        break;
    }
    builder_.append(instruction);
  }

  // ---- constant buffers: a row exists if its number is below the number of bound, not declared, rows ----

  void legalize_constant_buffer(Instruction& instruction) {
    const ConstantBuffer& buffer = module_.constant_buffers[instruction.payload];
    const bool has_index = instruction.operand_count > 1;
    if (has_index) clamp_index(instruction, 1, constant_buffers_in_range(instruction));
    const Value row = operand(instruction, 0);
    if (table_.constant_buffer.has(kInRange)) {
      if (!module_.is_constant(row) && known_.greatest(row) > table_.greatest_row) {
        closed(instruction, Gap::row_range, table_.constant_buffer);
        module_.operands[instruction.first_operand] = limit_row(row);
      }
      return builder_.append(instruction);
    }
    const Value index = has_index ? operand(instruction, 1) : kNoValue;
    if (facts_ != nullptr && facts_->has_row(instruction.payload, index, known_.greatest(row))) {
      leave_out(instruction, buffer);
      return builder_.append(instruction);
    }
    Value rows = kNoValue;
    if (table_.limit == RowLimit::bound) {
      rows = has_index ? builder_.emit(Op::cb_rows, {index}, instruction.payload)
                       : builder_.emit(Op::cb_rows, {}, instruction.payload);
    } else {
      // The host binds the declared rows. A number that folding has made constant may be beyond them.
      constexpr uint32_t kMostBufferRows = 4096;  // D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT
      const uint32_t declared = buffer.rows != 0 ? buffer.rows : kMostBufferRows;
      if (known_.greatest(row) < declared) return builder_.append(instruction);
      if (module_.is_constant(row)) return drop(instruction);
      rows = word(declared);
    }
    closed(instruction, Gap::row_range, table_.constant_buffer);
    append_guarded(instruction, emit(Op::ult, {row, rows}));
  }

  /// A row that no buffer has in place of those whose addresses may wrap. Rows with one base share the test
  /// of the furthest of them, which leaves the others beyond every buffer, too, or just below 2^32:
  ///   umin(base + 2, 8192), umin(base + 2, 8192) - 1, umin(base + 2, 8192) - 2
  Value limit_row(Value row) {
    if (!near_rows_) near_rows_.emplace(module_, scratch_);
    const auto [base, distance] = near_rows_->of(row);
    if (near_rows_->count(base) < 2) return emit(Op::umin, {row, word(table_.greatest_row)});
    const uint32_t furthest = near_rows_->furthest(base);
    const Value last = furthest != 0 ? emit(Op::iadd, {base, word(furthest)}) : base;
    const Value limited = emit(Op::umin, {last, word(table_.greatest_row + NearRows::kReach)});
    return distance != furthest ? emit(Op::iadd, {limited, word(distance - furthest)}) : limited;
  }

  uint32_t constant_buffers_in_range(const Instruction& instruction) const {
    const ConstantBuffer& buffer = module_.constant_buffers[instruction.payload];
    return buffer.upper_bound - buffer.lower_bound;
  }

  // ---- rows of tables and of x# ----

  void legalize_rows(Instruction& instruction, const Guarantee& guarantee, uint32_t rows,
                     std::span<uint8_t> spare, uint32_t memory) {
    const Value row = operand(instruction, 0);
    if (guarantee.has(kInRange) || (rows != 0 && known_.greatest(row) < rows))
      return builder_.append(instruction);
    if (rows == 0 || module_.is_constant(row)) return drop(instruction);
    closed(instruction, Gap::row_range, guarantee);
    guard(instruction, row, rows, spare, memory);
  }

  // ---- g#: bytes; the low two bits are ignored ----

  void legalize_shared(Instruction& instruction, uint32_t array) {
    const Guarantee& guarantee = table_.shared;
    const uint32_t bytes = whole_words(module_.shared[array]);
    const Value offset = operand(instruction, 0);
    const uint32_t greatest = known_.greatest(offset);
    Value at = offset;
    if (!guarantee.has(kAligned) && !known_.is_multiple(offset, 2)) {
      if (!module_.is_constant(offset)) closed(instruction, Gap::alignment, guarantee);
      at = module_.is_constant(offset) ? word(greatest & ~3u) : emit(Op::and_, {offset, word(~3u)});
      module_.operands[instruction.first_operand] = at;
    }
    if (guarantee.has(kInRange) || (bytes != 0 && greatest < bytes)) return builder_.append(instruction);
    if (bytes == 0 || module_.is_constant(at)) return drop(instruction);
    closed(instruction, Gap::row_range, guarantee);
    if (!has_room_) has_room_ = has_room();
    if (table_.guard != GuardForm::spare || *has_room_)
      return guard(instruction, at, bytes, spare_shared_, array);
    // Without a spare element: reads are of the last one.
    if (instruction.op == Op::shared_load) return append_limited(instruction, at, bytes - 4, bytes);
    append_guarded(instruction, emit(Op::ult, {at, word(bytes)}));
  }

  /// May every g# have a spare element? A device need not have more memory for groups than what a program of
  /// Direct3D may declare (cs_4_x: 16384 bytes, which is also the least that Vulkan requires; cs_5_x: 32768).
  bool has_room() const {
    uint32_t declared = 0, with_spares = 0;
    for (const SharedArray& array : module_.shared) {
      declared += array.bytes;
      with_spares += whole_words(array) + 4;
    }
    return with_spares <= (declared <= kSharedBytes4 ? kSharedBytes4 : kSharedBytes5);
  }

  static uint32_t whole_words(const SharedArray& array) { return (array.bytes + 3) / 4 * 4; }

  // ---- guards ----

  /// `at` must be below `limit`; otherwise the access goes to the spare element, which is number `limit`.
  void guard(Instruction& instruction, Value at, uint32_t limit, std::span<uint8_t> spare, uint32_t memory) {
    if (table_.guard == GuardForm::operand)
      return append_guarded(instruction, emit(Op::ult, {at, word(limit)}));
    spare[memory] = 1;
    append_limited(instruction, at, limit, limit);
  }

  /// The access goes to min(at, last). What is read there is 0 if `at` is not below `limit`.
  void append_limited(Instruction& instruction, Value at, uint32_t last, uint32_t limit) {
    module_.operands[instruction.first_operand] = emit(Op::umin, {at, word(last)});
    // A table's spare row is 0; a read of other elements must not return what is there.
    if (instruction.result_count != 1) return builder_.append(instruction);
    const Value result = instruction.first_result;
    instruction.first_result = module_.new_values(Type::b32);
    builder_.append(instruction);
    const Value loaded = instruction.first_result;
    const Value inside = emit(Op::ult, {at, word(limit)});
    emit(Op::select, {inside, loaded, word(0)});
    code_.back().first_result = result;
  }

  void append_guarded(const Instruction& instruction, Value guard) {
    Instruction guarded = instruction;
    guarded.flags |= kGuarded;
    guarded.first_operand = static_cast<uint32_t>(module_.operands.size());
    ++guarded.operand_count;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const Value value = operand(instruction, i);
      module_.operands.push_back(value);
    }
    module_.operands.push_back(guard);
    builder_.append(guarded);
  }

  /// For accesses that are known to be out of range: reads give 0, writes are dropped.
  void drop(const Instruction& instruction) {
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      replacements_.replace(instruction.first_result + i, word(0));
  }

  // ---- registers indexed at run time ----

  /// min(index, last): another register of the range, where Direct3D leaves the result undefined.
  void clamp_index(Instruction& instruction, uint32_t position, uint32_t last) {
    const Value index = operand(instruction, position);
    if (table_.range.has(kInRange) || known_.greatest(index) <= last) return;
    if (!module_.is_constant(index)) closed(instruction, Gap::descriptor_index, table_.range);
    const Value inside = module_.is_constant(index) ? word(last) : emit(Op::umin, {index, word(last)});
    module_.operands[instruction.first_operand + position] = inside;
  }

  void clamp_access(Instruction& instruction) {
    const ResourceAccess access = module_.access_of(instruction);
    if (access.has(Slot::resource_index)) {
      const Resource& resource = module_.resources[access.resource];
      clamp_index(instruction, access.position(Slot::resource_index),
                  resource.upper_bound - resource.lower_bound);
    }
    if (access.has(Slot::sampler_index)) {
      const Sampler& sampler = module_.samplers[access.sampler];
      clamp_index(instruction, access.position(Slot::sampler_index),
                  sampler.upper_bound - sampler.lower_bound);
    }
  }

  void clamp_query(Instruction& instruction) {
    if (instruction.operand_count == 0) return;
    const BindingQuery query = BindingQuery::unpack(instruction.payload);
    if (query.is_sampler_fact()) {
      const Sampler& sampler = module_.samplers[query.resource];
      return clamp_index(instruction, 0, sampler.upper_bound - sampler.lower_bound);
    }
    const Resource& resource = module_.resources[query.resource];
    clamp_index(instruction, 0, resource.upper_bound - resource.lower_bound);
  }

  // The sum of register and index wraps; what remains is the index into all registers.
  void clamp_input(Instruction& instruction) {
    if (table_.input.has(kInRange) || !instruction.has(kIndexOperand) || instruction.has(kVertexOperand))
      return;
    uint32_t last = 0;
    for (const Parameter& parameter : module_.inputs) last = std::max(last, parameter.reg);
    const uint32_t reg = instruction.payload / 4;
    const uint32_t greatest = known_.greatest(operand(instruction, 0));
    if (reg <= last && greatest <= last - reg) return;
    closed(instruction, Gap::register_index, table_.input);
    const Value sum =
        reg == 0 ? operand(instruction, 0) : emit(Op::iadd, {operand(instruction, 0), word(reg)});
    const Value inside = emit(Op::umin, {sum, word(last)});
    module_.operands[instruction.first_operand] = inside;
    instruction.payload %= 4;
  }

  // The first operand is the vertex of an input, or the control point.
  void clamp_vertex(Instruction& instruction) {
    const bool is_input = instruction.op == Op::input;
    if (table_.vertex.has(kInRange) || (is_input && !instruction.has(kVertexOperand))) return;
    const uint32_t last =
        std::max(1u, is_input ? vertices_of(instruction) : module_.output_control_points) - 1;
    const Value index = operand(instruction, 0);
    if (known_.greatest(index) <= last) return;
    if (!module_.is_constant(index)) closed(instruction, Gap::register_index, table_.vertex);
    const Value inside = module_.is_constant(index) ? word(last) : emit(Op::umin, {index, word(last)});
    module_.operands[instruction.first_operand] = inside;
  }

  /// The number of vertices of the registers that an input may read.
  uint32_t vertices_of(const Instruction& instruction) const {
    uint32_t least = 0;
    for (const Parameter& parameter : module_.inputs) {
      const bool is_read = instruction.has(kIndexOperand) || parameter.reg == instruction.payload / 4;
      if (!is_read || parameter.array_size == 0) continue;
      least = least == 0 ? parameter.array_size : std::min(least, parameter.array_size);
    }
    return least;
  }

  // ---- the spare elements ----

  void make_room() {
    for (size_t i = 0; i < spare_locals_.size(); ++i) module_.locals[i].rows += spare_locals_[i];
    for (size_t i = 0; i < spare_shared_.size(); ++i) {
      if (spare_shared_[i] != 0) module_.shared[i].bytes = whole_words(module_.shared[i]) + 4;
    }
    for (size_t i = 0; i < spare_tables_.size(); ++i) {
      if (spare_tables_[i] == 0) continue;
      ConstantTable& table = module_.tables[i];
      auto& words = module_.table_words;
      const uint32_t first = static_cast<uint32_t>(words.size());
      words.resize(words.size() + 4 * (size_t{table.rows} + 1), 0);
      std::copy_n(words.begin() + table.first_word, 4 * size_t{table.rows}, words.begin() + first);
      table = {first, table.rows + 1};
    }
  }

  // ---- helpers ----

  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value emit(Op op, std::initializer_list<Value> operands) {
    changed_ = true;
    return builder_.emit(op, operands);
  }

  void closed(const Instruction& instruction, Gap gap, const Guarantee& guarantee) {
    // Guards that were reported already also query facts of a binding.
    if (report_ == nullptr || info(instruction.op).family == Family::binding) return;
    ClosedGap entry;
    entry.location = module_.location_of(instruction);
    entry.op = instruction.op;
    entry.gap = gap;
    entry.source = guarantee.source;
    report_->push_back(entry);
  }

  void leave_out(const Instruction& instruction, const ConstantBuffer& buffer) {
    if (report_ == nullptr) return;
    closed(instruction, Gap::row_range, table_.constant_buffer);
    report_->back().known = 1;
    report_->back().known_of = RegisterFile::constant_buffer;
    report_->back().known_register = buffer.id;
  }

  Module& module_;
  const MemoryTable& table_;
  std::pmr::vector<ClosedGap>* report_;
  KnownFacts* facts_;  // null: nothing is known
  std::pmr::monotonic_buffer_resource scratch_;
  KnownValues known_;
  std::optional<NearRows> near_rows_;  // if a row is limited
  std::optional<bool> has_room_;       // if an access of shared memory is guarded
  Replacements replacements_;
  std::span<uint8_t> spare_tables_, spare_locals_, spare_shared_;  // which arrays get a spare element
  Code code_;
  Builder builder_;
  bool changed_ = false;
};

}  // namespace

bool legalize_memory(Module& module, const MemoryTable& table, std::pmr::vector<ClosedGap>* closed,
                     KnownFacts* known) {
  const bool any = std::any_of(module.code.begin(), module.code.end(), [&](const Instruction& instruction) {
    return may_have_gap(module, instruction, table);
  });
  return any && MemoryLegalizer(module, table, closed, known).run();
}

}  // namespace texlate::ir
