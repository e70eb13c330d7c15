// Reads scene files: the JSON of docs/scene.md, with defaults that follow the module's declarations.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <new>
#include <optional>

#include "ir/base/diagnostics.h"
#include "ir/base/direct3d_limits.h"
#include "ir/base/platform/files.h"
#include "ir/spelling.h"
#include "sim/scene/block_texture.h"
#include "sim/scene/input_source.h"
#include "sim/scene/integer_uses.h"
#include "sim/scene/primitive_source.h"
#include "sim/scene/sampler_source.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_reader.h"
#include "sim/scene/slot_names.h"
#include "sim/scene/texture_source.h"
#include "sim/texture_unit/unordered_access.h"

namespace texlate::sim {

namespace {

constexpr Dimension kDimensions[] = {
    Dimension::texture1d,          Dimension::texture1d,       Dimension::texture1d_array,
    Dimension::texture2d,          Dimension::texture2d_array, Dimension::texture2dms,
    Dimension::texture2dms_array,  Dimension::texture3d,       Dimension::texture_cube,
    Dimension::texture_cube_array, Dimension::texture1d,       Dimension::texture1d,
};
constexpr uint32_t kDefaultSide = 64, kDefaultVolume = 16, kDefaultSlices = 4, kDefaultElements = 1024;
// Direct3D 11's limits: D3D11_REQ_*, D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION. The sizes of the
// viewport and the number of vertices only keep a run within a machine's memory.
constexpr WholeRange kViewport{1, 8192}, kVertices{1, 1 << 20}, kGroups{0, 65535}, kSamples{1, 32},
    kMips{1, 15}, kSlices{1, 2048};
constexpr uint64_t kMaxInputBytes = uint64_t{1} << 32, kMaxBufferBytes = uint64_t{1} << 30;
constexpr uint32_t kMaxTexels = 1u << 27;  // D3D11_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

bool is_integer_type(ir::ComponentType type) {
  return type == ir::ComponentType::uint || type == ir::ComponentType::sint;
}

Format default_format(const ir::Resource& resource, bool compared) {
  if (compared) return Format::r32_float;
  switch (resource.component_types[0]) {
    case ir::ComponentType::uint: return Format::r32g32b32a32_uint;
    case ir::ComponentType::sint: return Format::r32g32b32a32_sint;
    case ir::ComponentType::snorm: return Format::r8g8b8a8_snorm;
    case ir::ComponentType::unorm: return Format::r8g8b8a8_unorm;
    default: return resource.is_uav ? Format::r32g32b32a32_float : Format::r8g8b8a8_unorm;
  }
}

}  // namespace

class SceneBuilder {
 public:
  SceneBuilder(const ir::Module& module, std::string folder, Diagnostics& diagnostics)
      : module_(module),
        folder_(std::move(folder)),
        reader_(diagnostics),
        names_(reader_),
        integers_(module),
        scene_(new Scene(module)) {}

  std::unique_ptr<Scene> build(std::string_view text) {
    if (!reader_.parse(text) || !check_sections()) return nullptr;
    find_files();
    find_uses();
    read_sizes();
    for (uint32_t i = 0; i < module_.resources.size() && reader_.good(); ++i) add_resource(i);
    for (uint32_t i = 0; i < module_.samplers.size() && reader_.good(); ++i) add_sampler(i);
    for (uint32_t i = 0; i < module_.constant_buffers.size() && reader_.good(); ++i) add_constants(i);
    if (reader_.good()) make_inputs();
    for (const char* const name :
         {"textures", "uavs", "samplers", "constants", "inputs", "patch_constants"}) {
      if (reader_.good()) names_.check_all_found(section(name));
    }
    if (!reader_.good()) return nullptr;
    scene_->keep_initial_uavs();
    return std::move(scene_);
  }

 private:
  SceneValue section(const std::string& key) const { return reader_.member(reader_.root(), key); }

