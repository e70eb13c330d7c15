// What several tests need: whole translations of short texts, files, the judges of the outside.
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

/// Reads and translates a listing.
Outcome translate(std::string_view listing, const library::TranslateOptions& options = {});

/// A pixel shader around these lines: t0..t3, s0, s1 (comparison), v0..v1, o0, cb0, r0..r3 are declared.
std::string pixel_shader(std::string_view body, std::string_view more_declarations = {});

std::string read_file(const std::string& path);
bool write_file(const std::string& path, std::string_view text);

/// NVIDIA's assembler: $TEXLATE_PTXAS, what `make judges` fetched into build/judges, the first on PATH, or
/// CUDA's usual place; empty where there is none.
std::string find_ptxas();
/// Runs ptxas over PTX text; empty when it accepts, else what it said.
std::string ptxas_complaint(const std::string& ptxas, std::string_view text, int sm = 75);

/// Folder ../shared/corpus, empty where it is absent.
std::string corpus_folder();

}  // namespace texlate::test
