// SPIR-V as text.
#pragma once

#include <gtest/gtest.h>

#include <memory_resource>
#include <span>
#include <spirv-tools/libspirv.hpp>
#include <string>

#include "backend/spirv/disassembler.h"

namespace texlate::spirv {

/// What `spirv-dis --no-color` prints; empty if SPIRV-Tools cannot read the words.
inline std::string text_of_spirv_tools(std::span<const uint32_t> words) {
  std::string text;
  spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_6)
      .Disassemble(words.data(), words.size(), &text,
                   SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES);
  return text;
}

/// The text of a module, which SPIRV-Tools must write alike.
inline std::string to_text(std::span<const uint32_t> words) {
  std::pmr::string text;
  EXPECT_TRUE(disassemble(words, text));
  EXPECT_EQ(std::string(text), text_of_spirv_tools(words));
  return std::string(text);
}

}  // namespace texlate::spirv