  /// Checks all names at the upper two levels, those of slots too that this shader does not have.
  bool check_sections() {
    const SceneValue kernel = section("kernel");
    scatter_ = reader_.boolean(section("scatter"), false);
    return reader_.check_object(
               reader_.root(),
               "viewport dispatch samples textures samplers constants inputs uavs vertices "
               "scatter kernel primitives primitive_ids patch_constants tessellation domain_points") &&
           reader_.check_slots(section("textures"), "t", true) &&
           reader_.check_slots(section("uavs"), "u", true) &&
           reader_.check_slots(section("samplers"), "s", true) &&
           reader_.check_slots(section("constants"), "cb", true) &&
           reader_.check_slots(section("inputs"), "v", false) &&
           reader_.check_slots(section("patch_constants"), "vpc", false) && reader_.good() &&
           (!kernel.given() || kernel.json->is_object() ||
            reader_.fail(kernel, "'kernel' must be an object"));
  }

  std::string path_of(const std::string& name) const { return platform::path_in(folder_, name); }

  void find_files() {
    for (const char* const name : {"textures", "uavs"}) {
      const SceneValue slots = section(name);
      if (!slots.given()) continue;
      for (const auto& slot : *slots.json) {
        for (const char* const key : {"png", "raw"}) {
          const auto at = slot.is_object() ? slot.find(key) : slot.end();
          if (at == slot.end()) continue;
          if (at->is_string()) scene_->files_.push_back(path_of(at->get<std::string>()));
          for (const auto& one : *at) {
            if (at->is_array() && one.is_string()) scene_->files_.push_back(path_of(one.get<std::string>()));
          }
        }
      }
    }
  }

  /// Reports the errors of `work`, which have no locations, at the value.
  template <typename F>
  bool located(const SceneValue& value, const std::string& prefix, F work) {
    Diagnostics errors;
    const bool good = work(errors);
    for (const Diagnostic& error : errors.list()) reader_.fail(value, prefix + std::string(error.message));
    return good;
  }

  // The module's use of its resources and samplers determines their defaults.
  void find_uses() {
    compared_.assign(module_.resources.size(), false);
    atomic_.assign(module_.resources.size(), false);
    exchanged_only_.assign(module_.resources.size(), true);
    comparing_.assign(module_.samplers.size(), false);
    for (uint32_t i = 0; i < module_.samplers.size(); ++i) comparing_[i] = module_.samplers[i].comparison;
    for (const ir::Instruction& instruction : module_.code) {
      if (!ir::info(instruction.op).has(ir::kResource)) continue;
      const ir::ResourceAccess& access = module_.access_of(instruction);
      if (access.compare) {
        compared_[access.resource] = true;
        if (access.sampler < comparing_.size()) comparing_[access.sampler] = true;
      }
      if (instruction.op != ir::Op::surf_atomic) continue;
      atomic_[access.resource] = true;
      if (access.atomic != ir::AtomicOp::exchange) exchanged_only_[access.resource] = false;
    }
  }

  void read_sizes() {
    std::array<uint32_t, 2> viewport{64, 64};
    reader_.wholes(section("viewport"), viewport, 2, kViewport);
    scene_->width_ = viewport[0];
    scene_->height_ = viewport[1];
    scene_->samples_ = reader_.whole(section("samples"), 1, kSamples);
    scene_->groups_ = {2, 2, 1};
    if (section("dispatch").given()) scene_->groups_ = {1, 1, 1};
    reader_.wholes(section("dispatch"), scene_->groups_, 1, kGroups);
    const uint32_t quads = ((viewport[0] + 1) / 2) * ((viewport[1] + 1) / 2);
    const uint32_t vertices = reader_.whole(section("vertices"), 64, kVertices);
    const bool pixel = module_.stage == ir::Stage::pixel;
    input_count_ = pixel ? quads * 4 : vertices;
    scene_->element_count_ = input_count_;
    if (pixel) scene_->cover_pixels();
    ScenePrimitives& primitives = scene_->primitives_;
    if (!read_primitives(reader_, module_, primitives)) return;
    if (primitives.count != 0) {
      input_count_ = primitives.count * primitives.vertices;
      scene_->element_count_ =
          module_.stage == ir::Stage::hull     ? primitives.count * module_.output_control_points
          : module_.stage == ir::Stage::domain ? static_cast<uint32_t>(primitives.point_patch.size())
                                               : 0;
    }
    const uint64_t planes =
        std::max(input_plane_count(module_), primitives.count != 0 ? output_plane_count(module_) : 0);
    const uint64_t bytes = planes * std::max(input_count_, scene_->element_count_) * 4;
    if (bytes > kMaxInputBytes) {
      reader_.fail(section(pixel                   ? "viewport"
                           : primitives.count != 0 ? "primitives"
                                                   : "vertices"),
                   fmt::format("the inputs take {} bytes; at most {} are possible", bytes, kMaxInputBytes));
    }
  }

