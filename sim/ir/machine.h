// The interpreter's state while it runs: lanes in lockstep, a register file with one row per value, and masks
// for control flow.
#pragma once

#include <bit>
#include <vector>

#include "sim/ir/access_order.h"
#include "sim/ir/decode.h"
#include "sim/ir/interpreter.h"
#include "sim/ir/primitive_state.h"
#include "sim/texture_unit/lod.h"

namespace texlate::sim {

constexpr uint32_t kMaxLanes = 1024;
constexpr uint32_t kStreamLanes = 64;
constexpr uint32_t kPatchLanes = 32;  // as many control points as a patch can have

/// A set of lanes.
struct LaneMask {
  std::array<uint64_t, kMaxLanes / 64> words{};

  static LaneMask first(uint32_t count) {
    LaneMask mask;
    for (uint32_t i = 0; i < count; ++i) mask.set(i);
    return mask;
  }
  void set(uint32_t lane) { words[lane / 64] |= uint64_t{1} << (lane % 64); }
  bool test(uint32_t lane) const { return ((words[lane / 64] >> (lane % 64)) & 1) != 0; }
  /// Only the first `count` words.
  void add(const LaneMask& other, uint32_t count) {
    for (uint32_t w = 0; w < count; ++w) words[w] |= other.words[w];
  }
  void remove(const LaneMask& other, uint32_t count) {
    for (uint32_t w = 0; w < count; ++w) words[w] &= ~other.words[w];
  }
};

class Machine {
 public:
  Machine(const ir::Module& module, const Program& program, const Bindings& bindings,
          const InterpreterOptions& options, uint32_t lanes);

  void run_stream(const StreamLaunch& launch);
  void run_groups(const GroupLaunch& launch);
  void run_hull(const HullLaunch& launch);
  void run_domain(const DomainLaunch& launch);
  void run_geometry(const GeometryLaunch& launch);
  RunReport take_report() { return std::move(report_); }

 private:
  struct Open {
    LaneMask waiting;  // if: lanes of the other arm; switch: lanes not yet at their label
    LaneMask leaving;  // lanes that have reached the end: at the end of the first arm, or by break
    LaneMask again;    // loop: lanes that continue; switch: lanes that no case names
    uint32_t selector = 0;
  };

  struct LaneAccess;

  // machine.cpp
  void execute() { execute(0, static_cast<uint32_t>(program_.steps.size())); }
  void execute(uint32_t first, uint32_t end);
  void run_pure(const Step& step);
  /// The active lanes take differences over their quads: what is undefined in one pixel is in the others.
  void mix_quads();
  uint32_t run_control(const Step& step, uint32_t at);  // run_control and the next functions: the next step
  uint32_t run_branch(const Step& step, uint32_t at);
  uint32_t run_loop(const Step& step, uint32_t at);
  uint32_t run_switch(const Step& step, uint32_t at);
  uint32_t next_step(const Step& step, uint32_t at) const;
  void flag_large_angles(const uint32_t* angles);
  void copy_yields(const Step& step);
  void enter_switch(const Step& step);
  uint64_t active_count() const;
  bool any(const LaneMask& mask) const;
  bool spend(uint64_t lane_instructions);
  void start_lanes(uint32_t count);

  // trace.cpp
  class TracedValues;
  void choose_traced_lane();
  void trace_step(const Step& step);
  void trace_access(const LaneAccess& at, const std::vector<TexelRead>& texels);

  // memory.cpp
  void run_memory(const Step& step);
  void load_input(const Step& step);
  void store_output(const Step& step);
  void load_system_value(const Step& step);
  void load_constant_buffer(const Step& step);
  void count_rows(const Step& step);
  void load_table(const Step& step);
  void access_local(const Step& step);
  void access_shared(const Step& step);
  void note_shared_read(uint32_t array, uint32_t offset, uint32_t lane);
  void note_shared_write(uint32_t array, uint32_t offset, uint32_t lane, const MemoryWrite& write,
                         bool changes);
  void pass_barrier(uint32_t flags);
  void run_binding(const Step& step);
  void find_address(const Step& step);
  void evaluate_input(const Step& step);
  uint32_t input_word(uint32_t plane, uint32_t lane) const;
  uint32_t coverage_word(uint32_t lane) const;

