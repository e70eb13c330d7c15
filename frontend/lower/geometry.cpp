// Geometry shaders: emit and cut, of a given stream or of the only one (D3D11.3 22.8).

#include <vector>

#include "frontend/lower/families.h"

namespace texlate::lower {

namespace {

bool emits(Opcode opcode) {
  return opcode == Opcode::emit || opcode == Opcode::emit_stream || opcode == Opcode::emit_then_cut ||
         opcode == Opcode::emit_then_cut_stream;
}

/// What decides whether an invocation that has emitted its last vertex may do anything else that can be
/// noticed.
struct Contents {
  explicit Contents(const sm4::Program& program) {
    std::vector<bool> is_left;  // by open loop
    bool is_repeated = false;
    for (const sm4::Instruction& instruction : program.instructions) {
      const Opcode opcode = instruction.opcode;
      writes_views |= opcode == Opcode::dcl_uav_typed || opcode == Opcode::dcl_uav_raw ||
                      opcode == Opcode::dcl_uav_structured;
      is_repeated |= opcode == Opcode::loop || opcode == Opcode::call || opcode == Opcode::callc;
      if (emits(opcode)) ++emissions;
      if (opcode == Opcode::loop) is_left.push_back(false);
      if (opcode == Opcode::ret || opcode == Opcode::retc) is_left.assign(is_left.size(), true);
      if ((opcode == Opcode::break_ || opcode == Opcode::breakc) && !is_left.empty()) is_left.back() = true;
      if (opcode != Opcode::endloop || is_left.empty()) continue;
      never_ends |= !is_left.back();
      is_left.pop_back();
    }
    if (is_repeated && emissions != 0) emissions = ~0u;
  }

  uint32_t emissions = 0;  // at most
  bool writes_views = false;
  bool never_ends = false;
};

void end_after_last_vertex(Lowering& lowering) {
  const uint32_t word = 4 * *lowering.vertex_count;
  const Value zero = lowering.constant(0);
  const Value count =
      lowering.emit(Op::iadd, {lowering.emit(Op::local_load, {zero}, word), lowering.constant(1)});
  lowering.emit(Op::local_store, {zero, count}, word);
  const Value most = lowering.constant(lowering.module.max_vertex_count);
  lowering.emit_control(Op::if_, {lowering.emit(Op::uge, {count, most})});
  lowering.emit_control(Op::return_);
  lowering.reachable = false;
  lowering.emit_control(Op::else_);
  lowering.reachable = true;
  lowering.emit_control(Op::endif);
}

}  // namespace

// "Execution of that invocation terminates" when it has emitted as many vertices as declared
// (D3D11.3 22.3.5). What it would emit later is dropped by all targets, so it has to end only where something
// else shows that it goes on: views that it writes, or a loop without an end.
void count_vertices(Lowering& lowering) {
  ir::Module& module = lowering.module;
  if (module.stage != ir::Stage::geometry) return;
  const Contents contents(lowering.program);
  if (contents.emissions < module.max_vertex_count || !(contents.writes_views || contents.never_ends)) return;
  lowering.vertex_count = static_cast<uint32_t>(module.locals.size());
  module.locals.push_back({1, 1});
  const Value zero = lowering.constant(0);
  lowering.emit(Op::local_store, {zero, zero}, 4 * *lowering.vertex_count);
}

void lower_emit(Lowering& lowering, const sm4::Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const bool names_stream =
      opcode == Opcode::emit_stream || opcode == Opcode::cut_stream || opcode == Opcode::emit_then_cut_stream;
  const uint32_t stream = names_stream ? lowering.operand(instruction, 0).index[0].immediate : 0;
  const bool cuts = opcode != Opcode::emit && opcode != Opcode::emit_stream;
  if (emits(opcode)) lowering.emit(Op::emit, {}, stream);
  if (cuts) lowering.emit(Op::cut, {}, stream);
  if (emits(opcode) && lowering.vertex_count) end_after_last_vertex(lowering);
}

}  // namespace texlate::lower