  void add_resource(uint32_t index) {
    const ir::Resource& resource = module_.resources[index];
    auto& registers = scene_->bindings_.resources(index);
    for (uint32_t r = 0; r < registers.size() && reader_.good(); ++r) {
      const SlotRegister slot{resource.is_uav ? "u" : "t", resource.id, resource.lower_bound + r,
                              resource.is_range()};
      const std::string name = slot.name();
      const SceneValue described = names_.find(section(resource.is_uav ? "uavs" : "textures"), slot);
      if (described.is_null()) continue;  // unbound
      const bool buffer = ir::is_buffer(resource.dimension);
      // A view for unordered access has one mip.
      const char* const keys =
          buffer ? "format elements generate words raw counter"
          : resource.is_uav
              ? "format size mips slices samples view_mips view_slices png raw generate"
              : "format size mips slices samples view_mips view_slices min_lod png raw generate";
      if (!reader_.check_object(described, keys)) return;
      if (buffer) {
        add_buffer(index, registers[r], name, described);
      } else {
        add_texture(index, registers[r], name, described);
      }
    }
  }

  /// A block-compressed format only for textures for which Direct3D has them.
  Format format_of(uint32_t index, const SceneValue& described, const std::string& name) {
    const ir::Resource& resource = module_.resources[index];
    Format format = default_format(resource, compared_[index]);
    if (atomic_[index]) {
      const ir::ComponentType type = resource.component_types[0];
      const bool is_float = type == ir::ComponentType::float_ && exchanged_only_[index];
      format = is_float                          ? Format::r32_float
               : type == ir::ComponentType::sint ? Format::r32_sint
                                                 : Format::r32_uint;
    }
    const SceneValue value = reader_.member(described, "format");
    if (!value.given()) return format;
    const std::string wanted = reader_.text(value);
    const Format found = find_format(wanted);
    const bool has_blocks = block_format(found).bytes != 0;
    if (reader_.good() && (found == Format::unknown || (format_info(found).bytes == 0 && !has_blocks)))
      reader_.fail(value, name + ": '" + wanted + "' is not a supported format");
    if (reader_.good() && has_blocks && !may_have_blocks(resource))
      reader_.fail(value, name + ": a " + std::string(ir::spelling(resource.dimension)) +
                              " cannot have a block-compressed format");
    if (reader_.good() && resource.is_uav && !may_be_written(found))
      reader_.fail(value, name + ": a typed unordered access view cannot have the format '" + wanted + "'");
    return reader_.good() ? found : format;
  }

