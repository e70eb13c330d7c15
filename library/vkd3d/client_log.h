// What became of each shader, for the file that the environment variable TEXLATE_VKD3D_LOG names, and for the
// client's own callback.
#pragma once

#include <cstdarg>
#include <string>

namespace texlate::vkd3d {

enum class Outcome { served, passed, refused };

/// Appends a line: the counts of this process so far, the outcome, and `text`.
void record(Outcome outcome, const std::string& text);

/// The callback of vkd3d_shader_set_log_callback(); it gets the same lines, except about shaders that were
/// served.
using LogCallback = void (*)(const char* format, va_list arguments);
void set_log_callback(LogCallback callback);

}  // namespace texlate::vkd3d
