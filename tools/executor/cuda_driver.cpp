#include "tools/executor/cuda_driver.h"

#include "docs/examples/cuda_host/driver.h"
#include "ir/base/platform/dynamic_library.h"

namespace texlate::executor::cuda {

std::optional<Driver> load_driver(std::string& why) {
  void* const library = platform::open_library(platform::kCudaLibrary);
  if (library == nullptr) {
    why = std::string("there is no CUDA driver (") + platform::kCudaLibrary + ") on this machine";
    return std::nullopt;
  }
  Driver driver{};
#define TEXLATE_LOAD(function, symbol)                                                              \
  *reinterpret_cast<void**>(&driver.function) = platform::find_symbol(library, symbol);             \
  if (driver.function == nullptr) {                                                                 \
    why = std::string("the CUDA driver is too old: ") + platform::kCudaLibrary + " has no " symbol; \
    return std::nullopt;                                                                            \
  }
  CUDA_DRIVER_FUNCTIONS(TEXLATE_LOAD)
#undef TEXLATE_LOAD
  return driver;
}

}  // namespace texlate::executor::cuda
