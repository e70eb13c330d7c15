// Converts texlate_spirv_options for the SPIR-V backend.
#pragma once

#include "backend/spirv/target.h"
#include "library/arguments.h"
#include "library/stage_linkage.h"

namespace texlate::library {

/// The caller's options; `options` refers to the other members.
struct SpirvSettings {
  explicit SpirvSettings(std::pmr::memory_resource* memory)
      : entries(memory),
        combined(memory),
        facts(memory),
        swizzles(memory),
        captures(memory),
        varyings(memory),
        listing(memory) {}
  std::pmr::vector<spirv::BindingEntry> entries;
  std::pmr::vector<spirv::CombinedEntry> combined;
  std::pmr::vector<spirv::FactSource> facts;
  std::pmr::vector<spirv::Swizzle> swizzles;
  std::pmr::vector<spirv::Capture> captures;
  std::pmr::vector<spirv::Varying> varyings;
  spirv::Listing listing;  // debug information of a program whose text is not given
  bool messages = false;
  spirv::TargetOptions options;
};

/// Refuses options with which no program of this stage can be translated. Returns false, with
/// diagnostics, for options that do not fit `program`.
bool take_spirv_options(const texlate_spirv_options& given, const texlate_program& program,
                        SpirvSettings& settings, Diagnostics& diagnostics);

}  // namespace texlate::library
