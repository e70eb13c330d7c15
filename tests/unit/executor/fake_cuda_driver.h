// A fake CUDA driver: its functions check their arguments against the driver API's documentation, keep arrays
// and memory on the host, and run kernels on the PTX machine.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sim/ptx/machine.h"
#include "tools/executor/cuda_driver.h"

namespace texlate::executor {

class FakeCuda {
 public:
  FakeCuda();
  ~FakeCuda();
  FakeCuda(const FakeCuda&) = delete;
  FakeCuda& operator=(const FakeCuda&) = delete;

  /// The table. Its functions use the only living FakeCuda.
  cuda::Driver table() const;

  // Set by a test.
  int devices = 1;
  int fail_at = -1;  // the number of the call that fails, from 0
  int linear_texels = 1 << 27;
  static constexpr int kAlignment = 512;  // of linear textures; of allocations: 256

  // Records what happened.
  std::vector<std::string> calls;
  std::vector<cuda::ArrayDescriptor> array_descriptors;
  std::vector<cuda::TextureDescriptor> texture_descriptors;
  std::vector<cuda::ViewDescriptor> view_descriptors;
  std::vector<std::byte> parameters;  // of the last launch
  std::string misuse;                 // the first violation of the documentation
  int alive = 0;                      // number of modules, arrays, objects, memory blocks, contexts

  // For the functions in the table.
  struct Array {
    cuda::ArrayDescriptor descriptor;
    std::unique_ptr<sim::Texture> texture;
    sim::Dimension dimension{};
    uint32_t levels = 1;
  };
  struct Level {
    Array* array;
    uint32_t level;
  };
  cuda::Result begin(const char* name);
  cuda::Result forbid(std::string what);
  std::unique_ptr<sim::ptx::Module> module;
  std::unique_ptr<sim::ptx::Machine> machine;
  std::deque<Array> arrays;
  std::deque<Level> levels;
  struct Memory {
    std::vector<std::byte> bytes;
    cuda::Address address;
  };
  std::deque<Memory> memories;
  std::deque<sim::Texture> buffers;
  std::string entry;
  sim::ptx::Report report;
};

}  // namespace texlate::executor
