#include "tools/texlate/known_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <vector>

#include "frontend/dxbc/container.h"
#include "ir/base/direct3d_limits.h"
#include "ir/spelling.h"
#include "library/known_limits.h"
#include "library/register_ranges.h"
#include "sim/scene/sampler_source.h"
#include "sim/scene/scene.h"
#include "texlate/texlate.hpp"
#include "tools/executor/shader.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

using sim::SceneReader;
using sim::SceneValue;

struct Registers {
  char file = 0;  // t, u, s, c
  uint32_t first = 0, count = 1, space = 0;

  uint32_t last() const { return first + (count - 1); }
};

/// "t3", "t3-7", "cb0", "s1,space2".
std::optional<Registers> parse_registers(std::string_view text) {
  Registers result;
  if (text.starts_with("cb")) {
    result.file = 'c';
    text.remove_prefix(2);
  } else if (!text.empty() && std::string_view("tus").find(text[0]) != std::string_view::npos) {
    result.file = text[0];
    text.remove_prefix(1);
  } else {
    return std::nullopt;
  }
  const auto number = [&](uint32_t& to) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
  };
  if (!number(result.first)) return std::nullopt;
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    uint32_t last = 0;
    if (!number(last) || last < result.first || last - result.first == UINT32_MAX) return std::nullopt;
    result.count = last - result.first + 1;
  }
  constexpr std::string_view kSpace = ",space";
  if (text.starts_with(kSpace)) {
    text.remove_prefix(kSpace.size());
    if (!number(result.space)) return std::nullopt;
  }
  return text.empty() ? std::optional(result) : std::nullopt;
}

constexpr const char* kPropertyKeys[] = {"size", "elements", "bytes",  "slices",
                                         "mips", "samples",  "format", "components"};

/// Do views that are declared so have this property?
bool has_property(ir::Dimension dimension, std::string_view key) {
  const bool raw = dimension == ir::Dimension::raw_buffer;
  if (key == "bytes") return raw;
  if (key == "elements") return ir::is_buffer(dimension) && !raw;
  if (key == "slices") return ir::is_array(dimension);
  if (key == "samples") return ir::is_multisampled(dimension);
  if (key == "size") return !ir::is_buffer(dimension);
  if (key == "mips") return !ir::is_buffer(dimension) && !ir::is_multisampled(dimension);
  return !raw && dimension != ir::Dimension::structured_buffer;  // what formats say
}

/// Reads {"known": {"t0": {...}, "s1": {...}, "cb2": {...}}}. Without a contract, keys are not compared with
/// what the shader declares.
class KnownReader {
 public:
  KnownReader(SceneReader& reader, const ir::Module* contract, executor::KnownLists& lists)
      : reader_(reader), contract_(contract), lists_(lists) {}

  bool run() {
    const SceneValue root = reader_.root();
    if (!reader_.check_object(root, "known")) return false;
    const SceneValue known = reader_.member(root, "known");
    if (!known.json->is_object())
      return reader_.fail(known, "'known' must be an object with registers as keys");
    for (const auto& item : known.json->items()) {
      const auto registers = parse_registers(item.key());
      const SceneValue value = reader_.member(known, item.key());
      if (item.key() == "launch") {
        read_launch(value);
        if (!reader_.good()) return false;
        continue;
      }
      if (!registers)
        return reader_.fail(
            value, fmt::format("'{}' is not a register such as t0, u1-3, s2 or cb0,space1", item.key()));
      switch (registers->file) {
        case 's': read_sampler(*registers, value); break;
        case 'c': read_constants(*registers, value); break;
        default: read_resource(*registers, value); break;
      }
      if (!reader_.good() || !check_new(item.key(), *registers, value)) return false;
    }
    return true;
  }

 private:
  /// Does an entry before it say the same: of a register or, of constant buffers, of a row or their number?
  bool check_new(const std::string& key, const Registers& registers, const SceneValue& value) {
    const auto is_new = [&](uint32_t what) {
      const auto before = ranges_.add({static_cast<uint32_t>(registers.file), registers.space, what},
                                      registers.first, registers.last(), keys_.size());
      return !before || reader_.fail(value, fmt::format("'{}' says again what '{}' says of the same register",
                                                        key, keys_[*before]));
    };
    bool good = true;
    if (registers.file == 'c') {
      const texlate_known_constants& known = lists_.constants.back();
      if (known.rows != 0) good = is_new(0);
      for (uint32_t i = 0; i < known.row_count && good; ++i) good = is_new(1 + known.first_row + i);
    } else {
      good = is_new(0);
    }
    keys_.push_back(key);
    return good;
  }

