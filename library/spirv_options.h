// texlate_spirv_options as the SPIR-V backend takes them.
#pragma once

#include "backend/spirv/target.h"
#include "library/arguments.h"
#include "library/stage_linkage.h"

namespace texlate::library {

/// The caller's options; `options` points into the rest.
struct SpirvSettings {
  explicit SpirvSettings(std::pmr::memory_resource* memory)
      : entries(memory),
        combined(memory),
        facts(memory),
        swizzles(memory),
        captures(memory),
        varyings(memory) {}
  std::pmr::vector<spirv::BindingEntry> entries;
  std::pmr::vector<spirv::CombinedEntry> combined;
  std::pmr::vector<spirv::FactSource> facts;
  std::pmr::vector<spirv::Swizzle> swizzles;
  std::pmr::vector<spirv::Capture> captures;
  std::pmr::vector<spirv::Varying> varyings;
  spirv::TargetOptions options;
};

/// Throws BadArgument for what no program could be translated with. False, with diagnostics, for what does
/// not fit `program`.
bool take_spirv_options(const texlate_spirv_options& given, const sm4::Program& program,
                        SpirvSettings& settings, Diagnostics& diagnostics);

}  // namespace texlate::library