  // primitives.cpp
  void start_primitives(const PrimitiveInputs& primitives);
  void run_phase(const HullLaunch& launch, uint32_t patch, uint32_t phase);
  uint32_t vertex_word(std::span<const uint32_t> planes, uint32_t vertices, uint32_t plane,
                       uint32_t primitive, uint32_t vertex) const;
  void load_vertex(const Step& step, std::span<const uint32_t> planes, std::span<const uint8_t> declared,
                   uint32_t vertices);
  void load_patch_constant(const Step& step);
  void store_patch_constant(const Step& step);
  void emit_vertex(const Step& step);
  void cut_strip(const Step& step);
  uint32_t origin_word(ir::SystemValue value, uint32_t component, uint32_t lane) const;

  // resource_access.cpp, texture_access.cpp: one lane at a time
  struct LaneAccess {
    const Step& step;
    const ir::Instruction& instruction;
    const ir::ResourceAccess& contract;
    uint32_t lane;
    Access access;  // the texture unit's report
  };
  void run_access(const Step& step);
  void access_lane(LaneAccess& at);
  void fetch(LaneAccess& at, const BoundResource& resource);
  void fetch_by_direction(LaneAccess& at, const TextureView& view);
  void sample_texture(LaneAccess& at, const BoundResource& resource);
  void gather(LaneAccess& at, const BoundResource& resource);
  void query(LaneAccess& at, const BoundResource& resource);
  void access_surface(LaneAccess& at, const BoundResource& resource);
  /// Where an access to a raw or structured buffer starts.
  struct BufferWord {
    uint32_t x;       // raw: bytes; structured: the index of the structure
    uint32_t offset;  // structured: bytes
  };
  BufferWord first_word(const LaneAccess& at, const BufferView& view) const;
  void access_buffer(LaneAccess& at, const BoundResource& resource);
  /// `place` is the number of the first word, for the order of accesses.
  void store_words(LaneAccess& at, const BufferView& view, BufferWord first, uint64_t place, bool inside);
  void count(LaneAccess& at, const BoundResource& resource);
  void find_uav_uses();
  void note_read(LaneAccess& at, uint64_t place);
  void note_write(LaneAccess& at, uint64_t place, const MemoryWrite& write, bool changes);
  void note_atomic(LaneAccess& at, uint64_t place, AtomicOp op, uint32_t a, uint32_t b);
  void store_texel(LaneAccess& at, const BoundResource& resource, const Word4& address, bool inside);
  AccessOrder* order_of(const LaneAccess& at);
  ThreadMoment moment_of(uint32_t lane) const {
    return {group_number_, uav_barriers_, first_element_ + lane};
  }
  /// The element has read what another one may have written before or after.
  void flag_element(uint32_t element, Undefined reason);
  const BoundResource& resource_of(LaneAccess& at);
  uint32_t register_of(const LaneAccess& at) const;
  uint64_t address_of(const LaneAccess& at) const;
  const Sampler& sampler_of(LaneAccess& at);
  Word4 texel_address(const LaneAccess& at, const TextureView& view) const;
  std::array<float, 4> coordinate_of(const LaneAccess& at, const TextureView& view) const;
  Derivatives derivatives_of(LaneAccess& at) const;
  bool stands_in(const LaneAccess& at) const;
  void unguarded(LaneAccess& at, const char* what);
  void put_texel(LaneAccess& at, Word4 texel, Format format, bool keep_all = false);
  void put(LaneAccess& at, uint32_t result, uint32_t value) const;
  bool has(const LaneAccess& at, ir::Slot slot) const { return at.contract.has(slot); }
  uint32_t slot(const LaneAccess& at, ir::Slot slot) const;
  float float_slot(const LaneAccess& at, ir::Slot slot) const;