  static bool is_about(const Registers& registers, const ir::Resource& declared) {
    return registers.file == (declared.is_uav ? 'u' : 't') && registers.space == declared.space &&
           registers.first <= declared.upper_bound && declared.lower_bound <= registers.last();
  }

  /// Are the keys those of what the shader declares? Registers that it does not declare may have any.
  bool check_declared(const Registers& registers, const SceneValue& value) {
    if (contract_ == nullptr) return true;
    for (const ir::Resource& declared : contract_->resources) {
      if (!is_about(registers, declared)) continue;
      const auto view = [&] {
        return fmt::format("{}{} is a {}", registers.file, std::max(registers.first, declared.lower_bound),
                           ir::spelling(declared.dimension));
      };
      for (const char* key : kPropertyKeys) {
        const SceneValue property = reader_.member(value, key);
        if (property.given() && !has_property(declared.dimension, key))
          return reader_.fail(property, fmt::format("{}, which has no '{}'", view(), key));
      }
      const SceneValue size = reader_.member(value, "size");
      const uint32_t axes = ir::is_cube(declared.dimension) ? 2 : ir::coordinate_count(declared.dimension);
      if (size.is_list() && size.size() > axes)
        return reader_.fail(
            size, fmt::format("{}, whose 'size' has {} number{}", view(), axes, axes == 1 ? "" : "s"));
    }
    return true;
  }

  void read_resource(const Registers& registers, const SceneValue& value) {
    texlate_known_resource known{};
    known.register_class = registers.file == 'u' ? TEXLATE_REGISTER_UAV : TEXLATE_REGISTER_RESOURCE;
    known.first = registers.first;
    known.count = registers.count;
    known.space = registers.space;
    known.known = TEXLATE_KNOWN_BOUND;
    if (!value.is_null() &&
        !reader_.check_object(value, "bound size elements bytes slices mips samples format components known"))
      return;
    const auto member = [&](const char* key) { return reader_.member(value, key); };
    known.bound = !value.is_null() && reader_.boolean(member("bound"), true) ? 1 : 0;
    if (!reader_.good()) return;
    if (known.bound != 0) {
      if (!check_declared(registers, value)) return;
      read_properties(member, known);
      check_possible(registers, value, known);
    } else if (!value.is_null() && value.size() > 1) {
      reader_.fail(value, "nothing is bound, but more is known");
      return;
    }
    lists_.resources.push_back(known);
  }

  /// What only several properties together tell, such as too many mips.
  void check_possible(const Registers& registers, const SceneValue& value,
                      const texlate_known_resource& known) {
    if (contract_ == nullptr || !reader_.good()) return;
    for (const ir::Resource& declared : contract_->resources) {
      if (!is_about(registers, declared)) continue;
      if (const auto fault = library::fault_of(known, declared.dimension)) {
        reader_.fail(value, *fault);
        return;
      }
    }
  }

  template <typename Member>
  void read_properties(Member member, texlate_known_resource& known) {
    using namespace library;
    const auto take = [&](const char* key, texlate_known bit, uint32_t& to, WholeLimits limits) {
      const SceneValue value = member(key);
      if (!value.given()) return;
      to = reader_.whole(value, 0, {limits.least, limits.most});
      known.known |= bit;
    };
    const SceneValue size = member("size");
    if (size.given()) {
      std::array<uint32_t, 3> texels{};
      reader_.wholes(size, texels, 1, {kKnownTexels.least, kKnownTexels.most});
      known.width = texels[0];
      known.height = texels[1];
      known.depth = texels[2];
      known.known |= TEXLATE_KNOWN_WIDTH;
      if (size.size() > 1) known.known |= TEXLATE_KNOWN_HEIGHT;
      if (size.size() > 2) known.known |= TEXLATE_KNOWN_DEPTH;
    }
    const SceneValue elements = member("elements"), bytes = member("bytes");
    if (size.given() + elements.given() + bytes.given() > 1) {
      reader_.fail(elements.given() ? elements : bytes,
                   "only one of 'size', 'elements' and 'bytes' may be given");
      return;
    }
    take("elements", TEXLATE_KNOWN_WIDTH, known.width, kKnownElements);
    take("bytes", TEXLATE_KNOWN_WIDTH, known.width, kKnownElements);
    take("slices", TEXLATE_KNOWN_SLICES, known.slices, kKnownSlices);
    take("mips", TEXLATE_KNOWN_MIPS, known.mips, kKnownMips);
    take("samples", TEXLATE_KNOWN_SAMPLES, known.samples, kKnownSamples);
    read_format(member("format"), known);
    read_components(member("components"), known);
    known.specialize = read_specialize(member("known"));
    constexpr uint32_t kOfFormats =
        TEXLATE_KNOWN_COMPONENTS | TEXLATE_KNOWN_UNORM_BITS | TEXLATE_KNOWN_TEXEL_FORMAT;
    if (known.specialize != 0 && (known.known & kOfFormats) != 0)
      reader_.fail(member("known"), "only sizes, slices, mips and samples can be specialization constants");
  }

