#include "frontend/asm/signature_parser.h"

#include <algorithm>

#include "frontend/asm/escape.h"
#include "frontend/sm4/spelling.h"
#include "ir/base/characters.h"
#include "ir/base/number_text.h"

namespace texlate::assembly {

namespace {

std::string_view next_field(std::string_view& text) {
  text = trim(text);
  const size_t length = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view field = text.substr(0, length);
  text.remove_prefix(length);
  return field;
}

/// The mask column: extends to the number or the name of the register that follows it.
std::string_view next_mask(std::string_view& text) {
  text = trim(text);
  if (text.starts_with("N/A")) return next_field(text);
  const size_t length = std::min(text.find_first_not_of("xyzw \t"), text.size());
  const std::string_view mask = trim(text.substr(0, length));
  text.remove_prefix(length);
  return mask;
}

/// A column of four characters, blank where a component is absent: `xy w`.
bool read_mask(std::string_view text, uint8_t& mask) {
  mask = 0;
  for (char c : text) {
    if (c == ' ' || c == '\t') continue;
    const size_t component = std::string_view("xyzw").find(c);
    if (component == std::string_view::npos) return false;
    mask = static_cast<uint8_t>(mask | (1u << component));
  }
  return true;
}

/// The component type that a minimum precision belongs to.
sm4::ComponentType type_of(sm4::MinPrecision precision) {
  switch (precision) {
    case sm4::MinPrecision::float16:
    case sm4::MinPrecision::float2_8: return sm4::ComponentType::float_;
    case sm4::MinPrecision::sint16: return sm4::ComponentType::sint;
    case sm4::MinPrecision::uint16: return sm4::ComponentType::uint;
    case sm4::MinPrecision::none: break;
  }
  return sm4::ComponentType::unknown;
}

void read_format(std::string_view name, sm4::SignatureElement& element) {
  if (const auto type = sm4::find_keyword(sm4::kComponentTypeNames, name)) {
    element.component_type = *type;
  } else if (const auto precision = sm4::find_keyword(sm4::kMinPrecisionNames, name)) {
    element.min_precision = static_cast<uint8_t>(*precision);
    element.component_type = static_cast<uint32_t>(type_of(static_cast<sm4::MinPrecision>(*precision)));
  }
}

}  // namespace

void SignatureParser::feed(std::string_view line) {
  line = trim(line);
  const bool is_title = line.ends_with("signature:");
  if (is_title) {
    table_ = line.starts_with("Input")    ? &program_.input_signature
             : line.starts_with("Output") ? &program_.output_signature
             : line.starts_with("Patch")  ? &program_.patch_constant_signature
                                          : nullptr;
    if (table_ != nullptr) table_->clear();
    in_rows_ = false;
    return;
  }
  if (table_ == nullptr) return;
  if (line.starts_with("----")) {
    in_rows_ = true;
  } else if (in_rows_ && line.empty()) {
    table_ = nullptr;
  } else if (in_rows_) {
    add_row(line);
  }
}

void SignatureParser::set_stage(sm4::Stage stage) {
  if (stage != sm4::Stage::hull) return;
  for (sm4::SignatureElement& element : program_.patch_constant_signature) {
    element.used_mask = static_cast<uint8_t>(~element.used_mask & 0xf);
  }
}

void SignatureParser::add_row(std::string_view line) {
  sm4::SignatureElement element{std::pmr::string(program_.memory())};
  std::string_view name = next_field(line);
  if (name.size() > 3 && name[0] == 'm' && name[2] == ':' && name[1] >= '0' && name[1] <= '3') {
    element.stream = static_cast<uint8_t>(name[1] - '0');  // geometry shader: `m1:SV_Position`
    name.remove_prefix(3);
  }
  if (name.size() > sm4::kMaxSemanticName || table_->size() == sm4::kMaxSignatureElements) return;
  append_unescaped(name, element.semantic_name);
  if (!read_number(next_field(line), element.semantic_index)) return;
  const std::string_view mask = next_mask(line);
  const bool has_mask = mask != "N/A";
  if (has_mask && !read_mask(mask, element.mask)) return;
  if (!has_mask) element.mask = 1;
  if (!read_number(next_field(line), element.register_index)) element.register_index = sm4::kNoRegister;
  const auto system_value = sm4::find_keyword(sm4::kSignatureValueNames, next_field(line));
  if (!system_value) return;
  element.system_value = *system_value < sm4::kFirstUnstoredValue ? *system_value : 0;
  read_format(next_field(line), element);
  const std::string_view used = trim(line);
  uint8_t used_mask = 0;
  if (used == "YES") {
    used_mask = element.mask;
  } else if (used != "NO" && !read_mask(used, used_mask)) {
    return;
  }
  element.used_mask =
      table_ == &program_.output_signature ? static_cast<uint8_t>(~used_mask & 0xf) : used_mask;
  table_->push_back(std::move(element));
}

}  // namespace texlate::assembly
