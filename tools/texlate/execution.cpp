#include "tools/texlate/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "library/arguments.h"
#include "tools/executor/child_process.h"
#include "tools/executor/picture.h"
#include "tools/texlate/class_instance.h"
#include "tools/texlate/device_profile.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/progress_bar.h"

namespace texlate::cli {

std::unique_ptr<sim::vulkan::Device> open_device(const RunArguments& arguments, Diagnostics& diagnostics) {
  const bool robust = arguments.robustness == "driver";
  return sim::vulkan::Device::open({.name = arguments.device, .robust = robust}, diagnostics);
}

namespace {

/// Runs the Vulkan route once in a child process, before this process has a device and its threads, because
/// drivers may crash.
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
  execution.diagnostics.error({}, "vulkan: the driver crashed on this shader with {}", death);
  return false;
}

bool open_gpu(Execution& execution) {
  std::string why;
  execution.gpu = executor::cuda::Gpu::open(why);
  if (execution.gpu != nullptr) return true;
  execution.diagnostics.error({}, "cuda: {}; nothing was run", why);
  execution.lacks_gpu = true;
  return false;
}

/// PTX input is not translated: only the PTX machine runs it.
bool prepare_foreign(const RunArguments& arguments, Execution& execution) {
  if (arguments.via_is_default) execution.routes = {executor::Route::ptx};
  for (const executor::Route route : execution.routes) {
    if (route == executor::Route::ptx) continue;
    execution.diagnostics.error({}, "this is PTX, which only route ptx can run, not {}",
                                executor::route_name(route));
    return false;
  }
  execution.foreign.emplace();
  return executor::load_foreign(execution.source, execution.scene_text, *execution.foreign,
                                execution.shader.contract, execution.diagnostics,
                                execution.scene_diagnostics);
}

/// Returns the file, or prints a message.
bool read(const std::string& path, std::string& text, Diagnostics& diagnostics) {
  std::string why;
  auto contents = read_file(path, why);
  if (contents) {
    text = std::move(*contents);
  } else {
    diagnostics.error({}, "cannot be read: {}", why);
  }
  return contents.has_value();
}

/// --known: what the translations may rely on.
bool read_known(const RunArguments& arguments, Execution& execution) {
  if (arguments.known.empty()) return true;
  if (executor::is_ptx(execution.source)) {
    execution.diagnostics.error({}, "--known is for shaders that are translated, not for PTX");
    return false;
  }
  const KnownSubject subject{execution.source, execution.shader.classes, arguments.lenient};
  if (!execution.known.read(arguments.known, subject)) return false;
  const auto take = [&] {
    library::take_known_state(execution.known.lists.state(), execution.known_settings);
    return TEXLATE_OK;
  };
  if (library::guarded(take) == TEXLATE_ERROR_ARGUMENT) {
    execution.known.diagnostics.error({}, "{}", texlate_argument_error());
    return false;
  }
  execution.shader.known = &execution.known_settings.state;
  if (!library::specializes(execution.known_settings.state)) return true;
  for (const executor::Route route : execution.routes) {
    if (route == executor::Route::ir || route == executor::Route::vulkan) continue;
    execution.known.diagnostics.error({}, "{} has no specialization constants", executor::route_name(route));
    return false;
  }
  return true;
}

/// The scene must give what the translations rely on: otherwise the run would show nothing but that.
bool keep_promises(Execution& execution) {
  const executor::Shader& shader = execution.shader;
  for (const ir::Module* module :
       {&shader.legal, &shader.legal_spirv, &shader.legal_maxwell, &shader.legal_dksh}) {
    if (!executor::keeps_promises(*module, shader.contract, *execution.scene, execution.scene_diagnostics))
      return false;
  }
  return executor::has_known_formats(shader.contract, execution.known_settings.formats, *execution.scene,
                                     execution.scene_diagnostics);
}

}  // namespace

std::string messages_of(const RunArguments& arguments, const Execution& execution) {
  std::string text;
  for (const Diagnostic& diagnostic : execution.diagnostics.list())
    text += rendered(diagnostic, arguments.input, execution.source);
  text += execution.known.messages();
  for (const Diagnostic& diagnostic : execution.scene_diagnostics.list())
    text += rendered(diagnostic, arguments.scene, execution.scene_text);
  return text;
}

void print_messages(const RunArguments& arguments, const Execution& execution) {
  write_messages(messages_of(arguments, execution));
}

std::vector<std::string> route_names() {
  std::vector<std::string> names;
  for (const executor::Route route : executor::kRoutes) names.emplace_back(executor::route_name(route));
  return names;
}

