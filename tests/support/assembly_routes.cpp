#include "tests/support/assembly_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
#include "frontend/sm4/validate.h"
#include "ir/passes/optimize.h"
#include "ir/verifier.h"
#include "sim/ir/interpreter.h"

namespace texlate::test {

namespace {

sim::Dimension dimension_of(sm4::ResourceDimension dimension) {
  switch (dimension) {
    case sm4::ResourceDimension::texture1d: return sim::Dimension::texture1d;
    case sm4::ResourceDimension::texture2darray: return sim::Dimension::texture2d_array;
    case sm4::ResourceDimension::texture3d: return sim::Dimension::texture3d;
    case sm4::ResourceDimension::texture2dms: return sim::Dimension::texture2dms;
    default: return sim::Dimension::texture2d;
  }
}

/// The executors' copies of a program's bindings.
class Bound {
 public:
  Bound(const MachineBindings& from, const ir::Module& module) : copy_(from), bindings(module) {
    for (size_t i = 0; i < module.resources.size(); ++i) bind(module.resources[i], i);
    for (size_t i = 0; i < module.samplers.size(); ++i) {
      const SamplerData& data = copy_.samplers.at(module.samplers[i].id);
      sim::Sampler& sampler = bindings.samplers(static_cast<uint32_t>(i))[0];
      sampler.min_filter = sampler.mag_filter = data.linear ? sim::Filter::linear : sim::Filter::point;
      for (uint32_t a = 0; a < 3; ++a) sampler.address[a] = static_cast<sim::AddressMode>(data.address[a]);
      sampler.comparison = static_cast<sim::Comparison>(data.comparison);
      if (module.samplers[i].comparison) sampler.reduction = sim::Reduction::comparison;
      sampler.border = data.border;
      sampler.min_lod = sampler.max_lod = static_cast<float>(data.mip);
    }
    for (size_t i = 0; i < module.constant_buffers.size(); ++i) {
      const auto& rows = copy_.constant_buffers.at(module.constant_buffers[i].id);
      bindings.constant_buffers(static_cast<uint32_t>(i))[0] = {rows.data()->data(), rows.size() * 4};
    }
  }

  MachineBindings& memory() { return copy_; }
  /// The texels of u#, converted back to words.
  void read_back() {
    for (auto& [slot, data] : copy_.uav_textures) {
      if (sim::Texture* texture = uav_textures_[slot])
        each_texel(data, [&](auto& texel, uint32_t mip, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
                             bool volume) {
          texel = texture->read(mip, volume ? 0 : z, x, y, volume ? z : 0, sample);
        });
    }
  }

 private:
  template <typename Visit>
  static void each_texel(TextureData& data, Visit visit) {
    const bool volume = data.dimension == sm4::ResourceDimension::texture3d;
    for (uint32_t mip = 0; mip < data.mips; ++mip) {
      const auto extent = data.size(mip);
      for (uint32_t z = 0; z < extent[2]; ++z) {
        for (uint32_t y = 0; y < extent[1]; ++y) {
          for (uint32_t x = 0; x < extent[0]; ++x) {
            for (uint32_t i = 0; i < data.samples; ++i)
              visit(data.at(mip, x, y, z, i), mip, x, y, z, i, volume);
          }
        }
      }
    }
  }

  void bind(const ir::Resource& resource, size_t i) {
    sim::BoundResource& slot = bindings.resources(static_cast<uint32_t>(i))[0];
    auto& textures = resource.is_uav ? copy_.uav_textures : copy_.textures;
    auto& buffers = resource.is_uav ? copy_.uav_buffers : copy_.buffers;
    if (const auto texture = textures.find(resource.id); texture != textures.end()) {
      bind_texture(texture->second, resource, slot);
      return;
    }
    BufferData& data = buffers.at(resource.id);
    sim::BufferView& view = slot.buffer;
    view.data = reinterpret_cast<std::byte*>(data.words.data());
    view.counter = &data.counter;
    if (resource.dimension == ir::Dimension::raw_buffer) {
      view.kind = sim::BufferKind::raw;
      view.element_count = static_cast<uint32_t>(data.words.size() * 4);
    } else if (resource.dimension == ir::Dimension::structured_buffer) {
      view.kind = sim::BufferKind::structured;
      view.stride = data.words_per_element * 4;
      view.element_count = static_cast<uint32_t>(data.words.size() / data.words_per_element);
    } else {
      view.kind = sim::BufferKind::typed;
      view.format = data.words_per_element == 4 ? sim::Format::r32g32b32a32_uint : sim::Format::r32_uint;
      view.element_count = static_cast<uint32_t>(data.words.size() / data.words_per_element);
    }
  }

  void bind_texture(TextureData& data, const ir::Resource& resource, sim::BoundResource& slot) {
    const bool volume = data.dimension == sm4::ResourceDimension::texture3d;
    sim::TextureDesc desc;
    desc.dimension = dimension_of(data.dimension);
    desc.format = data.components == 1 ? sim::Format::r32_uint : sim::Format::r32g32b32a32_float;
    desc.size = {data.width, data.height, volume ? data.depth : 1};
    desc.mips = data.mips;
    desc.samples = data.samples;
    desc.array_size = volume ? 1 : data.depth;
    Diagnostics diagnostics;
    textures_.push_back(std::make_unique<sim::Texture>(*sim::Texture::create(desc, diagnostics)));
    sim::Texture& texture = *textures_.back();
    each_texel(data, [&](auto& texel, uint32_t mip, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
                         bool is_volume) {
      texture.write(mip, is_volume ? 0 : z, x, y, is_volume ? z : 0, texel, sample);
    });
    slot.texture = sim::TextureView::whole(texture);
    if (resource.is_uav) uav_textures_[resource.id] = &texture;
  }

