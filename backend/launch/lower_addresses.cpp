#include "backend/launch/lower_addresses.h"

#include <algorithm>
#include <array>

#include "backend/launch/buffer_alignment.h"
#include "ir/passes/folding_builder.h"

namespace texlate::launch {

namespace {

using ir::BindingFact;
using ir::Dimension;
using ir::Op;
using ir::Slot;
using ir::Value;

constexpr uint32_t kRowBytes = 16;

/// Of most operations no more is to be said than that they are copied.
constexpr auto kStays = [] {
  std::array<bool, ir::kOpCount> table{};
  for (size_t op = 0; op < table.size(); ++op) {
    const ir::OpInfo& operation = ir::info(static_cast<Op>(op));
    table[op] = operation.family != ir::Family::buffer && operation.family != ir::Family::surface &&
                operation.payload != ir::Payload::constant_buffer && !operation.has(ir::kControl);
  }
  return table;
}();

class AddressLowering {
 public:
  AddressLowering(ir::Module& module, const LinearMemory& memory)
      : module_(module), memory_(memory), builder_(module, module.code.size()) {}

  void run() {
    ir::Code source(module_.memory());
    source.swap(module_.code);
    module_.code.reserve(source.size() + source.size() / 4 + 16);
    if (!memory_.loads_addresses) find_constant_buffers(source);
    size_t done = 0;
    for (size_t i = 0; i < source.size(); ++i) {
      if (kStays[static_cast<size_t>(source[i].op)]) continue;
      module_.code.append(std::span(source).subspan(done, i - done));
      done = i + 1;
      lower(source[i]);
      builder_.append(source[i]);
    }
    module_.code.append(std::span(source).subspan(done));
  }

 private:
  /// An address while it is computed.
  struct Place {
    uint16_t resource = 0;
    Value index = ir::kNoValue;  // of the register in a range
    uint8_t flags = 0;           // of what asks for facts of that register
    Value address = ir::kNoValue;
    uint64_t displacement = 0;
    uint32_t reach = kLoadReach;
    uint32_t alignment = 4;
  };

  /// The addresses of those that are read, once for the program: an operand occupies no register.
  void find_constant_buffers(const ir::Code& source) {
    for (const ir::Instruction& instruction : source) {
      if (instruction.op != Op::cb_load || rows_of(instruction) == kNoRows) continue;
      Value& start = starts_[instruction.payload];
      const bool is_one = !module_.constant_buffers[instruction.payload].is_range();
      if (is_one && start == ir::kNoValue)
        start = ask({.resource = rows_of(instruction)}, Op::address, BindingFact::bound);
    }
  }

  void lower(ir::Instruction& instruction) {
    builder_.set_location(instruction);
    switch (instruction.op) {
      case Op::buf_load:
      case Op::buf_store:
      case Op::buf_atomic: return lower_buffer(instruction);
      case Op::surf_load:
      case Op::surf_store:
      case Op::surf_atomic: return lower_view(instruction);
      case Op::counter: return lower_counter(instruction);
      case Op::cb_load: return lower_row(instruction);
      case Op::cb_rows:
        if (rows_of(instruction) == kNoRows) return;
        instruction.payload = ir::BindingQuery{rows_of(instruction), BindingFact::width}.pack();
        instruction.op = Op::binding;
        return;
      default: return;
    }
  }

  void lower_buffer(ir::Instruction& instruction) {
    ir::AccessBuilder access(module_, instruction);
    Place place = start_of(instruction, access);
    const Value offset = access.get(Slot::byte_offset);
    if (access.contract.dimension == Dimension::structured_buffer) {
      const ir::Resource& resource = module_.resources[place.resource];
      add(place, access.get(Slot::coordinate0), word(resource.stride));
      if (add(place, offset, word(1)))
        place.alignment = std::min(memory_.alignment, buffer_alignment(resource));
    } else {
      add(place, access.get(Slot::coordinate0), word(1));
    }
    finish(instruction, access, place);
  }