  TextureDesc texture_desc(uint32_t index, const std::string& name, const SceneValue& described) {
    const ir::Resource& resource = module_.resources[index];
    const auto value = [&](const char* key) { return reader_.member(described, key); };
    TextureDesc desc;
    desc.dimension = kDimensions[static_cast<uint32_t>(resource.dimension)];
    const DimensionInfo& info = dimension_info(desc.dimension);
    desc.format = format_of(index, described, name);
    const BlockFormat blocks = block_format(desc.format);
    if (blocks.bytes != 0) desc.format = blocks.decoded;
    const uint32_t side = info.axes == 3 ? kDefaultVolume : kDefaultSide;
    std::array<uint32_t, 3> size{side, side, side};
    reader_.wholes(value("size"), size, 1);
    desc.size = {size[0], info.axes > 1 ? size[1] : 1, info.axes > 2 ? size[2] : 1};
    const bool one_mip = info.multisampled || resource.is_uav;
    desc.mips = reader_.whole(value("mips"), one_mip ? 1 : 0, one_mip ? WholeRange{1, 1} : kMips);
    const uint32_t slices = reader_.whole(value("slices"), info.slice >= 0 ? kDefaultSlices : 1, kSlices);
    desc.array_size = info.cube         ? 6 * (info.slice >= 0 ? std::max(1u, slices / 2) : 1)
                      : info.slice >= 0 ? slices
                                        : 1;
    const uint32_t samples =
        reader_.whole(value("samples"), resource.sample_count != 0 ? resource.sample_count : 4, kSamples);
    desc.samples = info.multisampled ? samples : 1;
    return desc;
  }

  void add_texture(uint32_t index, BoundResource& bound, const std::string& name,
                   const SceneValue& described) {
    const ir::Resource& resource = module_.resources[index];
    const TextureDesc desc = texture_desc(index, name, described);
    if (!reader_.good()) return;
    std::optional<Texture> texture;
    const auto create = [&](Diagnostics& errors) {
      return (texture = Texture::create(desc, errors)).has_value();
    };
    if (!located(described, name + ": ", create)) return;
    scene_->textures_.push_back(std::move(*texture));
    Texture& made = scene_->textures_.back();
    const Format format = format_of(index, described, name);
    block_format(format).bytes != 0 ? fill_with_blocks(made, format, resource, name, described)
                                    : fill(made, resource, name, described);
    bound.texture = TextureView::whole(made);
    std::array<uint32_t, 2> mips{0, bound.texture.mip_count}, slices{0, bound.texture.slice_count};
    reader_.wholes(reader_.member(described, "view_mips"), mips, 2);
    // The slices of a 3D texture are those of the view's first mip.
    if (desc.dimension == Dimension::texture3d && mips[0] < made.desc().mips)
      slices[1] = made.mip_size(mips[0]).depth;
    reader_.wholes(reader_.member(described, "view_slices"), slices, 2);
    bound.texture.first_mip = mips[0];
    bound.texture.mip_count = mips[1];
    bound.texture.first_slice = slices[0];
    bound.texture.slice_count = slices[1];
    bound.texture.min_lod_clamp = reader_.number(reader_.member(described, "min_lod"), 0);
    located(described, name + ": ", [&](Diagnostics& errors) { return check_view(bound.texture, errors); });
    if (resource.is_uav) keep_uav(name, made.memory(), desc.format);
  }

  /// How many of these members are given.
  int count_given(const SceneValue& described, std::initializer_list<const char*> keys) const {
    return static_cast<int>(std::count_if(
        keys.begin(), keys.end(), [&](const char* key) { return reader_.member(described, key).given(); }));
  }

  void fill(Texture& texture, const ir::Resource& resource, const std::string& name,
            const SceneValue& described) {
    if (count_given(described, {"png", "raw", "generate"}) > 1)
      return void(reader_.fail(described, name + " must have only one of png, raw and generate"));
    static constexpr const char* kDefaults[] = {"checker", "gradient", "noise"};
    const SceneValue generate = reader_.member(described, "generate");
    const std::string wanted = reader_.text(generate, resource.is_uav ? "zero" : kDefaults[resource.id % 3]);
    const auto pattern = find_pattern(wanted);
    if (!pattern && wanted != "zero")
      reader_.fail(generate, name + ": '" + wanted + "' is not a generated texture");
    const SceneValue png = reader_.member(described, "png");
    if (png.given()) {
      fill_slices(texture, name, png);
    } else if (!fill_raw(texture.memory(), described) && pattern) {
      fill_texture(texture, *pattern, resource.id);
    }
  }

