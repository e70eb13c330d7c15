// Hull shaders: all phases are one kernel, whose thread blocks have the threads of one or several patches
// (HullBlock). A thread runs one output control point, then its share of the instances of each fork and join
// phase. A barrier stands before a phase that reads or writes what another one wrote before.

#include <algorithm>
#include <bitset>
#include <limits>

#include "backend/launch/lower_primitives.h"
#include "backend/launch/phase_lowering.h"

namespace texlate::launch {

namespace {

namespace head = primitive_head;

constexpr uint32_t kMostThreads = 32;    // of a patch: more instances take turns
constexpr uint32_t kBlockThreads = 128;  // about as many as are useful together

/// Which memory a phase accesses: planes of patch constants, and the output control points as a whole.
constexpr size_t kConstantPlanes = 4 * 32;
using Planes = std::bitset<kConstantPlanes + 1>;

struct PhasePlanes {
  Planes reads, writes;
};

class HullLowering final : PhaseLowering {
 public:
  HullLowering(ir::Module& module, Layout& layout)
      : PhaseLowering(module, &layout), block_(hull_block(module)) {}

  void run() {
    begin();
    const std::pmr::vector<PhaseCode> phases = find_phases();
    Planes read, written;  // since the last barrier
    for (uint32_t p = 0; p < phases.size(); ++p) {
      PhasePlanes planes;
      for (uint32_t i = phases[p].first; i < phases[p].end; ++i) find_accesses(module_.code[i], planes);
      if ((planes.reads & written).any() || (planes.writes & (read | written)).any()) {
        emit(Op::barrier, {}, ir::kBarrierThreads | ir::kBarrierUavGroup);
        read.reset();
        written.reset();
      }
      read |= planes.reads;
      written |= planes.writes;
      const ir::HullPhaseInfo& info = module_.phases[p];
      const bool makes_points = info.kind == ir::HullPhase::control_point;
      const uint32_t instances = makes_points ? module_.output_control_points : info.instance_count;
      lower_phase(phases[p], instances, block_.threads, lane_);
    }
    mark(Op::return_);
    become_compute();
  }

 private:
  void begin() {
    const Value group = ask(ir::SystemValue::thread_group_id);
    const Value lane = ask(ir::SystemValue::thread_id_in_group, 0);
    const Value row = ask(ir::SystemValue::thread_id_in_group, 1);
    ids_ = add_place(head::kIds, false);
    const Value patches = number(ids_, head::kPrimitivesFact);
    patch_ = emit(Op::imad, {group, word(block_.patches), row});
    // Threads without a patch have no instance.
    const Value is_inside = emit(Op::ult, {patch_, patches});
    lane_ = emit(Op::select, {is_inside, lane, word(std::numeric_limits<uint32_t>::max())});
    constants_ = constant_planes(add_place(head::kConstants, true), patches, patch_);
    input_points_ = vertex_planes(add_place(head::kVertices, false), plane_count(module_.inputs),
                                  module_.input_control_points, patches, patch_);
    output_points_ = vertex_planes(add_place(stream_head::kOutputs, true), plane_count(module_.outputs),
                                   module_.output_control_points, patches, patch_);
  }

  void become_compute() {
    module_.code.swap(code_);
    module_.stage = ir::Stage::compute;
    module_.thread_group[0] = block_.threads;
    module_.thread_group[1] = block_.patches;
    module_.thread_group[2] = 1;
    module_.inputs.clear();
    module_.outputs.clear();
    module_.patch_constants.clear();
    module_.phases.clear();
  }

  // ---- what phases access

  static void find_accesses(const Instruction& instruction, PhasePlanes& phase) {
    const auto constants = [&](Planes& planes) {
      if (instruction.has(ir::kIndexOperand)) {
        for (uint32_t plane = 0; plane < kConstantPlanes; ++plane) planes.set(plane);
      } else if (instruction.payload < kConstantPlanes) {
        planes.set(instruction.payload);
      }
    };
    switch (instruction.op) {
      case Op::patch_input: return constants(phase.reads);
      case Op::patch_output: return constants(phase.writes);
      case Op::output_control_point: phase.reads.set(kConstantPlanes); return;
      case Op::output: phase.writes.set(kConstantPlanes); return;
      default: return;
    }
  }

  // ---- phases

  void lower(const Instruction& instruction) override {
    switch (instruction.op) {
      case Op::input: return replace(instruction, load_vertex(input_points_, instruction));
      case Op::output_control_point: return replace(instruction, load_vertex(output_points_, instruction));
      case Op::patch_input: return replace(instruction, load_constant(constants_, instruction));
      case Op::patch_output: return write(instruction, constants_, patch_);
      case Op::output:
        return write(instruction, output_points_, emit(Op::iadd, {output_points_.first, instance_}));
      case Op::system_value: return replace(instruction, system_value(instruction));
      default: return builder_.append(instruction);
    }
  }

  /// A word of a plane. A register number out of range writes nothing.
  void write(const Instruction& instruction, const VertexPlanes& to, Value first) {
    const Value plane = plane_of(instruction, 0);
    Value guard = ir::kNoValue;
    if (!module_.is_constant(plane)) {
      guard = emit(Op::ult, {plane, word(to.planes)});
    } else if (module_.constant_bits(plane) >= to.planes) {
      return;
    }
    store(to.place, word_of(plane, to.step, first), last_operand(instruction), guard);
  }

  Value system_value(const Instruction& instruction) {
    if (instruction.payload % 4 != 0) return word(0);
    switch (static_cast<ir::SystemValue>(instruction.payload / 4)) {
      case ir::SystemValue::output_control_point_id:
      case ir::SystemValue::fork_instance_id:
      case ir::SystemValue::join_instance_id: return instance_;
      case ir::SystemValue::primitive_register: return primitive_id(ids_, patch_);
      default: return word(0);
    }
  }

  const HullBlock block_;
  Place ids_ = 0;
  VertexPlanes input_points_, output_points_, constants_;
  Value patch_ = ir::kNoValue, lane_ = ir::kNoValue;
};

}  // namespace

HullBlock hull_block(const ir::Module& module) {
  uint32_t most = std::max(module.output_control_points, 1u);
  for (const ir::HullPhaseInfo& phase : module.phases) {
    if (phase.kind != ir::HullPhase::control_point) most = std::max(most, phase.instance_count);
  }
  const uint32_t threads = std::min(most, kMostThreads);
  return {threads, kBlockThreads / threads};
}

void lower_hull(ir::Module& module, Layout& layout) {
  HullLowering(module, layout).run();
}

}  // namespace texlate::launch
