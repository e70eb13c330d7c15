// Every recorded pair of NVIDIA's disassembler (docs/conventions.md) whose mnemonic is in the table, in both
// directions: text to word exactly, word to text exactly.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/maxwell_codec.h"
#include "tests/support/paths.h"

namespace texlate::maxwell {
namespace {

struct Pair {
  int sm;
  uint32_t address;
  uint8_t reuse;
  uint64_t word;
  std::string text;
};

std::vector<Pair> read_pairs() {
  std::vector<Pair> pairs;
  std::ifstream file(test::shared_dir() + "/facts/maxwell_vectors.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream fields(line);
    std::string sm, address, reuse, word, text;
    std::getline(fields, sm, '\t');
    std::getline(fields, address, '\t');
    std::getline(fields, reuse, '\t');
    std::getline(fields, word, '\t');
    std::getline(fields, text, '\t');
    pairs.push_back({std::stoi(sm), static_cast<uint32_t>(std::stoul(address, nullptr, 16)),
                     static_cast<uint8_t>(std::stoul(reuse, nullptr, 16)), std::stoull(word, nullptr, 16),
                     text});
  }
  return pairs;
}

std::string mnemonic(const std::string& text) {
  const size_t begin = text.front() == '@' ? text.find(' ') + 1 : 0;
  return text.substr(begin, text.find_first_of(" .", begin) - begin);
}

// Excluded, with the reason (docs/maxwell-isa.md, "What is left out").
const std::map<std::string, std::string> kLeftOut = {
    {"VADD", "video: not in sections 2, 3 and 6 of the sheet"},
    {"VSHR", "video: not in sections 2, 3 and 6 of the sheet"},
    {"VMNMX", "video: not in sections 2, 3 and 6 of the sheet"},
    {"VABSDIFF4", "video: not in sections 2, 3 and 6 of the sheet"},
    {"IDP", "sm_61 only"},
};

// One recorded pair has an operand-cache bit that its text does not show: only the word can be compared.
bool shows_reuse(const Pair& pair) {
  return !(mnemonic(pair.text) == "ISCADD" && pair.reuse == 4);
}

TEST(Vectors, BothWays) {
  const std::vector<Pair> pairs = read_pairs();
  if (pairs.empty()) GTEST_SKIP() << "no ../shared/facts/maxwell_vectors.tsv";
  std::map<std::string, int> left_out;
  unsigned covered = 0;
  for (const Pair& pair : pairs) {
    if (kLeftOut.count(mnemonic(pair.text)) != 0) {
      ++left_out[mnemonic(pair.text)];
      continue;
    }
    ++covered;
    SCOPED_TRACE(pair.text);
    Diagnostics diagnostics;
    Instruction parsed;
    ASSERT_TRUE(parse(pair.text, pair.address, parsed, diagnostics))
        << render(diagnostics.list().front(), "vector", pair.text);
    const Encoded encoded = encode(parsed);
    ASSERT_FALSE(encoded.violation) << rule_text(encoded.violation.rule);
    EXPECT_EQ(encoded.word, pair.word);
    // The reuse column was recorded only for sm_60 and sm_61.
    if (pair.sm != 50 && shows_reuse(pair)) {
      EXPECT_EQ(parsed.control.reuse, pair.reuse);
    }

    Instruction decoded;
    ASSERT_TRUE(decode(pair.word, decoded));
    decoded.control.reuse = pair.sm == 50 ? parsed.control.reuse : pair.reuse;
    std::string text;
    print(decoded, pair.address, text);
    EXPECT_EQ(text, pair.text);
  }
  EXPECT_EQ(covered, 2725u);
  RecordProperty("covered", static_cast<int>(covered));
  for (const auto& [name, count] : left_out) {
    std::printf("left out: %s, %d pairs: %s\n", name.c_str(), count, kLeftOut.at(name).c_str());
  }
  std::printf("%u of %zu pairs covered, both ways\n", covered, pairs.size());
}

TEST(Vectors, TheThreeOfTheTask) {
  const std::pair<const char*, uint64_t> pairs[] = {
      {"TEXS RZ, R0, R19, R29, 0x1, 2D, RG", 0xd830001ff1d71300},
      {"TEXS.LL R0, R2, R4, R9, 0x3, 2D, RGBA", 0xd870003000970402},
      {"TEXS.DC R4, R0, R8, R19, 0x2, 2D, RGBA", 0xd890002041370800},
  };
  for (const auto& [text, word] : pairs) {
    Diagnostics diagnostics;
    Instruction instruction;
    ASSERT_TRUE(parse(text, 8, instruction, diagnostics));
    EXPECT_EQ(encode(instruction).word, word);
    ASSERT_TRUE(decode(word, instruction));
    std::string out;
    print(instruction, 8, out);
    EXPECT_EQ(out, text);
  }
}

}  // namespace
}  // namespace texlate::maxwell
