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

class GraphicsHost final : public Host {
 public:
  explicit GraphicsHost(Core& core) : Host(core) {}

  void begin() override;
  void leave() override;
  std::span<MachineValue> results() override { return results_; }
  void select_binding(const ir::Instruction& instruction) override;
  void select_constant_buffer(const ir::Instruction& instruction) override;
  void select_query(const ir::Instruction& instruction) override;
  bool select_comparison(const ir::Instruction&) override { return false; }
  Field resource_record(const ir::Instruction& instruction) override;
  Field pair_record(const ir::Instruction& instruction) override;
  uint8_t table_bank() const override { return graphics::kConstantBank; }

 private:
  void select_input(const ir::Instruction& instruction) override;
  void select_output(const ir::Instruction& instruction) override;
  void select_emission(const ir::Instruction& instruction) override;
  void select_stream_value(const ir::Instruction& instruction, ir::SystemValue value) override;
  void select_raster_samples(const ir::Instruction& code) override {
    refuse(code, "the number of the render target's samples");
  }

  // graphics_interface.cpp: what pixels read and leave in registers.
  void select_pixel_input(const ir::Instruction& instruction);
  MachineValue interpolated_w(InterpolationSample where);
  MachineValue interpolate(uint32_t address, InterpolationRule rule, const Arg& factor);
  MachineValue emit_pixel_state(Pixel what);

  // graphics_primitives.cpp: attributes of vertices, primitives and patches, by address
  // (graphics/lower_deko3d.h).
  void load_vector(const ir::Instruction& first);
  void load_indexed(const ir::Instruction& instruction);
  void emit_load(const ir::Instruction& instruction, Draft load);
  bool is_of_patch(const ir::Instruction& instruction) const;
  MachineValue vertex_of(const ir::Instruction& instruction);
  MachineValue first_vertex();
  void store_vector(const ir::Instruction& first);

  // graphics_resources.cpp: handles and descriptors in the driver's constant buffer c[0], uniform buffers as
  // separate banks, facts by TXQ (docs/reference/maxwell-graphics.md 4).
  void select_size(const ir::Instruction& instruction);
  void select_lod(const ir::Instruction& instruction);
  Field slot_at(const graphics::Place& place, ir::Value index);
  std::array<MachineValue, 4> query_texture(const Field& handle, TextureQuery what, const Source& level);

  std::pmr::vector<MachineValue> results_{module_.memory()};  // of a pixel, by register
};

}  // namespace texlate::maxwell::select
