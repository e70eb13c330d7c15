// Reads scene files: the JSON of docs/scene.md, with defaults that follow the module's declarations.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "ir/base/diagnostics.h"
#include "ir/base/json_parse.h"
#include "sim/scene/integer_uses.h"
#include "sim/scene/scene.h"
#include "sim/scene/texture_source.h"

namespace texlate::sim {

namespace {

using Json = nlohmann::json;

constexpr Dimension kDimensions[] = {
    Dimension::texture1d,          Dimension::texture1d,       Dimension::texture1d_array,
    Dimension::texture2d,          Dimension::texture2d_array, Dimension::texture2dms,
    Dimension::texture2dms_array,  Dimension::texture3d,       Dimension::texture_cube,
    Dimension::texture_cube_array, Dimension::texture1d,       Dimension::texture1d,
};
constexpr uint32_t kDefaultSide = 64, kDefaultVolume = 16, kDefaultSlices = 4, kDefaultElements = 1024;

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// A number as a register value: integers as integers, everything else as float bits.
uint32_t word_of(const Json& value) {
  if (value.is_number_unsigned()) return static_cast<uint32_t>(value.get<uint64_t>());
  if (value.is_number_integer()) return static_cast<uint32_t>(value.get<int64_t>());
  if (value.is_boolean()) return value.get<bool>() ? 0xffffffffu : 0u;
  return value.is_number() ? bits(value.get<float>()) : 0;
}
float float_of_json(const Json& value) {
  return value.is_number() ? value.get<float>() : 0.0f;
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
        diagnostics_(diagnostics),
        integers_(module),
        scene_(new Scene(module)) {}

  std::unique_ptr<Scene> build(std::string_view text) {
    text_ = text;
    if (!read_json()) return nullptr;
    static constexpr std::string_view kKeys[] = {"viewport", "dispatch",  "samples", "textures",
                                                 "samplers", "constants", "inputs",  "uavs",
                                                 "vertices", "scatter",   "kernel"};
    for (const auto& [key, value] : json_.items()) {
      if (std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys)) continue;
      key_ = key;
      return fail(fmt::format("unknown key '{}' in the scene", key));
    }
    if (const Json& scatter = find(json_, "scatter"); !scatter.is_null() && !scatter.is_boolean())
      return fail("'scatter' is neither true nor false");
    find_uses();
    read_sizes();
    for (uint32_t i = 0; i < module_.resources.size() && good_; ++i) add_resource(i);
    for (uint32_t i = 0; i < module_.samplers.size() && good_; ++i) add_sampler(i);
    for (uint32_t i = 0; i < module_.constant_buffers.size() && good_; ++i) add_constants(i);
    make_inputs();
    if (!good_) return nullptr;
    scene_->keep_initial_uavs();
    return std::move(scene_);
  }

