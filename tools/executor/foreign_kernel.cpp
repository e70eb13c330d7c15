#include "tools/executor/foreign_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "ir/base/json_location.h"
#include "sim/scene/json_parse.h"
#include "tools/executor/promised_block.h"

namespace texlate::executor {

namespace {

using Json = nlohmann::json;
using sim::ptx::kNone;

struct BlockSlot {
  char letter;  // t, s, u
  uint32_t number;
};

std::optional<BlockSlot> slot_of(std::string_view name) {
  if (name.size() < 2 || name.size() > 4 || std::string_view("tsu").find(name[0]) == std::string_view::npos)
    return std::nullopt;
  uint32_t number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  return BlockSlot{name[0], number};
}

char letter_of(ForeignUse use) {
  return use == ForeignUse::texture ? 't' : use == ForeignUse::sampler ? 's' : 'u';
}

/// The contents of a scene's "kernel" object.
class Settings {
 public:
  Settings(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {
    Json scene;
    if (parse_json(text, scene)) scene = Json();  // Scene::make reports errors in it
    if (scene.is_object() && scene.contains("kernel")) json_ = scene["kernel"];
    if (!json_.is_null() && !json_.is_object()) fail({}, "'kernel' must be an object");
    if (!json_.is_object()) json_ = Json::object();
    for (const auto& [key, value] : json_.items()) {
      if (key != "entry" && key != "block" && key != "shared" && key != "arguments" && key != "reflection")
        fail({key}, fmt::format("unknown key '{}' in 'kernel'", key));
    }
  }
  bool fail(const std::vector<std::string>& path, const std::string& message) const {
    std::vector<std::string> whole{"kernel"};
    whole.insert(whole.end(), path.begin(), path.end());
    diagnostics_.error(text_.empty() ? SourceLocation{} : locate_in_json(text_, whole), "{}", message);
    return false;
  }
  std::string entry() const {
    return json_.contains("entry") && json_["entry"].is_string() ? json_["entry"].get<std::string>() : "";
  }
  bool block(std::array<uint32_t, 3>& block) const {
    if (!json_.contains("block")) return true;
    const Json& list = json_["block"];
    const bool good = list.is_array() && !list.empty() && list.size() <= 3 &&
                      std::all_of(list.begin(), list.end(), [](const Json& one) {
                        return one.is_number_unsigned() && one.get<uint64_t>() - 1 < 1024;
                      });
    if (!good) return fail({"block"}, "'block' must be a list of up to three numbers from 1 to 1024");
    block = {1, 1, 1};
    for (size_t i = 0; i < list.size(); ++i) block[i] = list[i].get<uint32_t>();
    return true;
  }
  bool shared(uint32_t& bytes) const {
    if (!json_.contains("shared")) return true;
    if (!json_["shared"].is_number_unsigned() || json_["shared"].get<uint64_t>() > 0x38c00)
      return fail({"shared"}, "'shared' must be a number of bytes up to 227 KiB");
    bytes = json_["shared"].get<uint32_t>();
    return true;
  }
  /// What a name refers to; null: nothing.
  const Json& argument(const std::string& name) const {
    static const Json kNothing;
    if (!json_.contains("arguments") || !json_["arguments"].is_object()) return kNothing;
    const Json& arguments = json_["arguments"];
    return arguments.contains(name) ? arguments[name] : kNothing;
  }
  /// The reflection of a translation, if the kernel is one; null: none is given.
  const Json& reflection() const {
    static const Json kNothing;
    return json_.contains("reflection") ? json_["reflection"] : kNothing;
  }
  const Json& arguments() const {
    static const Json kNothing = Json::object();
    return json_.contains("arguments") ? json_["arguments"] : kNothing;
  }

 private:
  std::string_view text_;
  Diagnostics& diagnostics_;
  Json json_;
};

/// A number in the parameter's type: .f32 and .f64 as floats, others as integers, or as a float's bits if the
/// number has a fraction.
bool put_number(const Json& value, sim::ptx::Type type, size_t bytes, std::byte* to) {
  if (!value.is_number()) return false;
  uint64_t bits = 0;
  if (type == sim::ptx::Type::f64) {
    bits = std::bit_cast<uint64_t>(value.get<double>());
  } else if (type == sim::ptx::Type::f32 || value.is_number_float()) {
    bits = std::bit_cast<uint32_t>(value.get<float>());
  } else {
    bits = value.is_number_unsigned() ? value.get<uint64_t>() : static_cast<uint64_t>(value.get<int64_t>());
  }
  std::memcpy(to, &bits, bytes);
  return true;
}

class Loader {
 public:
  Loader(const Settings& settings, ForeignKernel& kernel, ir::Module& declarations, Diagnostics& diagnostics)
      : settings_(settings), kernel_(kernel), declarations_(declarations), diagnostics_(diagnostics) {}

