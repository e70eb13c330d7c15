// Raw and structured buffers: guarded global memory. Counters of structured buffers.

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

namespace {

using ir::Slot;

constexpr std::string_view kAtomicNames[] = {"add.u32", "and.b32", "or.b32",  "xor.b32",  "min.s32",
                                             "max.s32", "min.u32", "max.u32", "exch.b32", "cas.b32"};

}  // namespace

bool Emitter::effect_predicate(const Instruction& instruction, TempPred& predicate) {
  const Value guard = slot(instruction, Slot::guard);
  const bool pixel = module_.stage == ir::Stage::pixel || is_stream_;
  if (guard == ir::kNoValue && !pixel) return false;
  predicate = temp_pred();
  if (guard == ir::kNoValue) {
    line("mov.pred ", predicate, ", %live");
  } else if (pixel) {
    line("and.pred ", predicate, ", ", Pred{guard}, ", %live");
  } else {
    line("mov.pred ", predicate, ", ", Pred{guard});
  }
  return true;
}

// address + index * stride + offset, in 64 bits: Direct3D's reference does not wrap
// (docs/reference/direct3d.md 1.3, Structured).
void Emitter::emit_buffer(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const Temp64 address = handle(instruction, false);
  const Value index = slot(instruction, Slot::coordinate0);
  const Temp64 offset = temp64();
  if (contract.dimension == ir::Dimension::raw_buffer) {
    line("cvt.u64.u32 ", offset, ", ", Int{index});
    line("add.u64 ", address, ", ", address, ", ", offset);
  } else {
    line("mul.wide.u32 ", offset, ", ", Int{index}, ", ", resource.stride);
    line("add.u64 ", address, ", ", address, ", ", offset);
    const Temp64 within = temp64();
    line("cvt.u64.u32 ", within, ", ", Int{slot(instruction, Slot::byte_offset)});
    line("add.u64 ", address, ", ", address, ", ", within);
  }
  if (instruction.op == Op::buf_load) {
    preset_results(instruction, 4);
    put_guard(instruction);
    const std::string_view space = !resource.is_uav             ? "ld.global.nc.b32 "
                                   : resource.globally_coherent ? "ld.volatile.global.b32 "
                                                                : "ld.global.b32 ";
    put(space);
    put(Int{instruction.first_result});
    put(", [");
    put(address);
    put("];\n");
    if (contract.feedback) line("mov.b32 ", Int{instruction.first_result + 4}, ", -1");
    return;
  }
  if (instruction.op == Op::buf_atomic) return emit_global_atomic(instruction, address);
  TempPred effective{0};
  const bool predicated = effect_predicate(instruction, effective);
  put('\t');
  if (predicated) {
    put('@');
    put(effective);
    put(' ');
  }
  put(resource.globally_coherent ? "st.volatile.global.b32 [" : "st.global.b32 [");
  put(address);
  put("], ");
  put(Int{slot(instruction, Slot::value0)});
  put(";\n");
}

// Guarded off, an atomic does nothing and returns 0.
void Emitter::emit_global_atomic(const Instruction& instruction, Temp64 address) {
  const ir::ResourceAccess& contract = access(instruction);
  TempPred effective{0};
  const bool predicated = effect_predicate(instruction, effective);
  const bool returns = is_used(instruction.first_result);
  if (predicated && returns) line("mov.b32 ", Int{instruction.first_result}, ", 0");
  put('\t');
  if (predicated) {
    put('@');
    put(effective);
    put(' ');
  }
  // red has no exchange and no compare.
  const bool reduction = !returns && contract.atomic != ir::AtomicOp::exchange &&
                         contract.atomic != ir::AtomicOp::compare_exchange;
  put(reduction ? "red.global." : "atom.global.");
  put(kAtomicNames[static_cast<uint32_t>(contract.atomic)]);
  put(' ');
  if (!reduction) {
    put(Int{instruction.first_result});
    put(", ");
  }
  put('[');
  put(address);
  put("], ");
  if (contract.atomic == ir::AtomicOp::compare_exchange) {
    put(Int{slot(instruction, Slot::compare)});
    put(", ");
  }
  put(Int{slot(instruction, Slot::value0)});
  put(";\n");
}

// alloc returns the count before, consume the count after; both wrap (docs/reference/direct3d.md 1.4).
void Emitter::emit_counter(const Instruction& instruction) {
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  const Temp64 address = temp64();
  load_field(address, resource_record(instruction), record::kCounter);
  TempPred effective{0};
  const bool predicated = effect_predicate(instruction, effective);
  const Value result = instruction.first_result;
  // A view without the counter that the shader wants: Direct3D leaves the result undefined and memory alone.
  const TempPred counts = temp_pred();
  if (predicated) {
    line("setp.ne.and.u64 ", counts, ", ", address, ", 0, ", effective);
  } else {
    line("setp.ne.u64 ", counts, ", ", address, ", 0");
  }
  line("mov.b32 ", Int{result}, ", ", alloc ? 0u : 1u);
  put("\t@");
  put(counts);
  put(' ');
  put("atom.global.add.u32 ");
  put(Int{result});
  put(", [");
  put(address);
  put(alloc ? "], 1;\n" : "], -1;\n");
  if (!alloc) line("add.u32 ", Int{result}, ", ", Int{result}, ", -1");
}

}  // namespace texlate::ptx
