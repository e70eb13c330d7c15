// Random words, random text, random listings, random cubins. Nothing crashes; whatever decodes can be
// printed, parsed and encoded to the same word; whatever parses prints as text that parses to the same word
// again.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "backend/maxwell/containers.h"
#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/diagnostics.h"
#include "tests/support/describe_texture.h"
#include "tests/support/maxwell_codec.h"

namespace {

using namespace texlate;
using namespace texlate::maxwell;

void require(bool holds, const char* what, uint64_t word, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s: word %016llx, text '%s'\n", what, static_cast<unsigned long long>(word),
               text.c_str());
  std::abort();
}

void check_word(uint64_t word) {
  constexpr uint32_t kAddress = 0x1008;
  Instruction decoded;
  if (!decode(word, decoded)) return;
  require(!check_encodable(decoded), "decoded, but not encodable", word, "");
  require(encode_unchecked(decoded) == word, "encodes to another word", word, "");
  check_constraints(decoded);
  TextureRequest request;
  describe_texture(decoded, request);
  std::string text;
  print(decoded, kAddress, text);
  Diagnostics diagnostics;
  Instruction parsed;
  require(parse(text, kAddress, parsed, diagnostics), "printed, but does not parse", word, text);
  const Encoded encoded = encode(parsed);
  require(!encoded.violation && encoded.word == word, "parses to another word", word, text);
}

/// A word that is more often an instruction: the fixed bits of some form, random fields.
uint64_t likely_word(uint64_t noise, uint16_t pick) {
  const CompiledForm& f = compiled_table().compiled[pick % compiled_table().compiled.size()];
  return f.value | (noise & ~f.fixed_mask);
}

void check_text(std::string_view text) {
  Diagnostics diagnostics;
  Instruction parsed;
  if (!parse(text, 0x1008, parsed, diagnostics)) {
    require(diagnostics.has_errors(), "refused without a message", 0, std::string(text));
    return;
  }
  const Encoded encoded = encode(parsed);
  require(!encoded.violation, "parsed, but not encodable", encoded.word, std::string(text));
  Instruction decoded;
  require(decode(encoded.word, decoded), "parsed, but does not decode", encoded.word, std::string(text));
  check_word(encoded.word);
}

/// Text composed of the language's own pieces, which the input chooses.
std::string likely_text(const uint8_t* data, size_t size) {
  static const char* const kPieces[] = {
      "R0",   "R255", "RZ",    "P0",  "!PT",  "PT",     ", ",    ", ",    ", ",        "-R3",
      "|R4|", "0x1",  "-0x8",  "1.5", "+INF", "c[0x0]", "[0x8]", "[R2]",  "[R2+0x10]", "2D",
      "CUBE", "RGBA", "{1,0}", "SB0", ";",    ".reuse", ".H1",   "CC.EQ", "0xf",       "a[0x80]"};
  std::string text;
  if (size < 2) return text;
  const Form& f = forms()[(data[0] | data[1] << 8) % forms().size()];
  text = opcode_info(f.opcode).text;
  text += ' ';
  for (size_t i = 2; i < size && i < 24; ++i) text += kPieces[data[i] % std::size(kPieces)];
  return text;
}

/// A printed instruction with one character changed.
void check_damaged(uint64_t word, uint8_t place, uint8_t character) {
  Instruction decoded;
  if (!decode(word, decoded)) return;
  std::string text;
  print(decoded, 0x1008, text);
  text[place % text.size()] = static_cast<char>(32 + character % 96);
  check_text(text);
}

void check_listing(const uint8_t* data, size_t size) {
  std::vector<uint64_t> words(size / 32 * 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  Diagnostics diagnostics;
  std::string listing;
  require(disassemble_program(words, listing, diagnostics), "program does not disassemble", 0, "");
  std::vector<uint8_t> again;
  require(assemble(listing, again, diagnostics, {.constraints = false}), "listing does not assemble", 0,
          listing);
  require(again.size() == words.size() * 8 && std::equal(again.begin(), again.end(), data),
          "listing assembles to other bytes", 0, listing);
  listing.clear();
  disassemble({data, size}, listing, diagnostics);
  std::vector<uint8_t> bytes;
  assemble({reinterpret_cast<const char*>(data), size}, bytes, diagnostics);
  Cubin cubin;
  read_cubin({data, size}, cubin, diagnostics);
}

/// A cubin or deko3d program with some bytes changed, three of the input's for each: it is listed or refused,
/// and what has directives assembles to the same file.
void check_file(const uint8_t* data, size_t size) {
  static const auto kFiles = [] {
    constexpr std::string_view kCode = "MOV R1, c[0x0][0x20];\nFADD R0, R1, R7;\nEXIT;\n";
    constexpr std::string_view kDirectives[] = {
        ".sm 52\n.registers 8\n.parameters 64\n.local 16\n.shared 32\n.threads 8 8 1\n.constants 0x1 0x2\n",
        ".stage compute\n.registers 8\n.threads 8 8 1\n.constants 0x1 0x2\n"};
    std::array<std::pmr::string, 2> files;
    for (const Container container : {Container::cubin, Container::dksh}) {
      const size_t i = container == Container::cubin ? 0 : 1;
      Diagnostics diagnostics;
      const std::string text = std::string(kDirectives[i]) + std::string(kCode);
      require(assemble(text, container, files[i], diagnostics), "container does not assemble", 0, text);
    }
    return files;
  }();
  for (const Container container : {Container::cubin, Container::dksh}) {
    std::pmr::string file = kFiles[container == Container::cubin ? 0 : 1];
    for (size_t i = 0; i + 3 <= size && i < 12; i += 3)
      file[(data[i] | data[i + 1] << 8) % file.size()] = static_cast<char>(data[i + 2]);
    std::string listing;
    Diagnostics diagnostics;
    if (!disassemble_file({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, listing,
                          diagnostics)) {
      require(diagnostics.has_errors(), "refused without a message", 0, "");
      continue;
    }
    std::pmr::string again;
    if (!listing.starts_with("//") &&
        assemble(listing, container, again, diagnostics, {.constraints = false}))
      require(again == file, "listing assembles to another file", 0, listing);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (size_t at = 0; at + 12 <= size; at += 12) {
    uint64_t word = 0;
    uint16_t pick = 0;
    std::memcpy(&word, data + at, 8);
    std::memcpy(&pick, data + at + 8, 2);
    check_word(word);
    check_word(likely_word(word, pick));
    check_damaged(likely_word(word, pick), data[at + 10], data[at + 11]);
  }
  check_text({reinterpret_cast<const char*>(data), size});
  check_text(likely_text(data, size));
  check_file(data, size);
  check_listing(data, size);
  return 0;
}