 private:
  bool read_json() {
    json_ = Json::object();
    if (text_.empty()) return true;
    if (const auto error = parse_json(text_, json_)) {
      diagnostics_.error(error->location, "{}", error->message);
      return false;
    }
    if (!json_.is_object()) fail("the scene is not a JSON object");
    return good_;
  }
  /// Locates an error at the key that was looked up last, or at the enclosing part.
  std::unique_ptr<Scene> fail(const std::string& message) {
    std::vector<std::string> path = path_;
    path.push_back(key_);
    diagnostics_.error(text_.empty() ? SourceLocation{} : locate_in_json(text_, path), "{}", message);
    good_ = false;
    return nullptr;
  }
  const Json& find(const Json& object, const std::string& key) const {
    static const Json kNothing;
    key_ = key;
    if (!object.is_object()) return kNothing;
    const auto at = object.find(key);
    return at == object.end() ? kNothing : *at;
  }
  /// Every key of an object must be one of the words of `keys`.
  void check_keys(const Json& object, const std::string& name, std::string_view keys) {
    if (object.is_null()) return;
    if (!object.is_object()) return void(fail(name + " must be an object"));
    const std::string words = " " + std::string(keys) + " ";
    for (const auto& [key, value] : object.items()) {
      if (words.find(" " + key + " ") != std::string::npos) continue;
      key_ = key;
      return void(fail(fmt::format("unknown key '{}' in {}", key, name)));
    }
  }
  uint32_t number(const Json& object, const std::string& key, uint32_t otherwise) {
    const Json& value = find(object, key);
    if (value.is_null()) return otherwise;
    if (value.is_number_unsigned() && value.get<uint64_t>() <= 0x7fffffffu) return value.get<uint32_t>();
    fail(fmt::format("'{}' must be a whole number", key));
    return otherwise;
  }
  std::string text(const Json& object, const std::string& key, const std::string& otherwise = {}) {
    const Json& value = find(object, key);
    return value.is_string() ? value.get<std::string>() : otherwise;
  }
  template <size_t kCount>
  std::array<uint32_t, kCount> numbers(const Json& value, std::array<uint32_t, kCount> otherwise) {
    if (value.is_null()) return otherwise;
    const bool good = value.is_array() && !value.empty() && value.size() <= kCount &&
                      std::all_of(value.begin(), value.end(), [](const Json& one) {
                        return one.is_number_unsigned() && one.get<uint64_t>() <= 0x7fffffffu;
                      });
    if (!good) fail(fmt::format("{} must be a list of up to {} whole numbers", value.dump(), kCount));
    for (size_t i = 0; good && i < value.size(); ++i) otherwise[i] = value[i].template get<uint32_t>();
    return otherwise;
  }

  // The module's use of its resources and samplers determines their defaults.
  void find_uses() {
    compared_.assign(module_.resources.size(), false);
    atomic_.assign(module_.resources.size(), false);
    comparing_.assign(module_.samplers.size(), false);
    for (uint32_t i = 0; i < module_.samplers.size(); ++i) comparing_[i] = module_.samplers[i].comparison;
    for (const ir::Instruction& instruction : module_.code) {
      if (!ir::info(instruction.op).has(ir::kResource)) continue;
      const ir::ResourceAccess& access = module_.access_of(instruction);
      if (access.compare) {
        compared_[access.resource] = true;
        if (access.sampler < comparing_.size()) comparing_[access.sampler] = true;
      }
      if (instruction.op == ir::Op::surf_atomic) atomic_[access.resource] = true;
    }
  }

  void read_sizes() {
    const auto viewport = numbers<2>(find(json_, "viewport"), {64, 64});
    scene_->width_ = std::clamp(viewport[0], 1u, 8192u);
    scene_->height_ = std::clamp(viewport[1], 1u, 8192u);
    scene_->samples_ = number(json_, "samples", 1);
    scene_->groups_ = numbers<3>(find(json_, "dispatch"), {2, 2, 1});
    const uint32_t quads = ((scene_->width_ + 1) / 2) * ((scene_->height_ + 1) / 2);
    scene_->element_count_ = module_.stage == ir::Stage::pixel ? quads * 4 : number(json_, "vertices", 64);
  }

  std::string name_of(const char* file, uint32_t id, uint32_t reg, bool is_range) const {
    return is_range ? fmt::format("{}{}[{}]", file, id, reg) : fmt::format("{}{}", file, id);
  }

  void add_resource(uint32_t index) {
    const ir::Resource& resource = module_.resources[index];
    auto& registers = scene_->bindings_.resources(index);
    for (uint32_t r = 0; r < registers.size() && good_; ++r) {
      const std::string name =
          name_of(resource.is_uav ? "u" : "t", resource.id, resource.lower_bound + r, resource.is_range());
      path_ = {resource.is_uav ? "uavs" : "textures", name};
      const Json& list = find(json_, path_[0]);
      const Json& described = find(list, name);
      if (list.is_object() && list.contains(name) && described.is_null()) continue;  // null: unbound
      const bool buffer = ir::is_buffer(resource.dimension);
      check_keys(described, name,
                 buffer ? "format elements generate words raw counter"
                        : "format size mips slices samples view_mips view_slices png raw generate");
      if (!good_) return;
      if (buffer) {
        add_buffer(index, registers[r], name, described);
      } else {
        add_texture(index, registers[r], name, described);
      }
    }
  }

