// Cubins and deko3d programs as listings: what their headers say is in directives (isa/directives.h), so that
// the listing assembles to the same file.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "backend/maxwell/isa/listing.h"

namespace texlate::maxwell {

enum class Container : uint8_t { cubin, dksh };

/// Assembles a listing of one program to a file. Errors name the directive that is missing, or that
/// contradicts the code.
bool assemble(std::string_view text, Container container, std::pmr::string& out, Diagnostics& diagnostics,
              const AssembleOptions& options = {});

/// As disassemble() of isa/listing.h, also of a cubin or a .dksh (recognized by their magic; the headers of a
/// .dksh become comments). If directives give the same file, the listing has them; otherwise a comment says
/// that it is for --into only.
bool disassemble_file(std::span<const uint8_t> input, std::string& out, Diagnostics& diagnostics,
                      const DisassembleOptions& options = {});

/// Replaces the code of a cubin's kernels, in their order, or of a deko3d program. The headers stay as they
/// are, so the code must have the same length and use no more registers than they say; otherwise an error
/// says what differs, and the file is unchanged. Takes a file whose first bytes are those of one of the two.
bool replace_code(std::span<const uint8_t> code, std::span<uint8_t> file, Diagnostics& diagnostics);

}  // namespace texlate::maxwell
