// The words of a `TEST:` line: translate, golden, error or run, followed by options.
#pragma once

#include <string>

#include "tools/texlate/execution.h"
#include "tools/texlate/translate.h"

namespace texlate::cli {

enum class StepKind : uint8_t {
  translate,  // the translation, or its explanation, matches patterns or equals a file
  golden,     // the translations to several targets, and their explanations, equal files
  error,      // the translation fails, and its messages match patterns
  run,        // routes agree with each other, and with pictures and outputs in files
};

struct StepArguments {
  StepKind kind = StepKind::translate;
  TranslateArguments translation;
  std::string prefix;  // of patterns; empty: CHECK
  bool explained = false;
  std::string expected, expected_reflection;
  std::vector<std::string> targets;  // of golden
  std::string golden_folder;         // where its files are; empty: next to the shader
  RunArguments run;
  uint32_t ulp = 0;
  double absolute = 0;
  std::optional<executor::Tolerance> tolerance;  // of these two, if one is given
  uint64_t max_pixels = 0;
  uint32_t steps = 1;
  std::string picture, buffers;
};

/// The options for a kind of step.
std::vector<Option> step_options(StepKind kind, StepArguments& arguments);

/// Returns false if there is an error, which `problem` describes.
bool parse_step(const std::string& words, StepArguments& arguments, std::string& problem);

/// Help for all of them, for the topic `cases`.
std::string cases_text();

}  // namespace texlate::cli
