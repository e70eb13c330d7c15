// The C interface: handles around the pipeline. Everything a handle owns lives in the caller's memory.

#include "texlate/texlate.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>

#include "backend/maxwell/isa/listing.h"
#include "backend/spirv/target.h"
#include "frontend/dxbc/info.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/validate.h"
#include "library/pipeline.h"

using namespace texlate;

namespace {

#define TEXLATE_STRING2(x) #x
#define TEXLATE_STRING(x) TEXLATE_STRING2(x)
constexpr char kVersion[] = TEXLATE_STRING(TEXLATE_VERSION_MAJOR) "." TEXLATE_STRING(
    TEXLATE_VERSION_MINOR) "." TEXLATE_STRING(TEXLATE_VERSION_PATCH);

/// The caller's allocator as a memory resource.
class CallerMemory final : public std::pmr::memory_resource {
 public:
  explicit CallerMemory(const texlate_allocator* allocator) : has_(allocator != nullptr) {
    if (has_) allocator_ = *allocator;
  }

 private:
  // Outputs are strings of bytes; what stands in them may be words.
  static constexpr size_t kLeastAlignment = alignof(uint32_t);

  void* do_allocate(size_t size, size_t alignment) override {
    alignment = std::max(alignment, kLeastAlignment);
    if (!has_) return std::pmr::new_delete_resource()->allocate(size, alignment);
    void* memory = allocator_.allocate(allocator_.user, size, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, size_t size, size_t alignment) override {
    alignment = std::max(alignment, kLeastAlignment);
    if (!has_) return std::pmr::new_delete_resource()->deallocate(memory, size, alignment);
    allocator_.release(allocator_.user, memory, size, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  texlate_allocator allocator_{};
  bool has_;
};

/// An object and the memory it lives in: made in the caller's memory, and gives that back last.
template <typename Object, typename... Args>
Object* make(const CallerMemory& memory, Args&&... args) {
  CallerMemory copy(memory);
  void* place = copy.allocate(sizeof(Object), alignof(Object));
  try {
    return new (place) Object(copy, std::forward<Args>(args)...);
  } catch (...) {
    copy.deallocate(place, sizeof(Object), alignof(Object));
    throw;
  }
}

template <typename Object>
void destroy(Object* object) {
  if (object == nullptr) return;
  CallerMemory memory(object->memory);
  object->~Object();
  memory.deallocate(object, sizeof(Object), alignof(Object));
}

texlate_diagnostic to_c(const Diagnostic& diagnostic) {
  const SourceLocation& at = diagnostic.location;
  return {static_cast<texlate_severity>(diagnostic.severity),
          at.line,
          at.column,
          at.length,
          at.offset,
          diagnostic.message.data(),
          diagnostic.message.size()};
}

void report(const Diagnostics& diagnostics, texlate_diagnostic_callback callback, void* user) {
  if (callback == nullptr) return;
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    const texlate_diagnostic converted = to_c(diagnostic);
    callback(user, &converted);
  }
}

int get_diagnostic(const Diagnostics& diagnostics, size_t index, texlate_diagnostic* out) {
  if (out == nullptr || index >= diagnostics.list().size()) return 0;
  *out = to_c(diagnostics.list()[index]);
  return 1;
}

/// Runs `body`, which returns a status, and turns what it throws into one.
template <typename Body>
texlate_status guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return TEXLATE_ERROR_MEMORY;
  } catch (...) {
    return TEXLATE_ERROR_INTERNAL;
  }
}

bool is_binding(sm4::Opcode opcode) {
  using enum sm4::Opcode;
  switch (opcode) {
    case dcl_constantbuffer:
    case dcl_sampler:
    case dcl_resource:
    case dcl_resource_raw:
    case dcl_resource_structured:
    case dcl_uav_typed:
    case dcl_uav_raw:
    case dcl_uav_structured: return true;
    default: return false;
  }
}

/// The number in an enumerator of the caller, which C lets be any number; to load it as an enumerator would
/// be undefined.
template <typename Enum>
uint32_t number_in(const Enum& enumerator) {
  static_assert(sizeof(Enum) == sizeof(uint32_t));
  uint32_t number;
  std::memcpy(&number, &enumerator, sizeof number);
  return number;
}

/// What texlate_uav_format can say besides components in order.
struct PackedFormat {
  uint32_t components, bits;
  texlate_texel_kind kind;
  backend::TexelPacking packing;
  backend::TexelKind texel;
};
constexpr PackedFormat kPackedFormats[] = {
    {4, 10, TEXLATE_TEXEL_UNORM, backend::TexelPacking::r10g10b10a2, backend::TexelKind::unorm},
    {4, 10, TEXLATE_TEXEL_UINT, backend::TexelPacking::r10g10b10a2, backend::TexelKind::uint},
    {3, 11, TEXLATE_TEXEL_FLOAT, backend::TexelPacking::r11g11b10, backend::TexelKind::float_},
    {4, 8, TEXLATE_TEXEL_UNORM_BGRA, backend::TexelPacking::b8g8r8a8, backend::TexelKind::unorm},
    {3, 8, TEXLATE_TEXEL_UNORM_BGRA, backend::TexelPacking::b8g8r8a8, backend::TexelKind::unorm},
    {3, 5, TEXLATE_TEXEL_UNORM_BGRA, backend::TexelPacking::b5g6r5, backend::TexelKind::unorm},
    {4, 5, TEXLATE_TEXEL_UNORM_BGRA, backend::TexelPacking::b5g5r5a1, backend::TexelKind::unorm},
    {4, 4, TEXLATE_TEXEL_UNORM_BGRA, backend::TexelPacking::b4g4r4a4, backend::TexelKind::unorm},
    {1, 8, TEXLATE_TEXEL_UNORM_ALPHA, backend::TexelPacking::a8, backend::TexelKind::unorm},
};

/// Nothing: Direct3D has no such format.
std::optional<backend::ViewFormat> view_format_of(const texlate_uav_format& format) {
  const uint32_t kind = number_in(format.kind);
  backend::ViewFormat view{format.uav, static_cast<uint8_t>(format.components),
                           static_cast<uint8_t>(format.bits)};
  for (const PackedFormat& packed : kPackedFormats) {
    if (packed.components != format.components || packed.bits != format.bits ||
        number_in(packed.kind) != kind)
      continue;
    view.kind = packed.texel;
    view.packing = packed.packing;
    return view;
  }
  if (kind > TEXLATE_TEXEL_SINT) return std::nullopt;
  view.kind = static_cast<backend::TexelKind>(kind);
  const bool count = format.components == 1 || format.components == 2 || format.components == 4;
  const bool bits = format.bits == 8 || format.bits == 16 || format.bits == 32;
  const bool normalized = view.kind == backend::TexelKind::unorm || view.kind == backend::TexelKind::snorm;
  const bool possible =
      !(view.kind == backend::TexelKind::float_ && format.bits == 8) && !(normalized && format.bits == 32);
  if (!count || !bits || !possible) return std::nullopt;
  return view;
}

dxbc::DigestCheck digest_check(texlate_digest digest) {
  switch (digest) {
    case TEXLATE_DIGEST_REQUIRE: return dxbc::DigestCheck::require;
    case TEXLATE_DIGEST_IGNORE: return dxbc::DigestCheck::ignore;
    default: return dxbc::DigestCheck::warn;
  }
}

}  // namespace

