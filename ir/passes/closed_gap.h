// What the legalize_* passes did between Direct3D's contract and a target's guarantee, for `--explain`.
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
  unbound,
  missing_components,
  conversion,
  implicit_level,
  level_by_hand,
  bias,
  level_zero,
  lod_clamp,
  layer_rounding,
  comparison,
  run_time_offset,
  dimension,
  query,
  // The shader's own memory, registers by number (legalize_memory)
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
  sign_bit,
  angle_range,
  expansion,
};

/// How a gap is spoken of: all three are phrases for the middle of a sentence.
struct GapText {
  std::string_view name;     // in JSON: lower case, with underscores
  std::string_view promise;  // what Direct3D promises and the target's document does not
  std::string_view done;     // what stands in the code for it
};
const GapText& text_of(Gap gap);

struct ClosedGap {
  SourceLocation location;
  Op op = Op::return_;
  Gap gap = Gap::offset;
  bool has_dimension = false;
  Dimension dimension = Dimension::buffer;  // Direct3D's, of a resource access
  std::string_view source;                  // the document that is silent
};

/// One line for a person, without location: "<op>: <what was done> (<promise> is not promised by
/// <document>)".
void explain(const ClosedGap& gap, std::pmr::string& out);

/// One object of JSON: docs/explain.md says which members it has.
void explain_json(const ClosedGap& gap, std::pmr::string& out);

}  // namespace texlate::ir
