// The full listing of a container, header comments included.
#pragma once

#include <memory_resource>
#include <string>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/read.h"

namespace texlate::dxbc {

/// The dialect of the compiler that made the container, as chunk RDEF names it; the newest where it does not.
assembly::Dialect dialect_of(const Container& container);

/// Appends the listing as fxc prints it, header comments included: what the shader requires from SFI0, buffer
/// definitions and resource bindings from RDEF, signatures, tessellation, sample frequency and the closing
/// slot count from STAT. Without a dialect in the options it is dialect_of(container).
/// A bare token stream has no header.
void disassemble(const Container& container, const sm4::Program& program,
                 const assembly::PrintOptions& options, std::pmr::string& out);

}  // namespace texlate::dxbc
