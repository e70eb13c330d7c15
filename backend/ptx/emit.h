// Legalized IR -> PTX text.
#pragma once

#include <memory_resource>
#include <span>
#include <string>

#include "backend/launch/launch.h"
#include "ir/module.h"

namespace texlate::ptx {

using namespace launch;  // the parameter block

struct Options {
  uint32_t sm = 75;                 // .target sm_<sm>
  std::string_view entry = "main";  // name of the kernel
  /// Formats of typed UAVs by index in Module::resources; missing ones are four 32-bit components of the
  /// declared type.
  std::span<const SurfaceFormat> surface_formats = {};
  /// Maximum threads per block of a pixel or vertex kernel (.maxntid); a compute shader declares its own.
  uint32_t max_threads = 256;
  bool native_compare = false;  // as in TargetOptions
  uint32_t max_registers = 0;   // of a thread (.maxnreg); 0: the assembler's own choice
  bool is_function = false;     // a .func to be linked with others, for a block in memory
  /// Source lines as .loc and as comments; for a container, byte offsets as comments.
  bool debug = false;
  std::string_view source_name = {}, source = {};
  /// If given: receives where in the shader the lines of the text come from.
  std::pmr::vector<LineMark>* lines = nullptr;
};

/// Appends a whole PTX module with one kernel, or one function, to `out`. The module must have been legalized
/// with ptx::guarantees() and must be in SSA form. Compute: one GPU thread per shader thread. Pixel and
/// vertex: one thread per element; a pixel quad is four consecutive threads. Returns false, with located
/// errors, for what PTX cannot express.
bool emit(const ir::Module& module, const Options& options, const Layout& layout, std::pmr::string& out,
          Diagnostics& diagnostics);

/// Is it a GPU that the target writes for?
bool is_known_target(uint32_t sm);

}  // namespace texlate::ptx