  void read_format(const SceneValue& value, texlate_known_resource& known) {
    if (!value.given()) return;
    const std::string name = reader_.text(value);
    const sim::Format format = sim::find_format(name);
    if (!reader_.good()) return;
    if (format == sim::Format::unknown) {
      reader_.fail(value, fmt::format("'{}' is not a format", name));
      return;
    }
    const sim::FormatInfo& info = sim::format_info(format);
    for (int i = 0; i < 4; ++i) known.components |= info.has(i) ? 1u << i : 0u;
    const sim::ComponentLayout& red = info.layout.component[0];
    known.unorm_bits = red.kind == sim::Kind::unorm && red.bits <= 24 ? red.bits : 0;
    if (red.kind == sim::Kind::snorm) known.unorm_bits = TEXLATE_KNOWN_SNORM;
    known.known |= TEXLATE_KNOWN_UNORM_BITS;
    if (known.components != 0) known.known |= TEXLATE_KNOWN_COMPONENTS;
    if (known.register_class == TEXLATE_REGISTER_UAV) take_texel_format(value, format, known);
  }

  // How texels are stored, so that --uav-format need not say it.
  void take_texel_format(const SceneValue& value, sim::Format format, texlate_known_resource& known) {
    known.format = executor::view_format_of(format);
    if (known.format == TEXLATE_FORMAT_UNKNOWN) {
      reader_.fail(value, "typed u# cannot have this format");
      return;
    }
    known.known |= TEXLATE_KNOWN_TEXEL_FORMAT;
  }

  void read_components(const SceneValue& value, texlate_known_resource& known) {
    if (!value.given()) return;
    const std::string letters = reader_.text(value);
    uint32_t mask = 0;
    for (const char letter : letters) {
      const size_t at = std::string_view("rgba").find(letter);
      if (at == std::string_view::npos) mask = 16;
      mask |= 1u << at;
    }
    if (mask == 0 || mask > 15 || (known.known & TEXLATE_KNOWN_COMPONENTS) != 0) {
      reader_.fail(value, "'components' must be letters of rgba, and there must be no 'format'");
      return;
    }
    known.components = mask;
    known.known |= TEXLATE_KNOWN_COMPONENTS;
  }

  void read_sampler(const Registers& registers, const SceneValue& value) {
    if (!value.json->is_object() ||
        !reader_.check_object(value, "filter max_anisotropy address bias lod border comparison")) {
      if (reader_.good()) reader_.fail(value, "a sampler must be an object");
      return;
    }
    sim::Sampler sampler;
    sim::read_sampler(reader_, value, sampler);
    const SceneValue comparison = reader_.member(value, "comparison");
    sampler.comparison = sim::read_comparison(reader_, comparison);
    texlate_known_sampler known = executor::known_sampler(registers.space, registers.first, sampler);
    known.count = registers.count;
    if (!comparison.given()) known.state.filter &= ~0x80u;  // not a comparison sampler
    lists_.samplers.push_back(known);
  }

  /// "known": "specialize".
  uint32_t read_specialize(const SceneValue& value) {
    if (!value.given()) return 0;
    if (reader_.text(value) != "specialize")
      reader_.fail(value,
                   "'known' must be \"specialize\": the values are defaults of specialization constants");
    return 1;
  }

  // {"elements": 9216, "helper_lanes": false, "early_depth": true}
  void read_launch(const SceneValue& value) {
    if (!value.json->is_object() || !reader_.check_object(value, "elements helper_lanes early_depth")) {
      if (reader_.good()) reader_.fail(value, "'launch' must be an object");
      return;
    }
    texlate_known_state& launch = lists_.launch;
    const SceneValue elements = reader_.member(value, "elements");
    if (elements.given()) {
      launch.launch |= TEXLATE_KNOWN_ELEMENTS;
      launch.elements = reader_.whole(elements, 0, {1, 0x7fffffff});
    }
    const auto take = [&](const char* key, texlate_known_launch bit, uint32_t& to) {
      const SceneValue answer = reader_.member(value, key);
      if (!answer.given()) return;
      launch.launch |= bit;
      to = reader_.boolean(answer, false) ? 1 : 0;
    };
    take("helper_lanes", TEXLATE_KNOWN_HELPER_LANES, launch.helper_lanes);
    take("early_depth", TEXLATE_KNOWN_EARLY_DEPTH, launch.early_depth);
  }

