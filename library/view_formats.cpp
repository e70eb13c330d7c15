#include "library/view_formats.h"

#include <algorithm>
#include <vector>

#include "frontend/sm4/declaration.h"
#include "library/handles.h"

namespace texlate::library {

namespace {

// texlate_format has every row, with the number that it has there.
#define TEXLATE_VIEW_FORMAT(dxgi, number, components, bits, kind, packing, image_format, name) \
  static_assert(TEXLATE_FORMAT_##dxgi == number);
#include "backend/view_formats.inc"
#undef TEXLATE_VIEW_FORMAT

/// How texlate_uav_format::kind says the kind and the order of the components.
texlate_texel_kind kind_of(const backend::NamedViewFormat& format) {
  using backend::TexelKind;
  using backend::TexelPacking;
  switch (format.packing) {
    case TexelPacking::b8g8r8a8:
    case TexelPacking::b5g6r5:
    case TexelPacking::b5g5r5a1:
    case TexelPacking::b4g4r4a4: return TEXLATE_TEXEL_UNORM_BGRA;
    case TexelPacking::a8: return TEXLATE_TEXEL_UNORM_ALPHA;
    case TexelPacking::in_order:
    case TexelPacking::r10g10b10a2:
    case TexelPacking::r11g11b10: break;
  }
  switch (format.kind) {
    case TexelKind::unorm: return TEXLATE_TEXEL_UNORM;
    case TexelKind::snorm: return TEXLATE_TEXEL_SNORM;
    case TexelKind::float_: return TEXLATE_TEXEL_FLOAT;
    case TexelKind::uint: return TEXLATE_TEXEL_UINT;
    case TexelKind::sint: return TEXLATE_TEXEL_SINT;
  }
  return TEXLATE_TEXEL_UNORM;
}

/// By the number, or else by the members before it. Null: Direct3D has no such format.
const backend::NamedViewFormat* find_format(const texlate_uav_format& wanted) {
  const uint32_t number = number_in(wanted.format), kind = number_in(wanted.kind);
  for (const backend::NamedViewFormat& format : backend::kViewFormats) {
    const bool is_it = number != TEXLATE_FORMAT_UNKNOWN
                           ? format.number == number
                           : format.components == wanted.components && format.bits == wanted.bits &&
                                 static_cast<uint32_t>(kind_of(format)) == kind;
    if (is_it) return &format;
  }
  return nullptr;
}

[[noreturn]] void refuse_format(const texlate_uav_format& format, const std::string& name) {
  if (number_in(format.format) != TEXLATE_FORMAT_UNKNOWN)
    refuse_argument("{}.format is {}, which is not an enumerator", name, number_in(format.format));
  switch (const uint32_t kind = number_in(format.kind)) {
    case TEXLATE_TEXEL_UNORM:
    case TEXLATE_TEXEL_SNORM:
    case TEXLATE_TEXEL_FLOAT:
    case TEXLATE_TEXEL_UINT:
    case TEXLATE_TEXEL_SINT: break;
    case TEXLATE_TEXEL_UNORM_BGRA:
    case TEXLATE_TEXEL_UNORM_ALPHA: refuse_argument("{}: Direct3D has no such packed format", name);
    default: refuse_argument("{}.kind is {}, which is not an enumerator", name, kind);
  }
  if (format.components != 1 && format.components != 2 && format.components != 4)
    refuse_argument("{}.components is {}: not 1, 2 or 4, nor a packed format", name, format.components);
  if (format.bits != 8 && format.bits != 16 && format.bits != 32)
    refuse_argument("{}.bits is {}: not 8, 16 or 32, nor a packed format", name, format.bits);
  refuse_argument("{}: no such format has {} bits", name, format.bits);
}

/// A view's number and the position of its format in the caller's list.
struct Named {
  uint32_t uav;
  size_t position;
};
using Sorted = std::pmr::vector<Named>;

Sorted sorted_by_view(const ViewFormats& formats) {
  Sorted sorted(formats.get_allocator());
  for (size_t i = 0; i < formats.size(); ++i) sorted.push_back({formats[i].uav, i});
  std::ranges::stable_sort(sorted, {}, &Named::uav);
  return sorted;
}

void refuse_duplicates(const Sorted& sorted) {
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1].uav == sorted[i].uav)
      refuse_argument("options.uav_formats[{}] and [{}] both give the format of u{}", sorted[i - 1].position,
                      sorted[i].position, sorted[i].uav);
  }
}

