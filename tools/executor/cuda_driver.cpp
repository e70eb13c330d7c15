#include "tools/executor/cuda_driver.h"

#include <dlfcn.h>

#include "docs/examples/cuda_host/driver.h"

namespace texlate::executor::cuda {

std::optional<Driver> load_driver(std::string& why) {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) {
    why = "there is no CUDA driver (libcuda.so.1) on this machine";
    return std::nullopt;
  }
  Driver driver{};
#define TEXLATE_LOAD(function, symbol)                                  \
  *reinterpret_cast<void**>(&driver.function) = dlsym(library, symbol); \
  if (driver.function == nullptr) {                                     \
    why = "the CUDA driver is too old: libcuda.so.1 has no " symbol;    \
    return std::nullopt;                                                \
  }
  CUDA_DRIVER_FUNCTIONS(TEXLATE_LOAD)
#undef TEXLATE_LOAD
  return driver;
}

}  // namespace texlate::executor::cuda