  Format format_of(uint32_t index, const Json& described, const std::string& name) {
    const ir::Resource& resource = module_.resources[index];
    Format format = default_format(resource, compared_[index]);
    if (atomic_[index]) {
      format = resource.component_types[0] == ir::ComponentType::sint ? Format::r32_sint : Format::r32_uint;
    }
    const std::string wanted = text(described, "format");
    if (wanted.empty()) return format;
    format = find_format(wanted);
    if (format == Format::unknown) fail(name + ": '" + wanted + "' is not a supported format");
    return format;
  }

  void add_texture(uint32_t index, BoundResource& bound, const std::string& name, const Json& described) {
    const ir::Resource& resource = module_.resources[index];
    TextureDesc desc;
    desc.dimension = kDimensions[static_cast<uint32_t>(resource.dimension)];
    const DimensionInfo& info = dimension_info(desc.dimension);
    desc.format = format_of(index, described, name);
    const uint32_t side = info.axes == 3 ? kDefaultVolume : kDefaultSide;
    const auto size = numbers<3>(find(described, "size"), {side, side, side});
    desc.size = {size[0], info.axes > 1 ? size[1] : 1, info.axes > 2 ? size[2] : 1};
    desc.mips = info.multisampled || resource.is_uav ? 1 : number(described, "mips", 0);
    const uint32_t slices = number(described, "slices", info.slice >= 0 ? kDefaultSlices : 1);
    desc.array_size = info.cube         ? 6 * (info.slice >= 0 ? std::max(1u, slices / 2) : 1)
                      : info.slice >= 0 ? slices
                                        : 1;
    desc.samples = info.multisampled
                       ? number(described, "samples", resource.sample_count != 0 ? resource.sample_count : 4)
                       : 1;
    if (!good_) return;
    auto texture = Texture::create(desc, diagnostics_);
    if (!texture) return void(fail(name + " cannot be made"));
    scene_->textures_.push_back(std::move(*texture));
    Texture& made = scene_->textures_.back();
    fill(made, resource, name, described);
    bound.texture = TextureView::whole(made);
    const auto mips = numbers<2>(find(described, "view_mips"), {0, bound.texture.mip_count});
    const auto view_slices = numbers<2>(find(described, "view_slices"), {0, bound.texture.slice_count});
    bound.texture.first_mip = mips[0];
    bound.texture.mip_count = mips[1];
    bound.texture.first_slice = view_slices[0];
    bound.texture.slice_count = view_slices[1];
    if (!check_view(bound.texture, diagnostics_)) return void(fail(name + ": such a view is not possible"));
    if (resource.is_uav) keep_uav(name, made.memory(), !format_info(desc.format).is_integer());
  }

  void fill(Texture& texture, const ir::Resource& resource, const std::string& name, const Json& described) {
    if (const Json& png = find(described, "png"); !png.is_null()) return fill_slices(texture, name, png);
    if (const std::string raw = text(described, "raw"); !raw.empty()) {
      good_ = fill_from_raw(texture.memory(), folder_ + "/" + raw, diagnostics_) && good_;
      return;
    }
    static constexpr const char* kDefaults[] = {"checker", "gradient", "noise"};
    const std::string wanted =
        text(described, "generate", resource.is_uav ? "zero" : kDefaults[resource.id % 3]);
    if (wanted == "zero") return;
    const auto pattern = find_pattern(wanted);
    if (!pattern) return void(fail(name + ": '" + wanted + "' is not a generated texture"));
    fill_texture(texture, *pattern, resource.id);
  }

  /// One picture, or one per slice (of a cube: one per face).
  void fill_slices(Texture& texture, const std::string& name, const Json& png) {
    const Json list = png.is_array() ? png : Json::array({png});
    if (list.size() > texture.desc().array_size) return void(fail(name + " has fewer slices than pictures"));
    for (uint32_t slice = 0; slice < list.size(); ++slice) {
      if (!list[slice].is_string())
        return void(fail(name + ": 'png' must be a file name or a list of file names"));
      const std::string path = folder_ + "/" + list[slice].get<std::string>();
      good_ = fill_from_png(texture, slice, path, diagnostics_) && good_;
    }
  }

