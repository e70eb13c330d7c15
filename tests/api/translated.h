// Translates listings to SPIR-V through the C interface, as a driver does, and returns the disassembly.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "texlate/texlate.hpp"

namespace texlate {

struct Translated {
  texlate_status status = TEXLATE_ERROR_INTERNAL;
  std::string text;      // disassembly of a module that the validator accepted
  std::string messages;  // diagnostics, or the text of an argument error
};

inline texlate_spirv_options spirv_options() {
  texlate_spirv_options options = TEXLATE_SPIRV_OPTIONS_INIT;
  options.validate = TEXLATE_HAS_SPIRV_TOOLS;
  return options;
}

inline Translated translate(const api::Program& program, const texlate_translate_options& options) {
  const api::Output output = program.translate(options);
  Translated result{output.status(), std::string(output.data()), ""};
  if (output.status() == TEXLATE_ERROR_ARGUMENT) result.messages = texlate_argument_error();
  for (const auto& diagnostic : output.diagnostics())
    result.messages += std::string(diagnostic.message) + '\n';
  return result;
}

/// The SPIR-V words of a translation with target "spirv". An error fails the test and gives no words.
inline std::vector<uint32_t> words_of(const api::Program& program, const texlate_translate_options& options) {
  const api::Output output = program.translate(options);
  for (const auto& diagnostic : output.diagnostics()) ADD_FAILURE() << diagnostic.message;
  if (output.status() == TEXLATE_ERROR_ARGUMENT) ADD_FAILURE() << texlate_argument_error();
  std::vector<uint32_t> words(output.data().size() / 4);
  if (!words.empty()) std::memcpy(words.data(), output.data().data(), output.data().size());
  return words;
}

inline Translated translate(const api::Program& program, const texlate_spirv_options& spirv,
                            std::span<const texlate_uav_format> formats = {}) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv-text";
  options.spirv = &spirv;
  options.uav_formats = formats.data();
  options.uav_format_count = formats.size();
  return translate(program, options);
}

inline Translated translate(std::string_view listing, const texlate_spirv_options& spirv) {
  const api::Program program(listing);
  std::string messages;
  for (const auto& diagnostic : program.diagnostics())
    messages += std::to_string(diagnostic.line) + ": " + std::string(diagnostic.message) + '\n';
  EXPECT_TRUE(program.ok()) << messages;
  return translate(program, spirv);
}

/// How often `part` occurs in `text`.
inline size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace texlate
