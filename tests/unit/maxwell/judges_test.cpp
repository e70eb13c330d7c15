// NVIDIA's tools as independent checks (`make judges` installs them in build/judges/bin): ten thousand
// generated instructions through nvdisasm, and every instruction that ptxas emits for the kernels in
// kernels/. Without the tools, the tests are skipped and say so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/listing.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/maxwell_codec.h"
#include "tests/support/nvidia_judges.h"

namespace texlate::maxwell {
namespace {

const fs::path kKernels = fs::path(test::source_dir()) / "tests/unit/maxwell/kernels";

// Words of all forms with random fields; every form occurs.
std::vector<uint64_t> generate(unsigned each, std::mt19937_64& random) {
  std::vector<uint64_t> words;
  std::set<uint64_t> seen;
  for (const CompiledForm& f : compiled_table().compiled) {
    unsigned made = 0;
    for (unsigned attempt = 0; attempt < each * 40 && made < each; ++attempt) {
      uint64_t noise = random();
      if (attempt % 3 == 1) noise &= random() & random();
      if (attempt % 3 == 2) noise |= random();
      const uint64_t word = f.value | (noise & ~f.fixed_mask);
      Instruction instruction;
      if (!decode(word, instruction) || !seen.insert(word).second) continue;
      // sm_60 and later only.
      if (modifier_index(instruction.form, Modifier::reduction_type) >= 0 &&
          get_modifier(instruction, Modifier::reduction_type) == static_cast<uint8_t>(ReductionType::f64)) {
        continue;
      }
      words.push_back(word);
      ++made;
    }
    EXPECT_GT(made, 0u) << opcode_info(opcode(f.prototype)).text;
  }
  return words;
}

TEST(Judges, GeneratedInstructionsReadTheSameInNvdisasm) {
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  std::mt19937_64 random(1);
  const std::vector<uint64_t> words = generate(40, random);
  ASSERT_GE(words.size(), 10000u);

  // Text generated and assembled here, disassembled there.
  std::string source;
  std::vector<std::string> texts;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint8_t reuse = i % 4 == 3 || !shows_reuse(words[i]) ? 0 : static_cast<uint8_t>(i % 4);
    texts.push_back(print_with_reuse(words[i], instruction_address(static_cast<uint32_t>(i)), reuse));
    source += "--:-:-:Y:1:" + std::to_string(reuse) + " " + texts.back() + ";\n";
  }
  std::vector<uint8_t> bytes;
  Diagnostics diagnostics;
  ASSERT_TRUE(assemble(source, bytes, diagnostics, {.constraints = false}))
      << render(diagnostics.list().front(), "generated", source);

  const Folder folder;
  std::ofstream(folder / "code.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const ToolRun judged =
      run((kJudges / "nvdisasm").string() + " -b SM53 -hex " + (folder / "code.bin").string());
  ASSERT_EQ(judged.status, 0) << judged.output.substr(judged.output.size() > 300 ? judged.output.size() - 300
                                                                                 : 0);
  std::map<uint32_t, Line> lines = parse_lines(judged.output);
  unsigned agreed = 0;
  unsigned exact = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t address = instruction_address(static_cast<uint32_t>(i));
    ASSERT_TRUE(lines.count(address)) << address;
    EXPECT_EQ(lines[address].word, words[i]) << texts[i];
    const bool same = normalize(lines[address].text) == normalize(texts[i]);
    EXPECT_TRUE(same) << std::hex << words[i] << "\n  nvdisasm: " << lines[address].text
                      << "\n  here:     " << texts[i];
    agreed += same ? 1 : 0;
    exact += lines[address].text == texts[i] ? 1 : 0;
  }
  std::printf(
      "%u of %zu generated instructions agree with nvdisasm, %u of them without normalizing spellings\n",
      agreed, words.size(), exact);
}

/// Function name -> address -> line, of `cuobjdump -sass`.
std::map<std::string, std::map<uint32_t, Line>> read_sass(const std::string& output) {
  std::map<std::string, std::map<uint32_t, Line>> functions;
  std::string name;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    const size_t at = line.find("Function : ");
    if (at != std::string::npos) name = line.substr(at + 11);
    uint32_t address = 0;
    Line parsed;
    if (parse_line(line, address, parsed)) functions[name][address] = parsed;
  }
  return functions;
}

