#include "ir/passes/apply_known_state.h"

#include <algorithm>
#include <array>

#include "ir/builder.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

class Applier {
 public:
  Applier(Module& module, KnownFacts& known)
      : module_(module), known_(known), scratch_(module.memory()), replacements_(module, &scratch_) {}

  bool run() {
    size_t kept = 0;
    for (const Instruction& each : module_.code) {
      Instruction instruction = each;
      replacements_.apply(module_, instruction);
      if (!settles(instruction)) module_.code[kept++] = instruction;
    }
    const bool removed = kept != module_.code.size();
    module_.code.resize(kept);
    return removed || replacements_.any();
  }

 private:
  /// True: the instruction is not needed any more.
  bool settles(const Instruction& instruction) {
    if (instruction.op == Op::cb_load) return settle_row(instruction);
    if (!info(instruction.op).has(kResource) || instruction.op == Op::mapped) return false;
    if (fact(instruction, BindingFact::bound) == 0u) return settle_unbound(instruction);
    if (instruction.op == Op::tex_size) settle_size(instruction);
    if (instruction.op == Op::tex_samples) become(instruction, 0, fact(instruction, BindingFact::samples));
    if (instruction.op == Op::buf_size) {
      const bool raw = module_.access_of(instruction).dimension == Dimension::raw_buffer;
      become(instruction, 0, fact(instruction, raw ? BindingFact::bytes : BindingFact::width));
    }
    return false;
  }

  bool settle_row(const Instruction& instruction) {
    const Value row = module_.operands_of(instruction)[0];
    if (!module_.is_constant(row)) return false;
    const Value index = instruction.operand_count > 1 ? module_.operands_of(instruction)[1] : kNoValue;
    bool all = true;
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const auto word = known_.word(instruction.payload, index, module_.constant_bits(row), i);
      become(instruction, i, word);
      all &= word.has_value();
    }
    return all;
  }

  // Reads of a slot to which nothing is bound give 0; the residency status stays what the access gives.
  bool settle_unbound(const Instruction& instruction) {
    if (module_.access_of(instruction).feedback) return false;
    for (uint32_t i = 0; i < instruction.result_count; ++i) become(instruction, i, 0u);
    return true;
  }

  // D3D11.3 22.4.16: the sizes of a mip, 0 if there is no such mip; the number of mips in any case.
  void settle_size(const Instruction& instruction) {
    const Dimension dimension = module_.access_of(instruction).dimension;
    if (is_buffer(dimension)) return;
    const std::optional<uint32_t> levels = fact(instruction, BindingFact::levels);
    become(instruction, 3, levels);
    const Value level = module_.operand(instruction, Slot::lod);
    const uint32_t mip = level == kNoValue ? 0 : module_.constant_bits(level);
    if (level != kNoValue && !module_.is_constant(level)) return;
    if (mip != 0 && !levels) return;
    const bool exists = mip == 0 || mip < *levels;
    static constexpr std::array<BindingFact, 3> kSizes = {BindingFact::width, BindingFact::height,
                                                          BindingFact::depth};
    const uint32_t axes = is_cube(dimension) ? 2 : coordinate_count(dimension);
    for (uint32_t i = 0; i < axes; ++i) {
      const auto size = fact(instruction, is_cube(dimension) ? BindingFact::width : kSizes[i]);
      if (size) become(instruction, i, exists ? std::max(*size >> (mip & 31), 1u) : 0u);
    }
    if (!is_array(dimension)) return;
    const auto layers = fact(instruction, BindingFact::layers);
    if (layers) become(instruction, axes, exists ? *layers : 0u);
  }

  std::optional<uint32_t> fact(const Instruction& instruction, BindingFact which) {
    const ResourceAccess& access = module_.access_of(instruction);
    return known_.find({access.resource, which}, module_.operand(instruction, Slot::resource_index));
  }

  void become(const Instruction& instruction, uint32_t result, std::optional<uint32_t> word) {
    if (word && result < instruction.result_count)
      replacements_.replace(instruction.first_result + result, module_.constant(*word));
  }

  Module& module_;
  KnownFacts& known_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
};

}  // namespace

bool apply_known_state(Module& module, KnownFacts& known) {
  return Applier(module, known).run();
}

bool settle_guards(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  Replacements replacements(module, &scratch);
  bool changed = false;
  size_t kept = 0;
  for (size_t i = 0; i < module.code.size(); ++i) {
    Instruction instruction = module.code[i];
    replacements.apply(module, instruction);
    const bool accesses = info(instruction.op).has(kResource) && instruction.op != Op::mapped;
    const Value guard = accesses ? module.operand(instruction, Slot::guard) : kNoValue;
    if (module.is_constant(guard)) {
      AccessBuilder access(module, instruction);
      if (module.is_constant(guard, 0)) {
        if (!access.contract.feedback) {
          for (uint32_t r = 0; r < instruction.result_count; ++r) {
            const Value fallback = r < 4 ? access.get(Slot::fallback0 + r) : kNoValue;
            replacements.replace(instruction.first_result + r,
                                 fallback != kNoValue ? fallback : module.constant(0u));
          }
          changed = true;
          continue;
        }
      } else {
        access.clear(Slot::guard);
        for (uint32_t r = 0; r < 4; ++r) access.clear(Slot::fallback0 + r);
        access.replace(module, instruction);
        changed = true;
      }
    }
    module.code[kept++] = instruction;
  }
  module.code.resize(kept);
  return changed;
}

}  // namespace texlate::ir
