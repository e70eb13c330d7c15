#include "library/vkd3d/real_library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace texlate::vkd3d {

namespace {

/// The named library calls its own functions rather than ours, although ours come first in the process. The
/// sanitizers do not support this; without it, our functions free what the named library allocated, which
/// they can.
constexpr int how() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return RTLD_NOW | RTLD_LOCAL;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
  return RTLD_NOW | RTLD_LOCAL;
#else
  return RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
#else
  return RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
}

struct Real {
  void* library = nullptr;
  std::string error;
};

Real unusable(const char* name, const char* why) {
  return {nullptr, std::string("TEXLATE_VKD3D_REAL names \"") + name + "\", which cannot be used: " + why};
}

Real open_real() {
  const char* const name = std::getenv("TEXLATE_VKD3D_REAL");
  if (name == nullptr || *name == 0) return {};
  void* const library = dlopen(name, how());
  if (library == nullptr) {
    const char* const why = dlerror();
    return unusable(name, why != nullptr ? why : "it cannot be loaded");
  }
  // The file may be this library itself under another name.
  Dl_info ours{}, theirs{};
  void* const symbol = dlsym(library, "vkd3d_shader_compile");
  if (symbol == nullptr) {
    dlclose(library);
    return unusable(name, "it has no vkd3d_shader_compile()");
  }
  if (dladdr(reinterpret_cast<void*>(&real_symbol), &ours) == 0 || dladdr(symbol, &theirs) == 0 ||
      ours.dli_fbase == theirs.dli_fbase) {
    dlclose(library);
    return unusable(name, "it is texlate's own library");
  }
  return {library, ""};
}

const Real& the_real() {
  static const Real* const real = new Real(open_real());  // never destroyed: clients may call at exit
  return *real;
}

}  // namespace

void* real_symbol(const char* name) {
  void* const library = the_real().library;
  return library == nullptr ? nullptr : dlsym(library, name);
}

const std::string& real_error() {
  return the_real().error;
}

}  // namespace texlate::vkd3d
