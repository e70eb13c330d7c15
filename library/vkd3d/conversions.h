// Which sources and targets the library converts: texlate's, and those of the real library if one is named.
#pragma once

#include <span>

#include "library/vkd3d/abi.h"

namespace texlate::vkd3d {

/// In ascending order; valid as long as the process.
std::span<const SourceType> source_types();
/// Empty for an unknown source.
std::span<const TargetType> target_types(SourceType source);

/// texlate's name of the target; null if texlate does not translate to it.
const char* texlate_target(TargetType target);

const char* name_of(SourceType source);
const char* name_of(TargetType target);

}  // namespace texlate::vkd3d
