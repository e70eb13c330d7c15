// tex and tld4 (PTX ISA 9.7.10): bindless handles from the parameter block, guards as predicates over preset
// results, so that the hardware never gets a request that the ISA leaves undefined.

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
  const ir::ResourceAccess& contract = access(instruction);
  if (function_ != nullptr) {
    const Temp64 result = temp64();
    line("mov.u64 ", result, ", %object");
    return result;
  }
  if (!sampled) {
    const Record record = resource_record(instruction);
    return field64(record, record::kHandle);
  }
  for (const SampledPair& pair : layout_.pairs) {
    if (pair.resource != contract.resource || pair.sampler != contract.sampler) continue;
    const Record record = find_pair(pair, instruction);
    return field64(record, 0);
  }
  refuse(instruction, "a texture and sampler pair that has no handle");
  return {};
}

Record Emitter::find_pair(const SampledPair& pair, const Instruction& instruction) {
  const Value resource_index = slot(instruction, Slot::resource_index);
  const Value sampler_index = slot(instruction, Slot::sampler_index);
  if (pair.is_table) return find_pair_in_table(pair, resource_index, sampler_index);
  Record record = find_record(pair.offset, 8 * range_size(module_.samplers[pair.sampler]), resource_index);
  if (sampler_index == ir::kNoValue) return record;
  const Record within = find_record(0, 8, sampler_index);
  if (!within.dynamic) {
    record.base += within.base;
  } else if (!record.dynamic) {
    record = {record.base, true, within.pointer};
  } else {
    // pointer + (other pointer - start of the block)
    const Temp64 start = temp64();
    line("mov.u64 ", start, ", ", block());
    line("sub.u64 ", start, ", ", within.pointer, ", ", start);
    line("add.u64 ", record.pointer, ", ", record.pointer, ", ", start);
  }
  return record;
}

// Textures by samplers; the host gives their numbers. A sampler index out of range selects the last one: it
// is undefined in Direct3D.
Record Emitter::find_pair_in_table(const SampledPair& pair, Value resource_index, Value sampler_index) {
  const Record place{pair.offset};
  const auto put_index = [&](Temp into, Value index) {
    if (index == ir::kNoValue) return line("mov.u32 ", into, ", 0");
    line("mov.u32 ", into, ", ", Int{index});
  };
  const Temp texture = temp(), sampler = temp(), textures = temp(), samplers = temp(), last = temp();
  put_index(texture, resource_index);
  put_index(sampler, sampler_index);
  load_field("u32", textures, place, table_record::kCount);
  load_field("u32", samplers, place, table_record::kSamplers);
  line("max.u32 ", last, ", ", samplers, ", 1");
  line("sub.u32 ", last, ", ", last, ", 1");
  line("min.u32 ", sampler, ", ", sampler, ", ", last);
  const TempPred inside = temp_pred();
  line("setp.lt.u32 ", inside, ", ", texture, ", ", textures);
  line("mad.lo.u32 ", texture, ", ", texture, ", ", samplers, ", ", sampler);
  Record record{0, true, temp64(), true};
  const Temp64 offset = temp64();
  const Temp64 unbound = temp64();
  load_field(record.pointer, place, table_record::kAddress);
  line("mul.wide.u32 ", offset, ", ", texture, ", 8");
  line("add.u64 ", record.pointer, ", ", record.pointer, ", ", offset);
  line("mov.u64 ", unbound, ", texlate_unbound");
  line("selp.b64 ", record.pointer, ", ", record.pointer, ", ", unbound, ", ", inside);
  needs_unbound_ = true;
  return record;
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

// {x}, {x, y}, {layer, x, y, y}, {x, y, z, z}, {layer, x, y, z}: vectors of 1, 2 or 4
// (docs/reference/ptx.md 1.2).
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
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather: return emit_texel_access(instruction);
    case Op::mapped:
      return line("setp.ne.u32 ", Pred{instruction.first_result}, ", ", Int{operand(instruction, 0)}, ", 0");
    case Op::tex_lod:
    case Op::tex_size:
    case Op::tex_samples:
    case Op::sample_position:
#define IR_COVERED_texture
#include "ir/op_cases.inc"
      return refuse(instruction, "a query that is not legalized");
  }
}

void Emitter::emit_texel_access(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool fetch = instruction.op == Op::tex_fetch;
  // The texel that a direction points at: a point sample of the view's own object.
  const bool by_direction = fetch && ir::is_cube(contract.dimension);
  const bool gather = instruction.op == Op::tex_gather;
  const std::string_view shape = geometry(contract.dimension);
  const bool compares = contract.compare && options_.native_compare;
  if (instruction.op == Op::tex_sample && contract.compare && !compares && contract.lod == ir::LodRule::level)
    return emit_compare_call(instruction);
  if (shape.empty() || contract.compare != compares || contract.lod == ir::LodRule::implicit ||
      contract.lod == ir::LodRule::bias || contract.lod == ir::LodRule::zero) {
    return refuse(instruction, "an access that is not legalized");
  }
  if (contract.feedback && options_.sm < kLeastTargetOfResidency)
    return refuse(instruction, "residency feedback before sm_60");
  const Temp64 object = handle(instruction, !fetch);
  preset_results(instruction, 4);
  Temp level_of_direction{0};
  if (by_direction) {
    level_of_direction = temp();
    line("cvt.rn.f32.u32 ", level_of_direction, ", ", Int{slot(instruction, Slot::lod)});
  }
  TempPred resident{0};
  if (contract.feedback) {
    resident = temp_pred();
    line("setp.eq.u32 ", resident, ", 0, 0");  // what is not read is not missing
    needs_residency_ = true;
  }
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
  put(fetch && !by_direction ? ".s32 " : ".f32 ");
  put_results(instruction);
  if (contract.feedback) {
    put('|');
    put(resident);
  }
  put(", [");
  put(object);
  put(", ");
  put_coordinates(instruction, !fetch || by_direction);
  put(']');
  if (contract.lod == ir::LodRule::level) {
    put(", ");
    const Value level = slot(instruction, Slot::lod);
    if (by_direction) {
      put(level_of_direction);
    } else if (fetch) {
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
    // The whole tuple: ptxas accepts a scalar offset on 2D and then loses it (docs/reference/ptx.md 1.2,
    // miscompile 4).
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
  if (compares) {
    put(", ");
    put(Float{slot(instruction, Slot::reference)});
  }
  put(";\n");
  // The result of a comparison is one number; the ISA does not specify the other components.
  for (uint32_t i = 1; compares && !gather && i < 4; ++i) {
    if (is_used(instruction.first_result + i))
      line("mov.b32 ", Int{instruction.first_result + i}, ", ", Int{instruction.first_result});
  }
  if (contract.feedback) line("selp.b32 ", Int{instruction.first_result + 4}, ", -1, 0, ", resident);
}

}  // namespace texlate::ptx
