// For devices that take no run-time index into descriptors: a choice between accesses that each name their
// register.
//
// before:                             after:
//   %1 = tex.fetch t0[%0] ...           switch %0
//                                       case 0
//                                         %2 = tex.fetch t0[0] ...
//                                         break %2
//                                       case 1
//                                         ...
//                                       %1 = endswitch

#include <algorithm>
#include <array>
#include <optional>

#include "backend/spirv/emit.h"
#include "backend/spirv/ir_names.h"
#include "backend/spirv/register_places.h"
#include "ir/builder.h"
#include "ir/passes/hoist_derivatives.h"
#include "ir/passes/rewriter.h"

namespace texlate::spirv {

namespace {

/// Greatest number of registers of a range whose index becomes a choice.
constexpr uint32_t kMostChoices = 256;

class IndexExpander {
 public:
  IndexExpander(ir::Module& module, const Options& options)
      : module_(module),
        device_(options.device),
        scratch_(module.memory()),
        places_(find_places(module, options.bindings, scratch_)),
        replacements_(module, &scratch_),
        code_(module.memory()),
        builder_(module, code_) {}

  void run() {
    code_.reserve(module_.code.size() * 2);
    for (Instruction& instruction : module_.code) {
      replacements_.apply(module_, instruction);
      const auto index = find_index(instruction);
      if (!index) {
        builder_.append(instruction);
        continue;
      }
      builder_.set_location(instruction);
      const Instruction before = instruction;
      const Value first = choose(before, *index);
      for (uint32_t r = 0; r < before.result_count; ++r)
        replacements_.replace(before.first_result + r, first + r);
    }
    module_.code.swap(code_);
  }

 private:
  /// An operand that the device cannot take.
  struct Index {
    uint32_t operand;
    uint32_t registers;  // of the range
    bool differs;        // between invocations
  };
  /// Copies in the whole module: a limit for what a hostile program may become.
  static constexpr uint32_t kMostCopies = 1u << 16;

  template <typename Declared>
  std::optional<Index> judge(uint32_t operand, Value value, const Declared& range, DescriptorKind kind,
                             bool is_marked) const {
    if (value == ir::kNoValue || module_.is_constant(value) || !range.is_range()) return std::nullopt;
    if (device_.has(is_marked ? row_of(kind).other_index : row_of(kind).same_index)) return std::nullopt;
    const uint32_t last = range.upper_bound - range.lower_bound;
    if (last >= kMostChoices || copies_ + last >= kMostCopies) return std::nullopt;
    return Index{operand, last + 1, is_marked};
  }

  std::optional<Index> find_index(const Instruction& instruction) const {
    const auto operands = module_.operands_of(instruction);
    if (instruction.op == Op::cb_load) {
      const uint32_t others = instruction.has(ir::kGuarded) ? 2 : 1;
      if (instruction.operand_count <= others) return std::nullopt;
      return judge(1, operands[1], module_.constant_buffers[instruction.payload],
                   DescriptorKind::uniform_buffer, instruction.has(ir::kNonUniform));
    }
    if (instruction.op == Op::binding) {
      const auto query = ir::BindingQuery::unpack(instruction.payload);
      if (instruction.operand_count == 0 || query.is_sampler_fact()) return std::nullopt;
      const ir::Resource& resource = module_.resources[query.resource];
      return judge(0, operands[0], resource, kind_of(resource, places_.resources[query.resource]),
                   instruction.has(ir::kNonUniform));
    }
    if (!ir::info(instruction.op).has(ir::kResource)) return std::nullopt;
    const ir::ResourceAccess& access = module_.access_of(instruction);
    if (access.has(Slot::resource_index)) {
      const uint32_t at = access.position(Slot::resource_index);
      const ir::Resource& resource = module_.resources[access.resource];
      const auto& places = instruction.op == Op::counter ? places_.counters : places_.resources;
      const DescriptorKind kind = kind_of(resource, places[access.resource]);
      if (const auto found = judge(at, operands[at], resource, kind, access.non_uniform)) return found;
    }
    if (!access.has(Slot::sampler_index)) return std::nullopt;
    const uint32_t at = access.position(Slot::sampler_index);
    return judge(at, operands[at], module_.samplers[access.sampler], DescriptorKind::sampler,
                 access.non_uniform);
  }

  /// Appends the choice; returns its first result.
  Value choose(const Instruction& instruction, const Index& index) {
    copies_ += index.registers;
    const Value at = module_.operands[instruction.first_operand + index.operand];
    // Derivatives must not be under a condition that differs between the pixels of a quad.
    if (index.differs && ir::takes_derivatives(module_, instruction)) return select(instruction, index, at);
    const uint32_t count = instruction.result_count;
    builder_.emit(Op::switch_, {at});
    for (uint32_t number = 0; number < index.registers; ++number) {
      builder_.emit(Op::case_, {}, number);
      leave(access(instruction, index, number), count);
    }
    builder_.emit(Op::default_);
    leave(ir::kNoValue, count);
    return builder_.emit_variadic(Op::endswitch, {}, count);
  }

  /// Ends an arm with the results from `first` on; kNoValue: zeros.
  void leave(Value first, uint32_t count) {
    std::array<Value, kMostResults> results{};
    for (uint32_t r = 0; r < count; ++r) results[r] = first == ir::kNoValue ? module_.constant(0) : first + r;
    builder_.emit(Op::break_, std::span(results).first(count));
  }

  /// All registers are read.
  Value select(const Instruction& instruction, const Index& index, Value at) {
    Value chosen = access(instruction, index, 0);
    for (uint32_t number = 1; number < index.registers; ++number) {
      const Value read = access(instruction, index, number);
      const Value here = builder_.emit(Op::ieq, {at, module_.constant(number)});
      Value first = ir::kNoValue;
      for (uint32_t r = 0; r < instruction.result_count; ++r) {
        const Value one = builder_.emit(Op::select, {here, read + r, chosen + r});
        if (r == 0) first = one;
      }
      chosen = first;
    }
    return chosen;
  }

  /// Appends the access to one register of the range; returns its first result. Its other index may need a
  /// choice, too.
  Value access(const Instruction& instruction, const Index& index, uint32_t number) {
    Instruction copy = instruction;
    copy.first_operand = static_cast<uint32_t>(module_.operands.size());
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const Value operand = module_.operands[instruction.first_operand + i];
      module_.operands.push_back(i == index.operand ? module_.constant(number) : operand);
    }
    if (const auto other = find_index(copy)) return choose(copy, *other);
    if (copy.result_count != 0) copy.first_result = module_.new_values(ir::Type::b32, copy.result_count);
    builder_.append(copy);
    return copy.first_result;
  }

  static constexpr size_t kMostResults = 8;

  ir::Module& module_;
  const Device& device_;
  std::pmr::monotonic_buffer_resource scratch_;
  const RegisterPlaces places_;
  ir::Replacements replacements_;
  ir::Code code_;
  ir::Builder builder_;
  uint32_t copies_ = 0;
};

}  // namespace

void expand_indices(ir::Module& module, const Options& options) {
  const auto lacks_any = [&](const DescriptorKindRow& row) {
    return !options.device.has(row.same_index) || !options.device.has(row.other_index);
  };
  if (std::ranges::any_of(kDescriptorKinds, lacks_any)) IndexExpander(module, options).run();
}

}  // namespace texlate::spirv
