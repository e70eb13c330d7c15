#include "backend/maxwell/select/select.h"

#include "backend/maxwell/select/control_flow.h"
#include "backend/maxwell/select/families.h"
#include "backend/maxwell/select/graphics_host.h"
#include "backend/maxwell/select/launch_host.h"

namespace texlate::maxwell::select {

namespace {

/// The walk over the program.
class Selector : private Writer {
 public:
  Selector(Core& core, Host& host)
      : Writer(core),
        host_(host),
        control_flow_(core, host),
        arithmetic_(core),
        memory_(core, host),
        textures_(core, host),
        views_(core, host) {}

  bool run();

 private:
  void select(const ir::Instruction& instruction);

  Host& host_;
  ControlFlow control_flow_;
  Arithmetic arithmetic_;
  Memory memory_;
  Textures textures_;
  Views views_;
};

bool Selector::run() {
  const uint32_t errors_before = diagnostics_.error_count();
  const machine::Builder& builder = assembler_.builder();
  control_flow_.begin_program();
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    const ir::Instruction& instruction = module_.code[i];
    if (values_.is_done(i) || !(builder.is_open() || ir::info(instruction.op).has(ir::kControl))) continue;
    assembler_.set_origin(i + 1);
    select(instruction);
    if (assembler_.is_stuck())
      refuse(instruction, "internal error: an operand that no form of the instruction accepts");
    if (diagnostics_.error_count() != errors_before) return false;
  }
  control_flow_.finish_program();
  assembler_.builder().finish();
  return diagnostics_.error_count() == errors_before;
}

void Selector::select(const ir::Instruction& instruction) {
  switch (ir::info(instruction.op).family) {
    case ir::Family::float32: return arithmetic_.select_float(instruction);
    case ir::Family::conversion: return arithmetic_.select_conversion(instruction);
    case ir::Family::integer: return arithmetic_.select_integer(instruction);
    case ir::Family::predicate: return arithmetic_.select_predicate(instruction);
    case ir::Family::float64: return arithmetic_.select_double(instruction);
    case ir::Family::derivative: return arithmetic_.select_derivative(instruction);
    case ir::Family::source_register:
      return refuse(instruction, "a source register, which SSA construction removes");
    case ir::Family::memory: return memory_.select(instruction);
    case ir::Family::texture: return textures_.select(instruction);
    case ir::Family::surface:
    case ir::Family::buffer: return views_.select(instruction);
    case ir::Family::binding: return host_.select_binding(instruction);
    case ir::Family::control: return control_flow_.select(instruction);
    case ir::Family::interface:
    case ir::Family::effect: return host_.select_interface(instruction);
  }
}

}  // namespace

bool select(const ir::Module& module, const launch::Layout& layout, const Options& options,
            machine::Function& function, Diagnostics& diagnostics) {
  Core core(module, options, function, diagnostics);
  if (options.graphics != nullptr) {
    GraphicsHost host(core);
    return Selector(core, host).run();
  }
  if (function.is_routine) {
    RoutineHost host(core, layout);
    return Selector(core, host).run();
  }
  LaunchHost host(core, layout);
  return Selector(core, host).run();
}

}  // namespace texlate::maxwell::select