struct texlate_program {
  explicit texlate_program(const CallerMemory& caller)
      : memory(caller), arena(1 << 16, &memory), program(&arena), container(&arena), diagnostics(&memory) {}
  CallerMemory memory;
  std::pmr::monotonic_buffer_resource arena;
  sm4::Program program;
  dxbc::Container container;  // empty when the input was text
  Diagnostics diagnostics;
  bool valid = false;
};

struct texlate_output {
  explicit texlate_output(const CallerMemory& caller)
      : memory(caller), translation(&memory), diagnostics(&memory) {}
  CallerMemory memory;
  library::Translation translation;
  Diagnostics diagnostics;
};

const char* texlate_version(void) {
  return kVersion;
}

texlate_status texlate_parse(const void* data, size_t size, const texlate_parse_options* options,
                             texlate_program** program) {
  if (program == nullptr) return TEXLATE_ERROR_ARGUMENT;
  *program = nullptr;
  if (data == nullptr && size != 0) return TEXLATE_ERROR_ARGUMENT;
  if (options != nullptr && (options->struct_size < sizeof(texlate_parse_options) ||
                             number_in(options->digest) > TEXLATE_DIGEST_IGNORE)) {
    return TEXLATE_ERROR_ARGUMENT;
  }
  return guarded([&] {
    texlate_program* made =
        make<texlate_program>(CallerMemory(options != nullptr ? options->allocator : nullptr));
    try {
      const texlate_digest digest = options != nullptr ? options->digest : TEXLATE_DIGEST_WARN;
      made->valid = library::read_program({static_cast<const char*>(data), size}, digest_check(digest),
                                          made->program, made->container, made->diagnostics);
    } catch (...) {
      destroy(made);
      throw;
    }
    if (options != nullptr) report(made->diagnostics, options->callback, options->callback_user);
    *program = made;
    return made->valid ? TEXLATE_OK : TEXLATE_ERROR_INPUT;
  });
}

