#include "backend/maxwell/compare_routines.h"

#include <algorithm>
#include <array>

#include "backend/launch/compare_body.h"
#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/kept_routines.h"
#include "backend/maxwell/select/select.h"

namespace texlate::maxwell {

namespace {

/// The arguments of a comparison, and the indices of the texture and the sampler within their ranges.
constexpr auto kArguments = [] {
  std::array<ir::Slot, std::size(launch::kCompareArguments) + 2> list{};
  std::ranges::copy(launch::kCompareArguments, list.begin());
  list[list.size() - 2] = ir::Slot::resource_index;
  list[list.size() - 1] = ir::Slot::sampler_index;
  return list;
}();

/// Registers that a routine leaves to its caller: for arguments, and for values needed after the call.
constexpr unsigned kCallersRegisters = 24;
static_assert(CompareRoutines::kLeastLimit >= 16 + kCallersRegisters);

uint32_t argument_count(const ir::ResourceAccess& sample) {
  return static_cast<uint32_t>(
      std::ranges::count_if(kArguments, [&](ir::Slot slot) { return sample.has(slot); }));
}

bool is_same(const ir::ResourceAccess& a, const ir::ResourceAccess& b) {
  return a.resource == b.resource && a.sampler == b.sampler && launch::is_same_comparison(a, b) &&
         a.has(ir::Slot::resource_index) == b.has(ir::Slot::resource_index) &&
         a.has(ir::Slot::sampler_index) == b.has(ir::Slot::sampler_index);
}

/// What a routine is made of.
struct Comparison {
  const ir::ResourceAccess& sample;
  std::span<const ir::Resource> resources;
  std::span<const ir::Sampler> samplers;
  const ir::KnownState& known;
  bool refactoring_allowed = false;
};

bool make_routine(const Comparison& what, const launch::Layout& layout, const KernelOptions& options,
                  uint32_t local_bytes, Diagnostics& diagnostics, machine::Program& program) {
  std::pmr::memory_resource* const memory = program.instructions.get_allocator().resource();
  ir::Module body(memory);
  body.resources.assign(what.resources.begin(), what.resources.end());
  body.samplers.assign(what.samplers.begin(), what.samplers.end());
  body.refactoring_allowed = what.refactoring_allowed;
  if (!launch::make_compare_body(what.sample, kArguments, guarantees(), what.known, body, diagnostics))
    return false;
  machine::Function function(memory);
  function.is_routine = true;
  select::Options selection;
  selection.sm = options.sm;
  selection.argument_count = argument_count(what.sample);
  if (!select::select(body, layout, selection, function, diagnostics)) return false;
  function.local_bytes = local_bytes;
  machine::Options finishing = options.finish;
  finishing.register_limit -= kCallersRegisters;
  const machine::FinishError error = machine::finish(function, finishing, program);
  if (error != machine::FinishError::none)
    diagnostics.error({}, "{} (maxwell, a comparison)", machine::finish_error_text(error, program));
  return error == machine::FinishError::none;
}

/// The instruction with the two records at other places of the parameter block.
Code with_records(const Code& code, uint32_t texture, uint32_t sampler) {
  const auto moved = [&](uint32_t offset) {
    const uint32_t place = offset - select::kParameterBase;
    if (place - KeptRoutine::kTexture < launch::record::kSize)
      return offset - KeptRoutine::kTexture + texture;
    if (place - KeptRoutine::kSampler < launch::sampler_record::kSize)
      return offset - KeptRoutine::kSampler + sampler;
    return offset;
  };
  Instruction instruction = code.decode();
  for (Operand& operand : instruction.operands) {
    const auto value = static_cast<uint32_t>(operand.value);
    if (operand.kind == OperandKind::constant && operand.bank == 0)
      operand.value = static_cast<int32_t>(moved(value));
    // The number of the word with the texture's handle.
    if (operand.kind == OperandKind::immediate && latency_class(code) == LatencyClass::texture)
      operand.value = static_cast<int32_t>(moved(4 * value) / 4);
  }
  return instruction;
}

}  // namespace

const KeptRoutine* KeptRoutines::find(const CommonComparison& comparison,
                                      std::pmr::memory_resource* scratch) {
  const auto known = std::ranges::find(routines_, comparison, &KeptRoutine::comparison);
  if (known != routines_.end()) return &*known;
  Diagnostics diagnostics(scratch);
  ir::Resource texture;
  texture.dimension = comparison.sample.dimension;
  std::ranges::copy(comparison.types, texture.component_types);
  ir::Sampler sampler;
  sampler.comparison = true;
  launch::Layout layout(scratch);
  layout.resources.push_back(KeptRoutine::kTexture);
  layout.forms.push_back(launch::BindingForm::texture);
  layout.atomic.push_back(0);
  layout.samplers.push_back(KeptRoutine::kSampler);
  KernelOptions options;
  options.sm = comparison.sm;
  machine::Program program(scratch);
  if (!make_routine({comparison.sample, {&texture, 1}, {&sampler, 1}, {}, comparison.refactoring_allowed},
                    layout, options, 0, diagnostics, program))
    return nullptr;
  KeptRoutine& made = routines_.emplace_back(comparison, routines_.get_allocator().resource());
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (with_records(program.instructions[i], 0, 0).word != program.instructions[i].word)
      made.users.push_back(i);
  }
  made.program = program;
  return &made;
}