  bool run() {
    if (!choose_entry()) return false;
    const auto& required = kernel_.entry->required_block;
    if (required[0] != 0) kernel_.block = required;
    if (!settings_.block(kernel_.block) || !settings_.shared(kernel_.shared_bytes)) return false;
    if (!find_foreign_uses(*kernel_.program, *kernel_.entry, nodes_, diagnostics_)) return false;
    return name_known() && bind() && keeps_promises() && declare();
  }

 private:
  bool choose_entry() {
    const std::string wanted = settings_.entry();
    std::string names;
    for (const sim::ptx::Function& function : kernel_.program->functions) {
      if (!function.is_entry) continue;
      if (!wanted.empty() && function.name == wanted) kernel_.entry = &function;
      if (wanted.empty()) kernel_.entry = names.empty() ? &function : nullptr;
      names += (names.empty() ? "" : ", ") + function.name;
    }
    if (kernel_.entry != nullptr) return true;
    if (names.empty()) diagnostics_.error({}, "this PTX has no .entry to run");
    if (!names.empty() && wanted.empty())
      settings_.fail({},
                     fmt::format("name one of the entries {} under \"kernel\": {{\"entry\": ...}}", names));
    if (!names.empty() && !wanted.empty())
      settings_.fail({"entry"}, fmt::format("there is no entry {} (there is {})", wanted, names));
    return false;
  }
  bool is_visible(uint32_t opaque) const {
    const sim::ptx::OpaqueVariable& variable = kernel_.program->opaques[opaque];
    return variable.entry.empty() || variable.entry == kernel_.entry->name;
  }
  /// Checks that every name in the scene's arguments is one of the kernel's.
  bool name_known() const {
    if (!settings_.arguments().is_object())
      return settings_.fail({"arguments"}, "'arguments' must be an object");
    for (const auto& argument : settings_.arguments().items()) {
      const std::string& name = argument.key();
      const auto& parameters = kernel_.entry->entry_parameters;
      const bool parameter = std::any_of(parameters.begin(), parameters.end(),
                                         [&](const auto& one) { return one.name == name; });
      const bool opaque = kernel_.program->find_opaque(name, kernel_.entry->name) != kNone;
      if (!parameter && !opaque)
        return settings_.fail({"arguments", name}, fmt::format("{} has no parameter and no variable {}",
                                                               kernel_.entry->name, name));
    }
    return true;
  }
  bool bind() {
    const auto& parameters = kernel_.entry->entry_parameters;
    const auto count = static_cast<uint32_t>(parameters.size());
    // Names that are slots or that the scene assigns come first. The others get the remaining slots in order.
    for (const bool named : {true, false}) {
      for (uint32_t i = 0; i < kernel_.program->opaques.size(); ++i) {
        if (is_visible(i) && kernel_.program->opaques[i].entry.empty()) bind_opaque(i, named);
      }
      for (uint32_t p = 0; p < count; ++p) bind_parameter(p, named);
      for (uint32_t i = 0; i < kernel_.program->opaques.size(); ++i) {
        if (is_visible(i) && !kernel_.program->opaques[i].entry.empty()) bind_opaque(i, named);
      }
    }
    return good_;
  }
  void bind_opaque(uint32_t index, bool named) {
    const sim::ptx::OpaqueVariable& variable = kernel_.program->opaques[index];
    if (variable.kind == sim::ptx::OpaqueKind::sampler && variable.initialized)
      return;  // it needs no binding
    const auto node = static_cast<uint32_t>(kernel_.entry->entry_parameters.size()) + index;
    ForeignBinding binding;
    binding.name = variable.name;
    binding.opaque = index;
    take_slot(node, SourceLocation::text(variable.line, variable.column), named, std::move(binding));
  }
  void bind_parameter(uint32_t index, bool named) {
    const sim::ptx::EntryParameter& parameter = kernel_.entry->entry_parameters[index];
    const Json& argument = settings_.argument(parameter.name);
    ForeignBinding binding;
    binding.name = parameter.name;
    binding.offset = parameter.offset;
    if (nodes_[index].use == ForeignUse::none && argument.is_string()) nodes_[index].use = ForeignUse::memory;
    if (nodes_[index].use != ForeignUse::none && !argument.is_number())
      return take_slot(index, SourceLocation::text(parameter.line, parameter.column), named,
                       std::move(binding));
    if (!named) return;
    if (argument.is_null()) {
      diagnostics_.error(SourceLocation::text(parameter.line, parameter.column),
                         "parameter {} has no value: add one to the scene, under \"kernel\": "
                         "{{\"arguments\": {{\"{}\": ...}}}}",
                         parameter.name, parameter.name);
      good_ = false;
      return;
    }
    if (parameter.is_array && argument.is_array() && holds_slots(argument)) {
      put_block(parameter, argument);
    } else {
      put_value(parameter, argument, std::move(binding));
    }
  }
  /// Does the block have what the kernel relies on? If not, each contradiction is an error that names the
  /// fact.
  bool keeps_promises() {
    bool good = true;
    for (const PromisedWord& promised : promised_words(settings_.reflection())) {
      const std::optional<uint32_t> word = word_at(promised.offset);
      const bool has_slot = std::ranges::any_of(kernel_.bindings, [&](const ForeignBinding& binding) {
        return binding.use != ForeignUse::none && binding.offset == promised.offset;
      });
      const bool handle = has_slot || word.value_or(0) != 0 || word_at(promised.offset + 4).value_or(0) != 0;
      bool kept = false;
      switch (promised.kind) {
        case PromisedWord::Kind::equal: kept = word == promised.value; break;
        case PromisedWord::Kind::at_least: kept = word.value_or(0) >= promised.value; break;
        case PromisedWord::Kind::handle: kept = handle; break;
        case PromisedWord::Kind::no_handle: kept = !handle; break;
      }
      if (kept) continue;
      good = settings_.fail({"arguments"},
                            fmt::format("{} is {:#x} in the block (offset {}), but the code relies on {}",
                                        promised.what, word.value_or(0), promised.offset,
                                        promised.kind == PromisedWord::Kind::handle ? "a handle"
                                        : promised.kind == PromisedWord::Kind::no_handle
                                            ? "0"
                                            : fmt::format("{:#x}", promised.value)));
    }
    return good;
  }
  /// A number of the parameters.
  std::optional<uint32_t> word_at(uint32_t offset) const {
    for (const ForeignBinding& binding : kernel_.bindings) {
      if (binding.use != ForeignUse::none || offset < binding.offset ||
          offset + 4 > binding.offset + binding.value.size())
        continue;
      uint32_t word = 0;
      std::memcpy(&word, binding.value.data() + (offset - binding.offset), sizeof word);
      return word;
    }
    return std::nullopt;
  }
  static bool holds_slots(const Json& list) {
    return std::any_of(list.begin(), list.end(), [](const Json& item) { return item.is_string(); });
  }
  /// A host's own parameter block: numbers of 4 bytes, and slots, which are handles or addresses of 8 bytes.
  void put_block(const sim::ptx::EntryParameter& parameter, const Json& list) {
    ForeignBinding numbers;
    numbers.name = parameter.name;
    numbers.offset = parameter.offset;
    numbers.value.resize(parameter.size);
    kernel_.bindings.push_back(numbers);
    const size_t block = kernel_.bindings.size() - 1;
    uint32_t at = 0;
    for (const Json& item : list) {
      const uint32_t bytes = item.is_string() ? 8 : 4;
      at = (at + bytes - 1) / bytes * bytes;
      const bool good =
          at + bytes <= parameter.size &&
          (item.is_string()
               ? put_slot(parameter, parameter.offset + at, item.get<std::string>())
               : put_number(item, sim::ptx::Type::u32, bytes, kernel_.bindings[block].value.data() + at));
      at += bytes;
      if (good) continue;
      good_ =
          settings_.fail({"arguments", parameter.name},
                         fmt::format("{} takes a list of numbers (4 bytes each) and slots (8 bytes each), no "
                                     "more than it holds",
                                     parameter.name));
      return;
    }
  }
  /// Returns false if there is no such slot, or if the kernel uses the word as something else.
  bool put_slot(const sim::ptx::EntryParameter& parameter, uint32_t offset, const std::string& text) {
    const std::optional<BlockSlot> slot = slot_of(text);
    if (!slot) return false;
    const auto node = std::find_if(nodes_.begin(), nodes_.end(),
                                   [offset](const ForeignNode& one) { return one.offset == offset; });
    if (node == nodes_.end()) return true;  // the kernel does not read it
    if (node->use == ForeignUse::none) node->use = ForeignUse::memory;
    ForeignBinding binding;
    binding.name = fmt::format("{}+{}", parameter.name, offset - parameter.offset);
    binding.use = node->use;
    binding.is_uav = slot->letter == 'u';
    binding.slot = slot->number;
    binding.offset = offset;
    if (slot->letter != letter_of(node->use) && !(slot->letter == 't' && node->use == ForeignUse::memory))
      return false;
    if (taken_.insert({slot->letter, slot->number}).second) {
      node_of_.push_back(static_cast<uint32_t>(node - nodes_.begin()));
    } else {
      shared_.insert(kernel_.bindings.size());
    }
    kernel_.bindings.push_back(std::move(binding));
    return true;
  }
  void put_value(const sim::ptx::EntryParameter& parameter, const Json& argument, ForeignBinding binding) {
    binding.value.resize(parameter.size);
    const Json list = argument.is_array() ? argument : Json::array({argument});
    const size_t each = parameter.is_array ? sim::ptx::is_float(parameter.type) ? size_of(parameter.type) : 4
                                           : parameter.size;
    bool good = each * list.size() <= parameter.size && (argument.is_array() || !parameter.is_array);
    for (size_t i = 0; good && i < list.size(); ++i)
      good = put_number(list[i], parameter.type, each, binding.value.data() + i * each);
    if (!good) {
      good_ = settings_.fail(
          {"arguments", parameter.name},
          fmt::format("{} takes {}", parameter.name,
                      parameter.is_array ? "a list of no more numbers than it holds" : "a number"));
    }
    kernel_.bindings.push_back(std::move(binding));
  }
  /// The slot given by the scene or by the name, or, if `named` is false, the first free one for the others.
  void take_slot(uint32_t node, SourceLocation location, bool named, ForeignBinding binding) {
    binding.use = nodes_[node].use;
    const Json& argument = settings_.argument(binding.name);
    const char letter = letter_of(binding.use);
    std::optional<BlockSlot> slot =
        slot_of(argument.is_string() ? argument.get<std::string>() : binding.name);
    if (!argument.is_null() && !slot) {
      if (named)
        good_ = settings_.fail({"arguments", binding.name},
                               fmt::format("{} needs a slot, \"{}0\"", binding.name, letter));
      return;
    }
    const bool fits =
        slot && (slot->letter == letter || (slot->letter == 't' && binding.use == ForeignUse::memory));
    if (argument.is_string() && !fits) {
      if (named)
        good_ = settings_.fail({"arguments", binding.name},
                               fmt::format("{} needs a slot {}#", binding.name, letter));
      return;
    }
    if (fits != named) return;
    if (!fits) {
      slot = BlockSlot{letter, 0};
      while (taken_.contains({letter, slot->number})) ++slot->number;
    }
    binding.is_uav = slot->letter == 'u';
    binding.slot = slot->number;
    if (!taken_.insert({slot->letter, slot->number}).second) {
      diagnostics_.error(location, "{} and another name share {}{}", binding.name, slot->letter,
                         slot->number);
      good_ = false;
    }
    node_of_.push_back(node);
    kernel_.bindings.push_back(std::move(binding));
  }

