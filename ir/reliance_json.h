// What a translation relies on, in reflections.
#pragma once

#include "ir/base/json_writer.h"
#include "ir/known_state.h"

namespace texlate::ir {

/// Writes the member "relies_on" into the open object: an array with an object for each fact of a register,
/// for each known row of a constant buffer, for each number of rows, and for each format of a typed view.
/// Nothing if the code relies on nothing.
void write_reliance(JsonWriter& json, const Reliance& reliance);

}  // namespace texlate::ir
