#include <array>
#include <bit>

#include "backend/ptx/families.h"

namespace texlate::ptx {

namespace {

using ir::Dimension;
using ir::Slot;

std::string_view surface_geometry(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture2d: return "2d";
    case Dimension::texture2d_array: return "a2d";
    case Dimension::texture3d: return "3d";
    default: return {};
  }
}

/// ".b8", ".b16", ".b32", ".v2.b32", ".v4.b32"
std::string_view access_type(uint32_t texel_bytes) {
  switch (texel_bytes) {
    case 1: return "b8";
    case 2: return "b16";
    case 4: return "b32";
    case 8: return "v2.b32";
    default: return "v4.b32";
  }
}

}  // namespace

// [surface, {x in bytes, y ...}].
void Surfaces::put_place(const Instruction& instruction, const Texels& texels) {
  put('[', texels.surface);
  const Dimension dimension = access(instruction).dimension;
  const Int y{slot(instruction, Slot::coordinate1)};
  put(", {");
  if (dimension == Dimension::texture2d_array) put(Int{slot(instruction, Slot::layer)}, ", ");
  put(texels.x, ", ", y);
  if (dimension == Dimension::texture3d) {
    const Int z{slot(instruction, Slot::coordinate2)};
    put(", ", z, ", ", z);
  } else if (dimension == Dimension::texture2d_array) {
    put(", ", y);
  }
  put("}]");
}

void Surfaces::emit(const Instruction& instruction) {
  if (access(instruction).type != ir::ComponentType::none)
    return refuse(instruction, "an access whose texels are not packed");
  instruction.op == Op::surf_load ? emit_load(instruction) : emit_store(instruction);
}

Surfaces::Texels Surfaces::find_texels(const Instruction& instruction) {
  Texels texels;
  texels.bytes = module_.resources[access(instruction).resource].stride;
  texels.surface = records_.handle(instruction);
  // The guard has compared x in texels, so x times the size cannot wrap back into range.
  texels.x = temp();
  line("mul.lo.u32 ", texels.x, ", ", Int{slot(instruction, Slot::coordinate0)}, ", ", texels.bytes);
  return texels;
}

void Surfaces::emit_load(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Value first = instruction.first_result;
  const uint32_t count = static_cast<uint32_t>(std::popcount(contract.component_mask));
  const Texels texels = find_texels(instruction);
  const bool narrow = texels.bytes < 4;
  const Half narrow_word = narrow ? text_.half() : Half{0};
  if (!narrow) {
    preset_results(instruction, count);
  } else if (contract.has(Slot::guard)) {
    line("mov.b16 ", narrow_word, ", 0");
  }
  put('\t', guard_of(instruction), "suld.b.", surface_geometry(contract.dimension), '.');
  put(access_type(texels.bytes), ".zero ");
  narrow ? put(narrow_word, ", ") : put(Words{first, count}, ", ");
  put_place(instruction, texels);
  put(";\n");
  if (narrow) line("cvt.u32.u16 ", Int{first}, ", ", narrow_word);
}

void Surfaces::emit_store(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t count = static_cast<uint32_t>(std::popcount(contract.component_mask));
  const Texels texels = find_texels(instruction);
  const bool narrow = texels.bytes < 4;
  const Half narrow_word = narrow ? text_.half() : Half{0};
  if (narrow) line("cvt.u16.u32 ", narrow_word, ", ", Int{slot(instruction, Slot::value0)});
  const auto constants = load_constants(instruction, 0, narrow ? 0 : count);
  const Effect effect = effect_of(instruction);
  put_condition(effect);
  put("sust.b.", surface_geometry(contract.dimension), '.', access_type(texels.bytes), ".zero ");
  put_place(instruction, texels);
  put(", ");
  narrow ? end_line(narrow_word) : put_stored(instruction, 0, count, &constants);
}

}  // namespace texlate::ptx
