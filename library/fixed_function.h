// State of Direct3D 9's pipeline that later versions leave to shaders: alpha test, clip planes, fog. It
// becomes part of the program before the program is lowered, so all targets have it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "frontend/sm4/program.h"

namespace texlate::library {

/// A number, or four, that the host gives: now, or in a constant buffer of its own.
struct StateValue {
  std::array<uint32_t, 4> bits{};  // if `in_buffer` is false
  bool in_buffer = false;
  uint32_t buffer = 0, space = 0;  // cb#, which the program must not declare itself
  uint32_t offset = 0;             // in bytes; of four numbers: a multiple of 16
};

/// D3DCMPFUNC, D3DFOGMODE and D3DRENDERSTATETYPE have these numbers.
enum class CompareFunction : uint8_t {
  none,
  never,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  always
};
enum class FogMode : uint8_t { none, exp, exp2, linear };
/// What the fog factor depends on: FOG, or COLOR1.w if the shader writes no FOG; z or w of the position.
enum class FogSource : uint8_t { fog, fog_or_specular, z, w };

struct FixedFunction {
  // Pixel shaders
  CompareFunction alpha_function = CompareFunction::none;
  bool alpha_is_uint = false;
  StateValue alpha_reference;
  FogMode fog_mode = FogMode::none;
  StateValue fog_color, fog_end, fog_scale;
  // Vertex shaders
  uint32_t clip_mask = 0;
  std::array<StateValue, 8> clip_planes;
  // Vertex and domain shaders
  FogSource fog_source = FogSource::fog;
};

/// Whether the state changes shaders of this stage.
bool applies(const FixedFunction& state, sm4::Stage stage);

/// A value of the state, with its name in texlate_fixed_function.
struct NamedStateValue {
  std::string name;
  const StateValue* value;
};
/// Those that shaders of this stage read.
std::vector<NamedStateValue> values_of(const FixedFunction& state, sm4::Stage stage);

/// The program with what the state says at every return, or null with errors. The program is valid
/// (sm4::validate).
std::optional<sm4::Program> with_fixed_function(const sm4::Program& program, const FixedFunction& state,
                                                Diagnostics& diagnostics);

}  // namespace texlate::library
