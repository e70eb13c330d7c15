// Programs of deko3d (docs/dksh.md): attributes that the hardware provides and takes, slots of the driver's
// constant buffer.
#pragma once

#include "backend/maxwell/isa/texture_packing.h"
#include "backend/maxwell/select/host.h"

namespace texlate::maxwell::select {

struct InterpolationRule {
  Interpolation mode;
  InterpolationSample where;
};

/// Attributes of vertices, primitives and patches, what a pixel leaves in registers, and vertices that are
/// emitted (docs/reference/maxwell-graphics.md 1, 2 and 5), by address (graphics/lower_deko3d.h).
class Attributes : private Accesses {
 public:
  explicit Attributes(Core& core) : Accesses(core) {}

  void begin();
  /// input, vocp.input, eval.centroid
  void select_input(const ir::Instruction& instruction);
  void select_value(const ir::Instruction& instruction, ir::SystemValue value);
  /// output, patch.output
  void select_output(const ir::Instruction& instruction);
  void select_emission(const ir::Instruction& instruction);
  std::span<MachineValue> results() { return results_; }
  void exit();

 private:
  void select_pixel_input(const ir::Instruction& instruction);
  MachineValue interpolated_w(InterpolationSample where);
  MachineValue interpolate(uint32_t address, InterpolationRule rule, const Arg& factor);
  MachineValue emit_pixel_state(Pixel what);

  void load_vector(const ir::Instruction& first);
  void load_indexed(const ir::Instruction& instruction);
  void emit_load(const ir::Instruction& instruction, Draft load);
  bool is_of_patch(const ir::Instruction& instruction) const;
  MachineValue vertex_of(const ir::Instruction& instruction);
  MachineValue first_vertex();
  void store_vector(const ir::Instruction& first);

  std::pmr::vector<MachineValue> results_{module_.memory()};  // of a pixel, by register
};

/// Handles and descriptors in the driver's constant buffer c[0], uniform buffers as separate banks, facts by
/// TXQ (docs/reference/maxwell-graphics.md 4).
class Slots : private Accesses {
 public:
  explicit Slots(Core& core) : Accesses(core) {}

  Field slot_of(uint16_t resource, ir::Value index) {
    return slot_at(options_.graphics->resources[resource], index);
  }
  Field slot_of(const ir::Instruction& instruction) {
    return slot_of(access(instruction).resource, slot(instruction, ir::Slot::resource_index));
  }
  Field pair(const ir::Instruction& instruction);
  void select_fact(const ir::Instruction& instruction);
  void select_address(const ir::Instruction& instruction);
  void select_uniform(const ir::Instruction& instruction);
  void select_query(const ir::Instruction& instruction);

 private:
  void select_size(const ir::Instruction& instruction);
  void select_lod(const ir::Instruction& instruction);
  Field slot_at(const graphics::Place& place, ir::Value index);
  std::array<MachineValue, 4> query_texture(const Field& handle, TextureQuery what, const Source& level);
};

/// Typed unordered access: converted by the descriptor's format (.P); out of range reads 0, stores are
/// dropped
/// (.IGN).
class Images : private Accesses {
 public:
  Images(Core& core, Slots& slots) : Accesses(core), slots_(slots) {}
  void select(const ir::Instruction& instruction);

 private:
  Arg coordinates(const ir::Instruction& instruction, bool in_bytes);
  void select_load(const ir::Instruction& instruction, Predicate guard);
  void select_store(const ir::Instruction& instruction, Predicate guard);
  void select_atomic(const ir::Instruction& instruction, Predicate guard);
  Arg handle(const ir::Instruction& instruction) { return surface_handle(slots_.slot_of(instruction)); }

  Slots& slots_;
};

class GraphicsHost final : public Host {
 public:
  explicit GraphicsHost(Core& core) : Host(core), attributes_(core), slots_(core), images_(core, slots_) {}

  void begin() override;
  void leave() override { attributes_.exit(); }
  std::span<MachineValue> results() override { return attributes_.results(); }
  void select_binding(const ir::Instruction& instruction) override;
  void select_constant_buffer(const ir::Instruction& instruction) override;
  void select_surface(const ir::Instruction& instruction) override { images_.select(instruction); }
  void select_query(const ir::Instruction& instruction) override { slots_.select_query(instruction); }
  bool select_comparison(const ir::Instruction&) override { return false; }
  Field resource_record(const ir::Instruction& instruction) override { return slots_.slot_of(instruction); }
  Field pair_record(const ir::Instruction& instruction) override { return slots_.pair(instruction); }
  uint8_t table_bank() const override { return graphics::kConstantBank; }

 private:
  void select_input(const ir::Instruction& instruction) override { attributes_.select_input(instruction); }
  void select_output(const ir::Instruction& instruction) override { attributes_.select_output(instruction); }
  void select_emission(const ir::Instruction& code) override { attributes_.select_emission(code); }
  void select_stream_value(const ir::Instruction& instruction, ir::SystemValue value) override {
    attributes_.select_value(instruction, value);
  }
  void select_raster_samples(const ir::Instruction& code) override {
    refuse(code, "the number of the render target's samples");
  }

  Attributes attributes_;
  Slots slots_;
  Images images_;
};

}  // namespace texlate::maxwell::select
