#include "backend/spirv/target.h"

#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/device_limits.h"
#include "backend/spirv/disassembler.h"
#include "backend/spirv/expand_indices.h"
#include "backend/spirv/guarantees.h"
#include "backend/spirv/legalize_push_constants.h"
#include "backend/spirv/module_requirements.h"
#include "backend/spirv/spirv_tools.h"

namespace texlate::spirv {

namespace {

const TargetOptions& own_options(const backend::Options& options) {
  static constexpr TargetOptions kDefaults;
  const auto* const own = options.own.get<TargetOptions>();
  return own != nullptr ? *own : kDefaults;
}

ir::Guarantees promises(const backend::Options& options) {
  const Options& own = own_options(options).emit;
  return guarantees(own.robustness, own.device.has(Feature::min_lod));
}

/// Rows: 1, 2, 4 components; columns: 8, 16, 32 bits (SPIR-V 3.11). Unknown: SPIR-V has none.
using Formats = spv::ImageFormat[3][3];
constexpr spv::ImageFormat kNone = spv::ImageFormatUnknown;
constexpr Formats kFloat = {{kNone, spv::ImageFormatR16f, spv::ImageFormatR32f},
                            {kNone, spv::ImageFormatRg16f, spv::ImageFormatRg32f},
                            {kNone, spv::ImageFormatRgba16f, spv::ImageFormatRgba32f}};
constexpr Formats kUnorm = {{spv::ImageFormatR8, spv::ImageFormatR16, kNone},
                            {spv::ImageFormatRg8, spv::ImageFormatRg16, kNone},
                            {spv::ImageFormatRgba8, spv::ImageFormatRgba16, kNone}};
constexpr Formats kSnorm = {{spv::ImageFormatR8Snorm, spv::ImageFormatR16Snorm, kNone},
                            {spv::ImageFormatRg8Snorm, spv::ImageFormatRg16Snorm, kNone},
                            {spv::ImageFormatRgba8Snorm, spv::ImageFormatRgba16Snorm, kNone}};
constexpr Formats kUint = {{spv::ImageFormatR8ui, spv::ImageFormatR16ui, spv::ImageFormatR32ui},
                           {spv::ImageFormatRg8ui, spv::ImageFormatRg16ui, spv::ImageFormatRg32ui},
                           {spv::ImageFormatRgba8ui, spv::ImageFormatRgba16ui, spv::ImageFormatRgba32ui}};
constexpr Formats kSint = {{spv::ImageFormatR8i, spv::ImageFormatR16i, spv::ImageFormatR32i},
                           {spv::ImageFormatRg8i, spv::ImageFormatRg16i, spv::ImageFormatRg32i},
                           {spv::ImageFormatRgba8i, spv::ImageFormatRgba16i, spv::ImageFormatRgba32i}};

const Formats& formats_of(backend::TexelKind kind) {
  switch (kind) {
    case backend::TexelKind::float_: return kFloat;
    case backend::TexelKind::unorm: return kUnorm;
    case backend::TexelKind::snorm: return kSnorm;
    case backend::TexelKind::uint: return kUint;
    case backend::TexelKind::sint: return kSint;
  }
  return kFloat;
}

uint32_t image_format(const backend::ViewFormat& view) {
  using backend::TexelPacking;
  switch (view.packing) {
    case TexelPacking::in_order: break;
    case TexelPacking::r10g10b10a2:
      return view.kind == backend::TexelKind::uint ? spv::ImageFormatRgb10a2ui : spv::ImageFormatRgb10A2;
    case TexelPacking::r11g11b10: return spv::ImageFormatR11fG11fB10f;
    case TexelPacking::b8g8r8a8:
    case TexelPacking::b5g6r5:
    case TexelPacking::b5g5r5a1:
    case TexelPacking::b4g4r4a4:
    case TexelPacking::a8: return spv::ImageFormatUnknown;  // SPIR-V has none
  }
  return formats_of(view.kind)[view.components / 2][view.bits / 16];
}

void find_view_formats(const ir::Module& module, std::span<const backend::ViewFormat> named,
                       std::pmr::vector<uint32_t>& formats) {
  if (named.empty()) return;
  formats.assign(module.resources.size(), spv::ImageFormatUnknown);
  for (size_t i = 0; i < formats.size(); ++i) {
    for (const backend::ViewFormat& view : named) {
      if (module.resources[i].is_uav && module.resources[i].id == view.uav) formats[i] = image_format(view);
    }
  }
}

bool check_tools(const TargetOptions& options, Diagnostics& diagnostics) {
  if (has_spirv_tools() || (!options.validate && !options.optimize)) return true;
  diagnostics.error({}, "{} needs SPIRV-Tools, which this build of texlate does not have",
                    options.validate ? "validation" : "optimization");
  return false;
}

bool check_and_optimize(const TargetOptions& options, std::pmr::vector<uint32_t>& words,
                        Diagnostics& diagnostics) {
#ifdef NDEBUG
  const bool validates = options.validate;
#else
  const bool validates = has_spirv_tools();
#endif
  std::string message;
  if (validates && !validate(words, message)) {
    diagnostics.error({}, "internal error: the module is not valid SPIR-V: {}", message);
    return false;
  }
  if (options.optimize && !optimize(words, message)) {
    diagnostics.error({}, "SPIRV-Tools could not optimize the module: {}", message);
    return false;
  }
  return true;
}

bool legalise(ir::Module& module, const backend::Options& options, Diagnostics& diagnostics,
              std::pmr::vector<ir::ClosedGap>* closed) {
  const Options& own = own_options(options).emit;
  expand_indices(module, own);
  legalize_push_constants(module, own.bindings, memory_guarantees(own.robustness), closed);
  fit_limits(module);
  if (!arrange_outputs(module, own, diagnostics)) return false;
  add_point_size(module, own);
  return true;
}

bool make_words(const ir::Module& module, const backend::Options& options, bool text,
                std::pmr::vector<uint32_t>& words, backend::Host& host, Diagnostics& diagnostics) {
  const TargetOptions& own = own_options(options);
  if (!check_tools(own, diagnostics)) return false;
  const auto made = backend::make_host<ModuleHost>(module.memory(), module.memory());
  std::pmr::vector<uint32_t> formats(module.memory());
  find_view_formats(module, options.view_formats, formats);
  made->options = own.emit;
  fit_device(made->options);
  made->options.entry = options.entry;
  made->options.names = own.emit.debug || text;
  made->options.view_formats = formats;
  const bool good = emit(module, made->options, words, diagnostics, &made->interface);
  made->options.view_formats = {};  // the caller's array does not outlive this call
  host = made;
  if (!good || !check_limits(module, made->options, made->interface, diagnostics) ||
      !check_and_optimize(own, words, diagnostics))
    return false;
  list_requirements(words, module, made->interface);
  return true;
}

bool translate(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
               backend::Host& host, Diagnostics& diagnostics) {
  std::pmr::vector<uint32_t> words(module.memory());
  if (!make_words(module, options, false, words, host, diagnostics)) return false;
  data.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  return true;
}

bool translate_to_text(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
                       backend::Host& host, Diagnostics& diagnostics) {
  std::pmr::vector<uint32_t> words(module.memory());
  if (!make_words(module, options, true, words, host, diagnostics)) return false;
  if (disassemble(words, data)) return true;
  diagnostics.error({}, "internal error: the module has no text form");
  return false;
}

void reflect_host(const ir::Module& module, const backend::Host& host, std::pmr::string& json) {
  reflect(module, host_of(host).options, host_of(host).interface, json);
}

constexpr uint32_t kTakes = backend::kTakesViewFormats;
constexpr backend::Target kTargets[] = {{
                                            .name = "spirv",
                                            .title = "a Vulkan shader",
                                            .suffix = ".spv",
                                            .takes = kTakes,
                                            .promises = promises,
                                            .legalise = legalise,
                                            .emit = translate,
                                            .reflect = reflect_host,
                                        },
                                        {
                                            .name = "spirv-text",
                                            .title = "the same as text",
                                            .suffix = ".spvasm",
                                            .takes = kTakes,
                                            .promises = promises,
                                            .legalise = legalise,
                                            .emit = translate_to_text,
                                            .reflect = reflect_host,
                                        }};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::spirv
