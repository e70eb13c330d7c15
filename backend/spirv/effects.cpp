#include <spirv/unified1/NonSemanticDebugPrintf.h>

#include <algorithm>

#include "backend/spirv/families.h"

namespace texlate::spirv {

namespace {

/// A text of C's printf as NonSemantic.DebugPrintf takes it.
struct PrintfFormat {
  std::pmr::string text;          // without length modifiers: all values have 32 bits
  std::pmr::vector<Kind> kinds;   // what each conversion takes, in order
  std::string_view refused = {};  // the first conversion that DebugPrintf does not have; empty: none
};

// C17 7.21.6.1. DebugPrintf has those of integers and floats (the validation layer describes them).
constexpr std::string_view kFlags = "-+ #0123456789.", kLengths = "hljztL", kIntegers = "diouxX",
                           kFloats = "aAeEfFgG";

PrintfFormat printf_format(std::string_view format, std::pmr::memory_resource* memory) {
  PrintfFormat result{std::pmr::string(memory), std::pmr::vector<Kind>(memory)};
  auto& [text, kinds, refused] = result;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    text += format.substr(at, percent - at);
    at = percent;
    if (at == format.size()) return result;
    if (format.substr(at).starts_with("%%")) {
      text += "%%";
      at += 2;
      continue;
    }
    const size_t length = std::min(format.find_first_not_of(kFlags, at + 1), format.size());
    const size_t last = std::min(format.find_first_not_of(kLengths, length), format.size() - 1);
    const char conversion = format[last];
    const bool is_integer = kIntegers.find(conversion) != std::string_view::npos;
    if (!is_integer && kFloats.find(conversion) == std::string_view::npos) {
      refused = format.substr(at, last - at + 1);
      return result;
    }
    text += format.substr(at, length - at);
    text += conversion;
    kinds.push_back(is_integer ? Kind::uint : Kind::float_);
    at = last + 1;
  }
  return result;
}

}  // namespace

void Effects::emit_cycle_counter(const Instruction& instruction) {
  builder_.require(spv::CapabilityShaderClockKHR);
  builder_.require_extension("SPV_KHR_shader_clock");
  const Id uint = builder_.uint_type();
  const Id pair = builder_.vector_type(uint, 2);
  const Id clock = emit(spv::OpReadClockKHR, pair, {constant(spv::ScopeSubgroup)});
  define_lanes(instruction.first_result, clock, 2, As::uint);
}

/// Values that the text does not ask for are left out; zeros take the place of missing ones.
void Effects::emit_message(const Instruction& instruction) {
  if (!device_has(Feature::non_semantic)) return;
  const auto [text, kinds, refused] = printf_format(module_.name_at(instruction.payload), module_.memory());
  if (!refused.empty()) return refuse(instruction, "the conversion '" + std::string(refused) + "' of printf");
  const Id set = builder_.non_semantic_set("NonSemantic.DebugPrintf");
  std::pmr::vector<Operand> words({set, NonSemanticDebugPrintfDebugPrintf, builder_.string(text)},
                                  module_.memory());
  for (uint32_t i = 0; i < kinds.size(); ++i) {
    const Id bits = i < instruction.operand_count ? as_uint(operand(instruction, i)) : constant(0);
    words.push_back(convert(bits, Kind::uint, kinds[i]));
  }
  emit(spv::OpExtInst, builder_.void_type(), words);
}

}  // namespace texlate::spirv
