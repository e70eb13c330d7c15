// Puts assembled code into the cubin or .dksh that its listing came from.
#pragma once

#include <cstdint>
#include <span>

namespace texlate {
class Diagnostics;
}

namespace texlate::maxwell {

/// Replaces the code of a cubin's kernels, in their order, or of a deko3d program. The headers stay as they
/// are, so the code must have the same length and use no more registers than they say; otherwise an error
/// says what differs, and the file is unchanged. Takes a file whose first bytes are those of one of the two.
bool replace_code(std::span<const uint8_t> code, std::span<uint8_t> file, Diagnostics& diagnostics);

}  // namespace texlate::maxwell