void texlate_program_free(texlate_program* program) {
  destroy(program);
}

size_t texlate_program_diagnostic_count(const texlate_program* program) {
  return program == nullptr ? 0 : program->diagnostics.list().size();
}

int texlate_program_diagnostic(const texlate_program* program, size_t index, texlate_diagnostic* diagnostic) {
  return program == nullptr ? 0 : get_diagnostic(program->diagnostics, index, diagnostic);
}

texlate_status texlate_program_get_info(const texlate_program* program, texlate_program_info* info) {
  if (program == nullptr || info == nullptr || info->struct_size < sizeof(texlate_program_info)) {
    return TEXLATE_ERROR_ARGUMENT;
  }
  const sm4::Program& source = program->program;
  info->stage = static_cast<texlate_stage>(source.version.stage);
  info->model_major = source.version.major;
  info->model_minor = source.version.minor;
  info->instruction_count = 0;
  info->binding_count = 0;
  std::memset(info->thread_group, 0, sizeof info->thread_group);
  for (const sm4::Instruction& instruction : source.instructions) {
    if (!sm4::info(instruction.opcode).has(sm4::kDeclaration)) ++info->instruction_count;
    if (is_binding(instruction.opcode)) ++info->binding_count;
    if (instruction.opcode != sm4::Opcode::dcl_thread_group) continue;
    const auto words = source.words_of(instruction);
    for (size_t i = 0; i < 3 && i < words.size(); ++i) info->thread_group[i] = words[i];
  }
  return TEXLATE_OK;
}

texlate_status texlate_program_get_binding(const texlate_program* program, uint32_t index,
                                           texlate_binding* binding) {
  if (program == nullptr || binding == nullptr || binding->struct_size < sizeof(texlate_binding)) {
    return TEXLATE_ERROR_ARGUMENT;
  }
  const sm4::Program& source = program->program;
  for (const sm4::Instruction& dcl : source.instructions) {
    if (!is_binding(dcl.opcode) || index-- != 0) continue;
    const sm4::DeclaredRange range = sm4::declared_range(source, dcl);
    binding->id = range.id;
    binding->lower_bound = range.lower_bound;
    binding->upper_bound = range.upper_bound;
    binding->space = range.space;
    binding->dimension = 0;
    binding->size = 0;
    using enum sm4::Opcode;
    switch (dcl.opcode) {
      case dcl_constantbuffer:
        binding->kind = TEXLATE_BINDING_CONSTANT_BUFFER;
        binding->size = sm4::declared_constant_buffer_size(source, dcl);
        break;
      case dcl_sampler: binding->kind = TEXLATE_BINDING_SAMPLER; break;
      default: {
        const bool uav =
            dcl.opcode == dcl_uav_typed || dcl.opcode == dcl_uav_raw || dcl.opcode == dcl_uav_structured;
        binding->kind = uav ? TEXLATE_BINDING_UAV : TEXLATE_BINDING_RESOURCE;
        if (dcl.opcode == dcl_resource || dcl.opcode == dcl_uav_typed) {
          binding->dimension = static_cast<uint32_t>(sm4::declared_dimension(dcl));
        } else {
          const bool raw = dcl.opcode == dcl_resource_raw || dcl.opcode == dcl_uav_raw;
          binding->dimension = static_cast<uint32_t>(raw ? sm4::ResourceDimension::raw_buffer
                                                         : sm4::ResourceDimension::structured_buffer);
          if (!raw) binding->size = sm4::declared_stride(source, dcl);
        }
        break;
      }
    }
    return TEXLATE_OK;
  }
  return TEXLATE_ERROR_ARGUMENT;
}

