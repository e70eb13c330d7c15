// SPIRV-Tools, as far as texlate uses it: its validator and its text form.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace texlate::spirv {

/// Judges a module for Vulkan 1.1. False: `message` says why.
bool validate(std::span<const uint32_t> words, std::string& message);

/// The module as text, with names for ids where the module has them. Empty when the words are no module.
std::string disassemble(std::span<const uint32_t> words);

}  // namespace texlate::spirv
