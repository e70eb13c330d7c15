#include "frontend/dxbc/features.h"
#include "frontend/dxbc/read.h"
#include "frontend/dxbc/signature.h"
#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/declaration.h"

namespace texlate::dxbc {

namespace {

std::span<const std::byte> bytes_of(const std::pmr::vector<uint32_t>& words) {
  return {reinterpret_cast<const std::byte*>(words.data()), words.size() * 4};
}

}  // namespace

bool write(const sm4::Program& program, const Container* original, std::pmr::vector<std::byte>& out,
           Diagnostics& diagnostics) {
  std::pmr::memory_resource* memory = out.get_allocator().resource();
  std::pmr::vector<uint32_t> code(memory);
  if (!encode_tokens(program, code, diagnostics)) return false;
  std::pmr::vector<ChunkData> chunks(memory);
  if (original != nullptr && !original->chunks.empty()) {
    for (const Chunk& chunk : original->chunks) {
      const bool is_code = chunk.tag == kCodeTag4 || chunk.tag == kCodeTag5;
      chunks.push_back({chunk.tag, is_code ? bytes_of(code) : original->data(chunk)});
    }
    write_container(chunks, out);
    return true;
  }
  sm4::Program with_signatures(memory);
  const sm4::Program* source = &program;
  if (program.input_signature.empty() && program.output_signature.empty() &&
      program.patch_constant_signature.empty()) {
    with_signatures = program;
    make_signatures(with_signatures);
    source = &with_signatures;
  }
  std::pmr::vector<std::byte> input(memory);
  std::pmr::vector<std::byte> output(memory);
  std::pmr::vector<std::byte> patch(memory);
  const auto add = [&](const auto& elements, SignatureKind kind, std::pmr::vector<std::byte>& data) {
    const uint32_t tag = write_signature(elements, kind, signature_columns(*source, kind), data);
    chunks.push_back({tag, data});
  };
  add(source->input_signature, SignatureKind::input, input);
  add(source->output_signature, SignatureKind::output, output);
  const sm4::Stage stage = program.version.stage;
  if (stage == sm4::Stage::hull || stage == sm4::Stage::domain)
    add(source->patch_constant_signature, SignatureKind::patch_constant, patch);
  chunks.push_back({program.version.major >= 5 ? kCodeTag5 : kCodeTag4, bytes_of(code)});
  const uint64_t features = required_features(program);
  if (features != 0) chunks.push_back({kFeatureTag, std::as_bytes(std::span(&features, 1))});
  write_container(chunks, out);
  return true;
}

}  // namespace texlate::dxbc
