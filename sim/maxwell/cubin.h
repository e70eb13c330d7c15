// Reads a kernel from a cubin: an ELF file as ptxas writes it for sm_50, sm_52, sm_53.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sim/maxwell/machine.h"

namespace texlate::sim::maxwell {

struct Cubin {
  Program program;
  std::string kernel;
  uint32_t parameter_bytes = 0;
};

/// The first kernel, or the named one. Returns false and describes the problem in `error` if there is no such
/// kernel, the file is broken, or the reader cannot apply a relocation.
bool read_cubin(std::span<const std::byte> file, std::string_view kernel, Cubin& result, std::string& error);

}  // namespace texlate::sim::maxwell