  /// Blocks, slice by slice and within a slice mip by mip: from a file, or hashed bytes.
  void fill_with_blocks(Texture& texture, Format format, const ir::Resource& resource,
                        const std::string& name, const SceneValue& described) {
    if (texture.desc().size.width % 4 != 0 || texture.desc().size.height % 4 != 0)
      return void(
          reader_.fail(described, name + ": width and height must be multiples of 4, the size of a block"));
    if (count_given(described, {"raw", "generate"}) > 1)
      return void(reader_.fail(described, name + " must have only one of raw and generate"));
    if (reader_.member(described, "png").given())
      reader_.fail(described,
                   name + ": a block-compressed texture cannot be a picture; 'raw' gives its blocks");
    static constexpr std::string_view kPatterns[] = {"noise", "zero"};
    const size_t pattern = reader_.choice(reader_.member(described, "generate"), kPatterns, 0,
                                          "a generated block-compressed texture (noise, zero)");
    std::vector<std::byte> blocks = generated_blocks(texture, format, resource.id);
    if (pattern == 1) std::fill(blocks.begin(), blocks.end(), std::byte{0});
    fill_raw(blocks, described);
    if (reader_.good()) fill_from_blocks(texture, format, blocks);
  }

  /// Returns false if the scene names no file with the contents.
  bool fill_raw(std::span<std::byte> memory, const SceneValue& described) {
    const SceneValue raw = reader_.member(described, "raw");
    const std::string path = path_of(reader_.text(raw));
    if (raw.given() && reader_.good())
      located(raw, "", [&](Diagnostics& errors) { return fill_from_raw(memory, path, errors); });
    return raw.given();
  }

  /// One picture, or one per slice (of a cube: one per face).
  void fill_slices(Texture& texture, const std::string& name, const SceneValue& png) {
    const size_t count = png.is_list() ? png.size() : 1;
    if (texture.desc().dimension == Dimension::texture3d)
      return void(reader_.fail(png, name + ": a 3D texture cannot be a picture; 'raw' gives all its texels"));
    if (count == 0) reader_.fail(png, name + ": 'png' is an empty list");
    if (count > texture.desc().array_size)
      return void(reader_.fail(png, name + " has fewer slices than pictures"));
    for (uint32_t slice = 0; slice < count && reader_.good(); ++slice) {
      const SceneValue one = png.is_list() ? reader_.item(png, slice) : png;
      if (!one.json->is_string())
        return void(reader_.fail(one, name + ": 'png' must be a file name or a list of file names"));
      const std::string path = path_of(reader_.text(one));
      located(one, "", [&](Diagnostics& errors) { return fill_from_png(texture, slice, path, errors); });
    }
  }

  /// Returns the buffer's stride in bytes.
  uint32_t shape_buffer(uint32_t index, const std::string& name, const SceneValue& described,
                        BufferView& view) {
    const ir::Resource& resource = module_.resources[index];
    const Format format = format_of(index, described, name);
    if (resource.dimension == ir::Dimension::buffer) {
      view.kind = BufferKind::typed;
      view.format = format;
      if (!described.given() && !resource.is_uav && !is_integer_type(resource.component_types[0]))
        view.format = Format::r32g32b32a32_float;
      return format_info(view.format).bytes;
    }
    const bool structured = resource.dimension == ir::Dimension::structured_buffer;
    view.kind = structured ? BufferKind::structured : BufferKind::raw;
    if (structured) view.stride = std::max(4u, resource.stride);
    return structured ? view.stride : 4;
  }

