#include "tools/executor/known_scene.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "backend/view_format.h"
#include "ir/spelling.h"
#include "tools/executor/parameter_block.h"

namespace texlate::executor {

namespace {

using ir::BindingFact;
using ir::RegisterFile;

texlate_known_resource known_resource(const ir::Resource& declared, uint32_t reg,
                                      const sim::BoundResource& bound) {
  texlate_known_resource known{};
  known.register_class = declared.is_uav ? TEXLATE_REGISTER_UAV : TEXLATE_REGISTER_RESOURCE;
  known.space = declared.space;
  known.first = reg;
  known.count = 1;
  known.known = TEXLATE_KNOWN_BOUND;
  if (!bound.bound()) return known;
  known.bound = 1;
  const auto fact = [&](BindingFact which) { return sim::binding_fact(bound, declared, which); };
  const auto add = [&](texlate_known member, uint32_t& to, uint32_t value) {
    known.known |= member;
    to = value;
  };
  const bool raw = declared.dimension == ir::Dimension::raw_buffer;
  add(TEXLATE_KNOWN_WIDTH, known.width, fact(raw ? BindingFact::bytes : BindingFact::width));
  if (raw || declared.dimension == ir::Dimension::structured_buffer) return known;
  if (declared.dimension != ir::Dimension::buffer) {
    add(TEXLATE_KNOWN_HEIGHT, known.height, fact(BindingFact::height));
    add(TEXLATE_KNOWN_DEPTH, known.depth, fact(BindingFact::depth));
    add(TEXLATE_KNOWN_SLICES, known.slices, fact(BindingFact::layers));
    add(TEXLATE_KNOWN_MIPS, known.mips, fact(BindingFact::levels));
    add(TEXLATE_KNOWN_SAMPLES, known.samples, fact(BindingFact::samples));
  }
  constexpr BindingFact kKeep[] = {BindingFact::keep0, BindingFact::keep1, BindingFact::keep2,
                                   BindingFact::keep3};
  for (uint32_t i = 0; i < 4; ++i) known.components |= fact(kKeep[i]) != 0 ? 1u << i : 0u;
  if (known.components != 0) known.known |= TEXLATE_KNOWN_COMPONENTS;
  const sim::Format format = bound.format();
  if (declared.is_uav) known.format = view_format_of(format);
  if (known.format != TEXLATE_FORMAT_UNKNOWN) known.known |= TEXLATE_KNOWN_TEXEL_FORMAT;
  const auto steps = std::bit_cast<float>(fact(BindingFact::reference_scale));
  add(TEXLATE_KNOWN_UNORM_BITS, known.unorm_bits,
      steps < 0 ? TEXLATE_KNOWN_SNORM : static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(steps))));
  return known;
}

/// D3D12_FILTER: bit 0 is the mip filter, 2 magnification, 4 minification, 6 anisotropic, 7 and 8 the
/// reduction. A sampler that averages is given as one that compares, so that its function is known, too.
uint32_t filter_of(const sim::Sampler& sampler) {
  const uint32_t reduction = sampler.reduction == sim::Reduction::minimum   ? 0x100
                             : sampler.reduction == sim::Reduction::maximum ? 0x180
                                                                            : 0x80;
  if (sampler.anisotropic) return 0x55 | reduction;
  const auto bit = [](sim::Filter filter, uint32_t at) { return filter == sim::Filter::linear ? at : 0u; };
  return bit(sampler.mip_filter, 1) | bit(sampler.mag_filter, 4) | bit(sampler.min_filter, 0x10) | reduction;
}

/// The index within the declaration's registers, if it contains the register.
template <typename Declaration>
std::optional<uint32_t> index_in(const Declaration& declared, const ir::KnownRegisters& of) {
  if (declared.space != of.space || of.first < declared.lower_bound || of.first > declared.upper_bound)
    return {};
  return of.first - declared.lower_bound;
}

/// Pixels past an odd edge, and those that a host says are not covered.
bool has_helper_lanes(const sim::Scene& scene) {
  return scene.width() % 2 != 0 || scene.height() % 2 != 0 ||
         std::ranges::find(scene.covered(), 0u) != scene.covered().end();
}

class Checker {
 public:
  Checker(const ir::Module& module, const ir::Module& contract, const sim::Scene& scene,
          Diagnostics& diagnostics)
      : module_(module),
        contract_(contract),
        scene_(scene),
        bindings_(scene.bindings()),
        diagnostics_(diagnostics) {}

  bool run() {
    for (const ir::KnownFact& known : module_.relied.facts) check(known);
    for (const ir::KnownRow& known : module_.relied.rows) check(known);
    for (const ir::KnownRowCount& known : module_.relied.row_counts) check(known);
    check(module_.relied.launch);
    return good_;
  }

