#include "frontend/dxbc/signature.h"

#include <cstring>

#include "frontend/dxbc/byte_reader.h"
#include "frontend/sm4/declaration.h"

namespace texlate::dxbc {

using sm4::SignatureElement;

namespace {

struct SignatureForm {
  uint32_t tag;
  SignatureKind kind;
  bool has_stream;
  bool has_precision;
  constexpr uint32_t element_size() const { return 24u + (has_stream ? 4u : 0u) + (has_precision ? 4u : 0u); }
};

constexpr SignatureForm kForms[] = {
    {fourcc("ISGN"), SignatureKind::input, false, false},
    {fourcc("ISG1"), SignatureKind::input, true, true},
    {fourcc("OSGN"), SignatureKind::output, false, false},
    {fourcc("OSG5"), SignatureKind::output, true, false},
    {fourcc("OSG1"), SignatureKind::output, true, true},
    {fourcc("PCSG"), SignatureKind::patch_constant, false, false},
    {fourcc("PSG1"), SignatureKind::patch_constant, true, true},
};

constexpr uint32_t kFirstElement = 8;  // after the count and the constant 8

std::pmr::vector<SignatureElement>& signature_of(sm4::Program& program, SignatureKind kind) {
  switch (kind) {
    case SignatureKind::input: return program.input_signature;
    case SignatureKind::output: return program.output_signature;
    case SignatureKind::patch_constant: break;
  }
  return program.patch_constant_signature;
}

bool read_signature(const Container& container, const Chunk& chunk, const SignatureForm& form,
                    sm4::Program& program, Diagnostics& diagnostics) {
  const ByteReader reader(container.data(chunk));
  const uint32_t count = reader.dword(0);
  const SourceLocation location = SourceLocation::bytes(chunk.offset);
  if (count > sm4::kMaxSignatureElements ||
      !reader.has(kFirstElement, uint64_t{count} * form.element_size())) {
    diagnostics.error(location, "{} signature elements do not fit into their chunk", count);
    return false;
  }
  auto& elements = signature_of(program, form.kind);
  elements.clear();
  elements.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = kFirstElement + i * form.element_size();
    SignatureElement element{std::pmr::string(program.memory())};
    if (form.has_stream) {
      const uint32_t stream = reader.dword(at);
      if (stream > 3) {
        diagnostics.error(SourceLocation::bytes(chunk.offset + at),
                          "signature element {} has stream number {}", i, stream);
        return false;
      }
      element.stream = static_cast<uint8_t>(stream);
      at += 4;
    }
    const uint32_t name = reader.dword(at);
    if (!reader.has(name, 1)) {
      diagnostics.error(SourceLocation::bytes(chunk.offset + at),
                        "the name of signature element {} is outside its chunk", i);
      return false;
    }
    const std::string_view semantic_name = reader.string(name);
    if (semantic_name.size() > sm4::kMaxSemanticName) {
      diagnostics.error(SourceLocation::bytes(chunk.offset + name),
                        "the name of signature element {} is longer than {} characters", i,
                        sm4::kMaxSemanticName);
      return false;
    }
    element.semantic_name = semantic_name;
    element.semantic_index = reader.dword(at + 4);
    element.system_value = reader.dword(at + 8);
    element.component_type = reader.dword(at + 12);
    element.register_index = reader.dword(at + 16);
    element.mask = reader.byte(at + 20);
    element.used_mask = reader.byte(at + 21);
    if (form.has_precision) element.min_precision = static_cast<uint8_t>(reader.dword(at + 24));
    elements.push_back(std::move(element));
  }
  return true;
}

}  // namespace

bool read_signatures(const Container& container, sm4::Program& program, Diagnostics& diagnostics) {
  bool good = true;
  for (const Chunk& chunk : container.chunks) {
    for (const SignatureForm& form : kForms) {
      if (form.tag == chunk.tag) good &= read_signature(container, chunk, form, program, diagnostics);
    }
  }
  return good;
}

uint32_t used_components(const SignatureElement& element, const sm4::Program& program, SignatureKind kind) {
  const bool is_output = kind == SignatureKind::output ||
                         (kind == SignatureKind::patch_constant && program.version.stage == sm4::Stage::hull);
  return is_output ? element.mask & ~uint32_t{element.used_mask} : element.used_mask;
}

SignatureColumns signature_columns(const sm4::Program& program, SignatureKind kind) {
  SignatureColumns columns;
  for (const sm4::Instruction& dcl : program.instructions) {
    if (dcl.opcode == sm4::Opcode::dcl_global_flags)
      columns.precision |= (dcl.controls & sm4::kEnableMinimumPrecision) != 0;
  }
  for (const auto* elements :
       {&program.input_signature, &program.output_signature, &program.patch_constant_signature}) {
    for (const SignatureElement& element : *elements) columns.precision |= element.min_precision != 0;
  }
  columns.stream = kind == SignatureKind::output && program.version.stage == sm4::Stage::geometry &&
                   program.version.major >= 5;
  for (const SignatureElement& element : program.output_signature)
    columns.stream |= kind == SignatureKind::output && element.stream != 0;
  return columns;
}

uint32_t write_signature(std::span<const SignatureElement> elements, SignatureKind kind,
                         SignatureColumns columns, std::pmr::vector<std::byte>& out) {
  const SignatureForm* form = nullptr;
  for (const SignatureForm& candidate : kForms) {
    const bool fits = candidate.kind == kind && (candidate.has_stream || !columns.stream) &&
                      (candidate.has_precision || !columns.precision);
    if (fits && form == nullptr) form = &candidate;
  }
  const size_t begin = out.size();
  append_dword(static_cast<uint32_t>(elements.size()), out);
  append_dword(kFirstElement, out);
  auto name_offset = static_cast<uint32_t>(kFirstElement + elements.size() * form->element_size());
  // Equal names share one string, as in fxc's output.
  std::pmr::vector<uint32_t> offsets(out.get_allocator().resource());
  for (size_t i = 0; i < elements.size(); ++i) {
    size_t same = 0;
    while (same < i && elements[same].semantic_name != elements[i].semantic_name) ++same;
    offsets.push_back(same < i ? offsets[same] : name_offset);
    if (same == i) name_offset += static_cast<uint32_t>(elements[i].semantic_name.size()) + 1;
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    const SignatureElement& element = elements[i];
    if (form->has_stream) append_dword(element.stream, out);
    append_dword(offsets[i], out);
    append_dword(element.semantic_index, out);
    append_dword(element.system_value, out);
    append_dword(element.component_type, out);
    append_dword(element.register_index, out);
    append_dword(element.mask | (uint32_t{element.used_mask} << 8), out);
    if (form->has_precision) append_dword(element.min_precision, out);
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    if (begin + offsets[i] != out.size()) continue;
    const auto* name = reinterpret_cast<const std::byte*>(elements[i].semantic_name.c_str());
    out.insert(out.end(), name, name + elements[i].semantic_name.size() + 1);
  }
  while ((out.size() - begin) % 4 != 0) out.push_back(std::byte{0xab});  // fxc's padding
  return form->tag;
}

}  // namespace texlate::dxbc