  /// The slots as a compute shader would declare them. In unified mode, a texture has the sampler with the
  /// same number.
  bool declare() {
    declarations_.stage = ir::Stage::compute;
    std::copy(kernel_.block.begin(), kernel_.block.end(), std::begin(declarations_.thread_group));
    size_t with_slot = 0;
    for (size_t b = 0; b < kernel_.bindings.size(); ++b) {
      const ForeignBinding& binding = kernel_.bindings[b];
      if (binding.use == ForeignUse::none || shared_.contains(b)) continue;
      const ForeignNode& node = nodes_[node_of_[with_slot++]];
      const bool own_sampler = binding.use == ForeignUse::texture && !kernel_.program->independent;
      if (binding.use == ForeignUse::sampler || own_sampler) {
        ir::Sampler sampler;
        sampler.id = sampler.lower_bound = sampler.upper_bound = binding.slot;
        sampler.comparison = node.compared;
        declarations_.samplers.push_back(sampler);
      }
      if (binding.use == ForeignUse::sampler) continue;
      ir::Resource resource;
      resource.id = resource.lower_bound = resource.upper_bound = binding.slot;
      resource.is_uav = binding.is_uav;
      resource.dimension = binding.use == ForeignUse::memory ? ir::Dimension::raw_buffer : node.dimension;
      std::fill(std::begin(resource.component_types), std::end(resource.component_types), node.type);
      declarations_.resources.push_back(resource);
    }
    return good_;
  }

  const Settings& settings_;
  ForeignKernel& kernel_;
  ir::Module& declarations_;
  Diagnostics& diagnostics_;
  std::vector<ForeignNode> nodes_;
  std::vector<uint32_t> node_of_;  // by index of a binding with a slot
  std::set<std::pair<char, uint32_t>> taken_;
  std::set<size_t> shared_;  // bindings of a block whose slot another binding declares
  bool good_ = true;
};

}  // namespace

bool is_ptx(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f\v"), text.size()));
    if (text.substr(0, 2) == "//") {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.substr(0, 2) == "/*") {
      const size_t end = text.find("*/");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else {
      return text.substr(0, 8) == ".version";
    }
  }
}

bool load_foreign(std::string_view text, std::string_view scene_text, ForeignKernel& kernel,
                  ir::Module& declarations, Diagnostics& diagnostics, Diagnostics& scene_diagnostics) {
  kernel.text = text;
  kernel.program = sim::ptx::parse(text, diagnostics);
  if (kernel.program == nullptr) return false;
  const Settings settings(scene_text, scene_diagnostics);
  return !scene_diagnostics.has_errors() && Loader(settings, kernel, declarations, diagnostics).run();
}

}  // namespace texlate::executor
