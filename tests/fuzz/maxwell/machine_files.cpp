// Random cubins, dksh files and words for the Maxwell machine: refused, or run without leaving their memory.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "backend/maxwell/isa/table.h"
#include "sim/maxwell/cubin.h"
#include "sim/maxwell/dksh.h"
#include "sim/maxwell/machine.h"

namespace {

using namespace texlate::sim::maxwell;

void run(const Program& program) {
  // A file may ask for any amount of memory; what a launch of it takes is the caller's choice.
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

/// Groups of a control word and three words that are instructions: the fixed bits of some form, noise in its
/// fields.
Program likely_program(std::span<const uint8_t> bytes) {
  Program program;
  const auto forms = texlate::maxwell::forms();
  for (size_t at = 0; at + 10 <= bytes.size(); at += 10) {
    uint64_t noise = 0;
    uint16_t pick = 0;
    std::memcpy(&noise, bytes.data() + at, 8);
    std::memcpy(&pick, bytes.data() + at + 8, 2);
    if (program.words.size() % 4 == 0) program.words.push_back(noise & 0x7fffffffffffffff);
    const auto& form = forms[pick % forms.size()];
    constexpr uint64_t kAlways = uint64_t{7} << 16;  // the guard PT
    program.words.push_back(form.value | (noise & form.known) |
                            (form.guarded && pick % 8 != 0 ? kAlways : 0));
  }
  while (program.words.size() % 4 != 0) program.words.push_back(0x50b0000000070f00);  // NOP
  return program;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  std::string error;
  Cubin cubin;
  if (read_cubin(file, "", cubin, error)) run(cubin.program);
  Dksh dksh;
  if (read_dksh(file, dksh, error)) run(dksh.program);
  run(likely_program({data, size}));
  return 0;
}
