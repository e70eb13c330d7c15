#include "backend/maxwell/isa/control_text.h"

#include <algorithm>
#include <utility>

#include "backend/maxwell/isa/short_text.h"
#include "ir/base/characters.h"
#include "ir/base/number_text.h"

namespace texlate::maxwell {

namespace {

/// All of the text, below `limit`.
bool parse_number(std::string_view text, int base, unsigned limit, uint8_t& out) {
  unsigned value = 0;
  if (!read_number(text, value, base) || value >= limit) return false;
  out = static_cast<uint8_t>(value);
  return true;
}

/// The same, decimal or 0x...
bool parse_number(std::string_view text, unsigned limit, uint8_t& out) {
  const int base = take(text, "0x") ? 16 : 10;
  return parse_number(text, base, limit, out);
}

/// {}, {0}, {0,1}
bool parse_barrier_set(std::string_view text, uint8_t& mask) {
  if (!text.starts_with('{') || !text.ends_with('}') || text.size() < 2) return false;
  text = text.substr(1, text.size() - 2);
  mask = 0;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    uint8_t barrier = 0;
    if (!parse_number(text.substr(0, comma), kBarriers, barrier)) return false;
    mask |= static_cast<uint8_t>(1u << barrier);
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return false;
  }
  return true;
}

/// What follows the question mark: Y:2, -:6, or the pages' own word.
bool parse_sched(std::string_view text, Control& out) {
  if (text == "sched") return true;
  if (!text.starts_with("Y:") && !text.starts_with("-:")) return false;
  out.yield = text.front() == 'Y';
  return parse_number(text.substr(2), 16, out.stall);
}

}  // namespace

char* print_control(const Control& control, int reuse, char* at) {
  static constexpr char kDigits[] = "0123456789abcdef";
  static constexpr char kBarrierDigits[] = "0123456-";
  static_assert(kBarrierDigits[Control::kNoBarrier] == '-');
  at = write("--:-:-:-:", at);
  if (control.wait_mask != 0) {
    at[-9] = kDigits[control.wait_mask >> 4 & 15];
    at[-8] = kDigits[control.wait_mask & 15];
  }
  at[-6] = kBarrierDigits[control.read_barrier & 7];
  at[-4] = kBarrierDigits[control.write_barrier & 7];
  if (control.yield) at[-2] = 'Y';
  if (control.stall >= 10) *at++ = static_cast<char>('0' + control.stall / 10);
  *at++ = static_cast<char>('0' + control.stall % 10);
  if (reuse < 0) return at;
  *at++ = ':';
  *at++ = kDigits[reuse & 15];
  return at;
}

bool parse_control(std::string_view text, Control& out) {
  std::string_view fields[6];
  unsigned count = 0;
  while (count < 6) {
    const size_t end = text.find(':');
    fields[count++] = text.substr(0, end);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    if (count == 6) return false;
  }
  if (count < 5) return false;
  out.wait_mask = 0;
  if (fields[0] != "--" && !parse_number(fields[0], 16, 64, out.wait_mask)) return false;
  out.read_barrier = out.write_barrier = Control::kNoBarrier;
  if (fields[1] != "-" && !parse_number(fields[1], 10, 7, out.read_barrier)) return false;
  if (fields[2] != "-" && !parse_number(fields[2], 10, 7, out.write_barrier)) return false;
  if (fields[3] != "Y" && fields[3] != "-") return false;
  out.yield = fields[3] == "Y";
  if (!parse_number(fields[4], 10, 16, out.stall)) return false;
  return count == 5 || parse_number(fields[5], 16, 16, out.reuse);
}

std::string_view parse_scheduling(std::string_view text, Control& out) {
  bool req = false, rd = false, wr = false, sched = false;
  const auto once = [](bool& seen, bool valid) { return valid && !std::exchange(seen, true); };
  for (;;) {
    const size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t\r"));
    std::string_view value = word;
    bool valid = false;
    if (take(value, "&req=")) {
      valid = once(req, parse_barrier_set(value, out.wait_mask));
    } else if (take(value, "&rd=")) {
      valid = once(rd, parse_number(value, kBarriers, out.read_barrier));
    } else if (take(value, "&wr=")) {
      valid = once(wr, parse_number(value, kBarriers, out.write_barrier));
    } else if (take(value, "?")) {
      valid = once(sched, parse_sched(value, out));
    }
    if (!valid) return word;
    text.remove_prefix(word.size());
  }
}

}  // namespace texlate::maxwell
