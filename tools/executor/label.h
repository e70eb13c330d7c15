// Short texts in pictures.
#pragma once

#include <string_view>

#include "sim/scene/png_file.h"

namespace texlate::executor {

inline constexpr uint32_t kLabelHeight = 16;  // texels, with the space above and below

/// The width of the text plus a small margin on both sides.
uint32_t label_width(std::string_view text);

/// Draws the text into the topmost rows of the picture, starting at column `left`. It is clipped at the
/// picture's edge.
void draw_label(std::string_view text, uint32_t left, sim::Picture& picture);

}  // namespace texlate::executor