struct Given {
  const ViewFormats& formats;
  size_t named;  // of options.uav_formats; options.known gives the others
};

/// Type is sm4::ReturnType or ir::ComponentType.
template <typename Type>
void check_type(const Given& given, const Sorted& sorted, uint32_t uav, Type declared) {
  const auto found = std::ranges::lower_bound(sorted, uav, {}, &Named::uav);
  if (found == sorted.end() || found->uav != uav) return;
  const bool declares_integers = declared == Type::uint || declared == Type::sint;
  const bool declares_floats = declared == Type::float_ || declared == Type::unorm || declared == Type::snorm;
  const backend::TexelKind kind = given.formats[found->position].kind;
  const bool integers = kind == backend::TexelKind::uint || kind == backend::TexelKind::sint;
  if (!(integers ? declares_floats : declares_integers)) return;
  const char* const is = integers ? "integers" : "floats";
  const char* const wants = integers ? "floats" : "integers";
  if (found->position >= given.named)
    refuse_argument("options.known: the format of u{} is one of {}, but the shader declares it with {}", uav,
                    is, wants);
  refuse_argument("options.uav_formats[{}] is a format of {}, but the shader declares u{} with {}",
                  found->position, is, uav, wants);
}

void check_types(const Given& given, const Sorted& sorted, const texlate_program& program) {
  for (const ir::Resource& resource : program.module.resources) {
    if (resource.is_uav) check_type(given, sorted, resource.id, resource.component_types[0]);
  }
  for (const sm4::Instruction& dcl : program.program.instructions) {
    if (dcl.opcode != sm4::Opcode::dcl_uav_typed) continue;
    const sm4::ReturnType declared = sm4::return_type(sm4::declared_return_types(program.program, dcl), 0);
    check_type(given, sorted, sm4::declared_range(program.program, dcl).id, declared);
  }
}

}  // namespace

backend::ViewFormat view_format_of(const texlate_uav_format& format, const std::string& name) {
  const backend::NamedViewFormat* const found = find_format(format);
  if (found == nullptr) refuse_format(format, name);
  backend::ViewFormat view = *found;
  view.uav = format.uav;
  return view;
}

void add_known_formats(std::span<const KnownFormat> known, const texlate_program& program,
                       ViewFormats& formats) {
  const auto add = [&](uint32_t id, uint32_t space, uint32_t first, uint32_t last) {
    for (const KnownFormat& each : known) {
      const ir::KnownRegisters& of = each.of;
      if (of.space != space || of.first > first || last > of.last) continue;
      if (std::ranges::find(formats, id, &backend::ViewFormat::uav) != formats.end())
        refuse_argument("options.uav_formats and options.known both give the format of u{}", id);
      backend::ViewFormat format = each.format;
      format.uav = id;
      format.known_as =
          std::ranges::find(backend::kViewFormats, each.number, &backend::NamedViewFormat::number)->name;
      formats.push_back(format);
      return;
    }
  };
  if (known.empty()) return;
  for (const ir::Resource& resource : program.module.resources) {
    if (resource.is_uav) add(resource.id, resource.space, resource.lower_bound, resource.upper_bound);
  }
  for (const sm4::Instruction& dcl : program.program.instructions) {
    if (dcl.opcode != sm4::Opcode::dcl_uav_typed) continue;
    const auto range = sm4::declared_range(program.program, dcl);
    add(range.id, range.space, range.lower_bound, range.upper_bound);
  }
}

void check_view_formats(const ViewFormats& formats, size_t named, const texlate_program* program) {
  if (formats.empty()) return;
  const Sorted sorted = sorted_by_view(formats);
  refuse_duplicates(sorted);
  if (program != nullptr && program->valid) check_types({formats, named}, sorted, *program);
}

}  // namespace texlate::library
