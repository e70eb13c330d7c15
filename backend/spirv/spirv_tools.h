// SPIRV-Tools, as far as texlate uses it: its validator, its optimizer and its text form.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

namespace texlate::spirv {

/// Was texlate built with SPIRV-Tools (TEXLATE_SPIRV_TOOLS)? Without, the functions below fail and say so,
/// and texts are empty.
bool has_spirv_tools();

/// Judges a module for the first Vulkan that takes its version (1.1 for SPIR-V 1.3). False: `message` says
/// why.
bool validate(std::span<const uint32_t> words, std::string& message);

/// Runs SPIRV-Tools' passes for performance (`spirv-opt -O`). False: `message` says why, and `words` is as
/// before.
bool optimize(std::pmr::vector<uint32_t>& words, std::string& message);

/// The module as text, with names for ids where the module has them. Empty if the words are not a module.
std::string disassemble(std::span<const uint32_t> words);

}  // namespace texlate::spirv
