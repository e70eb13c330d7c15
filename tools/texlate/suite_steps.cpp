// Runs one step of a case.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "backend/spirv/spirv_tools.h"
#include "tools/executor/picture.h"
#include "tools/executor/sass_route.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/execution.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/outputs_json.h"
#include "tools/texlate/pattern_check.h"
#include "tools/texlate/pipeline_run.h"
#include "tools/texlate/step_options.h"
#include "tools/texlate/suite.h"
#include "tools/texlate/targets.h"
#include "tools/texlate/translate.h"

namespace texlate::cli {

namespace {

class Step {
 public:
  Step(const TestCase& test, const TestStep& step, const SuiteSettings& settings)
      : test_(test), step_(step), settings_(settings) {}

  TestResult run() {
    const auto start = std::chrono::steady_clock::now();
    result_ = unrun_step(test_, step_);
    result_.outcome = Outcome::passed;
    run_words();
    if (!missing_feature_.empty()) {  // again, without the device that lacks it
      arguments_ = {};
      run_words();
    }
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  void run_words() {
    std::string problem;
    if (!parse_step(step_.words, arguments_, problem)) return fail_here(problem);
    switch (arguments_.kind) {
      case StepKind::translate: return translate();
      case StepKind::golden: return compare_goldens();
      case StepKind::error: return expect_error();
      case StepKind::run: return run_routes();
    }
  }
  std::string path_of(const std::string& name) const {
    return name.empty() ? name : (std::filesystem::path(test_.folder) / name).string();
  }
  void fail(const std::string& message) {
    result_.outcome = Outcome::failed;
    result_.message += message;
    if (!message.ends_with('\n')) result_.message += '\n';
  }
  void fail_here(const std::string& message) {
    fail(rendered(Diagnostic{Severity::error, step_.location, std::pmr::string(message)}, test_.file,
                  test_.text));
  }
  void skip(const std::string& why) {
    if (result_.outcome == Outcome::passed) result_.outcome = Outcome::skipped;
    result_.message += (result_.message.empty() ? "" : "; ") + why;
  }

  /// Compares with a whole file, or writes the file again.
  void expect_file(const std::string& name, std::string_view text) {
    if (name.empty()) return;
    const std::string path = path_of(name);
    std::string why;
    const auto expected = read_file(path, why);
    if (expected && *expected == text) return;
    if (settings_.update) return update(path, text);
    if (!expected) return fail_here(fmt::format("{} cannot be read: {} (--update writes it)", path, why));
    fail_here(fmt::format("{} differs (--update rewrites it)", path));
    fail(first_difference(*expected, text));
  }
  /// Files that this step reads are not results: --update leaves them alone.
  bool is_input(const std::string& path) {
    const std::string identity = file_identity(path);
    const auto is_path = [&](const std::string& other) { return file_identity(other) == identity; };
    const bool is_read = is_path(test_.shader) || is_path(test_.file) || is_path(arguments_.run.scene) ||
                         is_path(arguments_.run.known) || is_path(path_of(arguments_.translation.known)) ||
                         is_path(arguments_.run.binary) ||
                         is_path(path_of(arguments_.translation.binding_map)) ||
                         std::any_of(scene_files_.begin(), scene_files_.end(), is_path);
    if (is_read) fail_here(fmt::format("{} is an input of this test: it cannot be written", path));
    return is_read;
  }
  void update(const std::string& path, std::string_view text) {
    if (is_input(path)) return;
    std::string why;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    if (!write_file(path, text, why)) return fail_here(fmt::format("{} cannot be written: {}", path, why));
    if (result_.outcome == Outcome::passed) result_.outcome = Outcome::updated;
    result_.message += path + " was written\n";
  }

  static std::string first_difference(std::string_view expected, std::string_view found) {
    uint32_t line = 1;
    while (!expected.empty() || !found.empty()) {
      const std::string_view a = expected.substr(0, expected.find('\n')),
                             b = found.substr(0, found.find('\n'));
      if (a != b) return fmt::format("  line {}:\n  - {}\n  + {}\n", line, a, b);
      expected.remove_prefix(std::min(a.size() + 1, expected.size()));
      found.remove_prefix(std::min(b.size() + 1, found.size()));
      ++line;
    }
    return "  in line endings\n";
  }

  void check_patterns(std::string_view text, bool needed) {
    std::vector<Check> checks;
    Diagnostics diagnostics;
    const std::string prefix = arguments_.prefix.empty() ? "CHECK" : arguments_.prefix;
    for (const auto& [number, line] : test_.check_lines)
      read_check(line, prefix, number, checks, diagnostics);
    const bool named = !arguments_.prefix.empty();
    if (checks.empty() && (named || needed)) return fail_here(fmt::format("there is no line {}:", prefix));
    if (!diagnostics.has_errors()) check_text(checks, text, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.list())
      fail(rendered(diagnostic, test_.file, test_.text));
  }

  /// Without colors, even on a terminal: patterns are matched against the messages.
  std::string messages_of_translation(const TranslateText& text) const {
    std::string messages;
    for (const Diagnostic& diagnostic : text.diagnostics)
      messages += render(diagnostic, test_.shader, text.source);
    return messages;
  }

  /// Returns nothing if the step ends here: its options are wrong, or this build cannot do it.
  std::optional<TranslateText> translation_of(TranslateArguments arguments) {
    if (!spirv::has_spirv_tools()) {
      if (arguments.spirv.optimize) {
        skip("texlate was built without SPIRV-Tools");
        return std::nullopt;
      }
      arguments.spirv.validate = 0;  // what the step checks besides is still checked
    }
    arguments.binding_map = path_of(arguments.binding_map);
    arguments.known = path_of(arguments.known);
    TranslateSettings settings;
    if (read_settings(arguments, settings) != kExitGood) {
      fail_here("the options of this step are wrong");
      return std::nullopt;
    }
    return translate_text(arguments, settings, test_.shader);
  }
  void fail_untranslated(const TranslateText& text) {
    fail_here("the shader was not translated");
    fail(messages_of_translation(text));
  }

  void expect_error() {
    const auto text = translation_of(arguments_.translation);
    if (!text) return;
    if (text->good) return fail_here("an error is expected, but the shader was translated");
    check_patterns(messages_of_translation(*text), true);
  }

  void translate() {
    TranslateArguments translation = arguments_.translation;
    translation.reflection = arguments_.expected_reflection;
    translation.explain = arguments_.explained ? "text" : "";
    const auto text = translation_of(translation);
    if (!text) return;
    if (!text->good) return fail_untranslated(*text);
    expect_file(arguments_.expected, text->data);
    expect_file(arguments_.expected_reflection, text->reflection);
    check_patterns(!translation.print_after.empty() ? text->passes
                   : arguments_.explained           ? text->explanation
                                                    : text->data,
                   arguments_.expected.empty() && arguments_.expected_reflection.empty());
  }

  /// NAME.ptx and so on, relative to the folder of the case.
  void compare_goldens() {
    const std::filesystem::path name =
        std::filesystem::path(arguments_.golden_folder) / std::filesystem::path(test_.shader).stem();
    std::string explanations;
    for (const std::string& target : arguments_.targets) {
      TranslateArguments translation = arguments_.translation;
      translation.target = target;
      translation.explain = "text";
      const auto text = translation_of(translation);
      if (!text) return;
      if (!text->good) return fail_untranslated(*text);
      expect_file(name.string() + suffix_of_target(target), text->data);
      if (target != "ir")
        explanations += fmt::format("--to {}:\n{}\n", target, without_folder(text->explanation));
    }
    explanations.pop_back();
    expect_file(name.string() + ".explain.txt", explanations);
  }
  /// An explanation names the shader as the command line does.
  std::string without_folder(std::string text) const {
    const std::string name = std::filesystem::path(test_.shader).filename().string();
    for (size_t at = 0; (at = text.find(test_.shader, at)) != std::string::npos; at += name.size())
      text.replace(at, test_.shader.size(), name);
    return text;
  }
  static std::string suffix_of_target(const std::string& name) {
    for (const texlate_target_info& target : all_targets()) {
      if (name == target.name) return target.suffix;
    }
    return {};
  }

  /// Leaves out routes that this machine cannot run. Returns false if nothing is left to compare.
  bool choose_routes(RunArguments& run) {
    for (const std::string optional : {"vulkan", "sass", "cuda"}) {
      const auto at = std::find(run.via.begin(), run.via.end(), optional);
      if (at == run.via.end()) continue;
      std::string why;
      if (can_run(optional, why)) continue;
      run.via.erase(at);
      skip(fmt::format("{} skipped: {}", optional, why));
    }
    const bool is_expected = !arguments_.picture.empty() || !arguments_.buffers.empty();
    const bool compares = run.via.size() > (is_expected ? 0u : 1u);
    if (!compares) {
      if (result_.outcome != Outcome::skipped)
        fail_here("nothing to compare: name two routes, a --picture or --buffers");
      return false;
    }
    if (result_.outcome == Outcome::skipped)
      result_.outcome = Outcome::passed;  // the other routes still give a result
    return true;
  }

  bool prepare_routes(Execution& execution) {
    RunArguments& run = arguments_.run;
    run.input = test_.shader;
    run.scene = path_of(run.scene);
    run.known = path_of(run.known);
    run.binary = path_of(run.binary);
    run.device = settings_.device;
    if (!choose_routes(run)) return false;
    if (prepare(run, execution)) {
      scene_files_ = execution.scene->files();
      return true;
    }
    fail(messages_of(run, execution));
    return false;
  }

  /// Did a route fail for a feature that the device lacks? Then this step is run without the route.
  bool is_device_unfit(const sim::vulkan::Device* device) {
    if (device != nullptr) missing_feature_ = device->missing_feature();
    return !missing_feature_.empty();
  }

  /// True if the route's driver or tool is present.
  bool can_run(const std::string& route, std::string& why) const;

  void run_whole_draws() {
    PipelineExecution execution;
    std::vector<executor::PipelineResult> results;
    RunArguments& run = arguments_.run;
    run.pipeline = path_of(run.pipeline);
    run.device = settings_.device;
    if (!choose_routes(run)) return;
    if (!prepare_pipeline(run, execution) || !execute_pipelines(run, execution, results)) {
      if (is_device_unfit(execution.device.get())) return;
      return fail(messages_of(run, execution));
    }
    scene_files_ = execution.files;
    std::vector<sim::Picture> pictures;
    for (size_t i = 0; i < results.size(); ++i) {
      const std::string_view name = executor::route_name(execution.routes[i]);
      if (!results[i].trouble.empty()) fail_here(fmt::format("{}: {}", name, results[i].trouble));
      pictures.push_back(results[i].picture);
      const executor::DrawTolerance tolerance =
          executor::draw_tolerance(execution.routes[0], execution.routes[i]);
      const uint64_t pixels =
          executor::different_texels(pictures[0], pictures[i], std::max(tolerance.steps, arguments_.steps));
      const uint64_t samples = executor::different_samples(results[0], results[i], tolerance.depth);
      if (pixels > arguments_.max_pixels || samples > arguments_.max_pixels)
        fail_here(fmt::format("{} and {}: {} pixels differ, and depth or stencil of {} samples",
                              executor::route_name(execution.routes[0]), name, pixels, samples));
    }
    expect_picture(execution, pictures);
    if (result_.outcome == Outcome::failed) write_sheet(execution, pictures);
  }

  void run_routes() {
    if (!arguments_.run.pipeline.empty()) return run_whole_draws();
    Execution execution;
    if (!prepare_routes(execution)) return;
    RouteRuns runs;
    if (!execute_all(arguments_.run, execution, runs)) {
      if (is_device_unfit(execution.device.get())) return;
      return fail(messages_of(arguments_.run, execution));
    }
    for (size_t i = 0; i < runs.results.size(); ++i) {
      if (is_at_fault(execution, runs.results[i]))
        fail_here(fmt::format("{}: {}", executor::route_name(execution.routes[i]), runs.results[i].trouble));
    }
    compare_routes(execution, runs.results);
    expect_buffers(execution, runs.results);
    expect_picture(execution, runs.pictures);
    if (result_.outcome == Outcome::failed) write_sheet(execution, runs.pictures);
  }

  void compare_routes(const Execution& execution, const std::vector<executor::RouteResult>& results) {
    for (size_t i = 1; i < results.size(); ++i) {
      const auto comparison = executor::compare_outputs(
          execution.shader, *execution.scene, results[0], results[i],
          tolerance_of(arguments_.tolerance, execution.routes[0], execution.routes[i]));
      const std::string names = fmt::format("{} and {}", executor::route_name(execution.routes[0]),
                                            executor::route_name(execution.routes[i]));
      if (comparison.elements == 0) fail_here(names + ": nothing to compare");
      if (comparison.different > arguments_.max_pixels) {
        fail_here(fmt::format("{}: {} of {} differ", names, comparison.different, comparison.elements));
        fail(fmt::format("  first  {}\n  worst  {}\n", comparison.first, comparison.worst));
      }
    }
  }

  void expect_buffers(const Execution& execution, const std::vector<executor::RouteResult>& results) {
    if (arguments_.buffers.empty()) return;
    const std::string path = path_of(arguments_.buffers);
    std::string why;
    const auto expected = read_file(path, why);
    for (size_t i = 0; i < results.size(); ++i) {
      std::string difference = expected ? "" : why + " (--update writes it)";
      if (expected &&
          has_outputs(*expected, execution, results[i],
                      tolerance_of(arguments_.tolerance, execution.routes[i], execution.routes[i]),
                      difference))
        continue;
      if (settings_.update && i == 0) return update(path, outputs_json(execution, results[0]));
      fail_here(fmt::format("{} and {}: {}", executor::route_name(execution.routes[i]), path, difference));
    }
  }

  void expect_picture(const auto& execution, const std::vector<sim::Picture>& pictures) {
    if (arguments_.picture.empty()) return;
    const std::string path = path_of(arguments_.picture);
    if (pictures[0].width == 0) return fail_here("this shader draws no picture");
    Diagnostics diagnostics;
    if (!sim::read_png(path, golden_, diagnostics) && !settings_.update)
      return fail_here(fmt::format("{} cannot be read as a PNG picture (--update writes it)", path));
    for (size_t i = 0; i < pictures.size(); ++i) {
      const uint32_t factor = golden_.width == 0 ? 1 : std::max(1u, golden_.width / pictures[i].width);
      const uint64_t pixels =
          executor::different_texels(executor::enlarged(pictures[i], factor), golden_, arguments_.steps) /
          (uint64_t{factor} * factor);
      if (golden_.width != 0 && pixels <= arguments_.max_pixels) continue;
      if (settings_.update && i == 0) return update_picture(path, executor::enlarged(pictures[0], factor));
      fail_here(fmt::format("{} and {}: {} pixels differ", executor::route_name(execution.routes[i]), path,
                            pixels));
    }
  }
  void update_picture(const std::string& path, const sim::Picture& picture) {
    if (is_input(path)) return;
    Diagnostics diagnostics;
    if (!sim::write_png(path, picture, diagnostics)) return fail_here(path + " cannot be written");
    if (result_.outcome == Outcome::passed) result_.outcome = Outcome::updated;
    result_.message += path + " was written\n";
  }

  void write_sheet(const auto& execution, const std::vector<sim::Picture>& pictures) {
    if (settings_.sheets.empty() || pictures.empty() || pictures[0].width == 0) return;
    constexpr uint32_t kGain = 16, kLeastWidth = 256;
    const uint32_t scale = std::max(1u, kLeastWidth / pictures[0].width);
    std::vector<executor::Labeled> sheet;
    const auto name = [&](size_t i) { return std::string(executor::route_name(execution.routes[i])); };
    for (size_t i = 0; i < pictures.size(); ++i)
      sheet.push_back({executor::enlarged(pictures[i], scale), name(i)});
    for (size_t i = 1; i < pictures.size(); ++i)
      sheet.push_back({executor::enlarged(executor::difference_of(pictures[0], pictures[i], kGain), scale),
                       fmt::format("{} - {}, x{}", name(0), name(i), kGain)});
    if (golden_.width != 0) {
      const uint32_t factor = std::max(1u, golden_.width / pictures[0].width);
      const sim::Picture own = executor::enlarged(pictures[0], factor);
      sheet.push_back({golden_, "expected"});
      if (own.width == golden_.width && own.height == golden_.height)
        sheet.push_back({executor::difference_of(own, golden_, kGain),
                         fmt::format("{} - expected, x{}", name(0), kGain)});
    }
    std::error_code ignored;
    std::filesystem::create_directories(settings_.sheets, ignored);
    const std::string path =
        (std::filesystem::path(settings_.sheets) /
         fmt::format("{}_{}.png", std::filesystem::path(test_.file).stem().string(), step_.location.line))
            .string();
    Diagnostics diagnostics;
    if (sim::write_png(path, executor::contact_sheet(sheet), diagnostics)) fail("  see " + path);
  }

  const TestCase& test_;
  const TestStep& step_;
  const SuiteSettings& settings_;
  StepArguments arguments_;
  std::string missing_feature_;  // that the Vulkan device lacks
  TestResult result_;
  sim::Picture golden_;
  std::vector<std::string> scene_files_;
};

bool Step::can_run(const std::string& route, std::string& why) const {
  if (route == "sass") {
    why = "ptxas is not installed on this machine";
    return !executor::find_ptxas().empty();
  }
  if (route == "cuda") return executor::cuda::Gpu::open(why) != nullptr;
  if (why = missing_feature_; !why.empty()) return false;
  Diagnostics diagnostics;
  const bool robust = arguments_.run.robustness == "driver";
  const auto device = sim::vulkan::Device::open({.name = settings_.device, .robust = robust}, diagnostics);
  constexpr std::string_view kPrefix = "vulkan: ";
  if (device == nullptr && !diagnostics.list().empty()) {
    why = std::string(diagnostics.list()[0].message);
    if (why.starts_with(kPrefix)) why.erase(0, kPrefix.size());
  }
  return device != nullptr;
}

}  // namespace

TestResult unrun_step(const TestCase& test, const TestStep& step) {
  size_t first = step.words.find_first_not_of(' ');
  if (first == std::string::npos) first = step.words.size();
  TestResult result;
  result.file = test.file;
  result.name = fmt::format("{}: {}", step.location.line, step.words.substr(first));
  result.outcome = Outcome::failed;
  return result;
}

TestResult run_step(const TestCase& test, const TestStep& step, const SuiteSettings& settings) {
  return Step(test, step, settings).run();
}

}  // namespace texlate::cli
