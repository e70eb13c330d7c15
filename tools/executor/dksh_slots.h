// Deko3d's slots on the Maxwell machine: fills the driver's constant buffer and binds what it refers to.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "backend/maxwell/graphics/layout.h"
#include "sim/ir/interpreter.h"
#include "sim/maxwell/dksh.h"

namespace texlate::executor {

/// Here, a typed buffer for unordered access is an image with separate memory, copied in and out.
struct BufferImage {
  sim::Texture texture;
  sim::BufferView view;
};

/// The driver's constant buffer and everything that it refers to, for one launch. Slots are the translator's
/// choice, as its reflection names them; their places are the driver's (sim/maxwell/dksh.h).
class DkshSlots {
 public:
  DkshSlots(const maxwell::graphics::Layout& layout, const ir::Module& module, const sim::Bindings& bindings,
            sim::maxwell::Dksh& dksh)
      : layout_(layout), module_(module), bindings_(bindings), program_(dksh.program), driver_{dksh.stage} {
    program_.banks[0].assign(kBytes, std::byte{0});
    bind_uniforms();
  }

  void bind(sim::maxwell::Machine& machine) {
    bind_computed_uniforms(machine);
    for (uint32_t i = 0; i < module_.resources.size(); ++i) bind_resource(machine, i);
    for (const maxwell::graphics::TexturePair& pair : layout_.pairs) bind_pair(machine, pair);
  }

  /// Copies the results in images of buffers back.
  void copy_back() {
    for (BufferImage& image : images_)
      std::memcpy(image.view.data, image.texture.memory().data(), bytes_of(image.view));
  }

  std::vector<std::byte>& bank(uint32_t index) { return program_.banks[index]; }

 private:
  static constexpr uint32_t kBytes = 0x1000;  // of c[0]; more than the blocks of all stages
  static size_t bytes_of(const sim::BufferView& view) {
    size_t bytes = view.element_count;
    if (view.kind == sim::BufferKind::structured) bytes *= view.stride;
    if (view.kind == sim::BufferKind::typed) bytes *= sim::format_info(view.format).bytes;
    return bytes;
  }
  void put32(uint32_t offset, uint32_t value) {
    std::memcpy(program_.banks[0].data() + offset, &value, sizeof value);
  }
  void put64(uint32_t offset, uint64_t value) {
    std::memcpy(program_.banks[0].data() + offset, &value, sizeof value);
  }

  template <typename Visit>
  void visit_uniforms(Visit visit) {
    for (uint32_t i = 0; i < module_.constant_buffers.size(); ++i) {
      const auto& registers = bindings_.constant_buffers(i);
      for (uint32_t r = 0; r < registers.size(); ++r) visit(layout_.uniforms[i] + r, registers[r]);
    }
  }
  void bind_uniforms() {
    visit_uniforms([&](uint32_t uniform, std::span<const uint32_t> words) {
      if (uniform >= driver_.uniform_banks()) return;
      const auto bytes = std::as_bytes(words);
      program_.banks[driver_.uniform_bank(uniform)].assign(bytes.begin(), bytes.end());
    });
  }
  void bind_computed_uniforms(sim::maxwell::Machine& machine) {
    if (module_.stage != ir::Stage::compute) return;
    visit_uniforms([&](uint32_t uniform, std::span<const uint32_t> words) {
      if (words.empty()) return;
      auto* memory = const_cast<uint32_t*>(words.data());  // mapped for reading only
      put64(driver_.uniform_address(uniform),
            machine.map_memory(std::as_writable_bytes(std::span(memory, words.size())), false));
    });
  }