  void add_buffer(uint32_t index, BoundResource& bound, const std::string& name, const Json& described) {
    const ir::Resource& resource = module_.resources[index];
    BufferView view;
    uint32_t stride = 4;
    bool integer = true;
    uint32_t elements = number(described, "elements", kDefaultElements);
    if (resource.dimension == ir::Dimension::buffer) {
      view.kind = BufferKind::typed;
      view.format = format_of(index, described, name);
      if (!described.is_object() && !resource.is_uav && !is_integer_type(resource.component_types[0]))
        view.format = Format::r32g32b32a32_float;
      stride = format_info(view.format).bytes;
      integer = format_info(view.format).is_integer();
      view.element_count = elements;
    } else if (resource.dimension == ir::Dimension::structured_buffer) {
      view.kind = BufferKind::structured;
      stride = std::max(4u, resource.stride);
      view.stride = stride;
      view.element_count = elements;
      integer = false;
    } else {
      view.kind = BufferKind::raw;
      view.element_count = elements * 4;
    }
    if (!good_ || uint64_t{elements} * stride > (uint64_t{1} << 30))
      return void(fail(name + " is too large"));
    std::vector<std::byte>& memory = scene_->buffers_.emplace_back(size_t{elements} * stride + 16);
    const bool zero = text(described, "generate", resource.is_uav ? "zero" : "noise") == "zero";
    for (size_t word = 0; !zero && word < size_t{elements} * stride / 4; ++word) {
      const uint32_t value = buffer_word(word, resource.id, integer);
      std::memcpy(memory.data() + 4 * word, &value, 4);
    }
    const Json& words = find(described, "words");
    for (size_t i = 0; words.is_array() && i < words.size() && 4 * i + 4 <= size_t{elements} * stride; ++i) {
      const uint32_t value = word_of(words[i]);
      std::memcpy(memory.data() + 4 * i, &value, 4);
    }
    const std::span<std::byte> contents(memory.data(), size_t{elements} * stride);
    if (const std::string raw = text(described, "raw"); !raw.empty())
      good_ = fill_from_raw(contents, folder_ + "/" + raw, diagnostics_) && good_;
    view.data = memory.data();
    if (resource.is_uav && view.kind == BufferKind::structured) {
      view.counter = &scene_->counters_.emplace_back(number(described, "counter", 0));
      keep_uav(name + ".counter", std::as_writable_bytes(std::span(view.counter, 1)), false);
    }
    bound.buffer = view;
    if (resource.is_uav) keep_uav(name, contents, view.kind == BufferKind::typed && !integer);
  }

  void keep_uav(const std::string& name, std::span<std::byte> memory, bool is_float) {
    scene_->uavs_.push_back({name, memory, {}, is_float});
  }

  void add_sampler(uint32_t index) {
    const ir::Sampler& declared = module_.samplers[index];
    auto& registers = scene_->bindings_.samplers(index);
    for (uint32_t r = 0; r < registers.size() && good_; ++r) {
      const std::string name = name_of("s", declared.id, declared.lower_bound + r, declared.is_range());
      path_ = {"samplers", name};
      const Json& described = find(find(json_, "samplers"), name);
      check_keys(described, name, "filter max_anisotropy address lod bias border comparison");
      Sampler& sampler = registers[r];
      const std::string filter = text(described, "filter", "linear");
      if (filter != "point" && filter != "linear" && filter != "trilinear" && filter != "anisotropic") {
        return void(fail(fmt::format("{}: '{}' is not a filter", name, filter)));
      }
      const Filter texel = filter == "point" ? Filter::point : Filter::linear;
      sampler.min_filter = sampler.mag_filter = texel;
      sampler.mip_filter = filter == "trilinear" || filter == "anisotropic" ? Filter::linear : Filter::point;
      sampler.anisotropic = filter == "anisotropic";
      sampler.max_anisotropy = number(described, "max_anisotropy", sampler.anisotropic ? 4 : 1);
      read_addresses(sampler, name, find(described, "address"));
      const Json& lod = find(described, "lod");
      sampler.min_lod = lod.is_array() && lod.size() == 2 ? float_of_json(lod[0]) : 0.0f;
      sampler.max_lod = lod.is_array() && lod.size() == 2 ? float_of_json(lod[1]) : 1000.0f;
      sampler.mip_lod_bias = float_of_json(find(described, "bias"));
      const Json& border = find(described, "border");
      for (size_t c = 0; border.is_array() && c < 4 && c < border.size(); ++c)
        sampler.border[c] = float_of_json(border[c]);
      if (comparing_[index]) {
        sampler.reduction = Reduction::comparison;
        sampler.comparison = comparison_of(text(described, "comparison", "less_equal"), name);
      }
    }
  }

