// Signature chunks: ISGN, OSGN, PCSG (24-byte elements), OSG5 (with streams), ISG1, OSG1, PSG1 (with streams
// and minimum precision) (docs/reference/direct3d.md 5.4).
#pragma once

#include "frontend/dxbc/container.h"
#include "frontend/sm4/program.h"

namespace texlate::dxbc {

/// Reads every signature chunk of the container into the Program.
bool read_signatures(const Container& container, sm4::Program& program, Diagnostics& diagnostics);

enum class SignatureKind : uint8_t { input, output, patch_constant };

/// The components that the shader reads (inputs) or writes (outputs). For outputs, the chunk stores those
/// that are never written (docs/reference/direct3d.md 5.4).
uint32_t used_components(const sm4::SignatureElement& element, const sm4::Program& program,
                         SignatureKind kind);

/// The optional members of a chunk's elements. fxc chooses them by program: streams for the outputs of a
/// geometry shader of 5.x, both if the program has minimum precision.
struct SignatureColumns {
  bool stream = false;
  bool precision = false;
};
SignatureColumns signature_columns(const sm4::Program& program, SignatureKind kind);

/// Appends the data of one signature chunk and returns its tag: the smallest form that has those columns.
uint32_t write_signature(std::span<const sm4::SignatureElement> elements, SignatureKind kind,
                         SignatureColumns columns, std::pmr::vector<std::byte>& out);

/// Makes signatures from the declarations, for text without a header. System values keep their names.
/// Everything else is TEXCOORD#, or SV_Target# for what a pixel shader writes.
void make_signatures(sm4::Program& program);

}  // namespace texlate::dxbc
