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

std::string patch_constant_name(const ir::Parameter& constant, uint32_t component) {
  return fmt::format("vpc{}.{}", constant.reg, "xyzw"[component]);
}

std::string element_name(const ir::Module& module, const sim::Scene& scene, uint32_t element) {
  switch (module.stage) {
    case ir::Stage::pixel: {
      const auto [x, y] = scene.pixel_of(element);
      return fmt::format("pixel ({}, {})", x, y);
    }
    case ir::Stage::hull: {
      const uint32_t points = module.output_control_points;
      return fmt::format("control point {} of patch {}", element % points, element / points);
    }
    case ir::Stage::domain:
      return fmt::format("domain point {} of patch {}", element, scene.primitives().point_patch[element]);
    default: return fmt::format("vertex {}", element);
  }
}

}  // namespace texlate::executor