namespace {

/// Does the target take spirv::TargetOptions?
bool is_spirv(std::string_view name) {
  const backend::Target* target = library::find_target(name);
  for (const backend::Target& one : spirv::targets()) {
    if (target == &one) return true;
  }
  return false;
}

bool is_possible(const texlate_spirv_binding& binding) {
  if (number_in(binding.register_class) > TEXLATE_REGISTER_COUNTER || binding.count == 0 ||
      number_in(binding.passing) > TEXLATE_PASSING_PUSH_CONSTANTS) {
    return false;
  }
  switch (binding.passing) {
    case TEXLATE_PASSING_DESCRIPTOR: return true;
    case TEXLATE_PASSING_TEXEL_BUFFER:
      return binding.register_class == TEXLATE_REGISTER_RESOURCE ||
             binding.register_class == TEXLATE_REGISTER_UAV;
    case TEXLATE_PASSING_PUSH_CONSTANTS:
      return binding.register_class == TEXLATE_REGISTER_CONSTANT_BUFFER && binding.count == 1 &&
             binding.binding % 16 == 0;
  }
  return false;
}

bool is_possible(const texlate_spirv_options& options) {
  if (options.struct_size < sizeof(texlate_spirv_options) ||
      number_in(options.robustness) > TEXLATE_ROBUSTNESS_SHADER ||
      (options.bindings == nullptr && options.binding_count != 0) ||
      (options.combined == nullptr && options.combined_count != 0)) {
    return false;
  }
  // 0: the default; else minor versions 3 to 6.
  const bool version =
      options.version == 0 ||
      (options.version >= static_cast<uint32_t>(spirv::Version::v1_3) &&
       options.version <= static_cast<uint32_t>(spirv::Version::v1_6) && (options.version & 0xff) == 0);
  if (!version) return false;
  for (size_t i = 0; i < options.binding_count; ++i) {
    if (!is_possible(options.bindings[i])) return false;
  }
  return true;
}

/// The caller's options as the backend takes them.
struct SpirvSettings {
  explicit SpirvSettings(std::pmr::memory_resource* memory) : entries(memory), combined(memory) {}
  std::pmr::vector<spirv::BindingEntry> entries;
  std::pmr::vector<spirv::CombinedEntry> combined;
  spirv::TargetOptions options;
};

void take_spirv_options(const texlate_spirv_options& from, SpirvSettings& map) {
  for (size_t i = 0; i < from.binding_count; ++i) {
    const texlate_spirv_binding& binding = from.bindings[i];
    map.entries.push_back({static_cast<spirv::RegisterClass>(binding.register_class),
                           binding.space,
                           binding.first,
                           {binding.set, binding.binding, static_cast<spirv::Passing>(binding.passing)},
                           binding.count});
  }
  for (size_t i = 0; i < from.combined_count; ++i) {
    const texlate_spirv_combined& pair = from.combined[i];
    map.combined.push_back(
        {pair.texture_space, pair.texture, pair.sampler_space, pair.sampler, {pair.set, pair.binding}});
  }
  spirv::Options& to = map.options.emit;
  to.robustness =
      from.robustness == TEXLATE_ROBUSTNESS_SHADER ? spirv::Robustness::shader : spirv::Robustness::driver;
  if (from.version != 0) to.version = static_cast<spirv::Version>(from.version);
  to.bindings = {map.entries, map.combined};
  to.debug = from.debug != 0;
  if (from.source_name != nullptr) to.source_name = from.source_name;
  to.float_controls = from.float_controls != 0;
  to.preserve_specials = from.preserve_specials != 0;
  map.options.optimize = from.optimize != 0;
  map.options.validate = from.validate != 0;
}

}  // namespace

uint32_t texlate_target_count(void) {
  return static_cast<uint32_t>(library::output_forms().size());
}

texlate_status texlate_target_get_info(uint32_t index, texlate_target_info* info) {
  if (info == nullptr || info->struct_size < sizeof(texlate_target_info) || index >= texlate_target_count())
    return TEXLATE_ERROR_ARGUMENT;
  const library::OutputForm& form = library::output_forms()[index];
  // Names are literals: terminated.
  info->name = form.name.data();
  info->title = form.title.data();
  info->suffix = form.suffix.data();
  info->reflection = form.target != nullptr && form.target->reflect != nullptr ? 1 : 0;
  const uint32_t takes = form.target != nullptr ? form.target->takes : 0;
  info->takes_sm = (takes & backend::kTakesSm) != 0 ? 1 : 0;
  info->takes_uav_formats = (takes & backend::kTakesViewFormats) != 0 ? 1 : 0;
  return TEXLATE_OK;
}

