#include "backend/spirv/target.h"

#include <optional>

#include "backend/spirv/disassembler.h"
#include "backend/spirv/spirv_tools.h"
#include "ir/passes/limit_stores.h"

namespace texlate::spirv {

namespace {

ir::Guarantees promises(const ir::Module&, const backend::Options& options) {
  return guarantees(options.own.get<TargetOptions>().emit);
}

/// By index in Module::resources; 0 bytes: not named.
std::pmr::vector<ir::StoredTexel> stored_texels(const ir::Module& module,
                                                std::span<const backend::ViewFormat> named) {
  std::pmr::vector<ir::StoredTexel> texels(module.memory());
  if (named.empty()) return texels;
  for (const ir::Resource& resource : module.resources) {
    const backend::ViewFormat* const format = backend::find_format(named, resource.id);
    const bool is_named = resource.is_uav && format != nullptr;
    texels.push_back(is_named ? ir::StoredTexel{format->kind, format->layout()} : ir::StoredTexel{});
  }
  return texels;
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

bool legalize(ir::Module& module, const backend::Options& options, Diagnostics& diagnostics,
              std::pmr::vector<ir::ClosedGap>* closed) {
  const Options& own = options.own.get<TargetOptions>().emit;
  // Emission, which is told the formats of what is bound, limits what is stored.
  if (closed != nullptr)
    ir::has_limited_stores(module, stored_texels(module, options.view_formats), closed,
                           "Vulkan, Texel Output Format Conversion");
  expand_indices(module, own);
  legalize_push_constants(module, own.bindings, memory_guarantees(own.robustness), closed);
  fit_limits(module);
  if (!arrange_outputs(module, own, diagnostics)) return false;
  add_point_size(module, own);
  return true;
}

bool make_words(const ir::Module& module, const backend::Options& options, bool text,
                std::pmr::vector<uint32_t>& words, backend::Host& host, Diagnostics& diagnostics) {
  const TargetOptions& own = options.own.get<TargetOptions>();
  if (!check_tools(own, diagnostics)) return false;
  const auto made = backend::make_host<ModuleHost>(module.memory(), module.memory());
  made->options = own.emit;
  // The device runs the other form of what it lacks.
  if (!own.emit.device.has(Feature::non_semantic)) made->options.debug_info = false;
  if (!own.emit.device.has(Feature::demote)) made->options.discard = Discard::flag;
  made->options.entry = options.entry;
  made->options.names = own.emit.debug || text;
  made->options.view_formats = options.view_formats;
  const auto texels = stored_texels(module, options.view_formats);
  std::optional<ir::Module> limited;
  if (ir::has_limited_stores(module, texels)) {
    limited.emplace(module.memory()) = module;
    ir::limit_stores(*limited, texels);
  }
  const ir::Module& stored = limited ? *limited : module;
  const bool good = emit(stored, made->options, words, diagnostics, &made->interface);
  made->options.view_formats = {};  // the caller's array does not outlive this call
  host = made;
  if (!good || !check_limits(module, made->options, made->interface, diagnostics) ||
      !check_and_optimize(own, words, diagnostics))
    return false;
  list_requirements(words, module, made->interface);
  return true;
}

template <bool text>
bool translate(const ir::Module& module, const backend::Options& options, std::pmr::string& data,
               backend::Host& host, Diagnostics& diagnostics) {
  std::pmr::vector<uint32_t> words(module.memory());
  if (!make_words(module, options, text, words, host, diagnostics)) return false;
  if (!text) data.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  if (!text || disassemble(words, data)) return true;
  diagnostics.error({}, "internal error: the module has no text form");
  return false;
}

constexpr backend::Target target(std::string_view name, std::string_view title, std::string_view suffix,
                                 decltype(backend::Target::emit) emit) {
  return {.name = name,
          .title = title,
          .suffix = suffix,
          .takes = backend::kTakesViewFormats,
          .promises = promises,
          .legalize = legalize,
          .skips_dead_code = true,
          .emit = emit,
          .reflect = [](const ir::Module& module, const backend::Host& host, std::pmr::string& json) {
            reflect(module, host_of(host).options, host_of(host).interface, json);
          }};
}

constexpr backend::Target kTargets[] = {
    target("spirv", "a Vulkan shader", ".spv", translate<false>),
    target("spirv-text", "the same as text", ".spvasm", translate<true>),
};

}  // namespace

std::span<const backend::Target> targets() {
  return kTargets;
}

}  // namespace texlate::spirv
