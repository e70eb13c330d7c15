#include <array>
#include <bit>
#include <utility>

#include "backend/ptx/families.h"

namespace texlate::ptx {

namespace {

using ir::Dimension;
using ir::Slot;

std::string_view geometry(Dimension dimension) {
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

uint32_t Surfaces::texel_bytes(uint16_t resource) const {
  return launch::surface_format(module_, layout_, options_.surface_formats, resource).texel_bytes();
}

// Address of the texel in linear memory: base + z * slice pitch + y * row pitch + x * texel size.
Temp64 Surfaces::linear_address(const Instruction& instruction, uint32_t bytes) {
  const ir::ResourceAccess& contract = access(instruction);
  const Record record = records_.resource_of(instruction);
  Temp64 address = records_.handle(instruction);
  const auto add = [&](Value coordinate, auto size) {
    if (module_.is_constant(coordinate, 0)) return;
    const Temp64 offset = temp64();
    const Temp64 before = std::exchange(address, temp64());
    line("mul.wide.u32 ", offset, ", ", Int{coordinate}, ", ", size);
    line("add.u64 ", address, ", ", before, ", ", offset);
  };
  add(slot(instruction, Slot::coordinate0), bytes);
  if (contract.dimension == Dimension::buffer) return address;
  const auto add_pitch = [&](Value coordinate, uint32_t field) {
    if (coordinate != ir::kNoValue && !module_.is_constant(coordinate, 0))
      add(coordinate, records_.field32(record, field));
  };
  add_pitch(slot(instruction, Slot::coordinate1), record::kRowPitch);
  add_pitch(contract.dimension == Dimension::texture3d ? slot(instruction, Slot::coordinate2)
                                                       : slot(instruction, Slot::layer),
            record::kSlicePitch);
  return address;
}

// [place], or [surface, {x in bytes, y ...}].
void Surfaces::put_place(const Instruction& instruction, const Texels& texels) {
  put('[', texels.place);
  if (texels.linear) return put(']');
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
  if (instruction.op == Op::surf_atomic) {
    const uint32_t bytes = texel_bytes(access(instruction).resource);
    return emit_global_atomic(instruction, linear_address(instruction, bytes));
  }
  if (access(instruction).type != ir::ComponentType::none)
    return refuse(instruction, "an access whose texels are not packed");
  instruction.op == Op::surf_load ? emit_load(instruction) : emit_store(instruction);
}

Surfaces::Texels Surfaces::find_texels(const Instruction& instruction) {
  const uint16_t resource = access(instruction).resource;
  Texels texels;
  texels.bytes = texel_bytes(resource);
  texels.linear = layout_.forms[resource] == BindingForm::memory;
  texels.coherent = module_.resources[resource].globally_coherent;
  if (texels.linear) {
    texels.place = linear_address(instruction, texels.bytes);
    return texels;
  }
  texels.place = records_.handle(instruction);
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
  put('\t', guard_of(instruction));
  if (texels.linear) {
    put(texels.coherent ? "ld.volatile.global." : "ld.global.", access_type(texels.bytes), ' ');
  } else {
    put("suld.b.", geometry(contract.dimension), '.', access_type(texels.bytes), ".zero ");
  }
  narrow ? put(narrow_word, ", ") : put(Words{first, count}, ", ");
  put_place(instruction, texels);
  put(";\n");
  if (narrow) line("cvt.u32.u16 ", Int{first}, ", ", narrow_word);
  if (contract.feedback) line("mov.b32 ", Int{first + 4}, ", -1");
}

void Surfaces::emit_store(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t count = static_cast<uint32_t>(std::popcount(contract.component_mask));
  const Texels texels = find_texels(instruction);
  const bool narrow = texels.bytes < 4;
  const Half narrow_word = narrow ? text_.half() : Half{0};
  if (narrow) line("cvt.u16.u32 ", narrow_word, ", ", Int{slot(instruction, Slot::value0)});
  std::array<Temp, 4> words;  // the constant words
  for (uint32_t i = 0; i < count && !narrow; ++i) {
    const Value value = slot(instruction, Slot::value0 + i);
    if (!module_.is_constant(value)) continue;
    words[i] = temp();
    line("mov.b32 ", words[i], ", ", Int{value});
  }
  const Effect effect = effect_of(instruction);
  put_condition(effect);
  if (texels.linear) {
    put(texels.coherent ? "st.volatile.global." : "st.global.", access_type(texels.bytes), ' ');
  } else {
    put("sust.b.", geometry(contract.dimension), '.', access_type(texels.bytes), ".zero ");
  }
  put_place(instruction, texels);
  put(count > 1 ? ", {" : ", ");
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) put(", ");
    const Value value = slot(instruction, Slot::value0 + i);
    if (narrow) {
      put(narrow_word);
    } else {
      module_.is_constant(value) ? put(words[i]) : put(Int{value});
    }
  }
  put(count > 1 ? "};\n" : ";\n");
}

}  // namespace texlate::ptx
