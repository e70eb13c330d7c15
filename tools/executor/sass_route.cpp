#include "tools/executor/sass_route.h"

#include <cstdlib>

#include "ir/base/platform/files.h"
#include "ir/base/platform/process.h"
#include "tools/executor/parameter_block.h"
#include "tools/executor/ptx_route.h"

namespace texlate::executor {

namespace {

constexpr uint32_t kSm = 52;
constexpr const char* kArchitecture = "sm_52";

// A texture object is a header and a sampler with the same number, and the handle contains both.
class MaxwellDevice final : public LaunchDevice {
 public:
  explicit MaxwellDevice(sim::maxwell::Machine& machine) : machine_(machine) {}
  uint64_t map_memory(std::span<std::byte> memory, bool writable) override {
    return machine_.map_memory(memory, writable);
  }
  uint64_t add_texture(const sim::ptx::TextureObject& object) override {
    sim::Sampler sampler;
    sampler.min_filter = sampler.mag_filter = object.filter;
    sampler.mip_filter = object.mip_filter;
    sampler.address = object.address;
    sampler.anisotropic = object.max_anisotropy > 1;
    sampler.max_anisotropy = object.max_anisotropy;
    sampler.mip_lod_bias = object.mip_bias;
    sampler.min_lod = object.min_lod;
    sampler.max_lod = object.max_lod;
    sampler.border = object.border;
    sampler.border_is_bits = true;
    if (object.comparison) {
      sampler.reduction = sim::Reduction::comparison;
      sampler.comparison = *object.comparison;
    }
    return machine_.add_texture({object.view, object.normalized}) | machine_.add_sampler(sampler) << 20;
  }
  uint64_t add_surface(const sim::TextureView& view) override { return machine_.add_texture({view, true}); }

 private:
  sim::maxwell::Machine& machine_;
};

/// A folder that is removed with its contents at the end.
class Folder {
 public:
  Folder() : path_(platform::make_temporary_folder("texlate_sass_")) {}
  ~Folder() {
    if (good()) platform::remove_folder(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  bool good() const { return !path_.empty(); }
  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path) {
  std::string bytes;
  platform::read_file(path, bytes);
  return bytes;
}

bool load_cubin(std::string_view bytes, sim::maxwell::Cubin& cubin, Diagnostics& diagnostics) {
  std::string error;
  if (sim::maxwell::read_cubin(std::as_bytes(std::span(bytes)), "", cubin, error)) return true;
  diagnostics.error({}, "the cubin cannot be read: {}", error);
  return false;
}

}  // namespace

std::string find_ptxas() {
  if (const char* named = std::getenv("TEXLATE_PTXAS")) return named;
  const std::string fetched = TEXLATE_JUDGES "/ptxas";
  return platform::is_executable(fetched) ? fetched : std::string();
}

bool compile_ptx(std::string_view text, sim::maxwell::Cubin& cubin, Diagnostics& diagnostics) {
  const std::string ptxas = find_ptxas();
  if (ptxas.empty()) {
    diagnostics.error({}, "route sass needs ptxas of CUDA 12: run `make judges`, or set TEXLATE_PTXAS");
    return false;
  }
  const Folder folder;
  if (!folder.good()) {
    diagnostics.error({}, "no temporary folder for ptxas");
    return false;
  }
  const std::string source = folder / "kernel.ptx", object = folder / "kernel.cubin", log = folder / "log";
  if (!platform::write_file(source, text)) {
    diagnostics.error({}, "{} cannot be written", source);
    return false;
  }
  if (platform::run_program({ptxas, "-arch", kArchitecture, "-o", object, source}, log) != 0) {
    diagnostics.error({}, "ptxas rejects the PTX: {}", read_file(log));
    return false;
  }
  return load_cubin(read_file(object), cubin, diagnostics);
}

const backend::Target& cubin_target() {
  return *library::find_target("cubin");
}

bool make_maxwell(const ir::Module& module, const sim::Bindings& bindings, SassKernel& kernel,
                  Diagnostics& diagnostics) {
  return emit_kernel(cubin_target(), module, bindings, kSm, kernel, diagnostics) &&
         load_cubin(kernel.text(), kernel.cubin, diagnostics);
}

bool replace_code(std::string_view cubin, SassKernel& kernel, Diagnostics& diagnostics) {
  const uint32_t expected = kernel.cubin.parameter_bytes;
  kernel.cubin = {};
  if (!load_cubin(cubin, kernel.cubin, diagnostics)) return false;
  if (kernel.cubin.parameter_bytes == expected) return true;
  diagnostics.error(
      {},
      "the cubin has {} bytes of parameters, a kernel of this shader has {}: it was made from another shader",
      kernel.cubin.parameter_bytes, expected);
  return false;
}

bool make_sass(const ir::Module& module, const sim::Bindings& bindings, SassKernel& kernel,
               Diagnostics& diagnostics) {
  return emit_kernel(ptx_target(), module, bindings, kSm, kernel, diagnostics) &&
         compile_ptx(kernel.text(), kernel.cubin, diagnostics);
}

sim::maxwell::Report run_sass(const SassKernel& kernel, const ir::Module& module,
                              const sim::Bindings& bindings, const sim::StreamLaunch& launch,
                              const sim::maxwell::MachineOptions& options) {
  sim::maxwell::Machine machine(kernel.cubin.program, options);
  MaxwellDevice device(machine);
  ParameterBlock block(module, kernel.layout(), bindings, device);
  block.put_streams(launch);
  return machine.launch({stream_blocks(launch), 1, 1}, {kStreamBlock, 1, 1}, block.parameters());
}

sim::maxwell::Report run_sass(const SassKernel& kernel, const ir::Module& module,
                              const sim::Bindings& bindings, const sim::GroupLaunch& launch,
                              const sim::maxwell::MachineOptions& options) {
  sim::maxwell::Machine machine(kernel.cubin.program, options);
  MaxwellDevice device(machine);
  ParameterBlock block(module, kernel.layout(), bindings, device);
  return machine.launch({launch.groups[0], launch.groups[1], launch.groups[2]},
                        {module.thread_group[0], module.thread_group[1], module.thread_group[2]},
                        block.parameters());
}

sim::maxwell::Report run_sass(const SassKernel& kernel, const ir::Module& module,
                              const sim::Bindings& bindings, const PrimitiveLaunch& launch,
                              const sim::maxwell::MachineOptions& options) {
  sim::maxwell::Machine machine(kernel.cubin.program, options);
  MaxwellDevice device(machine);
  ParameterBlock block(module, kernel.layout(), bindings, device);
  block.put_primitives(launch);
  return machine.launch({launch.grid[0], launch.grid[1], launch.grid[2]},
                        {launch.block[0], launch.block[1], launch.block[2]}, block.parameters());
}

}  // namespace texlate::executor