  void add_buffer(uint32_t index, BoundResource& bound, const std::string& name,
                  const SceneValue& described) {
    const ir::Resource& resource = module_.resources[index];
    BufferView view;
    const uint32_t stride = shape_buffer(index, name, described, view);
    const SceneValue count = reader_.member(described, "elements");
    const uint32_t elements = reader_.whole(count, kDefaultElements);
    const uint32_t counter = reader_.whole(reader_.member(described, "counter"), 0, {0, 0xffffffffu});
    const uint64_t bytes = uint64_t{elements} * stride;
    if (bytes > kMaxBufferBytes) {
      reader_.fail(count,
                   fmt::format("{} is too large: {} bytes of at most {}", name, bytes, kMaxBufferBytes));
    } else if (view.kind == BufferKind::typed && elements > kMaxTexels) {
      reader_.fail(count,
                   fmt::format("{} is too large: {} elements of at most {}", name, elements, kMaxTexels));
    }
    if (!reader_.good()) return;
    view.element_count = view.kind == BufferKind::raw ? elements * 4 : elements;
    std::vector<std::byte>& memory = scene_->buffers_.emplace_back(bytes + 16);
    const std::span<std::byte> contents(memory.data(), bytes);
    const bool integer =
        view.kind == BufferKind::typed ? format_info(view.format).is_integer() : view.kind == BufferKind::raw;
    if (reader_.member(described, "raw").given() && count_given(described, {"words", "generate"}) != 0)
      reader_.fail(described, name + " has all its bytes from 'raw': 'words' and 'generate' change nothing");
    fill_buffer(contents, resource, integer, described);
    view.data = memory.data();
    if (resource.is_uav && view.kind == BufferKind::structured) {
      view.counter = &scene_->counters_.emplace_back(counter);
      keep_uav(name + ".counter", std::as_writable_bytes(std::span(view.counter, 1)), Format::r32_uint);
    }
    bound.buffer = view;
    if (resource.is_uav) keep_uav(name, contents, view.format);
  }

  void fill_buffer(std::span<std::byte> contents, const ir::Resource& resource, bool integer,
                   const SceneValue& described) {
    static constexpr std::string_view kPatterns[] = {"noise", "zero"};
    const size_t pattern = reader_.choice(reader_.member(described, "generate"), kPatterns,
                                          resource.is_uav ? 1 : 0, "a generated buffer");
    for (size_t word = 0; pattern == 0 && word < contents.size() / 4; ++word) {
      const uint32_t value = buffer_word(word, resource.id, integer);
      std::memcpy(contents.data() + 4 * word, &value, 4);
    }
    const SceneValue list = reader_.member(described, "words");
    if (list.given() && reader_.check_list(list, 0, contents.size() / 4, "numbers")) {
      std::vector<uint32_t> words(list.size());
      reader_.words(list, words, 0);
      if (!words.empty()) std::memcpy(contents.data(), words.data(), 4 * words.size());
    }
    fill_raw(contents, described);
  }

  void keep_uav(const std::string& name, std::span<std::byte> memory, Format format) {
    scene_->uavs_.push_back({name, memory, {}, format});
  }

  void add_sampler(uint32_t index) {
    const ir::Sampler& declared = module_.samplers[index];
    auto& registers = scene_->bindings_.samplers(index);
    for (uint32_t r = 0; r < registers.size() && reader_.good(); ++r) {
      const SlotRegister slot{"s", declared.id, declared.lower_bound + r, declared.is_range()};
      const SceneValue described = names_.find(section("samplers"), slot);
      if (!reader_.check_object(described,
                                "filter max_anisotropy address lod bias border comparison reduction"))
        return;
      read_sampler(reader_, described, registers[r]);
      const Comparison comparison = read_comparison(reader_, reader_.member(described, "comparison"));
      if (!comparing_[index]) continue;
      if (registers[r].reduction != Reduction::standard)
        return void(reader_.fail(described, slot.name() + " compares: it has no reduction"));
      registers[r].reduction = Reduction::comparison;
      registers[r].comparison = comparison;
    }
  }

  // Defaults are moderate fractions: matrices of them keep positions finite, and divisions do not divide by
  // 0.
  void add_constants(uint32_t index) {
    const ir::ConstantBuffer& declared = module_.constant_buffers[index];
    auto& registers = scene_->bindings_.constant_buffers(index);
    for (uint32_t r = 0; r < registers.size() && reader_.good(); ++r) {
      const SlotRegister slot{"cb", declared.id, declared.lower_bound + r, declared.is_range()};
      const SceneValue described = names_.find(section("constants"), slot);
      if (described.is_null()) continue;  // unbound
      std::vector<uint32_t>& words = scene_->constants_.emplace_back();
      if (described.given()) {
        read_rows(words, described);
      } else {
        make_rows(words, index);
      }
      registers[r] = words;
    }
  }

