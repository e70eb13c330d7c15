// Hull shaders: all phases are one kernel, whose thread blocks have the threads of one or several patches
// (HullBlock). A thread runs one output control point, then its share of the instances of each fork and join
// phase. A barrier stands before a phase that reads or writes what another one wrote before.

#include <algorithm>
#include <array>
#include <bitset>
#include <limits>

#include "backend/launch/lower_primitives.h"
#include "backend/launch/stage_lowering.h"
#include "ir/structure.h"

namespace texlate::launch {

namespace {

namespace head = primitive_head;

constexpr uint32_t kMostThreads = 32;    // of a patch: more instances take turns
constexpr uint32_t kBlockThreads = 128;  // about as many as are useful together

/// Which memory a phase accesses: planes of patch constants, and the output control points as a whole.
constexpr size_t kConstantPlanes = 4 * 32;
using Planes = std::bitset<kConstantPlanes + 1>;

struct PhaseCode {
  uint32_t first = 0, end = 0;  // instructions, without the marker
  Planes reads, writes;
  bool returns_early = false;  // from inside a construct
};

class HullLowering : StageLowering {
 public:
  HullLowering(ir::Module& module, Layout& layout)
      : StageLowering(module, layout),
        structure_(module, &scratch_),
        leaves_(structure_.constructs().size(), false, &scratch_),
        block_(hull_block(module)) {}

  void run() {
    begin();
    std::pmr::vector<PhaseCode> phases(&scratch_);
    find_phases(phases);
    Planes read, written;  // since the last barrier
    for (uint32_t p = 0; p < phases.size(); ++p) {
      const PhaseCode& phase = phases[p];
      if ((phase.reads & written).any() || (phase.writes & (read | written)).any()) {
        emit(Op::barrier, {}, ir::kBarrierThreads | ir::kBarrierUavGroup);
        read.reset();
        written.reset();
      }
      read |= phase.reads;
      written |= phase.writes;
      lower_phase(phase, module_.phases[p]);
    }
    mark(Op::return_);
    become_compute();
  }

 private:
  // Registers of the kernel: construct_ssa makes values of them.
  static constexpr uint32_t kNext = 8 * ir::kSpecialRegister;  // the instance after this one
  static constexpr uint32_t kLeft = kNext + 1;                 // the instance has returned from inside a loop

  void begin() {
    const auto system_value = [&](ir::SystemValue value, uint32_t component) {
      return emit(Op::system_value, {}, static_cast<uint32_t>(value) * 4 + component);
    };
    const Value group = system_value(ir::SystemValue::thread_group_id, 0);
    const Value lane = system_value(ir::SystemValue::thread_id_in_group, 0);
    const Value row = system_value(ir::SystemValue::thread_id_in_group, 1);
    ids_ = add_place(head::kIds, false);
    patches_ = number(ids_, head::kPrimitivesFact);
    patch_ = emit(Op::imad, {group, word(block_.patches), row});
    // Threads without a patch have no instance.
    const Value is_inside = emit(Op::ult, {patch_, patches_});
    lane_ = emit(Op::select, {is_inside, lane, word(std::numeric_limits<uint32_t>::max())});
    constants_ = add_place(head::kConstants, true);
    constant_planes_ = plane_count(module_.patch_constants);
    input_points_ = vertex_planes(add_place(head::kVertices, false), plane_count(module_.inputs),
                                  module_.input_control_points, patches_, patch_);
    output_points_ = vertex_planes(add_place(stream_head::kOutputs, true), plane_count(module_.outputs),
                                   module_.output_control_points, patches_, patch_);
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

  void find_phases(std::pmr::vector<PhaseCode>& phases) {
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Instruction& instruction = module_.code[i];
      if (instruction.op == Op::phase) phases.emplace_back().first = i + 1;
      if (phases.empty()) continue;
      PhaseCode& phase = phases.back();
      phase.end = i + 1;
      if (instruction.op == Op::return_ && structure_.around(i) != ir::Structure::kNoIndex) {
        phase.returns_early = true;
        mark_exits(structure_.around(i));
      }
      find_accesses(instruction, phase);
    }
  }

