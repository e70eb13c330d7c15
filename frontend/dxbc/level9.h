// Chunk Aon9: the Direct3D 9 shader that containers of profiles such as ps_4_0_level_9_1 hold in addition to
// their own code, and the assignment of its registers. The chunk is undocumented. Its layout was derived from
// containers and their listings:
//
//   dword 0  size         1  version      2  size of the code   3  offset of the code
//   words    count, offset of each table: constants, two unknown ones, samplers, run-time constants
//   constants   12 bytes: words buffer, first row, rows, target register; four bytes of conversions, 0: float
//   samplers     4 bytes: resource, sampler, target, 0
//   run time     4 bytes: words kind, target register
#pragma once

#include <memory_resource>
#include <span>
#include <string>

namespace texlate::dxbc {

/// Appends the part of a listing between the signatures and the profile line.
void print_level9(std::span<const std::byte> chunk, std::pmr::string& out);

/// Appends the listing of a Direct3D 9 shader of model 2.0 or 2.x, indented by four blanks, with the closing
/// slot count. The contents of comment tokens (lines, names) are omitted.
void print_direct3d9_listing(std::span<const std::byte> code, std::pmr::string& out);

}  // namespace texlate::dxbc
