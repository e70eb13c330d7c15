// A control slot as text: the column before an instruction, and the form of NVIDIA's instruction pages after
// its operands.
//
//   01:3:0:Y:2  TEXS R2, R0, R4, R5, 0x1, 2D, RGBA;
//   TEXS R2, R0, R4, R5, 0x1, 2D, RGBA &req={0} &rd=0x3 &wr=0x0 ?Y:2;
#pragma once

#include <cstddef>
#include <string_view>

#include "backend/maxwell/isa/control.h"

namespace texlate::maxwell {

/// At most this many characters.
inline constexpr size_t kMostControlText = 13;
/// Appends "--:-:0:Y:2", the control column, and returns the new end. `reuse` < 0 leaves the sixth field out.
char* print_control(const Control& control, int reuse, char* at);
/// The reverse; without a sixth field, `reuse` stays as it was.
bool parse_control(std::string_view text, Control& out);

/// Any of `&req={0,1}` (barriers waited for), `&rd=0x3` (barrier set when sources are read), `&wr=0x2`
/// (barrier set when the result is written) and `?Y:2` (the column's last two fields), each at most once;
/// what is absent stays as it was. The pages do not say which words can follow the question mark; `?sched`,
/// as they print it, changes nothing. Returns the first word that is none of these, empty if all of the text
/// was read.
std::string_view parse_scheduling(std::string_view text, Control& out);

}  // namespace texlate::maxwell
