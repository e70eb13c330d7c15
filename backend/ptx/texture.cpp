#include <algorithm>

#include "backend/ptx/families.h"

namespace texlate::ptx {

namespace {

/// tex and tld4 with a residency predicate (PTX ISA 9.7.10.3, 9.7.10.4).
constexpr uint32_t kLeastTargetOfResidency = 60;

using ir::Dimension;
using ir::LodRule;
using ir::Slot;

std::string_view result_type(ir::ComponentType type) {
  switch (type) {
    case ir::ComponentType::uint: return "u32";
    case ir::ComponentType::sint: return "s32";
    default: return "f32";
  }
}

}  // namespace

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

// {x}, {x, y}, {layer, x, y, y}, {x, y, z, z}, {layer, x, y, z}: vectors of 1, 2 or 4
// (docs/reference/ptx.md 1.2).
void Textures::put_coordinates(const Instruction& instruction, bool is_float) {
  const Dimension dimension = access(instruction).dimension;
  const auto put_coordinate = [&](uint32_t i) {
    const Value value = slot(instruction, Slot::coordinate0 + i);
    is_float ? put(Float{value}) : put(Int{value});
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
    put_coordinate(i);
  }
  if (count == 3) {
    put(", ");
    put_coordinate(axes - 1);
  }
  put('}');
}

void Textures::emit(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather: return emit_texel_access(instruction);
    case Op::mapped:
      return line("setp.eq.u32 ", Pred{instruction.first_result}, ", ", Int{operand(instruction, 0)}, ", 0");
    case Op::tex_lod:
    case Op::tex_size:
    case Op::tex_samples:
    case Op::sample_position:
#define IR_COVERED_texture
#include "ir/op_cases.inc"
      return refuse(instruction, "a query that is not legalized");
  }
}

void Textures::put_level(const Instruction& instruction, bool is_float) {
  const ir::ResourceAccess& contract = access(instruction);
  if (contract.lod == LodRule::level) {
    const Value level = slot(instruction, Slot::lod);
    return is_float ? put(", ", Float{level}) : put(", ", Int{level});
  }
  if (contract.lod != LodRule::gradient) return;
  for (Slot first : {Slot::ddx0, Slot::ddy0}) {
    for (uint32_t i = 0; i < ir::coordinate_count(contract.dimension); ++i)
      put(i == 0 ? ", {" : ", ", Float{slot(instruction, first + i)});
    put('}');
  }
}

/// The whole tuple: ptxas accepts a scalar offset on 2D and then loses it (docs/reference/ptx.md 1.2,
/// miscompile 4).
void Textures::put_offset(const ir::ResourceAccess& contract) {
  const uint32_t axes = ir::coordinate_count(contract.dimension);
  for (uint32_t i = 0; i < (axes == 3 ? 4u : axes); ++i) {
    put(i == 0 ? ", {" : ", ");
    const int offset = contract.offset[std::min(i, axes - 1)];
    if (offset < 0) put('-');
    put(static_cast<uint32_t>(offset < 0 ? -offset : offset));
  }
  put('}');
}

void Textures::emit_texel_access(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool fetch = instruction.op == Op::tex_fetch;
  // The texel that a direction points at: a point sample of the view's own object.
  const bool by_direction = fetch && ir::is_cube(contract.dimension);
  const bool gather = instruction.op == Op::tex_gather;
  const std::string_view shape = geometry(contract.dimension);
  const bool compares = contract.compare && options_.own.native_compare;
  if (instruction.op == Op::tex_sample && contract.compare && !compares && contract.lod == LodRule::level)
    return functions_.emit_call(instruction);
  if (shape.empty() || contract.compare != compares || contract.lod == LodRule::implicit ||
      contract.lod == LodRule::bias || contract.lod == LodRule::zero) {
    return refuse(instruction, "an access that is not legalized");
  }
  if (contract.feedback && options_.sm < kLeastTargetOfResidency)
    return refuse(instruction, "residency feedback before sm_60");
  const Temp64 object = records_.handle(instruction, !fetch);
  preset_results(instruction, 4);
  Temp level_of_direction{0};
  if (by_direction) {
    level_of_direction = temp();
    line("cvt.rn.f32.u32 ", level_of_direction, ", ", Int{slot(instruction, Slot::lod)});
  }
  TempPred resident{0};
  if (contract.feedback) {
    resident = temp_pred();
    line("setp.eq.u32 ", resident, ", 0, 0");  // if nothing is read, nothing is missing
    core_.needs_residency = true;
  }
  put('\t', guard_of(instruction));
  if (gather) {
    put("tld4.", "rgba"[contract.gather_component], '.', shape, ".v4.");
  } else {
    put(contract.lod == LodRule::level      ? "tex.level"
        : contract.lod == LodRule::gradient ? "tex.grad"
                                            : "tex");
    put('.', shape, ".v4.");
  }
  const bool is_float = !fetch || by_direction;
  put(result_type(contract.type), is_float ? ".f32 " : ".s32 ", Words{instruction.first_result, 4});
  if (contract.feedback) put('|', resident);
  put(", [", object, ", ");
  put_coordinates(instruction, is_float);
  put(']');
  if (by_direction) {
    put(", ", level_of_direction);
  } else {
    put_level(instruction, is_float);
  }
  if (contract.has_offset) put_offset(contract);
  if (compares) put(", ", Float{slot(instruction, Slot::reference)});
  put(";\n");
  // The result of a comparison is one number; the ISA does not specify the other components.
  if (compares && !gather) copy_comparison(instruction);
  if (contract.feedback) line("selp.b32 ", Int{instruction.first_result + 4}, ", 0, -1, ", resident);
}

}  // namespace texlate::ptx
