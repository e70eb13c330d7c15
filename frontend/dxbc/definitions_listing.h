// The buffer definitions and resource bindings in the header of a listing.
#pragma once

#include <memory_resource>
#include <string>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/resource_definitions.h"

namespace texlate::dxbc {

/// Appends the tables "Buffer Definitions" and "Resource Bindings". `model` is 40, 41, 50 or 51. Even for a
/// hostile chunk, the length of the text is bounded by a constant times `chunk_size`.
void print_definitions(const Definitions& definitions, size_t chunk_size, uint32_t model,
                       assembly::Dialect dialect, std::pmr::string& out);

}  // namespace texlate::dxbc
