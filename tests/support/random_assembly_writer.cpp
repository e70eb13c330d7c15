#include "tests/support/random_assembly_writer.h"

namespace texlate::test {

std::string AssemblyWriter::literals(bool is_float) {
  return fmt::format("l({}, {}, {}, {})", literal(is_float), literal(is_float), literal(is_float),
                     literal(is_float));
}

std::string AssemblyWriter::mask() {
  const uint32_t bits = 1 + below(15);
  std::string text;
  for (uint32_t c = 0; c < 4; ++c) {
    if ((bits >> c & 1) != 0) text += "xyzw"[c];
  }
  return text;
}

std::string AssemblyWriter::swizzle() {
  std::string text;
  for (uint32_t c = 0; c < 4; ++c) text += "xyzw"[chance(3) ? below(4) : c];
  return text;
}

std::string AssemblyWriter::row(uint32_t limit) {
  if (chance(2)) return fmt::format("{}", below(limit));
  line("and r{}.x, r{}.{}, l({})", kScratch, kIntegers + below(kRegisters), component(), limit / 2 - 1);
  return fmt::format("r{}.x + {}", kScratch, below(limit / 2 + 1));
}

std::string AssemblyWriter::beyond(uint32_t limit) {
  line("and r{}.x, r{}.{}, l({})", kScratch, kIntegers + below(kRegisters), component(), limit - 1);
  return fmt::format("r{}.x + {}", kScratch, below(4));
}

std::string AssemblyWriter::kept_row() {
  const std::string row = fmt::format("r{}.{} + 0", kIndices, component());
  return chance(2) ? row : fmt::format("x1[{}].{} + 0", row, component());
}

std::string AssemblyWriter::kept_rows() {
  return chance(2) ? fmt::format("r{}", kIndices) : fmt::format("x1[r{}.{} + 0]", kIndices, component());
}

std::string AssemblyWriter::registers(bool is_float) {
  const uint32_t own = (is_float ? kFloats : kIntegers) + below(kRegisters);
  switch (below(14)) {
    case 0: return fmt::format("cb0[{}]", below(kRows / 2) * 2 + (is_float ? 0 : 1));
    case 1: return is_compute() ? fmt::format("r{}", own) : fmt::format("v{}", (is_float ? 0 : 2) + below(2));
    case 2: return fmt::format("x0[{}]", below(kArrayRows));
    case 3: return fmt::format("icb[{}]", below(kRows / 2) * 2 + (is_float ? 0 : 1));
    case 4: return fmt::format("x0[{}]", kept_row());
    case 5:
      if (is_float) return fmt::format("r{}", own);
      return fmt::format("{}[{}]", chance(2) ? "cb0" : "icb", kept_row());
    default: return fmt::format("r{}", own);
  }
}

std::string AssemblyWriter::source(bool is_float) {
  if (chance(5)) return literals(is_float);
  const std::string text = registers(is_float) + "." + swizzle();
  if (!is_float) return chance(10) ? "-" + text : text;
  switch (below(10)) {
    case 0: return "-" + text;
    case 1: return "|" + text + "|";
    case 2: return "-|" + text + "|";
    default: return text;
  }
}

}  // namespace texlate::test
