#include "tests/targets/glsl/target.h"

namespace texlate::glsl {

namespace {

constexpr backend::Target kTargets[] = {{
    .name = "glsl",
    .title = "Vulkan GLSL 4.50",
    .suffix = ".glsl",
    .stages = backend::stage_bit(ir::Stage::pixel) | backend::stage_bit(ir::Stage::compute),
    .promises = promises,
    .emit = emit,
}};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::glsl
