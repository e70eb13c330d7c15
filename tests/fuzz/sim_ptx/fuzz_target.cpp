// Arbitrary bytes: the parser reports or accepts, and what it accepts runs without access outside its memory.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"
#include "sim/ptx/machine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace texlate;
  Diagnostics diagnostics;
  const auto module = sim::ptx::parse({reinterpret_cast<const char*>(data), size}, diagnostics);
  if (module == nullptr || module->register_count > 4096) return 0;
  Diagnostics none;
  auto texture =
      sim::Texture::create({sim::Dimension::texture2d, sim::Format::r8g8b8a8_unorm, {4, 4, 1}, 3}, none);
  for (const sim::ptx::Function& entry : module->functions) {
    if (!entry.is_entry) continue;
    sim::ptx::MachineOptions options;
    options.max_lane_instructions = 20000;
    sim::ptx::Machine machine(*module, options);
    std::vector<std::byte> memory(256);
    const uint64_t address = machine.map_memory(memory);
    sim::ptx::TextureObject object;
    object.view = sim::TextureView::whole(*texture);
    machine.add_texture(object);
    machine.add_surface({object.view});
    std::vector<std::byte> parameters(entry.parameter_bytes);
    for (size_t i = 0; i + 8 <= parameters.size(); i += 8)
      __builtin_memcpy(parameters.data() + i, &address, 8);
    machine.launch(entry.name, {}, {8, 8}, parameters);
  }
  return 0;
}