  void read_addresses(Sampler& sampler, const std::string& name, const Json& wanted) {
    static constexpr std::string_view kModes[] = {"", "wrap", "mirror", "clamp", "border", "mirror_once"};
    for (size_t axis = 0; axis < 3; ++axis) {
      const Json& one = wanted.is_array() && axis < wanted.size() ? wanted[axis] : wanted;
      const std::string mode = one.is_string() ? one.get<std::string>() : "wrap";
      const auto* const found = std::find(std::begin(kModes) + 1, std::end(kModes), mode);
      if (found == std::end(kModes))
        return void(fail(fmt::format("{}: '{}' is not an address mode", name, mode)));
      sampler.address[axis] = static_cast<AddressMode>(found - std::begin(kModes));
    }
  }

  Comparison comparison_of(const std::string& wanted, const std::string& name) {
    static constexpr std::string_view kNames[] = {
        "", "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"};
    const auto* const found = std::find(std::begin(kNames) + 1, std::end(kNames), wanted);
    if (found == std::end(kNames)) fail(name + ": '" + wanted + "' is not a comparison");
    return static_cast<Comparison>(found - std::begin(kNames));
  }

  // Defaults are moderate fractions: matrices of them keep positions finite, and divisions do not divide by
  // 0.
  void add_constants(uint32_t index) {
    const ir::ConstantBuffer& declared = module_.constant_buffers[index];
    auto& registers = scene_->bindings_.constant_buffers(index);
    for (uint32_t r = 0; r < registers.size() && good_; ++r) {
      const std::string name = name_of("cb", declared.id, declared.lower_bound + r, declared.is_range());
      path_ = {"constants", name};
      const Json& list = find(json_, "constants");
      const Json& described = find(list, name);
      if (list.is_object() && list.contains(name) && described.is_null()) continue;
      const uint32_t rows = described.is_array() ? static_cast<uint32_t>(described.size())
                            : declared.rows != 0 ? std::min(declared.rows, 4096u)
                                                 : 256u;
      std::vector<uint32_t>& words = scene_->constants_.emplace_back(size_t{rows} * 4);
      for (uint32_t i = 0; i < words.size(); ++i) {
        const uint32_t step = (i * 7 + declared.id * 3) % 16;
        const bool integer = integers_.constant(index, i);
        words[i] = integer ? 16 + 16 * (step % 2) : bits(0.125f + static_cast<float>(step) / 16.0f);
        if (!described.is_array()) continue;
        const Json& row = described[i / 4];
        words[i] = row.is_array() && i % 4 < row.size() ? word_of(row[i % 4]) : 0;
      }
      registers[r] = words;
    }
  }

