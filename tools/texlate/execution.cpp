#include "tools/texlate/execution.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "tools/executor/child_process.h"

namespace texlate::cli {

namespace {

std::optional<std::string> read_file(const std::string& path) {
  std::ostringstream contents;
  if (path == "-") {
    std::string text;
    char buffer[65536];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, stdin)) != 0;) text.append(buffer, n);
    return text;
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  contents << file.rdbuf();
  return std::move(contents).str();
}

/// Redrawn when another percent is done; gone when the work is.
class ProgressBar {
 public:
  explicit ProgressBar(std::string_view name) : name_(name), shown_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() {
    if (drawn_) std::fprintf(stderr, "\r\033[K");
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double share) {
    const int percent = static_cast<int>(share * 100);
    if (!shown_ || percent == percent_) return;
    percent_ = percent;
    drawn_ = true;
    std::fprintf(stderr, "\r%s [%-40s] %3d%%", name_.c_str(),
                 std::string(static_cast<size_t>(percent) * 40 / 100, '#').c_str(), percent);
    std::fflush(stderr);
  }

 private:
  std::string name_;
  bool shown_, drawn_ = false;
  int percent_ = -1;
};

std::unique_ptr<sim::vulkan::Device> open_device(const RunArguments& arguments, Diagnostics& diagnostics) {
  const bool robust = arguments.robustness == "driver";
  return sim::vulkan::Device::open({.name = arguments.device, .robust = robust}, diagnostics);
}

/// Runs the Vulkan route once in a child, before a device and its threads are here: drivers die of shaders.
bool driver_survives(const RunArguments& arguments, Execution& execution) {
  std::string death;
  const auto run = [&] {
    Diagnostics diagnostics;
    const auto device = open_device(arguments, diagnostics);
    if (device == nullptr) return;
    executor::RunLimits limits;
    limits.device = device.get();
    executor::RouteResult result;
    executor::run_route(executor::Route::vulkan, execution.shader, *execution.scene, limits, result,
                        diagnostics);
  };
  if (executor::survives(run, death)) return true;
  execution.diagnostics.error({}, "vulkan: the driver died of this shader with {}", death);
  return false;
}

}  // namespace

void print_diagnostics(const RunArguments& arguments, const Execution& execution) {
  for (const Diagnostic& diagnostic : execution.diagnostics.list()) {
    std::fputs(std::string(render(diagnostic, arguments.input, execution.source)).c_str(), stderr);
  }
}

void add_route_options(CLI::App& command, RunArguments& arguments) {
  command
      .add_option(
          "--via", arguments.via,
          "ir (the interpreter of the IR), ptx (the PTX machine on the emitted PTX), vulkan (the emitted "
          "SPIR-V on a Vulkan driver), maxwell (the Maxwell machine on the emitted cubin), dksh (the same "
          "machine on the emitted program of deko3d, with attributes and results in registers), sass (the "
          "same "
          "machine on what "
          "NVIDIA's ptxas makes of the PTX)")
      ->delimiter(',')
      ->check(CLI::IsMember({"ir", "ptx", "vulkan", "maxwell", "dksh", "sass"}))
      ->capture_default_str();
  command.add_option(
      "--device", arguments.device,
      "vulkan: part of the device's name, or its number; $TEXLATE_VULKAN_DEVICE or the first one");
  command
      .add_option(
          "--robustness", arguments.robustness,
          "vulkan: driver (with robustBufferAccess2, robustImageAccess2, nullDescriptor) or shader (guards "
          "in the shader, these features off)")
      ->check(CLI::IsMember({"driver", "shader"}))
      ->capture_default_str();
  command
      .add_option(
          "--schedules", arguments.schedules,
          "ptx: runs the kernel under so many orders of its lanes; complains where one ends otherwise")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--derivatives", arguments.derivatives,
                  "ir: coarse derivatives and levels from them: of each pixel, or shared by a quad (Direct3D "
                  "allows both)")
      ->check(CLI::IsMember({"each", "shared"}))
      ->capture_default_str();
}

std::string effort_of(const Execution& execution, const executor::RouteResult& result) {
  if (result.lane_instructions != 0 || execution.device == nullptr)
    return fmt::format("{} lane instructions in {:.3f} s", result.lane_instructions, result.seconds);
  return fmt::format("{:.3f} s on {}", result.seconds, execution.device->name());
}

bool prepare(const RunArguments& arguments, Execution& execution) {
  for (const std::string& name : arguments.via) {
    for (executor::Route route : executor::kRoutes) {
      if (executor::route_name(route) == name) execution.routes.push_back(route);
    }
  }
  const bool driver = arguments.robustness == "driver";
  execution.shader.robustness = driver ? spirv::Robustness::driver : spirv::Robustness::shader;
  auto source = read_file(arguments.input);
  if (!source) {
    std::fprintf(stderr, "%s: error: cannot be read\n", arguments.input.c_str());
    return false;
  }
  execution.source = std::move(*source);
  std::string scene, folder = ".";
  if (!arguments.scene.empty()) {
    auto text = read_file(arguments.scene);
    if (!text) {
      std::fprintf(stderr, "%s: error: cannot be read\n", arguments.scene.c_str());
      return false;
    }
    scene = std::move(*text);
    const auto parent = std::filesystem::path(arguments.scene).parent_path();
    if (!parent.empty()) folder = parent.string();
  }
  bool good =
      executor::load_shader(execution.source, execution.shader, execution.routes, execution.diagnostics);
  if (good) {
    execution.scene = sim::Scene::make(scene, folder, execution.shader.contract, execution.diagnostics);
    good = execution.scene != nullptr;
  }
  if (good && std::count(execution.routes.begin(), execution.routes.end(), executor::Route::vulkan) != 0) {
    good = driver_survives(arguments, execution);
    if (good) execution.device = open_device(arguments, execution.diagnostics);
    good = execution.device != nullptr;
  }
  if (!good) print_diagnostics(arguments, execution);
  return good;
}

bool execute(const RunArguments& arguments, executor::Route route, Execution& execution,
             executor::RouteResult& result) {
  ProgressBar bar(executor::route_name(route));
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  limits.schedules = arguments.schedules;
  limits.device = execution.device.get();
  if (arguments.derivatives == "shared") limits.derivatives = sim::QuadDerivatives::shared;
  limits.progress = [&](double share) { bar.update(share); };
  if (executor::run_route(route, execution.shader, *execution.scene, limits, result, execution.diagnostics))
    return true;
  print_diagnostics(arguments, execution);
  return false;
}

}  // namespace texlate::cli
