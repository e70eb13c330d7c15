#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

void GraphicsHost::begin() {
  Host::begin();
  if (is_stream()) attributes_.begin();
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

}  // namespace texlate::maxwell::select