  uint32_t default_input(const ir::Parameter& parameter, uint32_t component, uint32_t element) const {
    const auto [x, y] = scene_->pixel_of(element);
    const bool pixel = module_.stage == ir::Stage::pixel;
    const float fx = pixel ? static_cast<float>(x) + 0.5f : static_cast<float>(element);
    const float fy = pixel ? static_cast<float>(y) + 0.5f : static_cast<float>(element % 7);
    switch (parameter.system_value) {
      case ir::SystemValue::position:
        if (!pixel) break;
        return bits(component == 0 ? fx : component == 1 ? fy : component == 2 ? 0.5f : 1.0f);
      case ir::SystemValue::is_front_face: return 0xffffffffu;
      case ir::SystemValue::vertex_id: return element;
      case ir::SystemValue::primitive_id:
      case ir::SystemValue::instance_id:
      case ir::SystemValue::sample_index:
      case ir::SystemValue::render_target_array_index:
      case ir::SystemValue::viewport_array_index: return 0;
      default: break;
    }
    const bool integer = parameter.component_type == 1 || parameter.component_type == 2;
    if (integer || integers_.input(parameter.reg * 4 + component)) return element % 4;
    if (find(json_, "scatter") == true) return bits(scattered(parameter.reg * 4 + component, element));
    const float u = fx / static_cast<float>(pixel ? scene_->width_ : 64),
                v = fy / static_cast<float>(pixel ? scene_->height_ : 7);
    const float shift = static_cast<float>(parameter.reg % 8) / 16.0f;
    switch (component) {
      case 0: return bits(u + shift);
      case 1: return bits(v + shift);
      case 2: return bits(0.5f + (u - v) * 0.25f);
      default: return bits(1.0f);
    }
  }

  /// Values from -1 to 2, different in each pixel: shaders that branch on them diverge within a quad.
  static float scattered(uint32_t plane, uint32_t element) {
    uint32_t hash = (element * 0x9e3779b1u) ^ (plane * 0x85ebca77u);
    hash = (hash ^ (hash >> 15)) * 0x2c1b3c6du;
    hash = (hash ^ (hash >> 12)) * 0x297a2d39u;
    return static_cast<float>(hash >> 8) * (3.0f / 16777216.0f) - 1.0f;
  }

  uint32_t described_input(const Json& described, const ir::Parameter& parameter, uint32_t component,
                           uint32_t element) const {
    const auto component_of = [&](const char* key) -> const Json& {
      static const Json kZero = 0.0f;
      const Json& list = find(described, key);
      return list.is_array() && component < list.size() ? list[component] : kZero;
    };
    if (described.contains("constant")) return word_of(component_of("constant"));
    if (described.contains("gradient") || described.contains("dx") || described.contains("dy")) {
      const auto [x, y] = scene_->pixel_of(element);
      return bits(float_of_json(component_of("gradient")) +
                  float_of_json(component_of("dx")) * (static_cast<float>(x) + 0.5f) +
                  float_of_json(component_of("dy")) * (static_cast<float>(y) + 0.5f));
    }
    if (const Json& values = find(described, "values"); values.is_array() && !values.empty()) {
      const Json& one = values[element % values.size()];
      return one.is_array() && component < one.size() ? word_of(one[component]) : 0;
    }
    return default_input(parameter, component, element);
  }

  void make_inputs() {
    const uint32_t count = scene_->element_count_;
    scene_->inputs_.assign(size_t{input_plane_count(module_)} * count, 0);
    for (const ir::Parameter& parameter : module_.inputs) {
      if (parameter.reg >= ir::kSpecialRegister) continue;
      path_ = {"inputs", fmt::format("v{}", parameter.reg)};
      const Json& described = find(find(json_, "inputs"), path_[1]);
      check_keys(described, path_[1], "constant gradient dx dy values");
      if (!good_) return;
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        uint32_t* plane = scene_->inputs_.data() + (size_t{parameter.reg} * 4 + c) * count;
        for (uint32_t e = 0; e < count; ++e) {
          plane[e] = described.is_object() ? described_input(described, parameter, c, e)
                                           : default_input(parameter, c, e);
        }
      }
    }
  }

  const ir::Module& module_;
  std::string folder_;
  Diagnostics& diagnostics_;
  IntegerUses integers_;
  std::unique_ptr<Scene> scene_;
  std::string_view text_;
  Json json_;
  std::vector<std::string> path_;  // path of the part that is being read
  mutable std::string key_;        // the key that was looked up last
  std::vector<bool> compared_, atomic_, comparing_;
  bool good_ = true;
};

std::unique_ptr<Scene> Scene::make(std::string_view json, const std::string& folder, const ir::Module& module,
                                   Diagnostics& diagnostics) {
  return SceneBuilder(module, folder, diagnostics).build(json);
}

}  // namespace texlate::sim