  uint32_t* row(uint32_t index) { return file_.data() + size_t{index} * lanes_; }
  const uint32_t* row(uint32_t index) const { return file_.data() + size_t{index} * lanes_; }
  /// Calls f(lane) for each active lane.
  template <typename F>
  void for_active(F f) const {
    for (uint32_t w = 0; w < mask_words_; ++w) {
      for (uint64_t left = active_.words[w]; left != 0; left &= left - 1) {
        f(w * 64 + static_cast<uint32_t>(std::countr_zero(left)));
      }
    }
  }
  /// Where a view's memory starts: no two views share an address, and no access comes near 2^44 bytes, where
  /// the view's counter is.
  static constexpr uint32_t kViewBits = 45, kRegisterBits = 9;
  static constexpr uint64_t kCounterPlace = uint64_t{1} << (kViewBits - 1);
  static uint64_t view_address(uint32_t resource, uint32_t index) {
    return (uint64_t{resource + 1} << kRegisterBits | index) << kViewBits;
  }
  /// True if the access's guard disables it in this lane. An access without a guard is never disabled.
  bool is_guarded_off(const Step& step, uint32_t lane) const {
    return step.guard != kNoRow && row(step.guard)[lane] == 0;
  }
  /// True if this lane's writes take effect. Helpers and discarded pixels change nothing.
  bool is_live(uint32_t lane) const { return live_.test(lane); }
  void flag(uint32_t lane, Undefined reason) { undefined_[lane] |= static_cast<uint32_t>(reason); }

  const ir::Module& module_;
  const Program& program_;
  const Bindings& bindings_;
  const InterpreterOptions& options_;
  const uint32_t lanes_;
  const uint32_t mask_words_;
  std::vector<uint32_t> file_;
  LaneMask active_, live_;
  std::vector<Open> open_;
  std::vector<uint32_t> undefined_;                          // by lane
  std::vector<uint8_t> mixed_quads_;                         // of the stream: pixels depend on each other
  std::vector<uint32_t> outputs_;                            // by plane and lane
  std::vector<uint8_t> declared_inputs_, declared_outputs_;  // by plane
  std::vector<uint32_t> locals_;                             // x#: by array, row, component and lane
  std::vector<uint8_t> local_written_;                       // the same
  std::vector<uint32_t> local_base_;                         // rows of x# before each array
  std::vector<std::vector<uint32_t>> shared_;
  std::vector<std::vector<uint8_t>> shared_written_;
  std::vector<AccessOrder> shared_order_;
  std::vector<uint32_t> copy_buffer_;
  struct UavUse {
    bool is_read = false, is_written = false;
    std::vector<AccessOrder> order;  // by register
  };
  std::vector<UavUse> uav_uses_;  // by resource
  std::vector<uint32_t> disturbed_;
  /// Barriers of the group, of those that order accesses to u# (to g#), and whether a fence waits for one.
  /// Hull shaders: phases.
  uint32_t uav_barriers_ = 0, shared_barriers_ = 0;
  bool uav_fence_ = false, shared_fence_ = false;
  uint32_t group_number_ = 0;  // of this launch; pixels and vertices: 0
  const StreamLaunch* stream_ = nullptr;
  uint32_t first_element_ = 0;
  const PrimitiveInputs* primitives_ = nullptr;  // hull, domain and geometry shaders
  const HullLaunch* hull_ = nullptr;
  const DomainLaunch* domain_ = nullptr;
  std::vector<Origin> origins_;                 // by lane
  std::vector<PatchConstant> patch_constants_;  // hull shaders: of the current patch, by plane
  std::vector<Emission> emissions_;             // geometry shaders: by lane
  std::vector<uint8_t> output_written_;         // by plane and lane
  std::array<uint32_t, 3> group_{};
  uint32_t traced_lane_ = kNoLane;  // of the lanes that run now
  static constexpr uint32_t kNoLane = 0xffffffffu;
  std::vector<uint32_t> output_register_;  // special register number - kSpecialRegister -> plane register
  RunReport report_;
};

/// The texture unit's name of the operation.
AtomicOp unit_atomic(ir::AtomicOp op);

}  // namespace texlate::sim
