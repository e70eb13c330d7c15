// tex and tld4 (PTX ISA 9.7.10): bindless handles from the parameter block, guards as predicates over preset
// results, so that the hardware never sees a request that the ISA leaves undefined.

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

namespace {

using ir::Dimension;
using ir::Slot;

std::string_view geometry(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer: return "1d";
    case Dimension::texture2d: return "2d";
    case Dimension::texture2d_array: return "a2d";
    case Dimension::texture3d: return "3d";
    case Dimension::texture_cube: return "cube";
    case Dimension::texture_cube_array: return "acube";
    default: return {};  // legalize_texture put another dimension in their place
  }
}

std::string_view result_type(ir::ComponentType type) {
  switch (type) {
    case ir::ComponentType::uint: return "u32";
    case ir::ComponentType::sint: return "s32";
    default: return "f32";
  }
}

}  // namespace

/// The handle: the resource's own for fetches, that of the (t#, s#) pair for samples.
Temp64 Emitter::handle(const Instruction& instruction, bool sampled) {
  const Temp64 result = temp64();
  const ir::ResourceAccess& contract = access(instruction);
  if (!sampled) {
    load_field(result, resource_record(instruction), record::kHandle);
    return result;
  }
  for (const SampledPair& pair : layout_.pairs) {
    if (pair.resource != contract.resource || pair.sampler != contract.sampler) continue;
    const uint32_t samplers = range_size(module_.samplers[pair.sampler]);
    const Value resource_index = slot(instruction, Slot::resource_index);
    const Value sampler_index = slot(instruction, Slot::sampler_index);
    Record record = find_record(pair.offset, 8 * samplers, resource_index);
    if (sampler_index != ir::kNoValue) {
      const Record within = find_record(0, 8, sampler_index);
      if (!within.dynamic) {
        record.base += within.base;
      } else if (!record.dynamic) {
        record = {record.base, true, within.pointer};
      } else {
        // pointer + (other pointer - start of the block)
        const Temp64 start = temp64();
        line("mov.u64 ", start, ", texlate_params");
        line("sub.u64 ", start, ", ", within.pointer, ", ", start);
        line("add.u64 ", record.pointer, ", ", record.pointer, ", ", start);
      }
    }
    load_field(result, record, 0);
    return result;
  }
  refuse(instruction, "a texture and sampler pair that has no handle");
  return result;
}

void Emitter::preset_results(const Instruction& instruction, uint32_t count) {
  if (!access(instruction).has(Slot::guard)) return;
  for (uint32_t i = 0; i < count; ++i) {
    const Value result = instruction.first_result + i;
    if (!is_used(result)) continue;
    const Value fallback = slot(instruction, Slot::fallback0 + i);
    if (fallback == ir::kNoValue) {
      line("mov.b32 ", Int{result}, ", 0");
    } else {
      line("mov.b32 ", Int{result}, ", ", Int{fallback});
    }
  }
}

void Emitter::put_guard(const Instruction& instruction) {
  put('\t');
  const Value guard = slot(instruction, Slot::guard);
  if (guard == ir::kNoValue) return;
  put('@');
  put(Pred{guard});
  put(' ');
}

void Emitter::put_results(const Instruction& instruction) {
  const Value first = instruction.first_result;
  put('{');
  for (uint32_t i = 0; i < 4; ++i) {
    if (i != 0) put(", ");
    put(Int{first + i});
  }
  put('}');
}

// {x}, {x, y}, {layer, x, y, y}, {x, y, z, z}, {layer, x, y, z}: vectors of 1, 2 or 4 (facts/ptx.md 1.2).
void Emitter::put_coordinates(const Instruction& instruction, bool is_float) {
  const Dimension dimension = access(instruction).dimension;
  auto coordinate = [&](uint32_t i) {
    const Value value = slot(instruction, Slot::coordinate0 + i);
    if (is_float) {
      put(Float{value});
    } else {
      put(Int{value});
    }
  };
  uint32_t count = 0;
  const uint32_t axes = ir::coordinate_count(dimension);
  put('{');
  if (ir::is_array(dimension)) {
    put(Int{slot(instruction, Slot::layer)});
    ++count;
  }
  for (uint32_t i = 0; i < axes; ++i, ++count) {
    if (count != 0) put(", ");
    coordinate(i);
  }
  if (count == 3) {
    put(", ");
    coordinate(axes - 1);
  }
  put('}');
}

void Emitter::emit_texture(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool fetch = instruction.op == Op::tex_fetch;
  const bool gather = instruction.op == Op::tex_gather;
  const std::string_view shape = geometry(contract.dimension);
  if (shape.empty() || contract.compare || contract.feedback || contract.lod == ir::LodRule::implicit ||
      contract.lod == ir::LodRule::bias || contract.lod == ir::LodRule::zero) {
    return refuse(instruction, "an access that is not legalised");
  }
  const Temp64 object = handle(instruction, !fetch);
  preset_results(instruction, 4);
  put_guard(instruction);
  if (gather) {
    put("tld4.");
    put("rgba"[contract.gather_component]);
  } else {
    put(contract.lod == ir::LodRule::level      ? "tex.level"
        : contract.lod == ir::LodRule::gradient ? "tex.grad"
                                                : "tex");
  }
  put('.');
  put(shape);
  put(gather ? "." : ".v4.");
  if (gather) put("v4.");
  put(result_type(contract.type));
  put(fetch ? ".s32 " : ".f32 ");
  put_results(instruction);
  put(", [");
  put(object);
  put(", ");
  put_coordinates(instruction, !fetch);
  put(']');
  if (contract.lod == ir::LodRule::level) {
    put(", ");
    const Value level = slot(instruction, Slot::lod);
    if (fetch) {
      put(Int{level});
    } else {
      put(Float{level});
    }
  } else if (contract.lod == ir::LodRule::gradient) {
    for (Slot first : {Slot::ddx0, Slot::ddy0}) {
      put(", {");
      for (uint32_t i = 0; i < ir::coordinate_count(contract.dimension); ++i) {
        if (i != 0) put(", ");
        put(Float{slot(instruction, first + i)});
      }
      put('}');
    }
  }
  if (contract.has_offset) {
    // The whole tuple: a scalar offset on 2D is accepted by ptxas and then lost (facts/ptx.md 1.2, miscompile
    // 4).
    const uint32_t axes = ir::coordinate_count(contract.dimension);
    put(", {");
    for (uint32_t i = 0; i < (axes == 3 ? 4u : axes); ++i) {
      if (i != 0) put(", ");
      const int offset = contract.offset[std::min(i, axes - 1)];
      if (offset < 0) put('-');
      put(static_cast<uint32_t>(offset < 0 ? -offset : offset));
    }
    put('}');
  }
  put(";\n");
}

}  // namespace texlate::ptx