  /// The memory of cb.load and cb.rows.
  uint16_t rows_of(const ir::Instruction& instruction) const {
    return memory_.rows.empty() ? kNoRows : memory_.rows[instruction.payload];
  }

  void lower_row(ir::Instruction& instruction) {
    if (rows_of(instruction) == kNoRows) return;
    const auto operands = module_.operands_of(instruction);
    Place place;
    place.resource = rows_of(instruction);
    place.alignment = kRowBytes;
    place.flags = instruction.flags & ir::kNonUniform;
    ir::AccessBuilder access;
    access.contract.resource = place.resource;
    access.contract.dimension = Dimension::structured_buffer;
    access.contract.type = ir::ComponentType::mixed;
    access.set(Slot::guard, module_.guard_of(instruction));
    if (operands.size() > (access.has(Slot::guard) ? 2 : 1)) place.index = operands[1];
    const Value row = operands[0];
    const Value start = starts_[instruction.payload];
    place.address = start != ir::kNoValue ? start : ask(place, Op::address, BindingFact::bound);
    add(place, row, word(kRowBytes));
    instruction.op = Op::buf_load;
    instruction.flags &= static_cast<uint8_t>(~(ir::kGuarded | ir::kNonUniform));
    finish(instruction, access, place);
  }

  /// x * size of a texel + y * row pitch + z or layer * slice pitch.
  void lower_view(ir::Instruction& instruction) {
    ir::AccessBuilder access(module_, instruction);
    const uint16_t resource = access.contract.resource;
    const bool is_memory = resource < memory_.forms.size() && memory_.forms[resource] == BindingForm::memory;
    const bool is_packed =
        access.contract.type == ir::ComponentType::none || instruction.op == Op::surf_atomic;
    if (!is_memory || !is_packed) return;
    const uint32_t bytes = module_.resources[resource].stride;
    Place place = start_of(instruction, access);
    place.alignment = bytes;
    add(place, access.get(Slot::coordinate0), word(bytes));
    if (access.contract.dimension != Dimension::buffer) {
      add_pitch(place, access.get(Slot::coordinate1), BindingFact::row_pitch);
      const bool is_3d = access.contract.dimension == Dimension::texture3d;
      add_pitch(place, access.get(is_3d ? Slot::coordinate2 : Slot::layer), BindingFact::slice_pitch);
    }
    finish(instruction, access, place);
  }

  /// An atomic sum. alloc returns the count before, consume the count after; both wrap
  /// (docs/reference/direct3d.md 1.4). If a view lacks the counter that the shader uses, Direct3D leaves the
  /// result undefined and memory unchanged.
  void lower_counter(ir::Instruction& instruction) {
    ir::AccessBuilder access(module_, instruction);
    const Place place = start_of(instruction, access, BindingFact::counter);
    Value guard = access.get(Slot::guard);
    if (memory_.may_lack_counters) {
      const Value exists = ask(place, Op::bound, BindingFact::counter);
      guard = guard == ir::kNoValue ? exists : builder_.emit(Op::pand, {guard, exists});
    }
    const bool consumes = access.contract.counter == ir::CounterOp::consume;
    access.contract.counter = ir::CounterOp::alloc;
    access.set(Slot::value0, word(consumes ? 0xffffffffu : 1));
    if (consumes) {  // what is not counted returns 0
      access.set(Slot::fallback0, word(1));
      if (guard == ir::kNoValue) guard = module_.constant_b1(true);
    }
    access.set(Slot::guard, guard);
    instruction.op = Op::buf_atomic;
    finish(instruction, access, place);
    if (!consumes) return;
    const Value before = module_.next_value();
    module_.values.push_back(module_.values[instruction.first_result]);
    ir::Instruction sum = instruction;
    sum.first_result = before;
    builder_.append(sum);
    const Value after = instruction.first_result;
    instruction = {.op = Op::iadd,
                   .result_count = 1,
                   .operand_count = 2,
                   .first_operand = static_cast<uint32_t>(module_.operands.size()),
                   .first_result = after,
                   .location = sum.location};
    for (const Value operand : {before, word(0xffffffffu)}) module_.operands.push_back(operand);
  }

