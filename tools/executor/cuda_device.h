// A GPU of the CUDA driver: the operations that a launch with the launch ABI needs.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/executor/cuda_driver.h"
#include "tools/executor/launch_device.h"

namespace texlate::executor::cuda {

/// The first GPU, with its primary context. A kernel that faults makes the context unusable, so a process can
/// run only one such kernel.
class Gpu {
 public:
  /// Null, with `why`, if there is no driver or no GPU. `driver` is a table to use instead of libcuda's.
  static std::unique_ptr<Gpu> open(std::string& why, const Driver* driver = nullptr);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const Driver& driver() const { return driver_; }
  const std::string& name() const { return name_; }
  /// 75 for compute capability 7.5.
  uint32_t sm() const { return sm_; }
  /// Of the addresses of linear textures, in bytes.
  uint64_t texture_alignment() const { return texture_alignment_; }
  /// The most texels that one can have.
  uint64_t linear_texels() const { return linear_texels_; }
  /// A kernel has failed: the driver runs nothing more in this process.
  bool is_lost() const { return is_lost_; }
  void lose() const { is_lost_ = true; }

 private:
  Gpu() = default;
  Driver driver_{};
  Device device_ = 0;
  bool retained_ = false;  // the context
  std::string name_;
  uint32_t sm_ = 0;
  uint64_t texture_alignment_ = 1, linear_texels_ = 0;
  mutable bool is_lost_ = false;
};

/// One launch: a module and everything bound to it, freed at the end. The first error is kept in error();
/// after it nothing more is done.
class LaunchOnGpu final : public LaunchDevice {
 public:
  explicit LaunchOnGpu(const Gpu& gpu) : gpu_(gpu), cu_(gpu.driver()) {}
  ~LaunchOnGpu() override;
  LaunchOnGpu(const LaunchOnGpu&) = delete;
  LaunchOnGpu& operator=(const LaunchOnGpu&) = delete;

  void load(std::string_view ptx, const char* entry);
  uint64_t map_memory(std::span<std::byte> memory, bool writable) override;
  uint64_t add_texture(const sim::ptx::TextureObject& object) override;
  uint64_t add_surface(const sim::TextureView& view) override;
  /// Launches and waits. If it returns false and error() was empty before, the kernel itself failed.
  bool launch(const uint32_t (&grid)[3], const uint32_t (&block)[3], std::span<std::byte> parameters);
  /// Copies memory that was mapped writable, and textures used as surfaces, back to the host.
  void read_back();

  const std::string& error() const { return error_; }

 private:
  struct Memory {
    std::span<std::byte> host;
    Address address = 0;
    bool writable = false;
  };
  struct Storage {
    sim::Texture* texture = nullptr;
    sim::Dimension dimension{};
    bool surface = false;
    MipmappedArray* array = nullptr;
    std::vector<Array*> levels;
  };
  bool check(Result result, std::string_view what);
  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }
  /// Into new memory, at an address that is a multiple of `alignment`.
  Address upload(std::span<const std::byte> bytes, uint64_t alignment = 1);
  Storage* storage_of(const sim::TextureView& view, bool surface);
  void copy(const Storage& storage, bool to_device);
  uint64_t add_linear(const sim::TextureView& view);

  const Gpu& gpu_;
  const Driver& cu_;
  Module* module_ = nullptr;
  Function* function_ = nullptr;
  std::vector<Memory> memories_;
  std::vector<Address> allocations_;
  std::vector<std::unique_ptr<Storage>> storages_;
  std::vector<Object> textures_, surfaces_;
  std::string error_;
};

}  // namespace texlate::executor::cuda
