#include "library/vkd3d/signatures.h"

#include <cstdlib>
#include <cstring>
#include <optional>

namespace texlate::vkd3d {

namespace {

/// The forms of a signature chunk (docs/reference/direct3d.md 5.4).
struct Form {
  const char (&name)[5];
  SignatureKind kind;
  bool has_stream, has_precision;
};

constexpr Form kForms[] = {
    {"ISGN", SignatureKind::input, false, false},
    {"ISG1", SignatureKind::input, true, true},
    {"OSGN", SignatureKind::output, false, false},
    {"OSG5", SignatureKind::output, true, false},
    {"OSG1", SignatureKind::output, true, true},
    {"PCSG", SignatureKind::patch_constant, false, false},
    {"PSG1", SignatureKind::patch_constant, true, true},
};

/// System values that the chunk does not name, which vkd3d numbers by their semantic.
struct OutputName {
  const char* name;
  uint32_t sysval;
};
constexpr OutputName kOutputNames[] = {
    {"sv_depth", 0x41},  {"sv_coverage", 0x42},       {"sv_depthgreaterequal", 0x43},
    {"sv_target", 0x40}, {"sv_depthlessequal", 0x44}, {"sv_stencilref", 0x45},
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_without_case(const char* a, const char* b) {
  for (; lower(*a) == lower(*b); ++a, ++b) {
    if (*a == 0) return true;
  }
  return false;
}

uint32_t sysval_of_output(const char* name) {
  for (const OutputName& row : kOutputNames) {
    if (equal_without_case(name, row.name)) return row.sysval;
  }
  return 0;
}

/// Elements and names in one block; `name_of(i)` gives a name, or null.
template <typename NameOf>
bool pack(SignatureElement* elements, uint32_t count, NameOf name_of, Signature& signature) {
  size_t size = sizeof(SignatureElement) * count;
  for (uint32_t i = 0; i < count; ++i) size += name_of(i) != nullptr ? std::strlen(name_of(i)) + 1 : 0;
  auto* const made = static_cast<SignatureElement*>(std::malloc(size));
  if (made == nullptr) return false;
  std::memcpy(made, elements, sizeof(SignatureElement) * count);
  char* text = reinterpret_cast<char*>(made + count);
  for (uint32_t i = 0; i < count; ++i) {
    const char* const name = name_of(i);
    made[i].semantic_name = nullptr;
    if (name == nullptr) continue;
    const size_t length = std::strlen(name) + 1;
    std::memcpy(text, name, length);
    made[i].semantic_name = text;
    text += length;
  }
  signature = {made, count};
  return true;
}

class Reader {
 public:
  Reader(const DxbcSection& section, const Form& form, UsedMask used, Messages& messages)
      : data_(section.data), form_(form), used_(used), messages_(messages) {}

  int read(std::vector<SignatureElement>& elements) {
    const uint32_t size = 24 + (form_.has_stream ? 4 : 0) + (form_.has_precision ? 4 : 0);
    if (data_.size < 8) return refuse(MessageCode::signature_chunk, "is too short");
    const uint32_t count = word(0), first = word(4);
    if (first > data_.size || count > (data_.size - first) / size || first % 4 != 0)
      return refuse(MessageCode::signature_chunk,
                    "is too short for its " + std::to_string(count) + " elements");
    for (uint32_t i = 0; i < count; ++i) {
      SignatureElement element{};
      if (const int result = read(first + size_t{i} * size, element); result != kOk) return result;
      elements.push_back(element);
    }
    return kOk;
  }

 private:
  int read(size_t at, SignatureElement& element) {
    const auto next = [&] {
      const uint32_t value = word(at);
      at += 4;
      return value;
    };
    if (form_.has_stream) element.stream_index = next();
    const uint32_t name = next();
    const char* const text = static_cast<const char*>(data_.code) + name;
    if (name >= data_.size || std::memchr(text, 0, data_.size - name) == nullptr)
      return refuse(MessageCode::signature_name,
                    "has a name at byte " + std::to_string(name) + ", outside the chunk");
    element.semantic_name = text;
    element.semantic_index = next();
    element.sysval = next();
    element.component_type = next();
    element.register_index = next();
    const uint32_t masks = next();
    if (form_.has_precision) element.min_precision = next();
    element.mask = masks & 0xf;
    element.used_mask = masks >> 8 & 0xf;
    if (used_ == UsedMask::not_written) element.used_mask = element.mask & ~element.used_mask;
    constexpr uint32_t kFloat = 3;
    if (element.component_type > kFloat)
      return refuse(MessageCode::signature_type,
                    "has component type " + std::to_string(element.component_type));
    if (element.sysval == 0 && form_.kind == SignatureKind::output) element.sysval = sysval_of_output(text);
    return kOk;
  }

  uint32_t word(size_t at) const {
    uint32_t value;
    std::memcpy(&value, static_cast<const char*>(data_.code) + at, sizeof value);
    return value;
  }
  int refuse(MessageCode code, const std::string& what) {
    messages_.error(code, std::string("chunk ") + form_.name + " " + what);
    return kInvalidArgument;
  }

  Code data_;
  const Form& form_;
  UsedMask used_;
  Messages& messages_;
};

}  // namespace

int read_signature(const Container& container, SignatureKind kind, Which which, UsedMask used,
                   Signature& signature, Messages& messages) {
  signature = {};
  std::vector<SignatureElement> elements;
  for (const DxbcSection& section : container.sections) {
    const Form* form = nullptr;
    for (const Form& row : kForms) {
      if (row.kind == kind && tag(row.name) == section.tag) form = &row;
    }
    if (form == nullptr) continue;
    elements.clear();
    if (const int result = Reader(section, *form, used, messages).read(elements); result != kOk)
      return result;
    if (which == Which::first) break;
  }
  if (elements.empty()) return kOk;
  const auto name = [&](uint32_t i) { return elements[i].semantic_name; };
  return pack(elements.data(), static_cast<uint32_t>(elements.size()), name, signature) ? kOk : kOutOfMemory;
}

int check_signatures(const Container& container, Messages& messages) {
  constexpr uint32_t kRegisters = 32, kNone = 0xffffffff;
  std::vector<SignatureElement> elements;
  for (const DxbcSection& section : container.sections) {
    for (const Form& form : kForms) {
      if (tag(form.name) != section.tag) continue;
      if (const int result = Reader(section, form, UsedMask::read, messages).read(elements); result != kOk)
        return result;
    }
  }
  for (const SignatureElement& element : elements) {
    if (element.register_index < kRegisters || element.register_index == kNone) continue;
    messages.error(MessageCode::signature_register,
                   std::string(element.semantic_name) + std::to_string(element.semantic_index) +
                       " is in register " + std::to_string(element.register_index) +
                       ", which does not exist");
    return kInvalidShader;
  }
  return kOk;
}

bool copy_signature(const Signature& from, Signature& to) {
  to = {};
  if (from.element_count == 0) return true;
  return pack(
      from.elements, from.element_count, [&](uint32_t i) { return from.elements[i].semantic_name; }, to);
}

bool append(Signature& signature, const SignatureElement& element) {
  std::vector<SignatureElement> all(signature.elements, signature.elements + signature.element_count);
  all.push_back(element);
  Signature longer;
  if (!copy_signature({all.data(), static_cast<uint32_t>(all.size())}, longer)) return false;
  free_signature(signature);
  signature = longer;
  return true;
}

void free_signature(Signature& signature) {
  std::free(signature.elements);
  signature = {};
}

SignatureElement* find_element(const Signature& signature, const char* name, uint32_t index,
                               uint32_t stream) {
  for (uint32_t i = 0; i < signature.element_count; ++i) {
    SignatureElement& element = signature.elements[i];
    if (element.semantic_index == index && element.stream_index == stream &&
        element.semantic_name != nullptr && equal_without_case(element.semantic_name, name))
      return &element;
  }
  return nullptr;
}

uint32_t build_varying_map(const Signature& out, const Signature& in, VaryingMap* map) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < in.element_count; ++i) {
    const SignatureElement& element = in.elements[i];
    if (element.sysval != 0) continue;
    const SignatureElement* const from = find_element(out, element.semantic_name, element.semantic_index, 0);
    map[count++] = {from != nullptr ? static_cast<uint32_t>(from - out.elements) : out.element_count,
                    element.register_index, element.mask};
  }
  return count;
}

}  // namespace texlate::vkd3d
