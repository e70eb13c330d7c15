// A shader that is ready to run by any route.
#pragma once

#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>

#include "ir/module.h"
#include "sim/scene/scene.h"
#include "tools/executor/ptx_route.h"
#include "tools/executor/vulkan_route.h"

namespace texlate::executor {

/// The rasterizer's depth of all pixels of a scene in which the shader does not read it.
inline constexpr float kSceneDepth = 0.5f;

namespace cuda {
class Gpu;
}

/// How a shader is run; see run_route().
enum class Route : uint8_t { ir, ptx, vulkan, sass, maxwell, dksh, cuda };
constexpr Route kRoutes[] = {Route::ir,      Route::ptx,  Route::vulkan, Route::sass,
                             Route::maxwell, Route::dksh, Route::cuda};
std::string_view route_name(Route route);
/// True if the route runs what was legalized for PTX.
constexpr bool runs_ptx(Route route) {
  return route == Route::ptx || route == Route::sass || route == Route::cuda;
}

struct Shader {
  Shader()
      : contract(&arena), legal(&arena), legal_spirv(&arena), legal_maxwell(&arena), legal_dksh(&arena) {}
  std::pmr::monotonic_buffer_resource arena;
  ir::Module contract;                                       // as printed by `translate --to ir`
  ir::Module legal;                                          // prepared for PTX
  ir::Module legal_spirv;                                    // prepared for SPIR-V
  ir::Module legal_maxwell;                                  // prepared for kernels of Maxwell
  ir::Module legal_dksh;                                     // prepared for deko3d programs
  spirv::Robustness robustness = spirv::Robustness::driver;  // the assumption of `legal_spirv`
  spirv::Device device;                                      // likewise
  std::vector<lower::ClassInstance> classes;                 // bound to interface slots
  bool lenient = false;                                      // sm4::Program::lenient
  const ir::KnownState* known = nullptr;                     // what the translations may rely on
  const Shader* hull = nullptr;  // domain shaders of a draw: the stage before, which a deko3d program needs
  /// A cubin or a deko3d program: what `binary_route` runs in place of its own translation.
  std::string binary;
  Route binary_route = Route::maxwell;
};

/// The route that runs such a file; nothing if it is neither.
std::optional<Route> route_of_binary(std::string_view bytes);

/// Reads a shader and prepares it (library/pipeline.h) for the routes that will run, with shader.classes and,
/// for SPIR-V, shader.robustness.
bool load_shader(std::string_view bytes, Shader& shader, std::span<const Route> routes,
                 Diagnostics& diagnostics);

struct RouteResult {
  std::vector<uint32_t> outputs;    // planes with a word for each of Scene::element_count()
  std::vector<uint32_t> written;    // by element
  std::vector<uint32_t> undefined;  // by element, bits of sim::Undefined; 0 for routes that cannot tell
  uint32_t any_undefined = 0;
  /// As sim::StreamLaunch::assigned; empty for routes that cannot tell.
  std::vector<uint8_t> assigned;
  std::vector<uint32_t> unknown;  // register planes that the route cannot read back
  std::vector<uint32_t> uavs;     // Scene::uav_words()
  /// Hull shaders: planes of patch constants with a word for each patch, and where the shader wrote them.
  std::vector<uint32_t> patch_constants;
  std::vector<uint8_t> assigned_constants;
  /// Geometry shaders. If `emits_lists`, the route knows only whole primitives: each is a strip of its own.
  sim::EmittedVertices emitted;
  bool emits_lists = false;
  uint64_t lane_instructions = 0;  // 0: not counted by the route
  uint32_t code_instructions = 0;  // of the machine code, without padding; 0: not applicable
  uint32_t registers = 0;          // per thread; 0: not applicable
  uint64_t issue_cycles = 0;       // of all warps, from the control words; 0: not applicable
  double seconds = 0;
  /// The fault that the route reports: poison, traps, a run that was cut off; empty if there is none.
  std::string trouble;
  bool cut_off = false;  // the instruction budget was used up: the contents are not the result
  /// On hardware, the fault would end the launch: a deadlock between lanes, a trap, an address outside all
  /// memory.
  bool failed = false;
  /// The elements with the fault; empty if it concerns the run as a whole.
  std::vector<uint32_t> troubled;
};

struct RunLimits {
  uint64_t max_lane_instructions = uint64_t{1} << 34;
  std::function<void(double)> progress;
  sim::QuadDerivatives derivatives = sim::QuadDerivatives::each;           // for Route::ir
  sim::UnitOptions texture_unit = sim::InterpreterOptions().texture_unit;  // for Route::ir
  /// For Route::ptx: the number of schedules (sim::ptx::nth_schedule) under which the kernel runs; a
  /// difference is a complaint.
  uint32_t schedules = 1;
  sim::vulkan::Device* device = nullptr;  // for Route::vulkan; robust where the shader relies on the driver
  const cuda::Gpu* gpu = nullptr;         // for Route::cuda
};

/// Runs the whole scene from its initial UAV contents. Returns false with errors if the route cannot run the
/// shader.
bool run_route(Route route, const Shader& shader, sim::Scene& scene, const RunLimits& limits,
               RouteResult& result, Diagnostics& diagnostics);

}  // namespace texlate::executor
