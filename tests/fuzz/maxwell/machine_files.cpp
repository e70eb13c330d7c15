// Random cubins, dksh files and words for the Maxwell machine: refused, or run without access outside their
// memory.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "backend/maxwell/isa/compiled_form.h"
#include "sim/maxwell/cubin.h"
#include "sim/maxwell/dksh.h"
#include "sim/maxwell/machine.h"

namespace {

using namespace texlate::sim::maxwell;

void run(const Program& program) {
  // A file may request any amount of memory; the caller chooses what a launch of it accepts.
  if (program.local_bytes > 4096 || program.shared_bytes > 65536) return;
  MachineOptions options;
  options.max_lane_instructions = 20000;
  Machine machine(program, options);
  std::array<std::byte, 256> memory{};
  const uint64_t address = machine.map_memory(memory);
  TextureHeader header;
  machine.add_texture(header);
  machine.add_sampler({});
  std::array<std::byte, 64> parameters{};
  std::memcpy(parameters.data(), &address, sizeof address);
  machine.launch({1, 1, 1}, {32, 1, 1}, parameters).describe();
}

constexpr uint64_t kControl = 0x001fbc00fde007ef;  // waits long after each of three
constexpr uint64_t kNop = 0x50b0000000070f00, kExit = 0xe30000000007000f;
constexpr uint64_t kBaseLow = 0x4c98078005070002,
                   kBaseHigh = 0x4c98078005170003;  // MOV R2, c[0x0][0x140] ...

/// A word that is an instruction: the fixed bits of some form, random fields, usually with the guard PT.
uint64_t likely_word(const uint8_t* bytes) {
  const auto& forms = texlate::maxwell::compiled_table().compiled;
  uint64_t noise = 0;
  uint16_t pick = 0;
  std::memcpy(&noise, bytes, 8);
  std::memcpy(&pick, bytes + 8, 2);
  const auto& form = forms[pick % forms.size()];
  constexpr uint64_t kAlways = uint64_t{7} << 16;
  return form.value | (noise & ~form.fixed_mask) |
         (form.prototype.guard == 0 && (noise & 7) != 0 ? kAlways : 0);
}

/// Runs each word alone, with an address in R2 and R3, so that each is executed; then all of them in
/// sequence.
void run_words(std::span<const uint8_t> bytes) {
  Program all;
  for (size_t at = 0; at + 10 <= bytes.size(); at += 10) {
    const uint64_t word = likely_word(bytes.data() + at);
    Program alone;
    alone.words = {kControl, kBaseLow, kBaseHigh, kNop, kControl, word, kExit, kNop};
    run(alone);
    if (all.words.size() % 4 == 0) all.words.push_back(kControl);
    all.words.push_back(word);
  }
  while (all.words.size() % 4 != 0) all.words.push_back(kExit);
  run(all);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  std::string error;
  Cubin cubin;
  if (read_cubin(file, "", cubin, error)) run(cubin.program);
  Dksh dksh;
  if (read_dksh(file, dksh, error)) run(dksh.program);
  run_words({data, size});
  return 0;
}
