// Programs of deko3d (docs/dksh.md): attributes that the hardware provides and takes, slots of the driver's
// constant buffer.
#pragma once

#include "backend/maxwell/isa/texture_packing.h"
#include "backend/maxwell/select/host.h"

namespace texlate::maxwell::select {

/// Words that one ALD or AST may access from `address` on: two need 8-byte alignment, three and four 16-byte
/// alignment (docs/reference/maxwell-graphics.md 1).
constexpr uint32_t widest_attribute(uint32_t address) {
  return address % 8 != 0 ? 1 : address % 16 != 0 ? 2 : 4;
}

/// Inputs of vertices and pixels; outputs of all stages.
class Attributes : private Accesses {
 public:
  explicit Attributes(Core& core) : Accesses(core) {}

  void begin();
  void select_input(const ir::Instruction& instruction);
  void select_coverage(const ir::Instruction& instruction);

  void store_outputs() { store(module_.outputs, options_.graphics->outputs, 0, {}); }
  /// How AST reaches attributes: of this thread's vertex, of the patch, or of the vertex with that handle.
  struct Target {
    bool patch = false;
    MachineValue vertex = kNone;
  };
  /// Stores those of `parameters` that belong to the stream. `file`: 0 or Variable::kPatchFile.
  void store(std::span<const ir::Parameter> parameters, std::span<const graphics::Attribute> places,
             uint32_t stream, const Target& target, uint32_t file = 0);
  /// Ends the program with the results of a pixel.
  void exit_pixel();

 private:
  void select_pixel_input(const ir::Instruction& instruction, const ir::Parameter& parameter,
                          uint32_t address);
  void select_vertex_input(const ir::Instruction& instruction, const ir::Parameter& parameter,
                           const graphics::Attribute& attribute);
  MachineValue interpolate(uint32_t address, Interpolation mode, InterpolationSample where);
  MachineValue emit_pixel_state(Pixel what);

  std::pmr::vector<uint8_t> input_masks_{module_.memory()};  // by register: components that are read
};

/// The phases of a hull program. Its lanes are the output control points of a patch, which are in one warp:
/// the control-point phase runs in all of them, and then fork and join phases, with all their instances, in
/// the lane of point 0 (docs/reference/maxwell-graphics.md 5).
class HullPhases : private Writer {
 public:
  HullPhases(Core& core, Attributes& attributes) : Writer(core), attributes_(attributes) {}

  void open(const ir::Instruction& instruction);
  /// `return`: ends this instance of the phase.
  void leave();
  void finish();
  /// The number of the instance, kNone in a phase that has one.
  MachineValue instance() const { return phase_.instance; }

 private:
  void open_instances(uint32_t count);
  void close();
  bool returns_early(uint32_t marker) const;
  void open_patch_phases();
  std::span<const MachineValue> passed();
  std::span<const MachineValue> made();

  Attributes& attributes_;
  /// The phase that is open.
  struct Phase {
    static constexpr uint32_t kNoMarker = 0xffffffffu;
    uint32_t marker = kNoMarker;
    machine::BlockId end = machine::kNoBlock;   // if a loop encloses the phase: where it is left
    machine::BlockId next = machine::kNoBlock;  // with several instances: the next one begins here
    machine::BlockId header = machine::kNoBlock;
    MachineValue instance = kNone;
  };
  Phase phase_;
  /// After the phases that one lane of a patch runs, if there are several lanes.
  machine::BlockId patch_end_ = machine::kNoBlock, other_points_ = machine::kNoBlock;
  bool in_patch_phases_ = false;
  std::pmr::vector<MachineValue> scratch_{module_.memory()};
};

/// Hull, domain and geometry programs: attributes of other vertices, of control points and of patches, and
/// vertices that are emitted (docs/reference/maxwell-graphics.md 5).
class Primitives : private Accesses {
 public:
  Primitives(Core& core, Attributes& attributes, const HullPhases& phases)
      : Accesses(core), attributes_(attributes), phases_(phases) {}

  void begin();
  /// input v#.c vertex(n), and vocp.
  void select_vertex_attribute(const ir::Instruction& instruction);
  void select_patch_input(const ir::Instruction& instruction);
  void select_value(const ir::Instruction& instruction, ir::SystemValue value);
  void select_emission(const ir::Instruction& instruction);
  void exit_geometry();

