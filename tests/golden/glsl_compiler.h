// glslang in this process: an independent frontend to compare our SPIR-V with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace texlate::test {

enum class GlslStage { pixel, compute };

/// SPIR-V 1.3 for Vulkan 1.1. Empty with glslang's complaint in `log`.
std::vector<uint32_t> compile_glsl(const std::string& source, GlslStage stage, std::string& log);

}  // namespace texlate::test
