// The parts of SPIRV-Tools that texlate uses: its validator and its optimizer.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

namespace texlate::spirv {

/// Was texlate built with SPIRV-Tools (TEXLATE_SPIRV_TOOLS)? If not, the functions below fail with a message.
bool has_spirv_tools();

/// Validates a module for the first Vulkan version that accepts its version (1.1 for SPIR-V 1.3). If false,
/// `message` says why.
bool validate(std::span<const uint32_t> words, std::string& message);

/// Runs SPIRV-Tools' passes for performance (`spirv-opt -O`). If false, `message` says why, and `words` is
/// unchanged.
bool optimize(std::pmr::vector<uint32_t>& words, std::string& message);

}  // namespace texlate::spirv
