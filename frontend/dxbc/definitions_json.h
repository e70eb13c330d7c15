// The definitions of chunk RDEF as JSON, for `texlate info --json` (docs/frontend.md).
#pragma once

#include "frontend/dxbc/resource_definitions.h"
#include "ir/base/json_writer.h"

namespace texlate::dxbc {

/// Writes the member "definitions" into the open object; `written` is the string of the writer. Types are
/// written where they are used: once more than `max_size` bytes have been written, the rest is left out and
/// "complete" is false.
void write_definitions(const Definitions& definitions, const std::pmr::string& written, size_t max_size,
                       JsonWriter& json);

}  // namespace texlate::dxbc
