#include "backend/maxwell/isa/listing.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/machine/text.h"
#include "ir/base/diagnostics.h"
#include "tests/unit/maxwell_machine/meaning.h"

namespace texlate::maxwell::machine::test {

std::string describe(const Function& function) {
  std::string out;
  print(function, out);
  return out;
}

std::string describe(const Program& program) {
  std::pmr::vector<uint64_t> words;
  encode_unchecked(program.instructions, words);
  Diagnostics diagnostics;
  std::string out;
  disassemble_program(words, out, diagnostics);
  return out;
}

}  // namespace texlate::maxwell::machine::test
