#include "tools/texlate/launch_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scene/json_parse.h"
#include "tools/texlate/c_names.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::json;

/// The text common to all such headers (docs/launch_abi.md).
constexpr std::string_view kTypes = R"(#ifndef TEXLATE_LAUNCH_TYPES
#define TEXLATE_LAUNCH_TYPES
/* Device addresses, CUtexObject and CUsurfObject are 64-bit integers. An unbound slot is all zeros. */
typedef struct texlate_stream_head {
  uint64_t inputs, outputs;  /* planes: component c of register n is plane 4 n + c, one 32-bit word per element */
  uint64_t covered, written; /* one u32 per element, or null (docs/launch_abi.md) */
  uint32_t count;            /* elements; pixels: whole quads */
  uint32_t samples;          /* of the render target */
  uint64_t zero;
} texlate_stream_head;

/* Hull, domain and geometry shaders. Planes of vertices (control points): word
   (plane * primitives + primitive) * vertices + vertex; planes of patch constants: one word per patch. */
typedef struct texlate_primitive_head {
  texlate_stream_head stream; /* outputs: control points, domain points, or counts of vertices; count: threads */
  uint64_t vertices;          /* planes of what is read */
  uint64_t constants;         /* planes of patch constants: hull shaders write, domain shaders read */
  uint64_t ids;               /* one u32 per primitive, vPrim, or null: its number */
  uint32_t primitives;        /* patches */
  uint32_t slots;             /* geometry: vertices that there is room for, in total */
} texlate_primitive_head;

typedef struct texlate_geometry_head {
  texlate_primitive_head primitives;
  uint64_t emitted; /* planes with a word per slot; null: vertices are counted only */
  uint64_t tags;    /* one u32 per slot: bits 0 and 1 the stream, bit 2 starts a strip; or null */
  uint64_t first;   /* one u32 per thread: the slot of its first vertex; null: v * count + thread */
  uint64_t zero;
} texlate_geometry_head;

typedef struct texlate_constant_buffer {
  uint64_t address; /* aligned to 16 */
  uint32_t rows;    /* of 16 bytes that are bound */
  uint32_t zero;
} texlate_constant_buffer;

/* Textures and typed views. */
typedef struct texlate_texture {
  uint64_t handle; /* texture object, surface object, or address, as the comment at the member says */
  uint32_t width, height, depth, layers, levels, samples;
  uint32_t keep[4];       /* 0xffffffff for each component that the format has */
  uint32_t missing_alpha; /* 0 if the format has alpha, otherwise 1.0f or 1 */
  union {
    float reference_scale; /* 2^n - 1 of UNORM formats with n <= 24 bits of red, -1 of SNORM formats, else 0 */
    uint32_t row_pitch;    /* for resources in memory, in bytes */
  } u;
  uint32_t slice_pitch;
  uint32_t zero;
} texlate_texture;

/* Raw and structured buffers. */
typedef struct texlate_buffer {
  uint64_t address;  /* aligned as the comment at the member says */
  uint32_t size;     /* raw: bytes; structured: structures */
  uint32_t ones[3];  /* height, depth, layers */
  uint32_t levels;   /* 1 */
  uint32_t samples;
  uint64_t counter;  /* address of the u32 of a structured buffer, or null */
  uint32_t zero[6];
} texlate_buffer;

typedef struct texlate_sampler {
  uint32_t compare_function;             /* D3D11_COMPARISON_FUNC */
  uint32_t linear_filter; /* min, mag: 0 point, point; 1 linear, linear; 2 point, linear; 3 linear, point */
  uint32_t linear_mip;    /* 0 or 1 */
  uint32_t address_u, address_v, address_w; /* D3D11_TEXTURE_ADDRESS_MODE */
  float border[4];
  float min_lod, max_lod, lod_bias;
  uint32_t max_anisotropy; /* 1 to 16; 1 if the filter is not anisotropic */
  uint32_t zero[2];
} texlate_sampler;

/* A range of registers that is a table in memory. */
typedef struct texlate_table {
  uint64_t address;
  uint32_t count;
  uint32_t samplers; /* of texture objects, else 0 */
} texlate_table;
#endif
)";

