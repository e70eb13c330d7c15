// What is bound to a module's slots, and the binding facts that guards compare with.
#pragma once

#include <span>
#include <vector>

#include "ir/module.h"
#include "sim/texture_unit/buffer.h"
#include "sim/texture_unit/sampler.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim {

/// A t# or u#: a texture view or a buffer view, or neither.
struct BoundResource {
  TextureView texture;
  BufferView buffer;
  bool bound() const { return texture.bound() || buffer.bound(); }
  Format format() const { return texture.bound() ? texture.format : buffer.format; }
};

/// Where a view's memory starts: no two views share an address, and no access comes near 2^44 bytes, where
/// the view's counter is.
constexpr uint32_t kViewBits = 45, kRegisterBits = 9;
constexpr uint64_t kCounterPlace = uint64_t{1} << (kViewBits - 1);
constexpr uint64_t view_address(uint32_t resource, uint32_t index) {
  return (uint64_t{resource + 1} << kRegisterBits | index) << kViewBits;
}

/// Slots are addressed by the index in the module's tables, and by the register within a 5.1 range.
class Bindings {
 public:
  /// All slots are empty. Unbounded ranges get kUnboundedSlots registers.
  explicit Bindings(const ir::Module& module);
  static constexpr uint32_t kUnboundedSlots = 64;

  std::vector<BoundResource>& resources(uint32_t index) { return resources_[index]; }
  std::vector<Sampler>& samplers(uint32_t index) { return samplers_[index]; }
  /// Four words per row; words after the last whole row are not bound.
  std::vector<std::span<const uint32_t>>& constant_buffers(uint32_t index) {
    return constant_buffers_[index];
  }
  const std::vector<BoundResource>& resources(uint32_t index) const { return resources_[index]; }
  const std::vector<Sampler>& samplers(uint32_t index) const { return samplers_[index]; }
  const std::vector<std::span<const uint32_t>>& constant_buffers(uint32_t index) const {
    return constant_buffers_[index];
  }

 private:
  std::vector<std::vector<BoundResource>> resources_;
  std::vector<std::vector<Sampler>> samplers_;
  std::vector<std::vector<std::span<const uint32_t>>> constant_buffers_;
};

/// A fact of a texture or buffer; 0 if nothing is bound. `bound` gives 0 or 1.
uint32_t binding_fact(const BoundResource& resource, const ir::Resource& declaration, ir::BindingFact fact);
/// A fact of a sampler.
uint32_t sampler_fact(const Sampler& sampler, ir::BindingFact fact);

}  // namespace texlate::sim
