// Legalized IR -> PTX text.
#pragma once

#include <memory_resource>
#include <string>

#include "backend/launch/launch.h"

namespace texlate::ptx {

using namespace launch;  // the parameter block

/// What backend::Options::own points to.
struct TargetOptions {
#define OPTION(member, type, standard, option, value, least, most, help) type member = standard;
#include "backend/launch/option_rows.inc"
#include "backend/ptx/option_rows.inc"
#undef OPTION
  /// With `debug`: the file named in .file; empty: no .loc, and for a container byte offsets as comments.
  std::string_view source_name = {};
  std::string_view source = {};  // with `debug`: its text, for the comments
};

struct Options {
  TargetOptions own;
  uint32_t sm = 75;                 // .target sm_<sm>
  std::string_view entry = "main";  // name of the kernel
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
