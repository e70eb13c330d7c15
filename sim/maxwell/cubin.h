// Reads a kernel out of a cubin: an ELF file as ptxas writes it for sm_50, sm_52, sm_53.
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

/// The first kernel, or the one named. False with what is wrong in `error`: no such kernel, a broken file, a
/// relocation that the reader cannot apply.
bool read_cubin(std::span<const std::byte> file, std::string_view kernel, Cubin& result, std::string& error);

}  // namespace texlate::sim::maxwell