struct Tally {
  unsigned kernels = 0, instructions = 0;
  std::set<std::string> mnemonics;
};

void check_kernel(const CubinKernel& kernel, const std::map<uint32_t, Line>& sass, Tally& tally) {
  SCOPED_TRACE(std::string(kernel.name));
  EXPECT_GT(kernel.register_count, 0u);
  ASSERT_EQ(kernel.code.size() % 32, 0u);
  std::vector<uint64_t> words(kernel.code.size() / 8);
  std::memcpy(words.data(), kernel.code.data(), kernel.code.size());
  for (uint32_t i = 0; i < words.size() / 4 * 3; ++i) {
    const uint32_t address = instruction_address(i);
    const uint64_t word = words[address / 8];
    const auto line = sass.find(address);
    ASSERT_NE(line, sass.end()) << address;
    ASSERT_EQ(line->second.word, word);
    const Control control = decode_control(control_slot(words[i / 3 * 4], i % 3));
    const std::string text = print_with_reuse(word, address, control.reuse);
    EXPECT_EQ(normalize(text), normalize(line->second.text));
    Diagnostics diagnostics;
    Instruction parsed;
    ASSERT_TRUE(parse(text, address, parsed, diagnostics)) << text;
    EXPECT_EQ(encode(parsed).word, word) << text;
    ++tally.instructions;
    tally.mnemonics.insert(std::string(opcode_info(opcode(parsed)).text));
  }
  // The whole listing, including control words, assembles back and violates none of our constraints.
  Diagnostics diagnostics;
  std::string listing;
  std::vector<uint8_t> again;
  ASSERT_TRUE(disassemble_program(words, listing, diagnostics));
  ASSERT_TRUE(assemble(listing, again, diagnostics))
      << render(diagnostics.list().front(), "listing", listing);
  EXPECT_TRUE(std::equal(again.begin(), again.end(), kernel.code.begin(), kernel.code.end()));
  ++tally.kernels;
}

TEST(Judges, EveryInstructionThatPtxasMakes) {
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  const Folder folder;
  for (const char* sm : {"sm_50", "sm_52", "sm_53"}) {
    Tally tally;
    for (const fs::directory_entry& entry : fs::directory_iterator(kKernels)) {
      if (entry.path().extension() != ".ptx") continue;
      if (entry.path().stem() == "half" && std::string(sm) != "sm_53") continue;  // half precision: sm_53 on
      SCOPED_TRACE(entry.path().filename().string() + " " + sm);
      const std::string cubin_path = (folder / (entry.path().stem().string() + ".cubin")).string();
      const ToolRun compiled = run((kJudges / "ptxas").string() + " -arch " + sm + " " +
                                   entry.path().string() + " -o " + cubin_path);
      ASSERT_EQ(compiled.status, 0) << compiled.output;
      const ToolRun sass = run((kJudges / "cuobjdump").string() + " -sass " + cubin_path);
      ASSERT_EQ(sass.status, 0) << sass.output;
      const auto functions = read_sass(sass.output);

      std::ifstream stream(cubin_path, std::ios::binary);
      const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
      Cubin cubin;
      Diagnostics diagnostics;
      ASSERT_TRUE(
          read_cubin({reinterpret_cast<const uint8_t*>(content.data()), content.size()}, cubin, diagnostics));
      EXPECT_EQ("sm_" + std::to_string(cubin.sm), sm);
      ASSERT_EQ(cubin.kernels.size(), functions.size());
      for (const CubinKernel& kernel : cubin.kernels) {
        const auto function = functions.find(std::string(kernel.name));
        ASSERT_NE(function, functions.end()) << kernel.name;
        check_kernel(kernel, function->second, tally);
        if (HasFatalFailure()) return;
      }
    }
    EXPECT_GE(tally.kernels, 50u);
    std::printf("%s: %u kernels, %u instructions, %zu opcodes\n", sm, tally.kernels, tally.instructions,
                tally.mnemonics.size());
  }
}

}  // namespace
}  // namespace texlate::maxwell
