// texlate test: runs the cases next to shaders.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/progress_bar.h"
#include "tools/texlate/suite.h"

namespace texlate::cli {

namespace {

struct TestArguments {
  std::vector<std::string> paths;
  std::string format = "text";
  std::string junit;
  uint32_t jobs = 1;
  std::vector<std::string> filters;
  bool quiet = false;
  std::string progress = "auto";
  SuiteSettings suite;
};
TestArguments g_test;

std::vector<Option> test_options() {
  return {
      {.names = "PATH",
       .to = &g_test.paths,
       .help = "Folders that contain cases, or single files ('texlate help cases')",
       .value = "PATH",
       .completion = Completion::file,
       .required = true},
      {.names = "--filter",
       .to = &g_test.filters,
       .help = "Run only the steps whose name, FILE:LINE: WORDS, contains this text, in which * stands for "
               "any characters; may be given several times",
       .value = "TEXT"},
      {.names = "-q,--quiet",
       .to = &g_test.quiet,
       .help = "Print only the steps that failed or were updated, and the counts; with a progress bar on "
               "terminals"},
      {.names = "--progress",
       .to = &g_test.progress,
       .help = "When --quiet shows the progress bar",
       .value = "WHEN",
       .choices = {"auto", "always", "never"}},
      {.names = "--update",
       .to = &g_test.suite.update,
       .help = "Rewrite expected files, pictures and outputs that differ"},
      {.names = "--sheets",
       .to = &g_test.suite.sheets,
       .help = "Write a contact sheet for each run that differs to this folder",
       .value = "FOLDER",
       .completion = Completion::folder},
      {.names = "--format",
       .to = &g_test.format,
       .help = "text, or TAP version 14",
       .value = "FORM",
       .choices = {"text", "tap"}},
      {.names = "--junit",
       .to = &g_test.junit,
       .help = "Also write a JUnit XML report to this file",
       .value = "FILE",
       .completion = Completion::file},
      {.names = "-j,--jobs",
       .to = &g_test.jobs,
       .help = "How many files are tested at the same time, each in its own process; the report does not "
               "depend on it",
       .value = "N",
       .least = 1,
       .most = 256},
      {.names = "--device",
       .to = &g_test.suite.device,
       .help = "Part of the Vulkan device's name, or its number",
       .value = "DEVICE"},
  };
}

void print_result(const TestResult& result) {
  switch (result.outcome) {
    case Outcome::passed:
      fmt::print("pass     {}:{}{}\n", result.file, result.name,
                 result.message.empty() ? "" : fmt::format(" ({})", result.message));
      break;
    case Outcome::skipped:
      fmt::print("skipped  {}:{} ({})\n", result.file, result.name, result.message);
      break;
    case Outcome::updated: fmt::print("updated  {}:{}\n{}", result.file, result.name, result.message); break;
    case Outcome::failed: fmt::print("FAILED   {}:{}\n{}", result.file, result.name, result.message); break;
  }
}

int finish(const std::vector<TestResult>& results) {
  size_t counts[4] = {};
  for (const TestResult& result : results) ++counts[static_cast<size_t>(result.outcome)];
  const auto count = [&](Outcome outcome) { return counts[static_cast<size_t>(outcome)]; };
  if (g_test.format == "tap") {
    fmt::print("{}", tap_report(results));
  } else {
    fmt::print("{} passed, {} failed", count(Outcome::passed), count(Outcome::failed));
    if (count(Outcome::skipped) != 0) fmt::print(", {} skipped", count(Outcome::skipped));
    if (count(Outcome::updated) != 0) fmt::print(", {} updated", count(Outcome::updated));
    fmt::print("\n");
  }
  if (!g_test.junit.empty() && !write_file(g_test.junit, junit_report(results))) return kExitUndecided;
  return count(Outcome::failed) != 0 ? kExitInput : kExitGood;
}

/// True if some part of `name` is `pattern`, in which * stands for any characters.
bool matches(std::string_view name, std::string_view pattern) {
  size_t at = 0;
  while (true) {
    const size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const size_t found = name.find(part, at);
    if (found == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    at = found + part.size();
    pattern.remove_prefix(star + 1);
  }
}

bool is_wanted(const TestCase& test, const TestStep& step) {
  if (g_test.filters.empty()) return true;
  const std::string name = test.file + ":" + unrun_step(test, step).name;
  return std::ranges::any_of(g_test.filters,
                             [&](const std::string& filter) { return matches(name, filter); });
}

/// Removes the steps that --filter does not name. Returns how many are left.
size_t filter_cases(std::vector<TestCase>& cases) {
  size_t left = 0;
  for (TestCase& test : cases) {
    std::erase_if(test.steps, [&](const TestStep& step) { return !is_wanted(test, step); });
    left += test.steps.size();
  }
  std::erase_if(cases, [](const TestCase& test) { return test.steps.empty(); });
  return left;
}

/// Runs all cases, with one bar for all of them if --quiet is given.
std::vector<TestResult> run_all(std::span<const TestCase> cases, size_t steps) {
  std::vector<TestResult> results;
  choose_progress(g_test.quiet ? g_test.progress : "never");
  ProgressBar bar("test");
  choose_progress("never");  // of the routes, in this process or in workers
  size_t failed = 0;
  bar.update(0);
  run_cases(cases, g_test.suite, g_test.jobs, [&](TestResult result) {
    failed += result.outcome == Outcome::failed;
    const bool matters = result.outcome == Outcome::failed || result.outcome == Outcome::updated;
    if (g_test.format == "text" && (matters || !g_test.quiet)) {
      bar.hide();
      print_result(result);
      std::fflush(stdout);
    }
    results.push_back(std::move(result));
    bar.update(static_cast<double>(results.size()) / static_cast<double>(steps),
               fmt::format("{} of {}, {} failed", results.size(), steps, failed));
  });
  return results;
}

int run_test(const Given& given) {
  if (given.has("--progress") && !g_test.quiet) {
    usage_error("--progress needs --quiet");
    return kExitUsage;
  }
  std::vector<std::string> files;
  for (const std::string& path : g_test.paths) {
    if (!find_files(path, files)) return kExitUndecided;
  }
  if (!are_distinct(files, {{g_test.junit, "--junit"}})) return kExitUsage;
  std::vector<TestCase> cases(files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    if (!read_case(files[i], cases[i])) return kExitUndecided;
  }
  if (!g_test.filters.empty() && filter_cases(cases) == 0) {
    usage_error("no step has a name that --filter fits (FILE:LINE: WORDS)");
    return kExitUndecided;
  }
  size_t steps = 0;
  for (const TestCase& test : cases) steps += test.steps.size();
  const std::vector<TestResult> results = run_all(cases, steps);
  if (!results.empty()) return finish(results);
  usage_error(fmt::format("there are no cases in {} ('texlate help cases')", g_test.paths[0]));
  return kExitUndecided;
}

}  // namespace

Command test_command() {
  return {
      .name = "test",
      .summary = "Run the test cases that are written next to shaders",
      .description =
          "A case says which patterns a translation contains, which file it equals, which error is expected, "
          "which routes agree, and what they draw and write. 'texlate help cases' explains the format.",
      .options = test_options,
      .run = run_test,
      .statuses = {{kExitGood, "all cases passed or were skipped"},
                   {kExitInput, "a case failed"},
                   {kExitUndecided,
                    "there are no cases, a file could not be read or written, or the command line is wrong"}},
      .examples = {{"texlate test shaders", "all cases in a folder and its subfolders"},
                   {"texlate test shaders -q -j 8 --filter \"blur*--via ir,ptx\"",
                    "some of them, eight files at a time; prints only what fails"},
                   {"texlate test shaders --update",
                    "accept the current results as expected; review the difference before you commit it"},
                   {"texlate test shaders --format tap --junit results.xml --sheets out", "for CI"}}};
}

}  // namespace texlate::cli
