// Runs glslang in this process: an independent front end to compare our SPIR-V with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace texlate::test {

enum class GlslStage { pixel, compute };

/// Returns SPIR-V 1.3 for Vulkan 1.1. On an error returns no words, and `log` holds glslang's message.
std::vector<uint32_t> compile_glsl(const std::string& source, GlslStage stage, std::string& log);

}  // namespace texlate::test