std::vector<Option> route_options(RunArguments& arguments) {
  constexpr std::string_view kTopic = "Execution";
  return {
      {.names = "--scene",
       .to = &arguments.scene,
       .help =
           "What is bound and how large it is (JSON, docs/scene.md); without it every resource has a default",
       .value = "FILE",
       .topic = kTopic,
       .completion = Completion::file},
      {.names = "--binary",
       .to = &arguments.binary,
       .help = "Run this cubin or deko3d program in place of the shader's translation, by route maxwell or "
               "dksh; it must "
               "have been made from this shader, which says what its slots and parameters are",
       .value = "FILE",
       .topic = kTopic,
       .completion = Completion::file},
      {.names = "--class",
       .to = &arguments.classes,
       .help = "What is bound to an interface slot: the class, then the first of its variables, textures and "
               "samplers, for example fp0=ft1,cb0[4],t3,s1",
       .value = "INSTANCE",
       .topic = kTopic},
      known_option(arguments.known, kTopic),
      {.names = "--device",
       .to = &arguments.device,
       .help = "Part of the Vulkan device's name, or its number; without it $TEXLATE_VULKAN_DEVICE, or else "
               "the first device",
       .value = "DEVICE",
       .topic = kTopic,
       .with = {"--via", {"vulkan"}}},
      {.names = "--robustness",
       .to = &arguments.robustness,
       .help = "Who handles out-of-bounds accesses: driver (robustBufferAccess2, robustImageAccess2, "
               "nullDescriptor on) or shader (guards in the shader, these features off)",
       .value = "WHO",
       .topic = kTopic,
       .choices = {"driver", "shader"},
       .with = {"--via", {"vulkan"}}},
      {.names = "--without",
       .to = &arguments.without,
       .help =
           "Features that the SPIR-V does without, for example shaderResourceMinLod: the form for devices "
           "that lack them runs on the one that there is",
       .value = "FEATURES",
       .topic = kTopic,
       .with = {"--via", {"vulkan"}}},
      {.names = "--schedules",
       .to = &arguments.schedules,
       .help = "Run the kernel with this many different lane schedules, and report any whose result differs",
       .value = "N",
       .topic = kTopic,
       .least = 1,
       .most = 1000,
       .with = {"--via", {"ptx"}}},
      {.names = "--derivatives",
       .to = &arguments.derivatives,
       .help = "Whether coarse derivatives, and the LOD computed from them, are per pixel or shared by a "
               "quad (Direct3D allows both)",
       .value = "MODE",
       .topic = kTopic,
       .choices = {"each", "shared"},
       .with = {"--via", {"ir"}}},
      {.names = "--budget",
       .to = &arguments.budget,
       .help = "Stop a run after this many lane instructions",
       .value = "N",
       .topic = kTopic,
       .least = 1},
      lenient_option(arguments.lenient),
  };
}

std::string effort_of(const Execution& execution, const executor::RouteResult& result) {
  if (execution.gpu != nullptr && result.lane_instructions == 0)
    return fmt::format("{:.3f} s on {}", result.seconds, execution.gpu->name());
  if (result.lane_instructions != 0 || execution.device == nullptr)
    return fmt::format("{} lane instructions in {:.3f} s", result.lane_instructions, result.seconds);
  return fmt::format("{:.3f} s on {}", result.seconds, execution.device->name());
}

bool read_classes(const RunArguments& arguments, std::vector<lower::ClassInstance>& classes,
                  Diagnostics& diagnostics) {
  for (const std::string& text : arguments.classes) {
    const auto instance = parse_class_instance(text);
    if (!instance) {
      diagnostics.error({}, "--class: '{}' is not a class instance such as fp0=ft1,cb0[4],t3,s1", text);
      return false;
    }
    const auto is_slot = [&](const lower::ClassInstance& other) { return other.slot == instance->slot; };
    if (std::any_of(classes.begin(), classes.end(), is_slot)) {
      diagnostics.error({}, "--class: slot fp{} is given twice", instance->slot);
      return false;
    }
    classes.push_back({instance->slot, instance->table, instance->constant_buffer, instance->constant_offset,
                       instance->texture, instance->sampler});
  }
  return true;
}

