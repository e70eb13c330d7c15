// The guards that the legalize_* passes added, and why, for `--explain`.
#pragma once

#include <memory_resource>
#include <string>

#include "ir/module.h"

namespace texlate::ir {

enum class Gap : uint8_t {
  // Textures, surfaces, buffers (legalize_texture)
  offset,
  coordinate_range,
  slice_range,
  level_range,
  sample_range,
  structure_range,
  unbound,
  bound_by_host,
  missing_components,
  conversion,
  stored_range,
  implicit_level,
  level_in_code,
  bias,
  anisotropy,
  level_zero,
  lod_clamp,
  lod_clamp_range,
  layer_rounding,
  comparison,
  run_time_offset,
  dimension,
  query,
  // The shader's own memory, registers indexed at run time (legalize_memory)
  row_range,
  alignment,
  register_index,
  descriptor_index,
  // Arithmetic (legalize_arithmetic)
  zero_divisor,
  shift_count,
  field_range,
  field_end,
  below_one,
  saturation,
  nan_to_integer,
  nan_operand,
  toward_zero,
  half_denormal,
  one_rounding,
  sign_bit,
  angle_range,
  // The output merger (limit_depth)
  depth_limit,
  depth_range,
  // Last
  expansion,
};

/// The texts for a gap: phrases for the middle of a sentence.
struct GapText {
  std::string_view name;                      // in JSON: lower case, with underscores
  std::string_view promise;                   // what Direct3D promises and the target's document does not
  std::string_view done;                      // how the code closes the gap
  std::string_view lack = "not promised by";  // or, of an operation that does not exist: "not in"
};
const GapText& text_of(Gap gap);

struct ClosedGap {
  SourceLocation location;
  Op op = Op::return_;
  Gap gap = Gap::offset;
  bool has_dimension = false;
  Dimension dimension = Dimension::buffer;  // Direct3D's, of a resource access
  std::string_view source;                  // the document that does not promise it
  /// Bit BindingFact: what the host said about a register (constant buffers: its rows), so that the gap needs
  /// no code; 0: code closes it.
  uint32_t known = 0;
  RegisterFile known_of = RegisterFile::resource;
  uint32_t known_register = 0;  // the number in its name
};

/// One line for a person, without location: "<op>: <what was done> (<lack> <document>)", or, if known state
/// made code unnecessary, "<op>: no guard is needed for <what>, because <facts> are known".
void explain(const ClosedGap& gap, std::pmr::string& out);

/// One JSON object; docs/explain.md lists its members.
void explain_json(const ClosedGap& gap, std::pmr::string& out);

}  // namespace texlate::ir
