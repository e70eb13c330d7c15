#include "library/known_state.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <vector>

#include "frontend/lower/families.h"
#include "frontend/sm4/declaration.h"
#include "ir/base/direct3d_limits.h"
#include "library/arguments.h"
#include "library/handles.h"
#include "library/known_limits.h"
#include "library/register_ranges.h"
#include "library/view_formats.h"

namespace texlate::library {

namespace {

using ir::BindingFact;
using ir::KnownRegisters;

/// D3D12_FILTER (Direct3D 12, d3d12.h): bits of its numbers.
constexpr uint32_t kMipLinear = 0x1, kMagLinear = 0x4, kMinLinear = 0x10, kAnisotropic = 0x40,
                   kReductionMask = 0x180, kComparison = 0x80;
constexpr uint32_t kMostAnisotropy = 16;  // D3D11_REQ_MAXANISOTROPY

KnownRegisters registers(ir::RegisterFile file, uint32_t space, uint32_t first, uint32_t count,
                         const std::string& name) {
  if (count == 0) refuse_argument("{}.count is 0", name);
  const bool all = count == UINT32_MAX;
  if (!all && first > UINT32_MAX - (count - 1)) refuse_argument("{}: its registers exceed 32 bits", name);
  return {file, space, first, all ? UINT32_MAX : first + (count - 1)};
}

class Taker {
 public:
  explicit Taker(KnownSettings& to) : to_(to) {}

  void take(const texlate_known_resource& from, const std::string& name) {
    const uint32_t register_class = number_in(from.register_class);
    if (register_class != TEXLATE_REGISTER_RESOURCE && register_class != TEXLATE_REGISTER_UAV)
      refuse_argument("{}.register_class is {}: neither a texture or buffer nor a UAV", name, register_class);
    constexpr uint32_t kAll = 2 * TEXLATE_KNOWN_TEXEL_FORMAT - 1;
    if ((from.known & ~kAll) != 0) refuse_argument("{}.known has unknown bits", name);
    const bool is_uav = register_class == TEXLATE_REGISTER_UAV;
    of_ = registers(is_uav ? ir::RegisterFile::uav : ir::RegisterFile::resource, from.space, from.first,
                    from.count, name);
    name_ = &name;
    specialize_ = from.specialize != 0;
    constexpr uint32_t kPlain = TEXLATE_KNOWN_BOUND | TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_HEIGHT |
                                TEXLATE_KNOWN_DEPTH | TEXLATE_KNOWN_SLICES | TEXLATE_KNOWN_MIPS |
                                TEXLATE_KNOWN_SAMPLES;
    const auto given = [&](texlate_known member) { return (from.known & member) != 0; };
    const bool is_empty = given(TEXLATE_KNOWN_BOUND) && from.bound == 0;
    if (specialize_ && (is_empty || (from.known & ~kPlain) != 0))
      refuse_argument("{}: only sizes, slices, mips and samples can be specialization constants", name);
    if (is_empty && from.known != TEXLATE_KNOWN_BOUND)
      refuse_argument("{}: nothing is bound, but more is known", name);
    if (from.known != 0) add(BindingFact::bound, is_empty ? 0 : 1);
    if (is_empty) return;
    if (const auto fault = fault_of(from, std::nullopt)) refuse_argument("{}.{}", name, *fault);
    if (given(TEXLATE_KNOWN_WIDTH)) {
      add(BindingFact::width, from.width);
      add(BindingFact::bytes, from.width);
    }
    if (given(TEXLATE_KNOWN_HEIGHT)) add(BindingFact::height, from.height);
    if (given(TEXLATE_KNOWN_DEPTH)) add(BindingFact::depth, from.depth);
    if (given(TEXLATE_KNOWN_SLICES)) add(BindingFact::layers, from.slices);
    if (given(TEXLATE_KNOWN_MIPS)) add(BindingFact::levels, from.mips);
    if (given(TEXLATE_KNOWN_SAMPLES)) add(BindingFact::samples, from.samples);
    if (given(TEXLATE_KNOWN_COMPONENTS)) take_components(from.components);
    if (given(TEXLATE_KNOWN_UNORM_BITS)) take_unorm_bits(from.unorm_bits);
    if (!given(TEXLATE_KNOWN_TEXEL_FORMAT)) return;
    if (!is_uav) refuse_argument("{}: only the format of a typed UAV is needed", name);
    require_new(formats_, of_, 0, name);
    to_.formats.push_back(
        {of_, number_in(from.format), view_format_of({0, 0, 0, TEXLATE_TEXEL_UNORM, from.format}, name)});
  }

