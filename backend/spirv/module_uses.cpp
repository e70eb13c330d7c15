#include "backend/spirv/module_uses.h"

#include "ir/base/zeroed.h"

namespace texlate::spirv {

using ir::Op;

void survey(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena, ModuleUses& uses) {
  uses.has_atomics = zeroed<uint8_t>(arena, module.resources.size());
  uses.is_read = zeroed<uint8_t>(arena, module.resources.size());
  uses.is_written = zeroed<uint8_t>(arena, module.resources.size());
  uses.shared_atomics = zeroed<uint8_t>(arena, module.shared.size());
  const uint32_t count = static_cast<uint32_t>(module.code.size());
  for (uint32_t i = 0; i < count; ++i) {
    const ir::Instruction& instruction = module.code[i];
    const Op op = instruction.op;
    if (op == Op::cb_load) uses.constant_loads.push_back(i);
    if (reads_entry(instruction)) uses.entry_reads.push_back(i);
    if (op == Op::shared_atomic) uses.shared_atomics[instruction.payload / 16] = 1;
    if (!ir::info(op).has(ir::kResource)) continue;
    const uint16_t resource = module.access_of(instruction).resource;
    if (op == Op::buf_atomic || op == Op::surf_atomic)
      uses.has_atomics[resource] = uses.is_read[resource] = uses.is_written[resource] = 1;
    if (op == Op::buf_load || op == Op::surf_load) uses.is_read[resource] = 1;
    if (op == Op::buf_store || op == Op::surf_store) uses.is_written[resource] = 1;
  }
}

}  // namespace texlate::spirv
