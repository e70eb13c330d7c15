// Small texts in pictures.
#pragma once

#include <string_view>

#include "sim/scene/png_file.h"

namespace texlate::executor {

inline constexpr uint32_t kLabelHeight = 16;  // texels, with the space above and below

/// Of the text and a little space on both sides.
uint32_t label_width(std::string_view text);

/// Writes the text into the topmost rows of the picture from column `left` on; what does not fit is cut off.
void draw_label(std::string_view text, uint32_t left, sim::Picture& picture);

}  // namespace texlate::executor