 private:
  void check(const ir::KnownFact& known) {
    if (known.of.file == RegisterFile::sampler) {
      each(module_.samplers, known.of, [&](uint32_t i, uint32_t index) {
        if (index < bindings_.samplers(i).size())
          compare(known, module_.samplers[i].lower_bound + index,
                  sim::sampler_fact(bindings_.samplers(i)[index], known.fact));
      });
      return;
    }
    each(module_.resources, known.of, [&](uint32_t i, uint32_t index) {
      const ir::Resource& declared = module_.resources[i];
      const bool is_uav = known.of.file == RegisterFile::uav;
      if (declared.is_uav != is_uav || index >= bindings_.resources(i).size()) return;
      compare(known, declared.lower_bound + index,
              sim::binding_fact(bindings_.resources(i)[index], declared, known.fact));
    });
  }

  void check(const ir::KnownRow& known) {
    each(module_.constant_buffers, known.of, [&](uint32_t i, uint32_t index) {
      if (index >= bindings_.constant_buffers(i).size()) return;
      const std::span<const uint32_t> words = bindings_.constant_buffers(i)[index];
      for (uint32_t c = 0; c < 4; ++c) {
        if (((known.mask >> c) & 1) == 0) continue;
        const size_t at = size_t{4} * known.row + c;
        const uint32_t word = at < words.size() / 4 * 4 ? words[at] : 0;
        if (word == known.words[c]) continue;
        fail("{}: row {} has {:#010x} in {}, but the code relies on {:#010x} (known state)",
             name(known.of, module_.constant_buffers[i].lower_bound + index), known.row, word, "xyzw"[c],
             known.words[c]);
      }
    });
  }

  void check(const ir::KnownRowCount& known) {
    each(module_.constant_buffers, known.of, [&](uint32_t i, uint32_t index) {
      if (index >= bindings_.constant_buffers(i).size()) return;
      const size_t rows = bindings_.constant_buffers(i)[index].size() / 4;
      if (rows < known.count)
        fail("{} has {} rows, but the code relies on {} at least (known state)",
             name(known.of, module_.constant_buffers[i].lower_bound + index), rows, known.count);
    });
  }

  // A scene tests no depth. If the shader writes one, the scene shows it.
  void check(const ir::KnownLaunch& known) {
    if (known.elements != 0 && known.elements != scene_.element_count())
      fail("the scene has {} elements, but the code relies on {} (known state)", scene_.element_count(),
           known.elements);
    if (known.helper_lanes == false && has_helper_lanes(scene_))
      fail("the scene has helper lanes, but the code relies on their absence (known state)");
    if (known.early_depth == true && module_.outputs.size() != contract_.outputs.size())
      fail("the scene shows depth and stencil outputs, but the code relies on early_depth (known state)");
  }

  /// Calls `use` with the declaration and the index of each register that the fact is about.
  template <typename Declarations, typename Use>
  void each(const Declarations& declarations, const ir::KnownRegisters& of, Use use) {
    for (uint32_t i = 0; i < declarations.size(); ++i) {
      const auto first = index_in(declarations[i], of);
      if (!first) continue;
      const uint32_t count = of.last - of.first;
      const uint32_t most = std::min(count, sim::Bindings::kUnboundedSlots);
      for (uint32_t n = 0; n <= most; ++n) use(i, *first + n);
    }
  }

  void compare(const ir::KnownFact& known, uint32_t reg, uint32_t value) {
    if (value == known.value) return;
    fail("{}: {} is {:#x}, but the code relies on {:#x} (known state)", name(known.of, reg),
         ir::spelling(known.fact), value, known.value);
  }

  /// The name of one of the registers.
  static std::string name(const ir::KnownRegisters& of, uint32_t reg) {
    std::string text = std::string(ir::letter_of(of.file)) + std::to_string(reg);
    if (of.space != 0) text += ",space" + std::to_string(of.space);
    return text;
  }
  template <typename... Args>
  void fail(fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error({}, format, std::forward<Args>(args)...);
    good_ = false;
  }

  const ir::Module& module_;
  const ir::Module& contract_;
  const sim::Scene& scene_;
  const sim::Bindings& bindings_;
  Diagnostics& diagnostics_;
  bool good_ = true;
};

}  // namespace

texlate_format view_format_of(sim::Format format) {
  const uint32_t number = sim::format_info(format).dxgi;
  const bool can_be_one =
      std::ranges::find(backend::kViewFormats, number, &backend::NamedViewFormat::number) !=
      std::end(backend::kViewFormats);
  return can_be_one ? static_cast<texlate_format>(number) : TEXLATE_FORMAT_UNKNOWN;
}

texlate_known_sampler known_sampler(uint32_t space, uint32_t reg, const sim::Sampler& sampler) {
  texlate_known_sampler known{};
  texlate_static_sampler& state = known.state;
  state.filter = filter_of(sampler);
  state.address_u = static_cast<uint32_t>(sampler.address[0]);
  state.address_v = static_cast<uint32_t>(sampler.address[1]);
  state.address_w = static_cast<uint32_t>(sampler.address[2]);
  state.mip_lod_bias = sampler.mip_lod_bias;
  state.max_anisotropy = sampler.max_anisotropy;
  state.comparison = static_cast<uint32_t>(sampler.comparison);
  state.min_lod = sampler.min_lod;
  state.max_lod = sampler.max_lod;
  state.shader_register = reg;
  state.space = space;
  known.count = 1;
  known.has_border = 1;
  std::copy_n(sampler.border.begin(), 4, known.border);
  return known;
}

