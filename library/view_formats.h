// Converts the format of a typed UAV from the C interface.
#pragma once

#include <string>

#include "backend/target.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// The meaning of `format`; `name` is its name in messages. A format that Direct3D does not have is an
/// argument error.
backend::ViewFormat view_format_of(const texlate_uav_format& format, const std::string& name);

}  // namespace texlate::library