 private:
  /// Where an operation reads.
  enum class File : uint8_t { input, control_point, patch };
  struct Origin {
    File file = File::input;
    std::span<const ir::Parameter> parameters;
    std::span<const graphics::Attribute> places;
    MachineValue vertex = kNone;     // a handle, or a lane of the warp
    uint64_t vertex_key = 0;         // what distinguishes it among the values that are remembered
    uint32_t vertex_slot = 0;        // in used_components_
    ir::Value index = ir::kNoValue;  // added to the register number
  };
  static uint32_t component_slot(File file, uint32_t vertex_slot, uint32_t reg);
  uint32_t vertex_slot(const ir::Instruction& instruction) const;
  uint64_t key_of(ir::Value vertex) const;
  void load(const ir::Instruction& instruction, const Origin& origin);
  MachineValue load_component(const ir::Instruction& instruction, const Origin& origin,
                              const ir::Parameter& parameter, const graphics::Attribute& place);
  MachineValue load_indexed(const ir::Instruction& instruction, const Origin& origin);
  void emit_load(Draft& load, const Origin& origin);
  MachineValue load_word_at(const Origin& origin, const Arg& address, bool physical);
  MachineValue first_vertex();
  MachineValue vertex_handle(ir::Value vertex);
  MachineValue control_point_lane(ir::Value point);
  Source domain_point(uint32_t component);

  Attributes& attributes_;
  const HullPhases& phases_;
  std::pmr::vector<uint8_t> used_components_{module_.memory()};  // component_slot()
};

/// Handles and descriptors in the driver's constant buffer c[0], uniform buffers as separate banks, facts by
/// TXQ (docs/reference/maxwell-graphics.md 4).
class Slots : private Accesses {
 public:
  explicit Slots(Core& core) : Accesses(core) {}

  Field slot_of(uint16_t resource, ir::Value index);
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
  /// The row of a uniform buffer in memory that the first operand names.
  void load_row(const ir::Instruction& instruction, const Words& buffer, Predicate guard);
  std::array<MachineValue, 4> query_texture(const Field& handle, TextureQuery what, const Source& level);
  std::array<MachineValue, 4> query_header(uint16_t resource, ir::Value index, TextureQuery what);
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
  explicit GraphicsHost(Core& core)
      : Host(core),
        attributes_(core),
        phases_(core, attributes_),
        primitives_(core, attributes_, phases_),
        slots_(core),
        images_(core, slots_) {}

  void begin() override;
  void leave() override;
  void open_phase(const ir::Instruction& instruction) override { phases_.open(instruction); }
  void finish_phases() override { phases_.finish(); }
  void select_binding(const ir::Instruction& instruction) override;
  void select_constant_buffer(const ir::Instruction& instruction) override;
  void select_surface(const ir::Instruction& instruction) override { images_.select(instruction); }
  void select_query(const ir::Instruction& instruction) override { slots_.select_query(instruction); }
  bool select_comparison(const ir::Instruction&) override { return false; }
  Field resource_record(const ir::Instruction& instruction) override { return slots_.slot_of(instruction); }
  Field pair_record(const ir::Instruction& instruction) override { return slots_.pair(instruction); }
  uint8_t table_bank() const override { return graphics::kConstantBank; }

 private:
  void select_input(const ir::Instruction& instruction) override;
  void select_stream_value(const ir::Instruction& instruction, ir::SystemValue value) override;
  void select_raster_samples(const ir::Instruction& instruction) override;
  void select_patch_input(const ir::Instruction& instruction) override;
  void select_patch_output(const ir::Instruction& instruction) override;
  void select_control_point(const ir::Instruction& instruction) override;
  void select_emission(const ir::Instruction& instruction) override {
    primitives_.select_emission(instruction);
  }
  void select_centroid(const ir::Instruction& instruction) override { select_input(instruction); }
  bool has_primitives() const;

  Attributes attributes_;
  HullPhases phases_;
  Primitives primitives_;
  Slots slots_;
  Images images_;
};

}  // namespace texlate::maxwell::select