/// Text of a shader for a comment in C, which it must not end.
std::string commented(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!out.empty() && ((out.back() == '*' && c == '/') || (out.back() == '/' && c == '*'))) out += ' ';
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return out;
}

struct Member {
  size_t offset, size, count;
  std::string type, name, comment;
};

class HeaderWriter {
 public:
  explicit HeaderWriter(const Json& reflection)
      : json_(reflection), name_(json_["entry"].get<std::string>()) {
    std::ranges::transform(name_, std::back_inserter(upper_),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }

  std::string write() {
    collect();
    put_facts();
    put_block();
    const std::string body = std::exchange(text_, {});
    put("/* The parameter block of {}, generated by texlate for {} sm_{}; docs/launch_abi.md describes its "
        "members. */\n",
        commented(name_), json_["target"].get<std::string>(), json_["sm"].get<int>());
    // The headers of two shaders have different guards, even if their entry points have the same name: then
    // the compiler reports the second definition, and does not skip it.
    put("#ifndef TEXLATE_LAUNCH_{0}_{1:016X}_H\n#define TEXLATE_LAUNCH_{0}_{1:016X}_H\n\n#include "
        "<stddef.h>\n#include <stdint.h>\n\n{2}\n{3}#endif\n",
        upper_, hash_of(body), kTypes, body);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  /// For a range, all registers; for a table, its position.
  void add(const Json& binding, std::string_view type, size_t size, std::string comment) {
    std::string name = binding["name"];
    if (binding.contains("space") && binding["space"] != 0)
      name += fmt::format("_space{}", binding["space"].get<uint32_t>());
    if (binding.contains("table"))
      return members_.push_back({binding["offset"], 16, 1, "texlate_table", name,
                                 fmt::format("of {}{}{}", type, comment.empty() ? "" : ": ", comment)});
    size_t count = 1;
    if (binding.contains("registers")) {
      const uint32_t first = binding["registers"][0], last = binding["registers"][1];
      count = last - first + 1;
      comment += comment.empty() ? "" : ", ";
      comment +=
          count == 1 ? fmt::format("register {}", first) : fmt::format("registers {} to {}", first, last);
    }
    members_.push_back({binding["offset"], size, count, std::string(type), name, std::move(comment)});
  }

  void add_head() {
    if (!json_.contains("inputs")) return;
    if (!json_.contains("primitives"))
      return members_.push_back({0, 48, 1, "texlate_stream_head", "head", ""});
    if (json_["primitives"].contains("max_vertices"))
      return members_.push_back({0, 112, 1, "texlate_geometry_head", "head", ""});
    members_.push_back({0, 80, 1, "texlate_primitive_head", "head", ""});
  }

  void collect() {
    add_head();
    for (const Json& buffer : json_["constant_buffers"])
      add(buffer, "texlate_constant_buffer", 16,
          fmt::format("{} rows are declared", buffer["rows"].get<uint32_t>()));
    for (const Json& resource : json_["resources"]) {
      const std::string dimension = resource["dimension"], form = resource["form"];
      const bool linear = dimension == "raw_buffer" || dimension == "structured_buffer";
      std::string comment = fmt::format("{}, {}", dimension, form);
      if (linear) comment += fmt::format(", aligned to {}", resource["alignment"].get<uint32_t>());
      add(resource, linear ? "texlate_buffer" : "texlate_texture", 64, std::move(comment));
    }
    for (const Json& sampler : json_["samplers"]) add(sampler, "texlate_sampler", 64, "");
    for (const Json& pair : json_["texture_objects"]) {
      const std::string name =
          fmt::format("{}_{}", pair["texture"].get<std::string>(), pair["sampler"].get<std::string>());
      if (pair.contains("table")) {
        members_.push_back({pair["offset"], 16, 1, "texlate_table", name, "of texture objects"});
      } else {
        const size_t count = pair["textures"].get<size_t>() * pair["samplers"].get<size_t>();
        members_.push_back({pair["offset"], 8, count, "uint64_t", name, "texture object of the pair"});
      }
    }
    std::ranges::sort(members_, {}, &Member::offset);
  }

  void put_facts() {
    put("enum {{\n  {}_PARAMETER_BYTES = {},\n", upper_, json_["parameter_bytes"].get<uint32_t>());
    put("  {}_PARAMETERS_IN_MEMORY = {},\n", upper_, json_.contains("parameters_in_memory") ? 1 : 0);
    if (json_.contains("max_threads"))
      put("  {}_MAX_THREADS = {},\n", upper_, json_["max_threads"].get<uint32_t>());
    if (json_.contains("thread_group")) {
      for (size_t axis = 0; axis < 3; ++axis)
        put("  {}_THREADS_{} = {},\n", upper_, "XYZ"[axis], json_["thread_group"][axis].get<uint32_t>());
    }
    if (json_.contains("primitives")) {
      for (const auto& [key, name] :
           {std::pair("vertices", "VERTICES"), std::pair("output_control_points", "OUTPUT_CONTROL_POINTS"),
            std::pair("patches_per_block", "PATCHES_PER_BLOCK"), std::pair("instances", "INSTANCES"),
            std::pair("max_vertices", "MAX_VERTICES")}) {
        if (json_["primitives"].contains(key))
          put("  {}_{} = {},\n", upper_, name, json_["primitives"][key].get<uint32_t>());
      }
    }
    for (const auto& [list, prefix] : {std::pair("inputs", "INPUT"), std::pair("outputs", "OUTPUT"),
                                       std::pair("patch_constants", "CONSTANT")}) {
      if (!json_.contains(list)) continue;
      uint32_t planes = 0;
      put_registers(json_[list], prefix, planes);
      put("  {}_{}_PLANES = {}, /* to make room for */\n", upper_, prefix, planes);
    }
    put("}};\n\n");
  }

  /// The number of each register's first plane, with all declarations of the register.
  void put_registers(const Json& parameters, const char* prefix, uint32_t& planes) {
    std::vector<std::pair<uint32_t, std::string>> registers;
    for (const Json& parameter : parameters) {
      const uint32_t reg = parameter["register"];
      planes = std::max(planes, 4 * reg + 4);
      auto place = std::ranges::find(registers, reg, &std::pair<uint32_t, std::string>::first);
      if (place == registers.end()) place = registers.insert(place, {reg, "plane of x"});
      place->second += fmt::format("; mask {:#x}", parameter["mask"].get<uint32_t>());
      for (const char* key : {"semantic", "system_value", "interpolation"}) {
        if (parameter.contains(key)) place->second += " " + parameter[key].get<std::string>();
      }
    }
    for (const auto& [reg, what] : registers)
      put("  {}_{}{} = {}, /* {} */\n", upper_, prefix, reg, 4 * reg, commented(what));
  }

  void put_block() {
    put("typedef struct {}_parameters {{\n", name_);
    size_t at = 0, gaps = 0;
    const auto fill = [&](size_t to) {
      if (to > at) put("  uint8_t gap{}[{}];\n", gaps++, to - at);
      at = to;
    };
    for (const Member& member : members_) {
      fill(member.offset);
      put("  {} {}{};{}\n", member.type, member.name,
          member.count == 1 ? "" : fmt::format("[{}]", member.count),
          member.comment.empty() ? "" : " /* " + commented(member.comment) + " */");
      at += member.size * member.count;
    }
    const size_t size = json_["parameter_bytes"];
    fill(size);
    put("}} {}_parameters;\n\n", name_);
    put("#ifdef __cplusplus\n#define TEXLATE_ASSERT static_assert\n#else\n#define TEXLATE_ASSERT "
        "_Static_assert\n#endif\n");
    put("TEXLATE_ASSERT(sizeof({0}_parameters) == {1}, \"{0}\");\n", name_, size);
    for (const Member& member : members_)
      put("TEXLATE_ASSERT(offsetof({}_parameters, {}) == {}, \"{}\");\n", name_, member.name, member.offset,
          member.name);
    put("#undef TEXLATE_ASSERT\n\n");
  }

  const Json& json_;
  std::string name_, upper_, text_;
  std::vector<Member> members_;
};

}  // namespace

std::string launch_header(std::string_view reflection) {
  Json json;
  parse_json(reflection, json);  // the library wrote it: it has no errors
  return HeaderWriter(json).write();
}

}  // namespace texlate::cli
