// Cases of `texlate test`, read from a shader's comments or from a JSON file next to it, and their
// results.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/base/diagnostics.h"

namespace texlate::cli {

/// One `TEST:` line.
struct TestStep {
  std::string words;        // "translate --to ptx"
  SourceLocation location;  // location in its file
};

/// A file with steps.
struct TestCase {
  std::string file;    // the file with the steps: the shader, or NAME.test.json
  std::string text;    // contents of that file
  std::string folder;  // file names in steps are relative to it
  std::string shader;  // path of the shader
  std::vector<TestStep> steps;
  std::vector<std::pair<uint32_t, std::string>>
      check_lines;  // candidates for patterns, with their line in `file`
};

enum class Outcome : uint8_t { passed, failed, skipped, updated };

struct TestResult {
  std::string file;
  std::string name;  // "12: translate --to ptx"
  Outcome outcome = Outcome::passed;
  std::string message;  // failed: the difference; skipped: the reason
  double seconds = 0;
};

struct SuiteSettings {
  bool update = false;
  std::string sheets;  // folder for contact sheets; empty: none
  std::string device;  // of the Vulkan route
};

/// Reads a file's steps; a file may have none. Returns false if a message was printed.
bool read_case(const std::string& file, TestCase& test);

/// The files with cases in a folder and all its subfolders, sorted; or the file itself.
bool find_files(const std::string& path, std::vector<std::string>& files);

/// The result of a step that did not run: failed, without a message.
TestResult unrun_step(const TestCase& test, const TestStep& step);

TestResult run_step(const TestCase& test, const TestStep& step, const SuiteSettings& settings);

/// Runs the steps of all cases and passes on their results, in the order of `cases`. If `jobs` is above 1,
/// that many cases run at the same time, each in a separate process, so that a driver that crashes fails only
/// one step.
void run_cases(std::span<const TestCase> cases, const SuiteSettings& settings, uint32_t jobs,
               const std::function<void(TestResult)>& done);

/// "TAP version 14" (https://testanything.org) and JUnit's XML, which CI systems read.
std::string tap_report(const std::vector<TestResult>& results);
std::string junit_report(const std::vector<TestResult>& results);

}  // namespace texlate::cli