texlate_status texlate_translate(const texlate_program* program, const texlate_translate_options* options,
                                 texlate_output** output) {
  if (output == nullptr) return TEXLATE_ERROR_ARGUMENT;
  *output = nullptr;
  if (program == nullptr || options == nullptr || options->struct_size < sizeof(texlate_translate_options) ||
      (options->target != nullptr && library::find_output_form(options->target) == nullptr) ||
      (options->uav_formats == nullptr && options->uav_format_count != 0) ||
      (options->classes == nullptr && options->class_count != 0) ||
      (options->spirv != nullptr && !is_possible(*options->spirv))) {
    return TEXLATE_ERROR_ARGUMENT;
  }
  for (size_t i = 0; i < options->uav_format_count; ++i) {
    const texlate_uav_format& format = options->uav_formats[i];
    if (!view_format_of(format)) return TEXLATE_ERROR_ARGUMENT;
  }
  return guarded([&] {
    texlate_output* made = make<texlate_output>(program->memory);
    bool good = false;
    try {
      std::pmr::vector<backend::ViewFormat> formats(&made->memory);
      for (size_t i = 0; i < options->uav_format_count; ++i) {
        const texlate_uav_format& format = options->uav_formats[i];
        formats.push_back(*view_format_of(format));
      }
      library::TranslateOptions translate_options;
      if (options->target != nullptr) translate_options.to = options->target;
      translate_options.backend.sm = options->sm;
      if (options->entry != nullptr) translate_options.backend.entry = options->entry;
      translate_options.backend.view_formats = formats;
      translate_options.explain = options->explain != 0;
      translate_options.exact_literals = options->rounded_literals == 0;
      translate_options.reflect = options->reflect != 0;
      std::pmr::vector<lower::ClassInstance> classes(&made->memory);
      for (size_t i = 0; i < options->class_count; ++i) {
        const texlate_class_instance& instance = options->classes[i];
        classes.push_back({instance.slot, instance.table, instance.constant_buffer, instance.constant_offset,
                           instance.texture, instance.sampler});
      }
      translate_options.classes = classes;
      SpirvSettings spirv(&made->memory);
      if (options->spirv != nullptr) take_spirv_options(*options->spirv, spirv);
      if (is_spirv(translate_options.to)) translate_options.backend.own = &spirv.options;
      if (program->valid) {
        const bool has_chunks = !program->container.chunks.empty();
        good = library::translate(program->program, has_chunks ? &program->container : nullptr,
                                  translate_options, made->translation, made->diagnostics);
      } else {
        made->diagnostics.error({}, "the program was not read without errors");
      }
    } catch (...) {
      destroy(made);
      throw;
    }
    report(made->diagnostics, options->callback, options->callback_user);
    *output = made;
    return good ? TEXLATE_OK : TEXLATE_ERROR_INPUT;
  });
}

namespace {

/// Makes an output in `memory`; `work` fills it and says whether that went well.
template <typename Work>
texlate_status with_output(const CallerMemory& memory, texlate_output** output,
                           texlate_diagnostic_callback callback, void* callback_user, Work work) {
  return guarded([&] {
    texlate_output* made = make<texlate_output>(memory);
    bool good = false;
    try {
      good = work(*made);
    } catch (...) {
      destroy(made);
      throw;
    }
    report(made->diagnostics, callback, callback_user);
    *output = made;
    return good ? TEXLATE_OK : TEXLATE_ERROR_INPUT;
  });
}

/// The frame of both Maxwell functions.
template <typename Work>
texlate_status with_maxwell(const void* data, size_t size, const texlate_maxwell_options* options,
                            texlate_output** output, Work work) {
  if (output == nullptr) return TEXLATE_ERROR_ARGUMENT;
  *output = nullptr;
  if (data == nullptr && size != 0) return TEXLATE_ERROR_ARGUMENT;
  if (options == nullptr) return with_output(CallerMemory(nullptr), output, nullptr, nullptr, work);
  if (options->struct_size < sizeof(texlate_maxwell_options)) return TEXLATE_ERROR_ARGUMENT;
  return with_output(CallerMemory(options->allocator), output, options->callback, options->callback_user,
                     work);
}

}  // namespace