namespace {

/// Reads --binary. If no route was given, it is the binary's.
bool read_binary(const RunArguments& arguments, Execution& execution) {
  if (arguments.binary.empty()) return true;
  std::string why;
  const auto contents = read_file(arguments.binary, why);
  if (!contents) {
    execution.diagnostics.error({}, "--binary: '{}' cannot be read: {}", arguments.binary, why);
    return false;
  }
  const std::optional<executor::Route> route = executor::route_of_binary(*contents);
  if (!route || executor::is_ptx(execution.source)) {
    execution.diagnostics.error({}, "--binary: '{}' is neither a cubin nor a deko3d program of a shader",
                                arguments.binary);
    return false;
  }
  execution.shader.binary = *contents;
  execution.shader.binary_route = *route;
  if (arguments.via_is_default) execution.routes = {*route};
  if (std::ranges::find(execution.routes, *route) != execution.routes.end()) return true;
  execution.diagnostics.error({}, "--binary: '{}' is run by route {}, which is not among those of --via",
                              arguments.binary, executor::route_name(*route));
  return false;
}

bool take_missing_features(const RunArguments& arguments, Execution& execution) {
  std::vector<texlate_device_property> missing;
  const auto unknown = parse_missing_features(arguments.without, missing);
  for (const texlate_device_property& property : missing)
    execution.shader.device.set(property.name, property.value);
  if (!unknown) return true;
  execution.diagnostics.error({}, "{}", unknown_feature(*unknown));
  return false;
}

}  // namespace

bool prepare(const RunArguments& arguments, Execution& execution) {
  for (const std::string& name : arguments.via) {
    for (executor::Route route : executor::kRoutes) {
      if (executor::route_name(route) == name) execution.routes.push_back(route);
    }
  }
  const bool driver = arguments.robustness == "driver";
  execution.shader.lenient = arguments.lenient;
  execution.shader.robustness = driver ? spirv::Robustness::driver : spirv::Robustness::shader;
  if (!take_missing_features(arguments, execution)) return false;
  if (!read_classes(arguments, execution.shader.classes, execution.diagnostics) ||
      !read(arguments.input, execution.source, execution.diagnostics) || !read_binary(arguments, execution))
    return false;
  std::string folder = ".";
  if (!arguments.scene.empty()) {
    if (!read(arguments.scene, execution.scene_text, execution.scene_diagnostics)) return false;
    if (execution.scene_text.empty()) {
      execution.scene_diagnostics.error({}, "the scene is empty: a scene without settings is {{}}");
      return false;
    }
    const auto parent = std::filesystem::path(arguments.scene).parent_path();
    if (!parent.empty()) folder = parent.string();
  }
  if (!read_known(arguments, execution)) return false;
  bool good = executor::is_ptx(execution.source)
                  ? prepare_foreign(arguments, execution)
                  : executor::load_shader(execution.source, execution.shader, execution.routes,
                                          execution.diagnostics);
  if (good) {
    execution.scene = sim::Scene::make(execution.scene_text, folder, execution.shader.contract,
                                       execution.scene_diagnostics);
    good = execution.scene != nullptr && keep_promises(execution);
  }
  if (good && std::count(execution.routes.begin(), execution.routes.end(), executor::Route::vulkan) != 0) {
    good = driver_survives(arguments, execution);
    if (good) execution.device = open_device(arguments, execution.diagnostics);
    good = execution.device != nullptr;
  }
  if (good && std::count(execution.routes.begin(), execution.routes.end(), executor::Route::cuda) != 0)
    good = open_gpu(execution);
  return good;
}

bool execute(const RunArguments& arguments, executor::Route route, Execution& execution,
             executor::RouteResult& result) {
  ProgressBar bar(executor::route_name(route));
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  limits.schedules = arguments.schedules;
  limits.device = execution.device.get();
  limits.gpu = execution.gpu.get();
  if (arguments.derivatives == "shared") limits.derivatives = sim::QuadDerivatives::shared;
  limits.progress = [&](double share) { bar.update(share); };
  if (execution.foreign) {
    const auto start = std::chrono::steady_clock::now();
    const bool good = executor::run_foreign(*execution.foreign, execution.shader.contract, *execution.scene,
                                            limits, result, execution.diagnostics);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return good;
  }
  return executor::run_route(route, execution.shader, *execution.scene, limits, result,
                             execution.diagnostics);
}

bool execute_all(const RunArguments& arguments, Execution& execution, RouteRuns& runs) {
  runs.results.resize(execution.routes.size());
  const bool pixel = execution.shader.contract.stage == ir::Stage::pixel;
  for (size_t i = 0; i < runs.results.size(); ++i) {
    if (!execute(arguments, execution.routes[i], execution, runs.results[i])) return false;
    runs.pictures.push_back(
        pixel ? executor::picture_of(execution.shader, *execution.scene, runs.results[i])
              : executor::picture_of_uav(execution.shader, *execution.scene).value_or(sim::Picture{}));
  }
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  if (!execution.foreign)
    executor::share_masks(execution.shader, *execution.scene, limits, execution.routes, runs.results);
  return true;
}

bool is_at_fault(const Execution& execution, const executor::RouteResult& result) {
  return !result.trouble.empty() && !executor::is_excused(execution.shader, result, result);
}

executor::Tolerance tolerance_of(const std::optional<executor::Tolerance>& given, executor::Route a,
                                 executor::Route b) {
  return given ? *given : executor::default_tolerance(a, b);
}

}  // namespace texlate::cli
