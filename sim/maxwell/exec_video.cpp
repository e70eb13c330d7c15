// VMNMX, VABSDIFF: operate on bytes, halves or words of two registers and combine the result with a third.
#include <algorithm>

#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

// 0..3: a byte; 4, 5: a half; 6: the word.
constexpr uint32_t kWholeWord = 6;
enum Second : uint32_t {
  merge_upper,
  merge_lower,
  merge_byte0,
  merge_byte2,
  accumulate,
  minimum,
  maximum,
  none
};

int64_t part(uint32_t word, uint32_t select, bool is_signed) {
  if (select >= kWholeWord) return is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
  const uint32_t bits = select < 4 ? word >> (8 * select) : word >> (16 * (select - 4));
  if (select < 4) return is_signed ? int64_t{static_cast<int8_t>(bits)} : int64_t{static_cast<uint8_t>(bits)};
  return is_signed ? int64_t{static_cast<int16_t>(bits)} : int64_t{static_cast<uint16_t>(bits)};
}

void run_video(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t select_a = i.field(36, 3), select_b = i.bit(50) ? i.field(28, 3) : kWholeWord;
  const bool signed_a = i.bit(48), signed_b = i.bit(49), signed_result = i.bit(54), saturates = i.bit(55);
  const bool larger = i.bit(56), difference = i.opcode == Opcode::vabsdiff;
  const uint32_t second = i.field(51, 3);
  const int64_t least = signed_result ? INT32_MIN : 0, most = signed_result ? INT32_MAX : UINT32_MAX;
  map_abc(w, i, active, [&](uint32_t a, uint32_t b, uint32_t c) {
    const int64_t x = part(a, select_a, signed_a), y = part(b, select_b, signed_b);
    int64_t value = difference ? std::max(x, y) - std::min(x, y) : larger ? std::max(x, y) : std::min(x, y);
    if (saturates) value = std::clamp(value, least, most);
    const auto word = static_cast<uint32_t>(value);
    const auto ordered = [&](uint32_t v) {
      return signed_result ? int64_t{static_cast<int32_t>(v)} : int64_t{v};
    };
    switch (second) {
      case accumulate: return word + c;
      case minimum: return ordered(word) < ordered(c) ? word : c;
      case maximum: return ordered(word) < ordered(c) ? c : word;
      default: return word;
    }
  });
}

}  // namespace

Handler select_video(Instruction& i) {
  if (i.opcode != Opcode::vmnmx && i.opcode != Opcode::vabsdiff) return nullptr;
  if (i.writes_cc || i.field(51, 3) < accumulate || i.field(36, 3) > kWholeWord ||
      (i.bit(50) && i.field(28, 3) > kWholeWord)) {
    i.why = "a video operation with condition codes or merging";
    return nullptr;
  }
  return run_video;
}

}  // namespace texlate::sim::maxwell