  void take(const texlate_known_sampler& from, const std::string& name) {
    const texlate_static_sampler& state = from.state;
    of_ = registers(ir::RegisterFile::sampler, state.space, state.shader_register, from.count, name);
    name_ = &name;
    specialize_ = false;
    if (const auto fault = fault_of(state)) refuse_argument("{}.state.{}", name, *fault);
    take_filter(state);
    const uint32_t modes[] = {state.address_u, state.address_v, state.address_w};
    for (uint32_t i = 0; i < 3; ++i) {
      if (modes[i] < 1 || modes[i] > 5)
        refuse_argument("{}.state.address_{} is {}: not a D3D12_TEXTURE_ADDRESS_MODE", name, "uvw"[i],
                        modes[i]);
    }
    add(BindingFact::address_u, modes[0]);
    add(BindingFact::address_v, modes[1]);
    add(BindingFact::address_w, modes[2]);
    add_float(BindingFact::lod_bias, state.mip_lod_bias);
    add_float(BindingFact::min_lod, state.min_lod);
    add_float(BindingFact::max_lod, state.max_lod);
    take_border(from);
  }

  void take(const texlate_known_constants& from, const std::string& name) {
    const KnownRegisters of =
        registers(ir::RegisterFile::constant_buffer, from.space, from.first, from.count, name);
    if (from.rows > kMaxConstantRows)
      refuse_argument("{}.rows is {}: more than {}", name, from.rows, kMaxConstantRows);
    if (from.rows != 0) {
      const ir::KnownRowCount count{of, from.rows};
      require_new(row_counts_, of, 0, name);
      to_.row_counts.push_back(count);
    }
    check_known_rows(from, name);
    for (uint32_t i = 0; i < from.row_count; ++i) {
      ir::KnownRow row{of, from.first_row + i, 0xf, {}, from.specialize != 0};
      std::copy_n(from.words + size_t{4} * i, 4, row.words);
      require_new(rows_, of, row.row, name);
      to_.rows.push_back(row);
    }
  }

 private:
  /// A range that the entries before it already describe in part is an error.
  static void require_new(RegisterRanges& ranges, const KnownRegisters& of, uint32_t what,
                          const std::string& name) {
    if (ranges.add({static_cast<uint32_t>(of.file), of.space, what}, of.first, of.last))
      refuse_argument("{} says again what is known of a register", name);
  }
  void add(BindingFact fact, uint32_t value) {
    const ir::KnownFact entry{of_, fact, value, specialize_ && fact != BindingFact::bound};
    require_new(facts_, of_, static_cast<uint32_t>(fact), *name_);
    to_.facts.push_back(entry);
  }
  void add_float(BindingFact fact, float value) { add(fact, std::bit_cast<uint32_t>(value)); }

  void take_components(uint32_t components) {
    if (components == 0 || components > 0xf)
      refuse_argument("{}.components is {}: not 1 to 15", *name_, components);
    constexpr BindingFact kKeep[] = {BindingFact::keep0, BindingFact::keep1, BindingFact::keep2,
                                     BindingFact::keep3};
    for (uint32_t i = 0; i < 4; ++i) add(kKeep[i], ((components >> i) & 1) != 0 ? UINT32_MAX : 0u);
  }

  void take_unorm_bits(uint32_t bits) {
    if (bits == TEXLATE_KNOWN_SNORM) return add_float(BindingFact::reference_scale, -1.0f);
    if (bits > 24) refuse_argument("{}.unorm_bits is {}: more than 24", *name_, bits);
    add_float(BindingFact::reference_scale, static_cast<float>((1u << bits) - 1u));
  }

