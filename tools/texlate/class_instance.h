// `--class fp0=ft1,cb0[4],t3,s1`: the binding of an interface slot.
#pragma once

#include <optional>
#include <string_view>

#include "texlate/texlate.h"

namespace texlate::cli {

/// Slot and class are required. Constant buffer (with its row in brackets), texture and sampler are given, in
/// this order, if the class has them. Empty if the text does not have this form.
std::optional<texlate_class_instance> parse_class_instance(std::string_view text);

}  // namespace texlate::cli