  MachineBindings copy_;
  std::vector<std::unique_ptr<sim::Texture>> textures_;
  std::map<uint32_t, sim::Texture*> uav_textures_;

 public:
  sim::Bindings bindings;
};

std::string messages_of(const Diagnostics& diagnostics, std::string_view text) {
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.list()) all += render(diagnostic, "random.asm", text);
  return all;
}

/// One word by both routes.
void compare(const Word& wanted, uint32_t found, const auto& where, RouteResult& result) {
  if (wanted.known == Known::open) {
    ++result.open_words;
    return;
  }
  ++result.words;
  if (wanted.is(found) || !result.difference.empty()) return;
  result.difference =
      fmt::format("{}: the assembly says 0x{:08x} ({}), the IR 0x{:08x} ({})\n", where(), wanted.bits,
                  std::bit_cast<float>(wanted.bits), found, std::bit_cast<float>(found));
}

void run_stream(const RandomAssembly& random, const std::vector<Lane>& lanes, const ir::Module& module,
                sim::Interpreter& interpreter, const sim::Bindings& bindings, RouteResult& result) {
  const auto count = static_cast<uint32_t>(lanes.size());
  std::vector<uint32_t> inputs(size_t{sim::input_plane_count(module)} * count);
  for (size_t plane = 0; plane * count < inputs.size(); ++plane) {
    for (uint32_t i = 0; i < count; ++i)
      inputs[plane * count + i] = lanes[i].inputs[plane / 4][plane % 4].bits;
  }
  std::vector<uint32_t> outputs(size_t{sim::output_plane_count(module)} * count);
  std::vector<uint32_t> written(count);
  sim::StreamLaunch launch;
  launch.count = count;
  launch.inputs = inputs;
  launch.outputs = outputs;
  launch.written = written;
  const sim::RunReport report = interpreter.run(bindings, launch);
  if (report.cut_off) result.difference = "the IR does not end";
  for (uint32_t i = 0; i < count; ++i) {
    if (lanes[i].discarded == (written[i] != 0) && result.difference.empty())
      result.difference = fmt::format("lane {}: discarded by the assembly: {}, by the IR: {}", i,
                                      lanes[i].discarded, written[i] == 0);
    if (lanes[i].discarded) continue;
    for (uint32_t plane = 0; plane < 4 * random.output_registers && size_t{plane} * count < outputs.size();
         ++plane) {
      const auto where = [&] { return fmt::format("lane {}, o{}.{}", i, plane / 4, "xyzw"[plane % 4]); };
      compare(lanes[i].outputs[plane / 4][plane % 4], outputs[size_t{plane} * count + i], where, result);
    }
  }
}

void compare_memory(const MachineBindings& wanted, const MachineBindings& found, RouteResult& result) {
  const auto known = [](uint32_t bits) { return Word{bits, Known::exact, 0}; };
  for (const auto& [slot, buffer] : wanted.uav_buffers) {
    for (size_t i = 0; i < buffer.words.size(); ++i) {
      const auto where = [&, slot = slot] { return fmt::format("u{}, word {}", slot, i); };
      compare(known(buffer.words[i]), found.uav_buffers.at(slot).words[i], where, result);
    }
    const auto counter = [slot = slot] { return fmt::format("the counter of u{}", slot); };
    compare(known(buffer.counter), found.uav_buffers.at(slot).counter, counter, result);
  }
  for (const auto& [slot, texture] : wanted.uav_textures) {
    for (size_t i = 0; i < texture.texels[0].size(); ++i) {
      for (uint32_t c = 0; c < texture.components; ++c) {
        const auto where = [&, slot = slot] { return fmt::format("u{}, texel {}.{}", slot, i, "xyzw"[c]); };
        compare(known(texture.texels[0][i][c]), found.uav_textures.at(slot).texels[0][i][c], where, result);
      }
    }
  }
}

}  // namespace

RouteResult compare_with_ir(const RandomAssembly& random, bool optimized) {
  RouteResult result;
  sm4::Program program;
  Diagnostics diagnostics;
  if (!assembly::parse(random.text, program, diagnostics) || !sm4::validate(program, diagnostics)) {
    result.difference = messages_of(diagnostics, random.text);
    return result;
  }
  MachineBindings memory = random.bindings;
  std::vector<Lane> lanes = random.lanes;
  AssemblyMachine machine(program, memory);
  result.outcome = machine.run(lanes);
  if (result.outcome == Outcome::unsupported)
    result.difference = "the assembly machine has no " + machine.problem();
  if (result.outcome != Outcome::finished) return result;

  ir::Module module;
  if (!lower::lower(program, module, diagnostics)) {
    result.difference = messages_of(diagnostics, random.text);
    return result;
  }
  if (optimized) ir::optimize(module);
  std::unique_ptr<sim::Interpreter> interpreter = sim::Interpreter::create(module, diagnostics);
  if (interpreter == nullptr) {
    result.difference = messages_of(diagnostics, random.text);
    return result;
  }
  Bound bound(random.bindings, module);
  if (random.stage != sm4::Stage::compute) {
    run_stream(random, lanes, module, *interpreter, bound.bindings, result);
    return result;
  }
  if (interpreter->run(bound.bindings, sim::GroupLaunch{}).cut_off) result.difference = "the IR does not end";
  bound.read_back();
  compare_memory(memory, bound.memory(), result);
  return result;
}

}  // namespace texlate::test
