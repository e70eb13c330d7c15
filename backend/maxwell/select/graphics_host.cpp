#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

/// Hull, domain and geometry programs.
bool GraphicsHost::has_primitives() const {
  return module_.stage == ir::Stage::hull || module_.stage == ir::Stage::domain ||
         module_.stage == ir::Stage::geometry;
}

void GraphicsHost::begin() {
  Host::begin();
  if (!is_stream()) return;
  attributes_.begin();
  if (has_primitives()) primitives_.begin();
}

void GraphicsHost::leave() {
  switch (module_.stage) {
    case ir::Stage::hull: return phases_.leave();
    case ir::Stage::pixel: return attributes_.exit_pixel();
    case ir::Stage::geometry: return primitives_.exit_geometry();
    case ir::Stage::vertex:
    case ir::Stage::domain: attributes_.store_outputs(); break;
    case ir::Stage::compute: break;
  }
  assembler_.builder().exit();
}

void GraphicsHost::select_binding(const ir::Instruction& instruction) {
  if (instruction.op == Op::specialized) return refuse(instruction, "a specialization constant");
  if (instruction.op == Op::address) return slots_.select_address(instruction);
  slots_.select_fact(instruction);
}

void GraphicsHost::select_constant_buffer(const ir::Instruction& instruction) {
  if (instruction.op == Op::cb_rows) return refuse(instruction, "the size of a uniform buffer");
  slots_.select_uniform(instruction);
}

void GraphicsHost::select_input(const ir::Instruction& instruction) {
  if (!is_used(instruction.first_result)) return;
  if (instruction.has(ir::kVertexOperand)) return primitives_.select_vertex_attribute(instruction);
  attributes_.select_input(instruction);
}

void GraphicsHost::select_stream_value(const ir::Instruction& instruction, SystemValue value) {
  if (value == SystemValue::coverage) return attributes_.select_coverage(instruction);
  if (module_.stage == ir::Stage::pixel) return refuse(instruction, "this system value");
  primitives_.select_value(instruction, value);
}

void GraphicsHost::select_raster_samples(const ir::Instruction& instruction) {
  refuse(instruction, "the number of the render target's samples");
}

void GraphicsHost::select_patch_input(const ir::Instruction& instruction) {
  if (is_used(instruction.first_result)) primitives_.select_patch_input(instruction);
}

void GraphicsHost::select_patch_output(const ir::Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand)) return select_indexed_output(instruction);
  variables_.set(Variables::assigned_payload(instruction), word(operand(instruction, 0)));
}

void GraphicsHost::select_control_point(const ir::Instruction& instruction) {
  if (is_used(instruction.first_result)) primitives_.select_vertex_attribute(instruction);
}

}  // namespace texlate::maxwell::select
