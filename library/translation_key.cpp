// The C interface: a key for caches of translations. Everything that influences a translation is written as
// words, one after the other, and the digest of these is the key. A structure whose size changes does not
// compile here until its new members are written, too.

#include <bit>
#include <cstring>
#include <string_view>

#include "frontend/dxbc/digest.h"
#include "ir/text_printer.h"
#include "library/handles.h"
#include "library/known_state.h"
#include "library/structure_sizes.h"
#include "texlate/texlate.h"

using namespace texlate;
using namespace texlate::library;

namespace {

class Writer {
 public:
  explicit Writer(std::pmr::memory_resource* memory) : bytes_(memory) {
    bytes_.resize(20);  // what digest_of() skips
  }
  void word(uint64_t value) { raw(&value, sizeof value); }
  template <typename... Words>
  void words(Words... all) {
    (word(static_cast<uint64_t>(all)), ...);
  }
  void raw(const void* data, size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  /// With the length, so that neighbors cannot be confused.
  void text(std::string_view text) {
    word(text.size());
    raw(text.data(), text.size());
  }
  void text(const char* terminated) {
    word(terminated != nullptr ? 1 : 0);
    if (terminated != nullptr) text(std::string_view(terminated));
  }
  dxbc::Digest digest() const { return dxbc::digest_of(bytes_); }

 private:
  std::pmr::vector<std::byte> bytes_;
};

#define TEXLATE_HAS_SIZE(structure, bytes) \
  static_assert(sizeof(void*) != 8 || sizeof(structure) == (bytes), "write the new members into the key")

void write(Writer& to, const std::pmr::vector<sm4::SignatureElement>& signature) {
  to.word(signature.size());
  for (const sm4::SignatureElement& e : signature) {
    to.text(std::string_view(e.semantic_name));
    to.words(e.semantic_index, e.system_value, e.component_type, e.register_index, e.mask, e.used_mask,
             e.stream, e.min_precision);
  }
}

/// A container is its bytes; text is what was read from it, with its lines.
void write(Writer& to, const texlate_program& program) {
  to.words(program.valid, program.is_ir, program.program.lenient, program.container.bytes.size());
  if (!program.container.bytes.empty())
    return to.raw(program.container.bytes.data(), program.container.bytes.size());
  if (program.is_ir) {
    std::pmr::string text;
    ir::print(program.module, text);
    return to.text(std::string_view(text));
  }
  const sm4::Program& source = program.program;
  to.words(source.version.stage, source.version.model(), source.instruction_slots,
           source.instructions.size());
  for (const sm4::Instruction& i : source.instructions) {
    to.words(i.opcode, i.controls, i.operand_count, i.has_offset, i.has_dimension, i.has_return_type,
             i.offset[0], i.offset[1], i.offset[2], i.dimension, i.stride, i.return_types, i.first_operand,
             i.first_word, i.word_count, i.location.line, i.location.column, i.location.offset);
  }
  to.word(source.operands.size());
  for (const sm4::Operand& o : source.operands) {
    to.words(o.file, o.component_count, o.selection, o.components, o.modifier, o.min_precision, o.index_count,
             o.non_uniform, o.index_forms);
    if (o.is_immediate()) {
      for (const uint32_t bits : o.immediate) to.word(bits);
    } else {
      for (const sm4::OperandIndex& index : o.index) to.words(index.immediate, index.relative);
    }
  }
  to.word(source.words.size());
  to.raw(source.words.data(), source.words.size() * sizeof(uint32_t));
  for (const auto* signature :
       {&source.input_signature, &source.output_signature, &source.patch_constant_signature})
    write(to, *signature);
}

/// An array without a stride.
void write_plain(Writer& to, const void* first, size_t count, size_t element, const char* name) {
  if (first == nullptr && count != 0) refuse_argument("{} is null but its count is not 0", name);
  to.word(count);
  to.raw(first, count * element);
}

/// An array of structures without padding and pointers.
template <typename T>
void write_flat(Writer& to, const T* first, size_t count, size_t stride, bool has_stride, size_t oldest,
                const char* name) {
  static_assert(std::has_unique_object_representations_v<T>);
  const Elements<T> all(first, count, stride, has_stride, oldest, name);
  to.word(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const T element = all[i];
    to.raw(&element, sizeof element);
  }
}

void write(Writer& to, const texlate_state_value& value) {
  to.words(value.in_buffer, value.bits[0], value.bits[1], value.bits[2], value.bits[3], value.buffer,
           value.space, value.offset);
}

#define OPTION(member, type, standard, option, value, least, most, help) \
  to.word(static_cast<uint64_t>(o.member));

TEXLATE_HAS_SIZE(texlate_spirv_options, 288);
void write(Writer& to, const texlate_spirv_options& given) {
  const texlate_spirv_options o = versioned(&given, kOldestSpirvOptions, "options.spirv");
  const bool has_stride = o.struct_size > kOldestSpirvOptions;
  to.words(number_in(o.robustness), o.version, o.optimize, o.validate, o.strict_bindings,
           number_in(o.discard), std::bit_cast<uint32_t>(o.point_size_value), o.messages);
#include "backend/spirv/option_rows.inc"
  to.text(o.source_name);
  to.text(o.source);
  write_flat(to, o.bindings, o.binding_count, o.binding_stride, has_stride, kOldestSpirvBinding, "bindings");
  write_flat(to, o.combined, o.combined_count, o.combined_stride, has_stride, kOldestSpirvCombined,
             "combined");
  write_flat(to, o.parameters, o.parameter_count, o.parameter_stride, true, kOldestSpirvParameter,
             "parameters");
  const Elements<texlate_stream_output> entries(o.stream_output, o.stream_output_count,
                                                o.stream_output_stride, true, kOldestStreamOutput,
                                                "stream_output");
  to.word(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const texlate_stream_output e = entries[i];
    to.words(e.stream, e.semantic_index, e.first_component, e.component_count, e.buffer);
    to.text(e.semantic_name);
  }
  write_plain(to, o.buffer_strides, o.buffer_stride_count, sizeof *o.buffer_strides,
              "options.spirv.buffer_strides");
  write_plain(to, o.output_swizzles, o.output_swizzle_count, sizeof *o.output_swizzles,
              "options.spirv.output_swizzles");
  const Elements<texlate_device_property> device(o.device, o.device_count, o.device_stride, true,
                                                 kOldestDeviceProperty, "device");
  to.word(device.size());
  for (size_t i = 0; i < device.size(); ++i) {
    const texlate_device_property property = device[i];
    to.text(property.name);
    to.word(static_cast<uint64_t>(property.value));
  }
  to.word(o.varyings != nullptr);
  write_flat(to, o.varyings, o.varying_count, o.varying_stride, true, kOldestVarying, "varyings");
  to.word(o.point_size_state != nullptr);
  if (o.point_size_state != nullptr) {
    for (const texlate_state_value& value :
         {o.point_size_state->size, o.point_size_state->least, o.point_size_state->most})
      write(to, value);
  }
  to.word(o.next != nullptr);
  if (o.next != nullptr) write(to, *o.next);
}

TEXLATE_HAS_SIZE(texlate_ptx_options, 56);
void write(Writer& to, const texlate_ptx_options& given) {
  const texlate_ptx_options o = versioned(&given, kOldestPtxOptions, "options.ptx");
#include "backend/launch/option_rows.inc"
#include "backend/ptx/option_rows.inc"
  to.text(o.source_name);
  to.text(o.source);
}

TEXLATE_HAS_SIZE(texlate_kernel_options, 16);
void write(Writer& to, const texlate_kernel_options& given) {
  const texlate_kernel_options o = versioned(&given, kOldestKernelOptions, "options.kernel");
#include "backend/launch/option_rows.inc"
}
#undef OPTION

TEXLATE_HAS_SIZE(texlate_known_state, 96);
TEXLATE_HAS_SIZE(texlate_known_constants, 40);
void write(Writer& to, const texlate_known_state& given) {
  const texlate_known_state o = versioned(&given, kOldestKnownState, "options.known");
  write_flat(to, o.resources, o.resource_count, o.resource_stride, true, kOldestKnownResource, "resources");
  to.words(o.launch, o.elements, o.helper_lanes, o.early_depth);
  const Elements<texlate_known_sampler> samplers(o.samplers, o.sampler_count, o.sampler_stride, true,
                                                 kOldestKnownSampler, "samplers");
  to.word(samplers.size());
  for (size_t i = 0; i < samplers.size(); ++i) {
    const texlate_known_sampler sampler = samplers[i];
    static_assert(sizeof sampler == sizeof(texlate_static_sampler) + 24);  // no padding
    to.raw(&sampler, sizeof sampler);
  }
  const Elements<texlate_known_constants> constants(o.constants, o.constant_count, o.constant_stride, true,
                                                    kOldestKnownConstants, "options.known.constants");
  to.word(constants.size());
  for (size_t i = 0; i < constants.size(); ++i) {
    const texlate_known_constants c = constants[i];
    check_known_rows(c, constants.name(i));
    to.words(c.space, c.first, c.count, c.rows, c.words != nullptr, c.first_row, c.row_count, c.specialize);
    if (c.words != nullptr) to.raw(c.words, size_t{16} * c.row_count);
  }
}

TEXLATE_HAS_SIZE(texlate_fixed_function, 416);
void write(Writer& to, const texlate_fixed_function& given) {
  const texlate_fixed_function o = versioned(&given, kOldestFixedFunction, "options.fixed_function");
  to.words(o.alpha_function, o.alpha_is_uint, o.fog_mode, o.clip_plane_mask, o.fog_source);
  for (const texlate_state_value* value : {&o.alpha_reference, &o.fog_color, &o.fog_end, &o.fog_scale})
    write(to, *value);
  for (const texlate_state_value& plane : o.clip_planes) write(to, plane);
}

TEXLATE_HAS_SIZE(texlate_translate_options, 192);
void write(Writer& to, const texlate_translate_options& o) {
  const bool has_stride = o.struct_size > kOldestTranslateOptions;
  to.text(o.target);
  to.text(o.entry);
  to.words(o.sm, o.explain, o.rounded_literals, o.reflect);
  write_flat(to, o.uav_formats, o.uav_format_count, o.uav_format_stride, has_stride, kOldestUavFormat,
             "uav_formats");
  write_flat(to, o.classes, o.class_count, o.class_stride, has_stride, kOldestClassInstance, "classes");
  to.words(o.spirv != nullptr, o.ptx != nullptr, o.known != nullptr, o.fixed_function != nullptr);
  if (o.spirv != nullptr) write(to, *o.spirv);
  if (o.ptx != nullptr) write(to, *o.ptx);
  if (o.known != nullptr) write(to, *o.known);
  if (o.fixed_function != nullptr) write(to, *o.fixed_function);
  to.word(o.kernel != nullptr);
  if (o.kernel != nullptr) write(to, *o.kernel);
  to.word(o.hull != nullptr);
  if (o.hull != nullptr) write(to, *o.hull);
}

}  // namespace

texlate_status texlate_translation_key(const texlate_program* program,
                                       const texlate_translate_options* options,
                                       uint8_t key[TEXLATE_KEY_SIZE]) {
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(options != nullptr, "options is null");
    require(key != nullptr, "key is null");
    Writer to(std::pmr::new_delete_resource());
    to.text(texlate_version());
    write(to, *program);
    write(to, versioned(options, kOldestTranslateOptions, "options"));
    const dxbc::Digest digest = to.digest();
    static_assert(sizeof digest == TEXLATE_KEY_SIZE);
    std::memcpy(key, digest.data(), sizeof digest);
    return TEXLATE_OK;
  });
}