texlate_status texlate_check(const texlate_program* program, texlate_output** output) {
  if (output == nullptr) return TEXLATE_ERROR_ARGUMENT;
  *output = nullptr;
  if (program == nullptr) return TEXLATE_ERROR_ARGUMENT;
  return with_output(program->memory, output, nullptr, nullptr, [&](texlate_output& made) {
    if (program->valid) return sm4::validate(program->program, made.diagnostics);
    // What could not be read cannot be checked: the reader's own errors say why.
    for (const Diagnostic& diagnostic : program->diagnostics.list())
      made.diagnostics.add(diagnostic.severity, diagnostic.location, diagnostic.message);
    return false;
  });
}

texlate_status texlate_info(const texlate_program* program, int json, texlate_output** output) {
  if (output == nullptr) return TEXLATE_ERROR_ARGUMENT;
  *output = nullptr;
  if (program == nullptr || !program->valid) return TEXLATE_ERROR_ARGUMENT;
  return with_output(program->memory, output, nullptr, nullptr, [&](texlate_output& made) {
    const dxbc::Info info = dxbc::make_info(program->container, program->program, &made.memory);
    (json != 0 ? dxbc::info_json : dxbc::info_text)(info, made.translation.data);
    return true;
  });
}

texlate_status texlate_maxwell_assemble(const char* text, size_t size, const texlate_maxwell_options* options,
                                        texlate_output** output) {
  return with_maxwell(text, size, options, output, [&](texlate_output& made) {
    maxwell::AssembleOptions assemble;
    assemble.constraints = options == nullptr || options->unconstrained == 0;
    std::vector<uint8_t> bytes;
    if (!maxwell::assemble({text, size}, bytes, made.diagnostics, assemble)) return false;
    made.translation.data.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  });
}

texlate_status texlate_maxwell_disassemble(const void* data, size_t size,
                                           const texlate_maxwell_options* options, texlate_output** output) {
  return with_maxwell(data, size, options, output, [&](texlate_output& made) {
    maxwell::DisassembleOptions disassemble;
    disassemble.words = options != nullptr && options->words != 0;
    std::string listing;
    const std::span bytes(static_cast<const uint8_t*>(data), size);
    if (!maxwell::disassemble(bytes, listing, made.diagnostics, disassemble)) return false;
    made.translation.data.assign(listing);
    return true;
  });
}

void texlate_output_free(texlate_output* output) {
  destroy(output);
}

const char* texlate_output_data(const texlate_output* output, size_t* size) {
  const bool present = output != nullptr && !output->translation.data.empty();
  if (size != nullptr) *size = present ? output->translation.data.size() : 0;
  return present ? output->translation.data.data() : nullptr;
}

const char* texlate_output_reflection(const texlate_output* output, size_t* size) {
  const bool present = output != nullptr && !output->translation.reflection.empty();
  if (size != nullptr) *size = present ? output->translation.reflection.size() : 0;
  return present ? output->translation.reflection.data() : nullptr;
}

size_t texlate_output_diagnostic_count(const texlate_output* output) {
  return output == nullptr ? 0 : output->diagnostics.list().size();
}

int texlate_output_diagnostic(const texlate_output* output, size_t index, texlate_diagnostic* diagnostic) {
  return output == nullptr ? 0 : get_diagnostic(output->diagnostics, index, diagnostic);
}

const char* texlate_output_explanation_json(const texlate_output* output, size_t* size) {
  const bool present = output != nullptr && !output->translation.explanation.json().empty();
  if (size != nullptr) *size = present ? output->translation.explanation.json().size() : 0;
  return present ? output->translation.explanation.json().data() : nullptr;
}

size_t texlate_output_explanation_count(const texlate_output* output) {
  return output == nullptr ? 0 : output->translation.explanation.size();
}

int texlate_output_explanation(const texlate_output* output, size_t index, texlate_diagnostic* explanation) {
  if (output == nullptr || explanation == nullptr || index >= output->translation.explanation.size())
    return 0;
  const ir::ClosedGap& gap = output->translation.explanation.gap(index);
  const std::string_view text = output->translation.explanation.text(index);
  *explanation = {TEXLATE_NOTE,        gap.location.line, gap.location.column, gap.location.length,
                  gap.location.offset, text.data(),       text.size()};
  return 1;
}