  sim::TextureView view_of(const sim::BoundResource& bound, bool is_uav) {
    if (bound.texture.bound()) return bound.texture;
    sim::TextureDesc desc;
    desc.dimension = sim::Dimension::texture1d;
    desc.format = bound.buffer.format;
    desc.size = {std::max(1u, bound.buffer.element_count), 1, 1};
    desc.limited = false;
    Diagnostics diagnostics;
    auto copy = sim::Texture::create(desc, diagnostics);
    if (!copy) return {};
    std::memcpy(copy->memory().data(), bound.buffer.data, bytes_of(bound.buffer));
    std::deque<BufferImage>& list = is_uav ? images_ : copies_;
    list.push_back({std::move(*copy), bound.buffer});
    return sim::TextureView::whole(list.back().texture);
  }

  void bind_resource(sim::maxwell::Machine& machine, uint32_t i) {
    const maxwell::graphics::Place& place = layout_.resources[i];
    if (place.kind == maxwell::graphics::SlotKind::none) return;
    const auto& registers = bindings_.resources(i);
    const bool is_uav = module_.resources[i].is_uav;
    for (uint32_t r = 0; r < registers.size(); ++r) {
      if (!registers[r].bound()) continue;
      const uint32_t at = place_of(place.kind, place.slot + r * place.stride);
      if (place.kind == maxwell::graphics::SlotKind::buffer) {
        bind_buffer(machine, at, registers[r].buffer, is_uav);
        if (layout_.counters[i] != maxwell::graphics::kNotUsed && registers[r].buffer.counter != nullptr) {
          put64(driver_.storage_buffer(layout_.counters[i] + r),
                machine.map_memory(std::as_writable_bytes(std::span(registers[r].buffer.counter, 1))));
        }
        continue;
      }
      // Fetches use the handle of any pair with the texture; the sampler has no effect.
      if (!is_paired(i)) put32(at, machine.add_texture({view_of(registers[r], is_uav), true}));
    }
  }

  bool is_paired(uint32_t resource) const {
    return std::any_of(
        layout_.pairs.begin(), layout_.pairs.end(),
        [resource](const maxwell::graphics::TexturePair& pair) { return pair.resource == resource; });
  }

  void bind_buffer(sim::maxwell::Machine& machine, uint32_t at, const sim::BufferView& view, bool is_uav) {
    static std::byte nothing[16];  // a buffer without elements also needs an address
    const size_t bytes = bytes_of(view);
    put64(at, machine.map_memory(bytes == 0 ? std::span(nothing) : std::span(view.data, bytes), is_uav));
    put32(at + 8, static_cast<uint32_t>(bytes));
  }

  uint32_t place_of(maxwell::graphics::SlotKind kind, uint32_t slot) const {
    switch (kind) {
      case maxwell::graphics::SlotKind::texture: return driver_.texture_handle(slot);
      case maxwell::graphics::SlotKind::image: return driver_.image_handle(slot);
      case maxwell::graphics::SlotKind::buffer: return driver_.storage_buffer(slot);
      case maxwell::graphics::SlotKind::uniform:
      case maxwell::graphics::SlotKind::none: break;
    }
    return 0;
  }

  void bind_pair(sim::maxwell::Machine& machine, const maxwell::graphics::TexturePair& pair) {
    const auto& textures = bindings_.resources(pair.resource);
    const auto& samplers = bindings_.samplers(pair.sampler);
    for (uint32_t t = 0; t < textures.size(); ++t) {
      if (!textures[t].bound()) continue;
      const uint32_t header = machine.add_texture({view_of(textures[t], false), true});
      for (uint32_t s = 0; s < samplers.size(); ++s) {
        const uint32_t slot = pair.slot + t * static_cast<uint32_t>(samplers.size()) + s;
        put32(driver_.texture_handle(slot), header | machine.add_sampler(samplers[s]) << 20);
      }
    }
  }

  const maxwell::graphics::Layout& layout_;
  const ir::Module& module_;
  const sim::Bindings& bindings_;
  sim::maxwell::Program& program_;
  sim::maxwell::DriverBuffer driver_;
  std::deque<BufferImage> images_, copies_;
};

}  // namespace texlate::executor
