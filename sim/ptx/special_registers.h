// Special registers (PTX ISA 10). They are ordinary registers of the register file that are filled when a
// warp starts.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/ptx/module.h"

namespace texlate::sim::ptx {

enum class Special : uint32_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  smid,
  nsmid,
  gridid,
  clock,
  clock64,
  count_,
};
constexpr std::string_view kSpecialNames[] = {
    "%tid.x",   "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",      "%ntid.z",      "%ctaid.x",
    "%ctaid.y", "%ctaid.z",     "%nctaid.x",    "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",
    "%nwarpid", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%smid",
    "%nsmid",   "%gridid",      "%clock",       "%clock64",
};
static_assert(sizeof(kSpecialNames) / sizeof(kSpecialNames[0]) == static_cast<size_t>(Special::count_));

constexpr uint32_t special_register(Special s) {
  return kFirstSpecial + static_cast<uint32_t>(s);
}
constexpr uint32_t kFirstUserRegister = kFirstSpecial + static_cast<uint32_t>(Special::count_);

}  // namespace texlate::sim::ptx
