#include "frontend/dxbc/read.h"

#include "frontend/dxbc/byte_reader.h"
#include "frontend/dxbc/signature.h"
#include "frontend/dxbc/tokens.h"

namespace texlate::dxbc {

bool read(std::span<const std::byte> bytes, Container& container, sm4::Program& program,
          Diagnostics& diagnostics, const ReadOptions& options) {
  if (!is_container(bytes)) {
    if (!is_token_stream(bytes)) {
      diagnostics.error(SourceLocation::bytes(0),
                        "neither a DXBC container nor a token stream of shader model 4.0-5.1");
      return false;
    }
    container.bare = true;
    container.bytes.clear();
    container.bytes.append(bytes);
    return decode_tokens(bytes, 0, program, diagnostics);
  }
  if (!read_container(bytes, options.digest, container, diagnostics)) return false;
  bool good = read_signatures(container, program, diagnostics);
  const Chunk* code = container.find(kCodeTag5);
  if (code == nullptr) code = container.find(kCodeTag4);
  if (code == nullptr) {
    diagnostics.error(SourceLocation::bytes(0),
                      "the container has no code of shader model 4 or 5 (chunk SHDR or SHEX)");
    return false;
  }
  // For a blob whose statistics were stripped, the listing says "Approximately 0 instruction slots used".
  const Chunk* statistics = container.find(kStatisticsTag);
  program.instruction_slots = statistics != nullptr ? ByteReader(container.data(*statistics)).dword(0) : 0;
  good &= decode_tokens(container.data(*code), code->offset, program, diagnostics);
  return good;
}

}  // namespace texlate::dxbc