  void take_filter(const texlate_static_sampler& state) {
    const uint32_t filter = state.filter;
    const uint32_t linear = kMipLinear | kMagLinear | kMinLinear;
    const bool anisotropic = (filter & kAnisotropic) != 0;
    if ((filter & ~(linear | kAnisotropic | kReductionMask)) != 0 ||
        (anisotropic && (filter & linear) != linear))
      refuse_argument("{}.state.filter is {:#x}: not a D3D12_FILTER", *name_, filter);
    if (anisotropic && (state.max_anisotropy < 1 || state.max_anisotropy > kMostAnisotropy))
      refuse_argument("{}.state.max_anisotropy is {}: not 1 to 16", *name_, state.max_anisotropy);
    // Both filters in one word: 0 point, 1 linear, 2 only magnification is linear, 3 only minification.
    const bool min = (filter & kMinLinear) != 0, mag = (filter & kMagLinear) != 0;
    add(BindingFact::linear_filter, (min ? 1u : 0u) | (min != mag ? 2u : 0u));
    add(BindingFact::max_anisotropy, anisotropic ? state.max_anisotropy : 1);
    add(BindingFact::linear_mip, (filter & kMipLinear) != 0 ? 1 : 0);
    if ((filter & kReductionMask) != kComparison) return;
    if (state.comparison < 1 || state.comparison > 8)
      refuse_argument("{}.state.comparison is {}: not a D3D12_COMPARISON_FUNC", *name_, state.comparison);
    add(BindingFact::compare_function, state.comparison);
  }

