// Converts the format of a typed UAV from the C interface.
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "backend/target.h"
#include "library/known_state.h"
#include "texlate/texlate.h"

namespace texlate::library {

using ViewFormats = std::pmr::vector<backend::ViewFormat>;

/// The meaning of `format`; `name` is its name in messages. A format that Direct3D does not have is an
/// argument error.
backend::ViewFormat view_format_of(const texlate_uav_format& format, const std::string& name);

/// Adds the formats of the views that `program` declares in registers whose format is known.
void add_known_formats(std::span<const KnownFormat> known, const texlate_program& program,
                       ViewFormats& formats);

/// Two formats for one view are an argument error, and so are integer formats of views that `program`
/// declares as floats, and the reverse. A format of a view that it does not declare is none: drivers have one
/// list for all shaders. Null: the formats are not used. Those from `named` on are of options.known.
void check_view_formats(const ViewFormats& formats, size_t named, const texlate_program* program);

}  // namespace texlate::library
