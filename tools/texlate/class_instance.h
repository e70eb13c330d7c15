// `--class fp0=ft1,cb0[4],t3,s1`: what is bound to an interface slot.
#pragma once

#include <optional>
#include <string_view>

#include "texlate/texlate.h"

namespace texlate::cli {

/// Slot and class are needed; constant buffer (and its row in brackets), texture and sampler as the class has
/// them, in this order. Empty when the text is not of this form.
std::optional<texlate_class_instance> parse_class_instance(std::string_view text);

}  // namespace texlate::cli