  void take_border(const texlate_known_sampler& from) {
    // D3D12_STATIC_BORDER_COLOR: transparent black, opaque black, opaque white.
    static constexpr float kColors[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    if (from.has_border == 0 && from.state.border_color > 2)
      refuse_argument("{}.state.border_color is {}: not a D3D12_STATIC_BORDER_COLOR", *name_,
                      from.state.border_color);
    const float* const color = from.has_border != 0 ? from.border : kColors[from.state.border_color];
    if (std::any_of(color, color + 4, [](float value) { return std::isnan(value); }))
      refuse_argument("{}.border is not a number", *name_);
    add_float(BindingFact::border_red, color[0]);
    add_float(BindingFact::border_green, color[1]);
    add_float(BindingFact::border_blue, color[2]);
    add_float(BindingFact::border_alpha, color[3]);
  }

  KnownSettings& to_;
  RegisterRanges facts_, rows_, row_counts_, formats_;
  KnownRegisters of_;
  const std::string* name_ = nullptr;
  bool specialize_ = false;
};

ir::KnownLaunch launch_of(const texlate_known_state& from) {
  constexpr uint32_t kAll = 2 * TEXLATE_KNOWN_EARLY_DEPTH - 1;
  if ((from.launch & ~kAll) != 0) refuse_argument("options.known.launch has unknown bits");
  ir::KnownLaunch launch;
  if ((from.launch & TEXLATE_KNOWN_ELEMENTS) != 0) {
    if (from.elements == 0) refuse_argument("options.known.elements is 0");
    launch.elements = from.elements;
  }
  if ((from.launch & TEXLATE_KNOWN_HELPER_LANES) != 0) launch.helper_lanes = from.helper_lanes != 0;
  if ((from.launch & TEXLATE_KNOWN_EARLY_DEPTH) != 0) launch.early_depth = from.early_depth != 0;
  return launch;
}

/// Calls `visit` with the registers and the dimension of each view that the program declares.
template <typename Visit>
void for_each_view(const texlate_program& program, Visit visit) {
  for (const ir::Resource& resource : program.module.resources)
    visit(KnownRegisters{resource.is_uav ? ir::RegisterFile::uav : ir::RegisterFile::resource, resource.space,
                         resource.lower_bound, resource.upper_bound},
          resource.dimension);
  for (const sm4::Instruction& dcl : program.program.instructions) {
    using enum sm4::Opcode;
    const bool uav =
        dcl.opcode == dcl_uav_typed || dcl.opcode == dcl_uav_raw || dcl.opcode == dcl_uav_structured;
    const bool typed = dcl.opcode == dcl_uav_typed || dcl.opcode == dcl_resource;
    const bool raw = dcl.opcode == dcl_uav_raw || dcl.opcode == dcl_resource_raw;
    if (!uav && !typed && !raw && dcl.opcode != dcl_resource_structured) continue;
    const sm4::DeclaredRange range = sm4::declared_range(program.program, dcl);
    visit(KnownRegisters{uav ? ir::RegisterFile::uav : ir::RegisterFile::resource, range.space,
                         range.lower_bound, range.upper_bound},
          typed ? lower::dimension_of(sm4::declared_dimension(dcl))
          : raw ? ir::Dimension::raw_buffer
                : ir::Dimension::structured_buffer);
  }
}

/// The registers of an entry that says what is bound.
struct KnownRange {
  bool is_uav;
  uint32_t space, first, last;
  uint32_t reaches;  // the greatest `last` of this one and those before it of the same file and space
  size_t number;
};

/// By file, space and first register.
std::vector<KnownRange> sorted_ranges(const Elements<texlate_known_resource>& resources) {
  std::vector<KnownRange> ranges;
  for (size_t i = 0; i < resources.size(); ++i) {
    const texlate_known_resource known = resources[i];
    if ((known.known & TEXLATE_KNOWN_BOUND) != 0 && known.bound == 0) continue;
    const uint32_t last = known.count == UINT32_MAX ? UINT32_MAX : known.first + (known.count - 1);
    ranges.push_back(
        {number_in(known.register_class) == TEXLATE_REGISTER_UAV, known.space, known.first, last, last, i});
  }
  std::ranges::sort(ranges, {}, [](const KnownRange& range) {
    return std::tuple(range.is_uav, range.space, range.first, range.number);
  });
  for (size_t i = 1; i < ranges.size(); ++i) {
    const KnownRange& before = ranges[i - 1];
    if (before.is_uav == ranges[i].is_uav && before.space == ranges[i].space)
      ranges[i].reaches = std::max(ranges[i].reaches, before.reaches);
  }
  return ranges;
}

}  // namespace

void check_known_rows(const texlate_known_constants& from, const std::string& name) {
  if (from.words == nullptr && from.row_count != 0)
    refuse_argument("{}.words is null but its row_count is {}", name, from.row_count);
  if (from.first_row > kMaxConstantRows || from.row_count > kMaxConstantRows - from.first_row)
    refuse_argument("{}: rows {} to {}, but a buffer has {} at most", name, from.first_row,
                    uint64_t{from.first_row} + from.row_count, kMaxConstantRows);
}

void check_known_state(const texlate_known_state& given, const texlate_program& program, bool is_kernel) {
  const texlate_known_state from = versioned(&given, kOldestKnownState, "options.known");
  const ir::Stage stage =
      program.is_ir ? program.module.stage : static_cast<ir::Stage>(program.program.version.stage);
  if (is_kernel && stage == ir::Stage::pixel && (from.launch & TEXLATE_KNOWN_ELEMENTS) != 0 &&
      from.elements % 4 != 0)
    refuse_argument("options.known.elements is {}, but pixels come in quads", from.elements);
  const Elements<texlate_known_resource> resources(from.resources, from.resource_count, from.resource_stride,
                                                   true, kOldestKnownResource, "options.known.resources");
  const std::vector<KnownRange> ranges = sorted_ranges(resources);
  for_each_view(program, [&](const KnownRegisters& declared, ir::Dimension dimension) {
    const auto is_before = [](const KnownRange& range, const std::tuple<bool, uint32_t, uint32_t>& place) {
      return std::tuple(range.is_uav, range.space, range.first) <= place;
    };
    const bool is_uav = declared.file == ir::RegisterFile::uav;
    auto range = std::lower_bound(ranges.begin(), ranges.end(),
                                  std::tuple(is_uav, declared.space, declared.last), is_before);
    while (range != ranges.begin()) {
      --range;
      if (range->is_uav != is_uav || range->space != declared.space || range->reaches < declared.first) break;
      if (range->last < declared.first) continue;
      if (const auto fault = fault_of(resources[range->number], dimension))
        refuse_argument("{}.{}", resources.name(range->number), *fault);
    }
  });
}

void take_known_state(const texlate_known_state& given, KnownSettings& to) {
  const texlate_known_state from = versioned(&given, kOldestKnownState, "options.known");
  const Elements<texlate_known_resource> resources(from.resources, from.resource_count, from.resource_stride,
                                                   true, kOldestKnownResource, "options.known.resources");
  const Elements<texlate_known_sampler> samplers(from.samplers, from.sampler_count, from.sampler_stride, true,
                                                 kOldestKnownSampler, "options.known.samplers");
  const Elements<texlate_known_constants> constants(from.constants, from.constant_count, from.constant_stride,
                                                    true, kOldestKnownConstants, "options.known.constants");
  Taker taker(to);
  for (size_t i = 0; i < resources.size(); ++i) taker.take(resources[i], resources.name(i));
  for (size_t i = 0; i < samplers.size(); ++i) taker.take(samplers[i], samplers.name(i));
  for (size_t i = 0; i < constants.size(); ++i) taker.take(constants[i], constants.name(i));
  to.state = {to.facts, to.rows, to.row_counts, launch_of(from)};
}

bool specializes(const ir::KnownState& state) {
  const auto asks = [](const auto& entry) { return entry.specialize; };
  return std::ranges::any_of(state.facts, asks) || std::ranges::any_of(state.rows, asks);
}

}  // namespace texlate::library
