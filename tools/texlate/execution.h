// Shared by run, diff, test and view: reading a shader and its scene from files, routes, the progress bar.
#pragma once

#include <optional>

#include "library/known_state.h"
#include "sim/scene/png_file.h"
#include "tools/executor/comparison.h"
#include "tools/executor/cuda_device.h"
#include "tools/executor/foreign_kernel.h"
#include "tools/executor/shader.h"
#include "tools/texlate/known_file.h"
#include "tools/texlate/options.h"

namespace texlate::cli {

/// How a shader is executed.
struct RunArguments {
  std::string input;
  std::string scene;
  std::string binary;  // a cubin or a deko3d program that is run in place of the shader's translation
  std::vector<std::string> via;
  bool via_is_default = false;  // no route was given: PTX text runs as PTX
  std::string device;
  std::string robustness = "driver";
  std::string without;               // features that SPIR-V must do without
  std::vector<std::string> classes;  // --class
  std::string known;                 // --known: a file
  std::string derivatives = "each";
  uint64_t budget = uint64_t{1} << 34;
  uint32_t schedules = 1;
  bool lenient = false;
  std::string pipeline;  // --pipeline, in place of `input` and `scene`
};

struct Execution {
  std::vector<executor::Route> routes;
  executor::Shader shader;
  std::optional<executor::ForeignKernel> foreign;  // the input is PTX: `shader.contract` has its declarations
  std::unique_ptr<sim::Scene> scene;
  std::string source, scene_text;
  KnownFile known;
  library::KnownSettings known_settings{std::pmr::get_default_resource()};  // shader.known refers to it
  Diagnostics diagnostics;                                                  // about the shader, or the run
  Diagnostics scene_diagnostics;                                            // about the scene
  std::unique_ptr<sim::vulkan::Device> device;
  std::unique_ptr<executor::cuda::Gpu> gpu;
  bool lacks_gpu = false;  // route cuda without a GPU: nothing was run
};

/// What --class binds to interface slots. Returns false, with errors, if a text has another form.
bool read_classes(const RunArguments& arguments, std::vector<lower::ClassInstance>& classes,
                  Diagnostics& diagnostics);
/// --scene, --binary, --class, --device, --robustness, --without, --schedules, --derivatives, --budget
std::vector<Option> route_options(RunArguments& arguments);
/// Their names, for --via.
std::vector<std::string> route_names();

/// Null with errors.
std::unique_ptr<sim::vulkan::Device> open_device(const RunArguments& arguments, Diagnostics& diagnostics);

/// Reads both files and opens the device if a route needs it. If it returns false, the messages are in
/// `execution`, or, if a file could not be read, `why_file` and `why` describe the reason.
bool prepare(const RunArguments& arguments, Execution& execution);
/// Runs one route, with a progress bar on a terminal. Returns false if the diagnostics have errors.
bool execute(const RunArguments& arguments, executor::Route route, Execution& execution,
             executor::RouteResult& result);
/// Runs all routes. The results have the masks of all of them (share_masks), and each route has a picture,
/// which is empty if the shader draws none. Returns false if the diagnostics have errors.
struct RouteRuns {
  std::vector<executor::RouteResult> results;
  std::vector<sim::Picture> pictures;
};
bool execute_all(const RunArguments& arguments, Execution& execution, RouteRuns& runs);
/// The route's fault concerns something that Direct3D defines.
bool is_at_fault(const Execution& execution, const executor::RouteResult& result);
/// What the user gave, or else the default for these routes.
executor::Tolerance tolerance_of(const std::optional<executor::Tolerance>& given, executor::Route a,
                                 executor::Route b);
/// "5 lane instructions in 0.1 s", or the name of the device.
std::string effort_of(const Execution& execution, const executor::RouteResult& result);
/// All messages, each with its file and line.
std::string messages_of(const RunArguments& arguments, const Execution& execution);
void print_messages(const RunArguments& arguments, const Execution& execution);

}  // namespace texlate::cli