  static void find_accesses(const Instruction& instruction, PhaseCode& phase) {
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

  void lower_phase(const PhaseCode& phase, const ir::HullPhaseInfo& info) {
    const bool makes_points = info.kind == ir::HullPhase::control_point;
    const uint32_t instances = makes_points ? module_.output_control_points : info.instance_count;
    if (instances == 0) return;
    if (instances <= block_.threads && !phase.returns_early) {
      instance_ = lane_;
      mark(Op::if_, {emit(Op::ult, {lane_, word(instances)})});
      lower_body(phase);
      mark(Op::else_);
      mark(Op::endif);
      return;
    }
    // The thread's instances, one after the other. A return from one goes on with the next.
    emit(Op::reg_store, {lane_}, kNext);
    mark(Op::loop);
    instance_ = emit(Op::reg_load, {}, kNext);
    mark(Op::if_, {emit(Op::uge, {instance_, word(instances)})});
    mark(Op::break_);
    mark(Op::else_);
    mark(Op::endif);
    emit(Op::reg_store, {emit(Op::iadd, {instance_, word(block_.threads)})}, kNext);
    emit(Op::reg_store, {word(0)}, kLeft);
    lower_body(phase);
    mark(Op::endloop);
  }

  void lower_body(const PhaseCode& phase) {
    for (uint32_t i = phase.first; i < phase.end; ++i) {
      const Instruction& instruction = module_.code[i];
      replacements_.apply(module_, instruction);
      builder_.set_location(instruction);
      lower(instruction, i);
    }
  }

  void lower(const Instruction& instruction, uint32_t at) {
    switch (instruction.op) {
      case Op::input: return replace(instruction, load_vertex(input_points_, instruction));
      case Op::output_control_point: return replace(instruction, load_vertex(output_points_, instruction));
      case Op::patch_input: {
        const Value plane = plane_inside(instruction, 0, constant_planes_);
        return replace(instruction, load(constants_, word_of(plane, patches_, patch_)));
      }
      case Op::patch_output: return write(instruction, constants_, constant_planes_, patches_, patch_);
      case Op::output:
        return write(instruction, output_points_.place, output_points_.planes, output_points_.step,
                     emit(Op::iadd, {output_points_.first, instance_}));
      case Op::system_value: return replace(instruction, system_value(instruction));
      case Op::return_: return leave(at);
      case Op::endloop:
      case Op::endswitch: {
        builder_.append(instruction);
        const uint32_t construct = structure_.construct_of(at);
        if (leaves_[construct]) leave_further(construct, structure_.continues(at));
        return;
      }
      default: return builder_.append(instruction);
    }
  }

  /// A word of a plane. A register number out of range writes nothing.
  void write(const Instruction& instruction, Place place, uint32_t planes, Value step, Value first) {
    const Value plane = plane_of(instruction, 0);
    Value guard = ir::kNoValue;
    if (!module_.is_constant(plane)) {
      guard = emit(Op::ult, {plane, word(planes)});
    } else if (module_.constant_bits(plane) >= planes) {
      return;
    }
    store(place, word_of(plane, step, first), last_operand(instruction), guard);
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

  // ---- returns from inside constructs: jumps to the next instance, one loop or switch after the other

  bool is_loop(uint32_t construct) const { return structure_[construct].op == Op::loop; }
  /// The innermost loop or switch from `construct` outwards, or none.
  uint32_t breakable(uint32_t construct) const {
    while (construct != ir::Structure::kNoIndex && structure_[construct].op == Op::if_)
      construct = structure_[construct].parent;
    return construct;
  }
  bool is_in_loop(uint32_t construct) const {
    while (construct != ir::Structure::kNoIndex && !is_loop(construct))
      construct = structure_[construct].parent;
    return construct != ir::Structure::kNoIndex;
  }

  /// Up to the outermost loop, a return leaves loops and switches one by one.
  void mark_exits(uint32_t construct) {
    for (construct = breakable(construct); is_in_loop(construct);
         construct = breakable(structure_[construct].parent)) {
      if (leaves_[construct]) return;
      leaves_[construct] = true;
    }
  }

  void leave(uint32_t at) {
    const uint32_t construct = structure_.around(at);
    if (construct == ir::Structure::kNoIndex) return;  // the end of the phase
    if (is_in_loop(construct)) emit(Op::reg_store, {word(1)}, kLeft);
    jump_out(construct);
  }

  /// After a loop or switch from which a return may have come.
  void leave_further(uint32_t construct, bool continues) {
    const uint32_t around = structure_[construct].parent;
    if (!continues) return jump_out(around);
    const Value left = emit(Op::reg_load, {}, kLeft);
    mark(Op::if_, {emit(Op::ine, {left, word(0)})});
    jump_out(around);
    mark(Op::else_);
    mark(Op::endif);
  }

  void jump_out(uint32_t construct) {
    if (!is_in_loop(construct)) return mark(Op::continue_);
    const Instruction& end = module_.code[structure_[breakable(construct)].end];
    std::pmr::vector<Value> nothing(&scratch_);  // nobody reads them
    for (uint32_t r = 0; r < end.result_count; ++r)
      nothing.push_back(module_.constant(module_.values[end.first_result + r].type, 0));
    builder_.emit_variadic(Op::break_, nothing, 0);
  }

  ir::Structure structure_;
  std::pmr::vector<bool> leaves_;  // by construct: a return inside it has to leave it
  const HullBlock block_;
  Place ids_ = 0, constants_ = 0;
  uint32_t constant_planes_ = 0;
  VertexPlanes input_points_, output_points_;
  Value patches_ = ir::kNoValue, patch_ = ir::kNoValue, lane_ = ir::kNoValue, instance_ = ir::kNoValue;
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
