// The libvkd3d-shader that the environment variable TEXLATE_VKD3D_REAL names, for what texlate does not read
// or write: HLSL, shader models 1 to 3, DXIL, OpenGL.
#pragma once

#include <string>

namespace texlate::vkd3d {

/// A function of the named library; null if no library is named or it lacks the function.
void* real_symbol(const char* name);

/// Why the named library cannot be used, with its name; empty if it can, and if none is named.
const std::string& real_error();

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(real_symbol(name));
}

}  // namespace texlate::vkd3d
