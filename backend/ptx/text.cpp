#include "backend/ptx/text.h"

namespace texlate::ptx {

char* Text::write(char* at, Int operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%r", operand.value);
  const uint32_t bits = static_cast<uint32_t>(info.bits);
  if (bits <= 0xffff) return write_number(at, bits);
  const bool small_negative = bits >= 0xffffff00u;
  if (small_negative) return write_number(write(at, '-'), ~bits + 1u);
  return write_hex(write(at, "0x"), bits, 8);
}

char* Text::write(char* at, Float operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%r", operand.value);
  return write_hex(write(at, "0f"), info.bits, 8);
}

char* Text::write(char* at, Double operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%rd", operand.value);
  return write_hex(write(at, "0d"), info.bits, 16);
}

char* Text::write(char* at, Pred operand) {
  const ir::ValueInfo& info = module_.values[operand.value];
  if (!info.is_constant) return write_register(at, "%p", operand.value);
  (info.bits != 0 ? needs_true_ : needs_false_) = true;
  return info.bits != 0 ? write(at, "%ptrue") : write(at, "%pfalse");
}

char* Text::write(char* at, Words words) {
  if (words.count == 1) return write(at, Int{words.first});
  for (uint32_t i = 0; i < words.count; ++i)
    at = write(i == 0 ? write(at, '{') : write(at, ", "), Int{words.first + i});
  return write(at, '}');
}

void Text::declare_registers() {
  const auto declare = [this](std::string_view type, std::string_view name, uint32_t count) {
    if (count != 0) line(".reg ", type, " ", name, "<", count, ">");
  };
  const auto values = static_cast<uint32_t>(module_.values.size());
  declare(".b32", "%r", values);
  declare(".b64", "%rd", values);
  declare(".pred", "%p", values);
  declare(".b32", "%t", temps_);
  declare(".b64", "%td", temps64_);
  declare(".pred", "%tp", temp_preds_);
  declare(".b16", "%h", halves_);
}

void Text::declare_constants() {
  if (needs_true_) line(".reg .pred %ptrue");
  if (needs_false_) line(".reg .pred %pfalse");
}

void Text::set_constants() {
  if (needs_true_) line("setp.eq.u32 %ptrue, 0, 0");
  if (needs_false_) line("setp.ne.u32 %pfalse, 0, 0");
}

}  // namespace texlate::ptx
