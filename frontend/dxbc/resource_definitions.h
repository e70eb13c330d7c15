// The buffer definitions and resource bindings of a listing's header, read from chunk RDEF.
#pragma once

#include <memory_resource>
#include <string>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/container.h"

namespace texlate::dxbc {

/// The compiler's name in chunk RDEF ("Microsoft (R) HLSL Shader Compiler 10.1"); empty if there is none.
/// Valid as long as the container.
std::string_view compiler_name(const Container& container);

/// Appends the tables "Buffer Definitions" and "Resource Bindings". `model` is 40, 41, 50 or 51. Even for a
/// hostile chunk, the length of the text is bounded by a constant times the chunk's size.
void print_resource_definitions(std::span<const std::byte> chunk, uint32_t model, assembly::Dialect dialect,
                                std::pmr::string& out);

}  // namespace texlate::dxbc
