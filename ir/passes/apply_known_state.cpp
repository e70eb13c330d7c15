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
      : module_(module),
        known_(known),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    code_.reserve(module_.code.size());
    for (const Instruction& each : module_.code) {
      Instruction instruction = each;
      replacements_.apply(module_, instruction);
      builder_.set_location(instruction);
      if (!settles(instruction)) code_.push_back(instruction);
    }
    const bool removed = code_.size() != module_.code.size();
    module_.code.swap(code_);
    return removed || replacements_.any();
  }

 private:
  /// True: the instruction is not needed any more.
  bool settles(const Instruction& instruction) {
    if (instruction.op == Op::cb_load) return settle_row(instruction);
    if (!info(instruction.op).has(kResource) || instruction.op == Op::mapped) return false;
    if (fact(instruction, BindingFact::bound) == 0u) return settle_unbound(instruction);
    if (instruction.op == Op::tex_size) settle_size(instruction);
    if (instruction.op == Op::tex_samples) become_fact(instruction, 0, BindingFact::samples);
    if (instruction.op == Op::buf_size) {
      const bool raw = module_.access_of(instruction).dimension == Dimension::raw_buffer;
      become_fact(instruction, 0, raw ? BindingFact::bytes : BindingFact::width);
    }
    return false;
  }

  bool settle_row(const Instruction& instruction) {
    const Value row = module_.operands_of(instruction)[0];
    if (!module_.is_constant(row)) return false;
    const Value index = instruction.operand_count > 1 ? module_.operands_of(instruction)[1] : kNoValue;
    bool all = true;
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const uint32_t number = module_.constant_bits(row);
      const auto word = known_.word(instruction.payload, index, number, i);
      become(instruction, i, word);
      if (word) continue;
      const auto constant = known_.find_specialized(instruction.payload, index, number, i);
      if (constant) become_specialized(instruction, i, *constant);
      all &= constant.has_value();
    }
    return all;
  }

  // Reads of a slot to which nothing is bound give 0; the residency status stays what the access gives.
  bool settle_unbound(const Instruction& instruction) {
    if (module_.access_of(instruction).feedback) return false;
    for (uint32_t i = 0; i < instruction.result_count; ++i) become(instruction, i, 0u);
    return true;
  }

  // D3D11.3 22.4.14: the sizes of a mip, 0 if there is no such mip; the number of mips in any case.
  void settle_size(const Instruction& instruction) {
    const Dimension dimension = module_.access_of(instruction).dimension;
    if (is_buffer(dimension)) return;
    const uint32_t axes = is_cube(dimension) ? 2 : coordinate_count(dimension);
    for (uint32_t i = axes + (is_array(dimension) ? 1 : 0); i < 3; ++i) become(instruction, i, 0u);
    const std::optional<uint32_t> levels = fact(instruction, BindingFact::levels);
    become_fact(instruction, 3, BindingFact::levels);
    const Value level = module_.operand(instruction, Slot::lod);
    const uint32_t mip = level == kNoValue ? 0 : module_.constant_bits(level);
    if (level != kNoValue && !module_.is_constant(level)) return;
    if (mip != 0 && !levels) return;
    const bool exists = mip == 0 || mip < *levels;
    static constexpr std::array<BindingFact, 3> kSizes = {BindingFact::width, BindingFact::height,
                                                          BindingFact::depth};
    for (uint32_t i = 0; i < axes; ++i) {
      const auto size = fact(instruction, is_cube(dimension) ? BindingFact::width : kSizes[i]);
      if (size) become(instruction, i, exists ? std::max(*size >> (mip & 31), 1u) : 0u);
      if (!size && mip == 0) become_fact(instruction, i, is_cube(dimension) ? BindingFact::width : kSizes[i]);
    }
    if (!is_array(dimension)) return;
    if (exists) become_fact(instruction, axes, BindingFact::layers);
    if (!exists && fact(instruction, BindingFact::layers)) become(instruction, axes, 0u);
  }

  std::optional<uint32_t> fact(const Instruction& instruction, BindingFact which) {
    const ResourceAccess& access = module_.access_of(instruction);
    return known_.find({access.resource, which}, module_.operand(instruction, Slot::resource_index));
  }

  void become(const Instruction& instruction, uint32_t result, std::optional<uint32_t> word) {
    if (word && result < instruction.result_count)
      replacements_.replace(instruction.first_result + result, module_.constant(*word));
  }

  /// A known fact, or a specialization constant.
  void become_fact(const Instruction& instruction, uint32_t result, BindingFact which) {
    if (result >= instruction.result_count) return;
    const auto word = fact(instruction, which);
    if (word) return become(instruction, result, word);
    const ResourceAccess& access = module_.access_of(instruction);
    const auto constant =
        known_.find_specialized({access.resource, which}, module_.operand(instruction, Slot::resource_index));
    if (constant) become_specialized(instruction, result, *constant);
  }

  void become_specialized(const Instruction& instruction, uint32_t result, uint32_t constant) {
    replacements_.replace(instruction.first_result + result, builder_.emit(Op::specialized, {}, constant));
  }

  Module& module_;
  KnownFacts& known_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  Code code_;
  Builder builder_;
};

}  // namespace

bool apply_known_state(Module& module, KnownFacts& known) {
  return Applier(module, known).run();
}

bool apply_known_launch(Module& module, const KnownLaunch& known, bool is_kernel) {
  KnownLaunch& relied = module.relied.launch;
  const bool is_pixel = module.stage == Stage::pixel;
  if (is_kernel && (is_pixel || module.stage == Stage::vertex)) relied.elements = known.elements;
  if (!is_pixel) return false;
  if (is_kernel && known.helper_lanes == false) relied.helper_lanes = false;
  if (known.early_depth != true || module.early_depth_stencil) return false;
  relied.early_depth = true;
  module.early_depth_stencil = true;
  const auto is_tested = [](uint32_t reg) {
    if (reg < kSpecialRegister) return false;
    const auto value = static_cast<SystemValue>(reg - kSpecialRegister);
    return value == SystemValue::depth || value == SystemValue::depth_greater_equal ||
           value == SystemValue::depth_less_equal || value == SystemValue::stencil_ref;
  };
  std::erase_if(module.outputs, [&](const Parameter& output) { return is_tested(output.reg); });
  const size_t before = module.code.size();
  module.code.erase_if([&](const Instruction& instruction) {
    return instruction.op == Op::output && is_tested(instruction.payload / 4);
  });
  return module.code.size() != before;
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
