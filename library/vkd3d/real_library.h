// The libvkd3d-shader that the environment variable TEXLATE_VKD3D_REAL names, for what texlate does not read
// or write: HLSL, shader models 1 to 3, DXIL, OpenGL.
#pragma once

namespace texlate::vkd3d {

/// A function of the named library; null if no library is named or it lacks the function.
void* real_symbol(const char* name);

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(real_symbol(name));
}

}  // namespace texlate::vkd3d
