// Converts bytes to a Program and back: containers and bare token streams.
#pragma once

#include "frontend/dxbc/container.h"
#include "frontend/sm4/program.h"

namespace texlate::dxbc {

struct ReadOptions {
  DigestCheck digest = DigestCheck::warn;
};

/// Reads a container, or a bare token stream as drivers receive it, into `container` and `program` (both must
/// be empty). Returns true if there was no error. Unknown chunks stay in the container.
bool read(std::span<const std::byte> bytes, Container& container, sm4::Program& program,
          Diagnostics& diagnostics, const ReadOptions& options = {});

/// Appends a container for `program`. With `original`, its chunks are kept in their order and only the code
/// is replaced. Without it, the container has the signatures (made from the declarations if the Program has
/// none), the code, and the features if it needs any.
bool write(const sm4::Program& program, const Container* original, std::pmr::vector<std::byte>& out,
           Diagnostics& diagnostics);

}  // namespace texlate::dxbc
