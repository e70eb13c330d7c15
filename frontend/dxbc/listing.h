// The full listing of a container, including header comments.
#pragma once

#include <memory_resource>
#include <string>

#include "frontend/asm/printer.h"
#include "frontend/dxbc/read.h"

namespace texlate::dxbc {

/// The dialect of the compiler that made the container, named in chunk RDEF; the newest dialect if it is not
/// named.
assembly::Dialect dialect_of(const Container& container);

/// Appends the listing as fxc prints it, including header comments: what the shader requires from SFI0,
/// buffer definitions and resource bindings from RDEF, signatures, tessellation, sample frequency and the
/// closing slot count from STAT. If the options have no dialect, dialect_of(container) is used.
/// A bare token stream has no header.
void disassemble(const Container& container, const sm4::Program& program,
                 const assembly::PrintOptions& options, std::pmr::string& out);

}  // namespace texlate::dxbc
