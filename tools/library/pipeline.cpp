#include "tools/library/pipeline.h"

#include "backend/ptx/texture_guarantees.h"
#include "backend/spirv/spirv_tools.h"
#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/read.h"
#include "frontend/lower/lower.h"
#include "frontend/sm4/validate.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/optimize.h"
#include "ir/text_printer.h"
#include "tools/library/reflection.h"

namespace texlate::library {

namespace {

bool translate_to_ptx(ir::Module& module, const TranslateOptions& options, Translation& translation,
                      Diagnostics& diagnostics) {
  auto* closed = options.explain ? &translation.explanation.gaps : nullptr;
  const size_t values = module.values.size();
  if (!ir::legalize_texture(module, ptx::kTextureGuarantees, diagnostics, closed)) return false;
  // Neighbouring accesses share their comparisons, constant ones fold; a second round finds next to nothing.
  // Nothing to do where no code came in.
  if (module.values.size() != values) ir::optimize_once(module);
  ptx::Layout layout(module.memory());
  if (!ptx::make_layout(module, layout, diagnostics)) return false;

  std::pmr::vector<ptx::SurfaceFormat> formats(module.memory());
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& resource = module.resources[i];
    ptx::SurfaceFormat format = ptx::default_surface_format(resource, layout.atomic[i] != 0);
    for (const UavFormat& named : options.uav_formats) {
      if (resource.is_uav && named.uav == resource.id) format = named.format;
    }
    formats.push_back(format);
  }
  ptx::Options ptx_options;
  ptx_options.sm = options.sm;
  ptx_options.entry = options.entry;
  ptx_options.surface_formats = formats;
  translation.data.reserve(module.code.size() * 64);
  if (!ptx::emit(module, ptx_options, layout, translation.data, diagnostics)) {
    translation.data.clear();
    return false;
  }
  if (options.reflect) reflect_ptx(module, ptx_options, layout, translation.reflection);
  return true;
}

bool translate_to_spirv(ir::Module& module, const TranslateOptions& options, Translation& translation,
                        Diagnostics& diagnostics) {
  auto* closed = options.explain ? &translation.explanation.gaps : nullptr;
  const spirv::Robustness robustness = options.spirv.robustness;
  if (!ir::legalize_texture(module, spirv::texture_guarantees(robustness), diagnostics, closed)) return false;
  // Guards share comparisons. Where the driver answers, what came in shares nothing.
  if (robustness == spirv::Robustness::shader) ir::optimize_once(module);
  spirv::Options spirv_options = options.spirv;
  spirv_options.entry = options.entry;
  spirv_options.names = spirv_options.debug || options.target == Target::spirv_text;
  std::pmr::vector<uint32_t> words(module.memory());
  spirv::HostInterface host(module.memory());
  if (!spirv::emit(module, spirv_options, words, diagnostics, &host)) return false;
#ifdef NDEBUG
  const bool validate = options.spirv_validate;
#else
  const bool validate = true;
#endif
  std::string message;
  if (validate && !spirv::validate(words, message)) {
    diagnostics.error({}, "defect: the module is not valid SPIR-V: {}", message);
    return false;
  }
  if (options.spirv_optimize && !spirv::optimize(words, message)) {
    diagnostics.error({}, "SPIRV-Tools could not optimize the module: {}", message);
    return false;
  }
  if (options.reflect) reflect_spirv(module, spirv_options, host, translation.reflection);
  if (options.target == Target::spirv_text) {
    translation.data = spirv::disassemble(words);
  } else {
    translation.data.assign(reinterpret_cast<const char*>(words.data()), words.size() * 4);
  }
  return true;
}

/// A container, or a token stream: the version token's first byte is 0x40, 0x41, 0x50 or 0x51 and its second
/// one 0.
bool is_binary(std::string_view bytes) {
  if (dxbc::is_container(std::as_bytes(std::span(bytes)))) return true;
  return bytes.size() >= 8 && bytes[1] == '\0' &&
         (bytes[0] == 0x40 || bytes[0] == 0x41 || bytes[0] == 0x50 || bytes[0] == 0x51);
}

}  // namespace

bool read_program(std::string_view bytes, dxbc::DigestCheck digest, sm4::Program& program,
                  dxbc::Container& container, Diagnostics& diagnostics) {
  if (!is_binary(bytes)) return assembly::parse(bytes, program, diagnostics);
  return dxbc::read(std::as_bytes(std::span(bytes)), container, program, diagnostics, {.digest = digest});
}

bool translate(const sm4::Program& program, const dxbc::Container* container, const TranslateOptions& options,
               Translation& translation, Diagnostics& diagnostics) {
  auto* memory = translation.data.get_allocator().resource();
  if (options.target == Target::assembly) {
    assembly::PrintOptions print;
    print.exact_literals = options.exact_literals;
    if (container != nullptr) {
      dxbc::disassemble(*container, program, print, translation.data);
    } else {
      assembly::print(program, print, translation.data);
    }
    return true;
  }
  if (options.target == Target::dxbc) {
    std::pmr::vector<std::byte> bytes(memory);
    if (!dxbc::write(program, container, bytes, diagnostics)) return false;
    translation.data.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  }
  if (!sm4::validate(program, diagnostics)) return false;
  // One arena for module and passes; it goes away with this function.
  std::pmr::monotonic_buffer_resource arena(1 << 20, memory);
  ir::Module module(&arena);
  if (!lower::lower(program, module, diagnostics, {options.classes})) return false;
  ir::construct_ssa(module);
  // A target optimises once more after legalisation: for it, one round of cleaning up is enough here.
  if (options.target != Target::ir) {
    ir::optimize_once(module);
  } else {
    ir::optimize(module);
    ir::print(module, translation.data);
    return true;
  }
  if (options.target == Target::spirv || options.target == Target::spirv_text) {
    return translate_to_spirv(module, options, translation, diagnostics);
  }
  return translate_to_ptx(module, options, translation, diagnostics);
}

}  // namespace texlate::library
