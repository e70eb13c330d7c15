#include "backend/launch/compare_body.h"

#include <algorithm>

#include "ir/builder.h"
#include "ir/passes/optimize.h"

namespace texlate::launch {

bool is_same_comparison(const ir::ResourceAccess& a, const ir::ResourceAccess& b) {
  return a.dimension == b.dimension && a.has_offset == b.has_offset &&
         std::ranges::equal(a.offset, b.offset) && a.has(ir::Slot::layer) == b.has(ir::Slot::layer);
}

bool make_compare_body(const ir::ResourceAccess& sample, std::span<const ir::Slot> arguments,
                       const ir::Guarantees& promises, ir::Module& body, Diagnostics& diagnostics) {
  body.stage = ir::Stage::compute;
  ir::Builder builder(body, body.code);
  ir::ResourceAccess contract = sample;
  contract.slots = 0;
  contract.non_uniform = false;
  ir::AccessBuilder access(contract);
  uint32_t argument = 0;
  for (const ir::Slot slot : arguments) {
    if (sample.has(slot)) access.set(slot, builder.emit(ir::Op::input, {}, argument++));
  }
  const ir::Value first = access.emit(builder, ir::Op::tex_sample);
  builder.emit(ir::Op::output, {first}, 0);
  if (!ir::legalize(body, promises, diagnostics)) return false;
  ir::optimize(body);
  return true;
}

}  // namespace texlate::launch
