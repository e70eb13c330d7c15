#include "tools/executor/output_name.h"

#include <fmt/format.h>

#include "sim/ir/interpreter.h"

namespace texlate::executor {

std::string output_name(const ir::Module& module, const ir::Parameter& output, uint32_t component) {
  if (output.reg >= ir::kSpecialRegister) {
    switch (output.system_value) {
      case ir::SystemValue::depth: return "oDepth";
      case ir::SystemValue::depth_greater_equal: return "oDepthGE";
      case ir::SystemValue::depth_less_equal: return "oDepthLE";
      case ir::SystemValue::stencil_ref: return "oStencilRef";
      case ir::SystemValue::coverage_out: return "oMask";
      default: break;  // not an output
    }
  }
  return fmt::format("o{}.{}", sim::output_plane_register(module, output), "xyzw"[component]);
}

}  // namespace texlate::executor
