// From a Program to a target's output: the passes in their order. The command line and the C interface use
// nothing else.
#pragma once

#include <memory_resource>
#include <string>

#include "backend/ptx/emit.h"
#include "backend/spirv/emit.h"
#include "backend/target.h"
#include "frontend/dxbc/container.h"
#include "frontend/lower/lower.h"
#include "frontend/sm4/program.h"

namespace texlate::library {

enum class Target : uint8_t { ptx, ir, assembly, dxbc, spirv, spirv_text };

struct UavFormat {
  uint32_t uav;
  ptx::SurfaceFormat format;
};

struct TranslateOptions {
  Target target = Target::ptx;
  uint32_t sm = 75;
  std::string_view entry = "main";
  std::span<const UavFormat> uav_formats = {};
  std::span<const lower::ClassInstance> classes = {};
  bool explain = false;
  bool exact_literals = false;
  bool reflect = true;
  spirv::Options spirv;
  bool spirv_optimize = false;  // by SPIRV-Tools
  bool spirv_validate = false;  // by SPIRV-Tools; builds without NDEBUG always do
};

struct Translation {
  explicit Translation(std::pmr::memory_resource* memory)
      : data(memory), reflection(memory), explanation(memory) {}
  std::pmr::string data;
  std::pmr::string reflection;
  backend::Explanation explanation;
};

/// Reads text or bytes, told apart by the first bytes. Of a container all chunks stay in `container`; for
/// text it stays empty. False with diagnostics.
bool read_program(std::string_view bytes, dxbc::DigestCheck digest, sm4::Program& program,
                  dxbc::Container& container, Diagnostics& diagnostics);

/// Validates what goes to IR and beyond. `container` is the one the program was read from, or null. False
/// with diagnostics. Scratch memory comes from `translation`'s allocator.
bool translate(const sm4::Program& program, const dxbc::Container* container, const TranslateOptions& options,
               Translation& translation, Diagnostics& diagnostics);

}  // namespace texlate::library
