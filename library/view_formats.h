// The format of a typed UAV as the C interface states it.
#pragma once

#include <string>

#include "backend/target.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// What `format` says; `name` is how messages call it. A format that Direct3D does not have is an error of
/// the argument.
backend::ViewFormat view_format_of(const texlate_uav_format& format, const std::string& name);

}  // namespace texlate::library
