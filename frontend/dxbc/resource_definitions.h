// Buffer definitions and resource bindings of a listing's header, out of chunk RDEF.
#pragma once

#include <memory_resource>
#include <string>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/container.h"

namespace texlate::dxbc {

/// The compiler's name as chunk RDEF has it ("Microsoft (R) HLSL Shader Compiler 10.1"); empty without one.
/// It lives as long as the container.
std::string_view compiler_name(const Container& container);

/// Appends the tables "Buffer Definitions" and "Resource Bindings". `model` is 40, 41, 50 or 51. However
/// hostile the chunk is, the text's length is bounded by a constant times the chunk's.
void print_resource_definitions(std::span<const std::byte> chunk, uint32_t model, assembly::Dialect dialect,
                                std::pmr::string& out);

}  // namespace texlate::dxbc