std::optional<CompareRoutines::Call> CompareRoutines::find(const ir::Instruction& sample) {
  const ir::ResourceAccess& contract = module_.access_of(sample);
  const auto known = std::ranges::find_if(
      samples_, [&](const ir::ResourceAccess& other) { return is_same(other, contract); });
  const auto number = static_cast<size_t>(known - samples_.begin());
  if (known == samples_.end() && !make(contract)) return std::nullopt;
  Call call{.routine = static_cast<uint32_t>(number),
            .arguments = std::pmr::vector<ir::Value>(module_.memory())};
  for (const ir::Slot slot : kArguments) {
    if (contract.has(slot)) call.arguments.push_back(module_.operand(sample, slot));
  }
  call.clobbers =
      static_cast<uint16_t>(std::max<size_t>(programs_[number].register_count, call.arguments.size()));
  return call;
}

bool CompareRoutines::make(const ir::ResourceAccess& sample) {
  machine::Program program(module_.memory());
  if (!take_kept(sample, program)) {
    uint32_t local_bytes = 0;
    for (const ir::LocalArray& array : module_.locals) local_bytes += array.rows * 16;
    // The routine has the kernel's registers: what the kernel relies on is known in it, too.
    if (!make_routine({sample, module_.resources, module_.samplers, module_.relied.state(),
                       module_.refactoring_allowed},
                      layout_, options_, local_bytes, diagnostics_, program))
      return false;
  }
  samples_.push_back(sample);
  programs_.push_back(std::move(program));
  return true;
}

/// Most comparisons are of one texture of which nothing is known.
bool CompareRoutines::take_kept(const ir::ResourceAccess& sample, machine::Program& program) const {
  const bool is_common = !layout_.in_memory && !sample.has_offset && !sample.has(ir::Slot::resource_index) &&
                         !sample.has(ir::Slot::sampler_index) && module_.relied.state().empty() &&
                         options_.finish == KernelOptions().finish;
  if (options_.kept == nullptr || !is_common) return false;
  CommonComparison common{
      .sample = sample, .refactoring_allowed = module_.refactoring_allowed, .sm = options_.sm};
  common.sample.resource = common.sample.sampler = 0;
  common.sample.non_uniform = false;
  std::ranges::copy(module_.resources[sample.resource].component_types, common.types.begin());
  const KeptRoutine* const kept = options_.kept->find(common, module_.memory());
  if (kept == nullptr) return false;
  program = kept->program;
  for (const uint32_t i : kept->users) {
    Code& code = program.instructions[i];
    code = with_records(code, layout_.resources[sample.resource], layout_.samplers[sample.sampler]);
  }
  return true;
}

uint32_t CompareRoutines::local_bytes() const {
  uint32_t most = 0;
  for (const machine::Program& program : programs_) most = std::max(most, program.local_bytes);
  return most;
}

}  // namespace texlate::maxwell