  // The rows as in a scene, or an object with the number of rows that are bound at least and some of their
  // values.
  void read_constants(const Registers& registers, const SceneValue& value) {
    texlate_known_constants known{registers.space, registers.first, registers.count, 0, nullptr, 0, 0, 0};
    SceneValue rows = value;
    if (!value.is_list()) {
      if (!value.json->is_object() || !reader_.check_object(value, "rows first_row values known")) {
        if (reader_.good()) reader_.fail(value, "constants must be a list of rows or an object");
        return;
      }
      known.rows = reader_.whole(reader_.member(value, "rows"), 0, {1, kMaxConstantRows});
      known.first_row = reader_.whole(reader_.member(value, "first_row"), 0, {0, kMaxConstantRows - 1});
      rows = reader_.member(value, "values");
      known.specialize = read_specialize(reader_.member(value, "known"));
    }
    if (!rows.given()) return lists_.constants.push_back(known);  // only their number
    if (!reader_.check_list(rows, 0, kMaxConstantRows - known.first_row, "rows")) return;
    std::vector<uint32_t>& words = lists_.words.emplace_back(4 * rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
      reader_.words(reader_.item(rows, i), std::span(words).subspan(4 * i, 4), 4);
    known.words = words.data();
    known.row_count = static_cast<uint32_t>(rows.size());
    lists_.constants.push_back(known);
  }

  SceneReader& reader_;
  const ir::Module* contract_;
  executor::KnownLists& lists_;
  library::RegisterRanges ranges_;
  std::vector<std::string> keys_;  // of the entries
};

/// The static samplers of a root signature in a container.
bool read_signature(std::string_view bytes, executor::KnownLists& lists, Diagnostics& diagnostics) {
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.callback_user = &diagnostics;
  options.callback = [](void* user, const texlate_diagnostic* one) {
    static_cast<Diagnostics*>(user)->add(static_cast<Severity>(one->severity), {},
                                         std::string_view(one->message, one->message_length));
  };
  texlate_root_signature* signature = nullptr;
  if (texlate_root_signature_read(bytes.data(), bytes.size(), &options, &signature) != TEXLATE_OK)
    return false;
  const texlate_root_signature_description* made = texlate_root_signature_get(signature);
  for (size_t i = 0; i < made->sampler_count; ++i) {
    texlate_known_sampler known{};
    known.state = made->samplers[i];
    known.count = 1;
    lists.samplers.push_back(known);
  }
  texlate_root_signature_free(signature);
  return true;
}

/// Lowers the shader. Its errors are reported when it is translated.
bool load_subject(const KnownSubject& subject, executor::Shader& shader) {
  shader.classes.assign(subject.classes.begin(), subject.classes.end());
  shader.lenient = subject.lenient;
  Diagnostics ignored;
  return executor::load_shader(subject.bytes, shader, {}, ignored);
}

bool read_scene(const std::string& path, std::string_view text, const ir::Module& contract,
                executor::KnownLists& lists, Diagnostics& diagnostics) {
  const auto parent = std::filesystem::path(path).parent_path();
  const auto scene = sim::Scene::make(text, parent.empty() ? "." : parent.string(), contract, diagnostics);
  if (scene == nullptr) return false;
  lists = executor::known_of(contract, *scene);
  return true;
}

}  // namespace

Option known_option(std::string& file, std::string_view topic, Condition with) {
  return {.names = "--known",
          .to = &file,
          .help =
              "What the host knows about its bindings: known state, a scene, or a container with a root "
              "signature (docs/known_state.md)",
          .value = "FILE",
          .topic = topic,
          .with = std::move(with),
          .completion = Completion::file};
}

bool KnownFile::read(const std::string& file, const KnownSubject& subject) {
  path = file;
  std::string why;
  auto contents = read_file(file, why);
  if (!contents) {
    diagnostics.error({}, "cannot be read: {}", why);
    return false;
  }
  text = std::move(*contents);
  if (dxbc::is_container(std::as_bytes(std::span(text)))) {
    const std::string bytes = std::move(text);
    text.clear();  // messages about binary files have no lines
    return read_signature(bytes, lists, diagnostics);
  }
  SceneReader reader(diagnostics);
  if (text.empty()) diagnostics.error({}, "the file is empty");
  if (text.empty() || !reader.parse(text)) return false;
  executor::Shader shader;
  const ir::Module* const contract = load_subject(subject, shader) ? &shader.contract : nullptr;
  if (reader.member(reader.root(), "known").given()) return KnownReader(reader, contract, lists).run();
  return contract == nullptr || read_scene(path, text, *contract, lists, diagnostics);
}

std::string KnownFile::messages() const {
  std::string all;
  for (const Diagnostic& one : diagnostics.list()) all += rendered(one, path, text);
  return all;
}

}  // namespace texlate::cli