texlate_known_state KnownLists::state() const {
  texlate_known_state state = launch;
  state.resources = resources.data();
  state.resource_count = resources.size();
  state.samplers = samplers.data();
  state.sampler_count = samplers.size();
  state.constants = constants.data();
  state.constant_count = constants.size();
  return state;
}

KnownLists known_of(const ir::Module& contract, const sim::Scene& scene) {
  const sim::Bindings& bindings = scene.bindings();
  KnownLists known;
  if (contract.stage == ir::Stage::pixel || contract.stage == ir::Stage::vertex) {
    known.launch.launch = TEXLATE_KNOWN_ELEMENTS | TEXLATE_KNOWN_HELPER_LANES;
    known.launch.elements = scene.element_count();
    known.launch.helper_lanes = contract.stage == ir::Stage::pixel && has_helper_lanes(scene) ? 1 : 0;
  }
  for (uint32_t i = 0; i < contract.resources.size(); ++i) {
    const ir::Resource& declared = contract.resources[i];
    const auto& bound = bindings.resources(i);
    for (uint32_t n = 0; n < bound.size(); ++n)
      known.resources.push_back(known_resource(declared, declared.lower_bound + n, bound[n]));
  }
  for (uint32_t i = 0; i < contract.samplers.size(); ++i) {
    const ir::Sampler& declared = contract.samplers[i];
    const auto& samplers = bindings.samplers(i);
    for (uint32_t n = 0; n < samplers.size(); ++n)
      known.samplers.push_back(known_sampler(declared.space, declared.lower_bound + n, samplers[n]));
  }
  for (uint32_t i = 0; i < contract.constant_buffers.size(); ++i) {
    const ir::ConstantBuffer& declared = contract.constant_buffers[i];
    const auto& buffers = bindings.constant_buffers(i);
    for (uint32_t n = 0; n < buffers.size(); ++n) {
      const auto rows = static_cast<uint32_t>(buffers[n].size() / 4);
      if (rows == 0) continue;
      const auto& words = known.words.emplace_back(buffers[n].begin(), buffers[n].end());
      known.constants.push_back(
          {declared.space, declared.lower_bound + n, 1, rows, words.data(), 0, rows, 0});
    }
  }
  return known;
}

uint32_t value_of(const ir::Module& module, const ir::Specialized& constant, const sim::Bindings& bindings) {
  const ir::KnownRegisters& of = constant.of;
  if (of.file == RegisterFile::constant_buffer) {
    for (uint32_t i = 0; i < module.constant_buffers.size(); ++i) {
      const auto index = index_in(module.constant_buffers[i], of);
      if (!index || *index >= bindings.constant_buffers(i).size()) continue;
      const std::span<const uint32_t> words = bindings.constant_buffers(i)[*index];
      const size_t at = size_t{4} * constant.row + constant.component;
      return at < words.size() / 4 * 4 ? words[at] : 0;
    }
  }
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& declared = module.resources[i];
    const auto index = index_in(declared, of);
    if (declared.is_uav != (of.file == RegisterFile::uav) || !index) continue;
    if (*index < bindings.resources(i).size())
      return sim::binding_fact(bindings.resources(i)[*index], declared, constant.fact);
  }
  return constant.value;
}

bool keeps_promises(const ir::Module& module, const ir::Module& contract, const sim::Scene& scene,
                    Diagnostics& diagnostics) {
  return Checker(module, contract, scene, diagnostics).run();
}

bool has_known_formats(const ir::Module& contract, std::span<const library::KnownFormat> known,
                       const sim::Scene& scene, Diagnostics& diagnostics) {
  bool good = true;
  for (uint32_t i = 0; i < contract.resources.size(); ++i) {
    const ir::Resource& declared = contract.resources[i];
    const auto& bound = scene.bindings().resources(i);
    for (uint32_t n = 0; n < bound.size(); ++n) {
      const uint32_t reg = declared.lower_bound + n;
      for (const library::KnownFormat& each : known) {
        if (!declared.is_uav || ir::is_untyped(declared.dimension) || !bound[n].bound() ||
            !each.of.contains(RegisterFile::uav, declared.space, reg))
          continue;
        const sim::FormatInfo& info = sim::format_info(bound[n].format());
        if (info.dxgi == each.number) continue;
        diagnostics.error({}, "u{}: its format is {} ({}), but {} is known", reg, info.name, info.dxgi,
                          each.number);
        good = false;
      }
    }
  }
  return good;
}

}  // namespace texlate::executor