  void read_rows(std::vector<uint32_t>& words, const SceneValue& described) {
    if (!reader_.check_list(described, 0, kMaxConstantRows, "rows of 4 numbers")) return;
    words.resize(described.size() * 4);
    for (size_t row = 0; row < described.size() && reader_.good(); ++row)
      reader_.words(reader_.item(described, row), std::span(words).subspan(row * 4, 4), 4);
  }

  void make_rows(std::vector<uint32_t>& words, uint32_t index) const {
    const ir::ConstantBuffer& declared = module_.constant_buffers[index];
    words.resize(size_t{4} * (declared.rows != 0 ? std::min(declared.rows, kMaxConstantRows) : 256u));
    for (uint32_t i = 0; i < words.size(); ++i) {
      const uint32_t step = (i * 7 + declared.id * 3) % 16;
      const bool integer = integers_.constant(index, i);
      words[i] = integer ? 16 + 16 * (step % 2) : bits(0.125f + static_cast<float>(step) / 16.0f);
    }
  }

  /// Planes with a word for each element, as described in the section or by default.
  void fill_planes(std::span<const ir::Parameter> parameters, bool is_patch, uint32_t count,
                   std::span<uint32_t> planes) {
    const char* const name = is_patch ? "patch_constants" : "inputs";
    const DefaultInputs defaults{module_.stage, scene_->primitives_, scene_->width_, scene_->height_,
                                 scatter_};
    for (const ir::Parameter& parameter : parameters) {
      if (parameter.reg >= ir::kSpecialRegister) continue;
      const auto described = read_input(
          reader_, names_.find(section(name), {is_patch ? "vpc" : "v", parameter.reg, parameter.reg}));
      if (!reader_.good()) return;
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        const uint32_t plane = parameter.reg * 4 + c;
        const bool is_integer = is_patch ? integers_.patch_constant(plane) : integers_.input(plane);
        const std::span<uint32_t> words = planes.subspan(size_t{plane} * count, count);
        for (uint32_t e = 0; e < count; ++e) {
          const auto pixel = scene_->pixel_of(e);
          words[e] =
              described ? described->word(c, e, pixel) : defaults.word(parameter, c, e, pixel, is_integer);
        }
      }
    }
  }

  void make_inputs() {
    scene_->inputs_.assign(size_t{input_plane_count(module_)} * input_count_, 0);
    fill_planes(module_.inputs, false, input_count_, scene_->inputs_);
    if (module_.stage != ir::Stage::domain || !reader_.good()) return;
    ScenePrimitives& patches = scene_->primitives_;
    patches.constants.assign(size_t{patch_constant_plane_count(module_)} * patches.count, 0);
    fill_planes(module_.patch_constants, true, patches.count, patches.constants);
  }

  const ir::Module& module_;
  std::string folder_;
  SceneReader reader_;
  SlotNames names_;
  IntegerUses integers_;
  std::unique_ptr<Scene> scene_;
  std::vector<bool> compared_, atomic_, exchanged_only_, comparing_;
  bool scatter_ = false;
  uint32_t input_count_ = 0;  // pixels, or vertices of all primitives
};

std::unique_ptr<Scene> Scene::make(std::string_view json, const std::string& folder, const ir::Module& module,
                                   Diagnostics& diagnostics) {
#if defined(__cpp_exceptions)
  try {
    return SceneBuilder(module, folder, diagnostics).build(json);
  } catch (const std::bad_alloc&) {
    diagnostics.error({}, "the resources of the scene do not fit in this machine's memory");
    return nullptr;
  }
#else
  return SceneBuilder(module, folder, diagnostics)
      .build(json);  // the program's new-handler reports the end of memory
#endif
}

}  // namespace texlate::sim
