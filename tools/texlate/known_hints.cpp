#include "tools/texlate/known_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "frontend/lower/families.h"
#include "ir/base/direct3d_limits.h"

namespace texlate::cli {

namespace {

/// Of PTX, of a Maxwell listing or of SPIR-V text: lines that neither are empty nor begin with punctuation,
/// which comments, labels, directives and blocks do, nor end with a colon.
size_t instruction_count(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    if (line.empty() || line.back() == ':' ||
        std::string_view("./;{}#$").find(line.front()) != std::string_view::npos)
      continue;
    ++count;
  }
  return count;
}

uint32_t register_count(const texlate_binding& binding) {
  return binding.upper_bound == UINT32_MAX ? UINT32_MAX : binding.upper_bound - binding.lower_bound + 1;
}

/// A common view: 256 x 256 texels with mips and all components, or the like.
texlate_known_resource common_resource(const texlate_binding& binding) {
  texlate_known_resource known{};
  const bool is_uav = binding.kind == TEXLATE_BINDING_UAV;
  known.register_class = is_uav ? TEXLATE_REGISTER_UAV : TEXLATE_REGISTER_RESOURCE;
  known.space = binding.space;
  known.first = binding.lower_bound;
  known.count = register_count(binding);
  known.bound = 1;
  known.known = TEXLATE_KNOWN_BOUND | TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_HEIGHT | TEXLATE_KNOWN_DEPTH |
                TEXLATE_KNOWN_SLICES | TEXLATE_KNOWN_MIPS | TEXLATE_KNOWN_SAMPLES | TEXLATE_KNOWN_COMPONENTS |
                TEXLATE_KNOWN_UNORM_BITS;
  // What views of the declared dimension lack must be 1.
  const ir::Dimension dimension = lower::dimension_of(static_cast<sm4::ResourceDimension>(binding.dimension));
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  const bool has_mips = !is_uav && !ir::is_buffer(dimension) && !ir::is_multisampled(dimension);
  known.width = 256;
  known.height = axes >= 2 ? 256 : 1;
  known.depth = axes == 3 ? 256 : 1;
  known.slices = ir::is_array(dimension) ? 4 : 1;
  known.mips = has_mips ? 9 : 1;
  known.samples = std::max(binding.sample_count, 1u);
  known.components = 0xf;
  known.unorm_bits = 8;
  return known;
}

texlate_known_sampler common_sampler(const texlate_binding& binding) {
  constexpr uint32_t kLinearComparison = 0x94, kClamp = 3, kLessEqual = 4;
  texlate_known_sampler known{};
  known.state = {kLinearComparison,   kClamp,        kClamp, kClamp, 0, 1, kLessEqual, 0, 0, 1000,
                 binding.lower_bound, binding.space, 0};
  known.count = register_count(binding);
  return known;
}

texlate_known_constants common_constants(const texlate_binding& binding) {
  return {binding.space,
          binding.lower_bound,
          register_count(binding),
          binding.size != 0 ? binding.size : kMaxConstantRows,
          nullptr,
          0,
          0,
          0};
}

template <typename Entry>
std::vector<Entry> with(const Entry* given, size_t count, const Entry& more) {
  std::vector<Entry> all(given, given + count);
  all.push_back(more);
  return all;
}

struct Saving {
  std::string name;
  size_t instructions;
};

const char* letter_of(texlate_binding_kind kind) {
  switch (kind) {
    case TEXLATE_BINDING_CONSTANT_BUFFER: return "cb";
    case TEXLATE_BINDING_SAMPLER: return "s";
    case TEXLATE_BINDING_RESOURCE: return "t";
    case TEXLATE_BINDING_UAV: return "u";
    case TEXLATE_REGISTER_COUNTER: break;  // no texlate_binding is one
  }
  return "";
}

/// The instructions of the translation if this register were known, too. Nothing if it is known already: that
/// is refused as said twice.
std::optional<size_t> instructions_with(const texlate_binding& binding, const api::Program& program,
                                        const texlate_translate_options& options) {
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  if (options.known != nullptr) state = *options.known;
  std::vector<texlate_known_resource> resources;
  std::vector<texlate_known_sampler> samplers;
  std::vector<texlate_known_constants> constants;
  switch (binding.kind) {
    case TEXLATE_BINDING_UAV:
    case TEXLATE_BINDING_RESOURCE:
      resources = with(state.resources, state.resource_count, common_resource(binding));
      state.resources = resources.data();
      state.resource_count = resources.size();
      break;
    case TEXLATE_BINDING_SAMPLER:
      samplers = with(state.samplers, state.sampler_count, common_sampler(binding));
      state.samplers = samplers.data();
      state.sampler_count = samplers.size();
      break;
    case TEXLATE_BINDING_CONSTANT_BUFFER:
      constants = with(state.constants, state.constant_count, common_constants(binding));
      state.constants = constants.data();
      state.constant_count = constants.size();
      break;
    case TEXLATE_REGISTER_COUNTER: break;  // no texlate_binding is one
  }
  texlate_translate_options more = options;
  more.known = &state;
  more.explain = 0;
  more.reflect = 0;
  more.after_pass = nullptr;
  const api::Output output = program.translate(more);
  if (!output.ok()) return std::nullopt;
  return instruction_count(output.data());
}

}  // namespace

std::string known_hints(const api::Program& program, const texlate_translate_options& options,
                        std::string_view translation) {
  const std::string_view target = options.target;
  if (target != "ptx" && target != "maxwell" && target != "spirv-text") return {};
  constexpr uint32_t kMostTried = 24;
  const size_t before = instruction_count(translation);
  std::vector<Saving> savings;
  const uint32_t count = std::min(program.info().binding_count, kMostTried);
  for (uint32_t i = 0; i < count; ++i) {
    texlate_binding binding{};
    binding.struct_size = sizeof binding;
    if (texlate_program_get_binding(program.get(), i, &binding) != TEXLATE_OK) continue;
    const std::optional<size_t> after = instructions_with(binding, program, options);
    if (after && *after < before)
      savings.push_back({fmt::format("{}{}", letter_of(binding.kind), binding.id), before - *after});
  }
  std::ranges::stable_sort(savings, std::greater(), &Saving::instructions);
  constexpr size_t kMostNamed = 3;
  std::string text;
  for (size_t i = 0; i < savings.size() && i < kMostNamed && 10 * savings[i].instructions >= before; ++i)
    text += fmt::format("    if {} were known (--known): {} of {} instructions fewer, for a common one\n",
                        savings[i].name, savings[i].instructions, before);
  return text;
}

}  // namespace texlate::cli
