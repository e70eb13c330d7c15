#include "sim/ir/interpreter.h"

#include <algorithm>

#include "sim/ir/machine.h"

namespace texlate::sim {

namespace {

/// Groups start with a whole number of mask words.
uint32_t group_lanes(const ir::Module& module) {
  const uint32_t threads = module.thread_group[0] * module.thread_group[1] * module.thread_group[2];
  return (std::max(threads, 1u) + 3) / 4 * 4;
}

bool is_runnable(const ir::Module& module, Diagnostics& diagnostics) {
  const uint64_t threads = uint64_t{module.thread_group[0]} * module.thread_group[1] * module.thread_group[2];
  if (threads <= kMaxLanes) return true;
  diagnostics.error({}, "a group of {} threads is too large: the limit is {}", threads, kMaxLanes);
  return false;
}

uint32_t plane_count(std::span<const ir::Parameter> parameters) {
  uint32_t registers = 0;
  for (const ir::Parameter& parameter : parameters) {
    if (parameter.reg < ir::kSpecialRegister) registers = std::max(registers, parameter.reg + 1);
  }
  return registers * 4;
}

class ModuleInterpreter final : public Interpreter {
 public:
  explicit ModuleInterpreter(const ir::Module& module) : module_(module), program_(decode(module)) {}

  RunReport run(const Bindings& bindings, const StreamLaunch& launch,
                const InterpreterOptions& options) override {
    Machine machine(module_, program_, bindings, options, kStreamLanes);
    machine.run_stream(launch);
    return machine.take_report();
  }
  RunReport run(const Bindings& bindings, const HullLaunch& launch,
                const InterpreterOptions& options) override {
    Machine machine(module_, program_, bindings, options, kPatchLanes);
    machine.run_hull(launch);
    return machine.take_report();
  }
  RunReport run(const Bindings& bindings, const DomainLaunch& launch,
                const InterpreterOptions& options) override {
    Machine machine(module_, program_, bindings, options, kStreamLanes);
    machine.run_domain(launch);
    return machine.take_report();
  }
  RunReport run(const Bindings& bindings, const GeometryLaunch& launch,
                const InterpreterOptions& options) override {
    Machine machine(module_, program_, bindings, options, kStreamLanes);
    machine.run_geometry(launch);
    return machine.take_report();
  }
  RunReport run(const Bindings& bindings, const GroupLaunch& launch,
                const InterpreterOptions& options) override {
    Machine machine(module_, program_, bindings, options, group_lanes(module_));
    machine.run_groups(launch);
    return machine.take_report();
  }

 private:
  const ir::Module& module_;
  Program program_;
};

}  // namespace

std::unique_ptr<Interpreter> Interpreter::create(const ir::Module& module, Diagnostics& diagnostics) {
  if (!is_runnable(module, diagnostics)) return nullptr;
  return std::make_unique<ModuleInterpreter>(module);
}

uint32_t output_plane_register(const ir::Module& module, const ir::Parameter& parameter) {
  if (parameter.reg < ir::kSpecialRegister) return parameter.reg;
  uint32_t reg = 32;
  for (const ir::Parameter& other : module.outputs) {
    if (&other == &parameter || other.reg == parameter.reg) return reg;
    reg += other.reg >= ir::kSpecialRegister ? 1 : 0;
  }
  return reg;
}

uint32_t output_plane_count(const ir::Module& module) {
  uint32_t registers = 0;
  for (const ir::Parameter& parameter : module.outputs) {
    registers = std::max(registers, output_plane_register(module, parameter) + 1);
  }
  return registers * 4;
}

uint32_t input_plane_count(const ir::Module& module) {
  return plane_count(module.inputs);
}

uint32_t patch_constant_plane_count(const ir::Module& module) {
  return plane_count(module.patch_constants);
}

}  // namespace texlate::sim
