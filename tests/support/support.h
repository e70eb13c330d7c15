// Shared by several tests: complete translations of short texts, files, external tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "library/pipeline.h"

namespace texlate::test {

struct Outcome {
  bool ok = false;
  std::string text;  // the translation
  std::string reflection;
  std::string diagnostics;  // rendered, one after the other
  std::vector<ir::ClosedGap> gaps;
};

/// Reads a listing and translates it.
Outcome translate(std::string_view listing, const library::TranslateOptions& options = {});

/// A pixel shader around these lines: t0..t3, s0, s1 (comparison), v0..v1, o0, cb0, r0..r3 are declared.
std::string pixel_shader(std::string_view body, std::string_view more_declarations = {});

std::string read_file(const std::string& path);
bool write_file(const std::string& path, std::string_view text);

/// NVIDIA's assembler: $TEXLATE_PTXAS, the one that `make judges` installed in build/judges, the first on
/// PATH, or the one in CUDA's usual folder; empty if there is none.
std::string find_ptxas();
/// Runs ptxas on PTX text. Empty if it accepts the text, otherwise its output.
std::string ptxas_complaint(const std::string& ptxas, std::string_view text, int sm = 75);

/// The folder ../shared/corpus; empty if it does not exist.
std::string corpus_folder();

}  // namespace texlate::test
