#include "backend/maxwell/compare_routines.h"

#include <algorithm>
#include <array>

#include "backend/launch/compare_body.h"
#include "backend/maxwell/guarantees.h"
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

}  // namespace

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
  ir::Module body(module_.memory());
  body.resources = module_.resources;
  body.samplers = module_.samplers;
  body.refactoring_allowed = module_.refactoring_allowed;
  // The body has the kernel's registers: what the kernel relies on is known in it, too.
  if (!launch::make_compare_body(sample, kArguments, guarantees(), module_.relied.state(), body,
                                 diagnostics_))
    return false;
  machine::Function function(module_.memory());
  function.is_routine = true;
  select::Options selection;
  selection.sm = options_.sm;
  selection.argument_count = argument_count(sample);
  if (!select::select(body, layout_, selection, function, diagnostics_)) return false;
  for (const ir::LocalArray& array : module_.locals) function.local_bytes += array.rows * 16;
  machine::Program program(module_.memory());
  machine::Options finishing = options_.finish;
  finishing.register_limit -= kCallersRegisters;
  const machine::FinishError error = machine::finish(function, finishing, program);
  if (error != machine::FinishError::none) {
    diagnostics_.error({}, "{} (maxwell, a comparison)", machine::finish_error_text(error, program));
    return false;
  }
  samples_.push_back(sample);
  programs_.push_back(std::move(program));
  return true;
}

uint32_t CompareRoutines::local_bytes() const {
  uint32_t most = 0;
  for (const machine::Program& program : programs_) most = std::max(most, program.local_bytes);
  return most;
}

}  // namespace texlate::maxwell