  Place start_of(const ir::Instruction& instruction, const ir::AccessBuilder& access,
                 BindingFact start = BindingFact::bound) {
    Place place;
    place.resource = access.contract.resource;
    place.index = access.get(Slot::resource_index);
    place.flags = access.contract.non_uniform ? ir::kNonUniform : 0;
    if (instruction.op == Op::buf_atomic || instruction.op == Op::surf_atomic) place.reach = kAtomicReach;
    place.address = ask(place, Op::address, start);
    return place;
  }

  Value ask(const Place& place, Op op, BindingFact fact) {
    const uint32_t query = ir::BindingQuery{place.resource, fact}.pack();
    const bool is_indexed = place.index != ir::kNoValue;
    builder_.set_flags(is_indexed ? place.flags : 0);
    const Value answer = is_indexed ? builder_.emit(op, {place.index}, query) : builder_.emit(op, {}, query);
    builder_.set_flags(0);
    return answer;
  }

  /// Adds number * size, in bytes. Returns true if that is a part of the displacement.
  bool add(Place& place, Value number, Value size) {
    if (module_.is_constant(number) && module_.is_constant(size)) {
      const uint64_t bytes = uint64_t{module_.constant_bits(number)} * module_.constant_bits(size);
      if (place.displacement + bytes < place.reach) {
        place.displacement += bytes;
        return true;
      }
    }
    place.address = builder_.emit(Op::mad_wide, {number, size, place.address});
    return false;
  }

  void add_pitch(Place& place, Value number, BindingFact pitch) {
    if (number == ir::kNoValue || module_.is_constant(number, 0)) return;
    add(place, number, ask(place, Op::binding, pitch));
  }

  void finish(ir::Instruction& instruction, ir::AccessBuilder& access, const Place& place) {
    for (const Slot slot : {Slot::coordinate0, Slot::coordinate1, Slot::coordinate2, Slot::layer,
                            Slot::byte_offset, Slot::resource_index})
      access.clear(slot);
    access.set(Slot::address, place.address);
    if (place.displacement != 0)
      access.set(Slot::byte_offset, word(static_cast<uint32_t>(place.displacement)));
    access.contract.alignment = static_cast<uint8_t>(place.alignment);
    access.contract.layer_is_integer = access.contract.non_uniform = false;
    access.replace(module_, instruction);
  }

  Value word(uint32_t bits) { return module_.constant(bits); }

  ir::Module& module_;
  const LinearMemory& memory_;
  // By constant buffer: its address, where that is known for the whole program.
  std::pmr::vector<Value> starts_{module_.constant_buffers.size(), ir::kNoValue, module_.memory()};
  ir::FoldingBuilder builder_;
};

}  // namespace

bool may_access_memory(const ir::Module& module) {
  return std::ranges::any_of(module.resources, [](const ir::Resource& resource) {
    return resource.is_uav || ir::is_untyped(resource.dimension);
  });
}

ir::Resource rows_of(const ir::ConstantBuffer& buffer) {
  return {.id = buffer.id,
          .lower_bound = buffer.lower_bound,
          .upper_bound = buffer.upper_bound,
          .space = buffer.space,
          .dimension = Dimension::structured_buffer,
          .is_constant_buffer = true,
          .stride = kRowBytes};
}

std::pmr::vector<uint16_t> add_rows(ir::Module& module, Layout& layout) {
  std::pmr::vector<uint16_t> rows(module.memory());
  for (const ir::ConstantBuffer& buffer : module.constant_buffers)
    rows.push_back(add_memory(module, layout, rows_of(buffer), layout.constant_buffers[rows.size()]));
  return rows;
}

void lower_addresses(ir::Module& module, const LinearMemory& memory) {
  AddressLowering(module, memory).run();
}

}  // namespace texlate::launch
