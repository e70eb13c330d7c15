// The declarations of the text form: everything before `code {`.
#pragma once

#include <array>

#include "ir/text_statement_parser.h"
#include "ir/verifier.h"

namespace texlate::ir {

class DeclarationParser : protected StatementParser {
 protected:
  using StatementParser::StatementParser;

  std::pmr::vector<DeclarationPlace>* places_ = nullptr;  // of all declarations, if someone asks

  bool declaration() {
    const std::string_view word = cursor_.word();
    if (places_ != nullptr) places_->push_back({word, cursor_.place_of(word)});
    if (word == "module") return module_line();
    if (word == "code") {
      in_code_ = true;
      return expect('{');
    }
    for (const text_form::ModuleNumber& number : text_form::kModuleNumbers) {
      if (word == number.word) return integer(module_.*number.member);
    }
    for (const text_form::ModuleFlag& flag : text_form::kModuleFlags) {
      if (word == flag.word) return module_.*flag.member = true;
    }
    for (const text_form::ParameterList& list : text_form::kParameterLists) {
      if (word == list.word) return parameter(list);
    }
    if (word == "thread_group") {
      return integer(module_.thread_group[0]) && integer(module_.thread_group[1]) &&
             integer(module_.thread_group[2]);
    }
    if (word == "max_tessellation_factor") {
      uint32_t bits = 0;
      if (!word_constant(bits)) return false;
      module_.max_tessellation_factor = std::bit_cast<float>(bits);
      return true;
    }
    if (word == "resource") return resource(false);
    if (word == "uav") return resource(true);
    if (word == "sampler") return sampler();
    if (word == "constant_buffer") return constant_buffer();
    if (word == "local") return local();
    if (word == "shared") return shared();
    if (word == "table") return table();
    if (word == "row") return row();
    if (word == "phase") return phase();
    return fail_at(cursor_.place_of(word), "expected a declaration or 'code {{'");
  }

 private:
  using ParameterList = text_form::ParameterList;

  bool module_line() {
    if (has_module_) return fail("there is already a 'module' line");
    has_module_ = true;
    if (!enumerator(module_.stage, "stage")) return false;
    const std::string_view model = cursor_.number();
    const bool good = model.size() == 3 && model[1] == '.' && model[0] >= '0' && model[0] <= '9' &&
                      model[2] >= '0' && model[2] <= '9';
    if (!good) return fail_at(cursor_.place_of(model), "expected a shader model such as 5.0");
    module_.shader_model = static_cast<uint8_t>((model[0] - '0') * 10 + (model[2] - '0'));
    return string(module_.name);
  }

  /// Attributes that resources, samplers and constant buffers share.
  template <typename Declared>
  bool range_attribute(std::string_view word, Declared& declared) {
    if (word == "space") return in_parentheses(declared.space);
    if (word != "registers") return unknown_attribute(word);
    if (!expect('(') || !integer(declared.lower_bound) || !expect(',')) return false;
    if (cursor_.accept(std::string_view("unbounded"))) {
      declared.upper_bound = UINT32_MAX;
    } else if (!integer(declared.upper_bound)) {
      return false;
    }
    return expect(')');
  }

  bool resource(bool is_uav) {
    Resource resource;
    const std::string_view word = cursor_.word();
    const std::string_view prefix = is_uav ? "u" : "t";
    resource.is_uav = is_uav;
    resource.is_constant_buffer = !is_uav && split(word, "cb", resource.id);
    if (!resource.is_constant_buffer && !split(word, prefix, resource.id))
      return fail_at(cursor_.place_of(word), "expected {} and a number", prefix);
    const Kind kind = is_uav                        ? Kind::uav
                      : resource.is_constant_buffer ? Kind::constant_buffer_rows
                                                    : Kind::resource;
    if (!declare(kind, resource.id, module_.resources.size(), word)) return false;
    resource.lower_bound = resource.upper_bound = resource.id;
    if (!enumerator(resource.dimension, "dimension")) return false;
    if (!enumerator(resource.component_types[0], "component type")) return false;
    for (uint32_t i = 1; i < 4; ++i) resource.component_types[i] = resource.component_types[0];
    if (cursor_.peek() == ',') {
      for (uint32_t i = 1; i < 4; ++i) {
        if (!expect(',') || !enumerator(resource.component_types[i], "component type")) return false;
      }
    }
    bool good = true;
    while (good && !cursor_.line_done()) good = resource_attribute(resource);
    module_.resources.push_back(resource);
    return good;
  }

  bool resource_attribute(Resource& resource) {
    const std::string_view word = cursor_.word();
    for (const text_form::ResourceFlag& flag : text_form::kResourceFlags) {
      if (word == flag.word) return resource.*flag.member = true;
    }
    if (word == "samples") return in_parentheses(resource.sample_count);
    if (word == "stride") return in_parentheses(resource.stride);
    return range_attribute(word, resource);
  }

  bool sampler() {
    Sampler sampler;
    std::string_view word;
    if (!name("s", sampler.id, word) || !declare(Kind::sampler, sampler.id, module_.samplers.size(), word))
      return false;
    sampler.lower_bound = sampler.upper_bound = sampler.id;
    bool good = true;
    while (good && !cursor_.line_done()) {
      word = cursor_.word();
      if (word == "comparison") {
        sampler.comparison = true;
      } else {
        good = range_attribute(word, sampler);
      }
    }
    module_.samplers.push_back(sampler);
    return good;
  }

  bool constant_buffer() {
    ConstantBuffer buffer;
    std::string_view word;
    if (!name("cb", buffer.id, word)) return false;
    if (!declare(Kind::constant_buffer, buffer.id, module_.constant_buffers.size(), word)) return false;
    buffer.lower_bound = buffer.upper_bound = buffer.id;
    bool good = true;
    while (good && !cursor_.line_done()) {
      word = cursor_.word();
      if (word == "dynamic") {
        buffer.dynamically_indexed = true;
      } else {
        good = word == "rows" ? in_parentheses(buffer.rows) : range_attribute(word, buffer);
      }
    }
    module_.constant_buffers.push_back(buffer);
    return good;
  }

  bool parameter(const ParameterList& list) {
    Parameter parameter;
    if (!register_number(list.prefix, parameter.reg) || !expect('.')) return false;
    const std::string_view mask = cursor_.word();
    parameter.mask = 0;
    for (const char c : mask) {
      const size_t component = text_form::kComponents.find(c);
      if (component == std::string_view::npos)
        return fail_at(cursor_.place_of(mask), "'{}' is not a write mask", mask);
      parameter.mask |= static_cast<uint8_t>(1u << component);
    }
    bool good = true;
    while (good && !cursor_.line_done()) good = parameter_attribute(parameter);
    (module_.*list.member).push_back(parameter);
    return good;
  }

  bool parameter_attribute(Parameter& parameter) {
    const std::string_view word = cursor_.word();
    if (word == "semantic") {
      std::pmr::string text(&scratch_);
      if (!string(text)) return false;
      parameter.semantic = static_cast<uint32_t>(module_.names.size());
      module_.names.insert(module_.names.end(), text.c_str(), text.c_str() + text.size() + 1);
      return true;
    }
    if (word == "semantic_index") return in_parentheses(parameter.semantic_index);
    if (word == "array") return in_parentheses(parameter.array_size);
    if (word == "sv") {
      uint32_t value = 0;
      if (!expect('(') || !system_value(value)) return false;
      parameter.system_value = static_cast<SystemValue>(value);
      return expect(')');
    }
    for (const text_form::ParameterNumber& number : text_form::kParameterNumbers) {
      if (word == number.word) return in_parentheses(parameter.*number.member);
    }
    const auto interpolation = parse_spelling<Interpolation>(word);
    if (!interpolation) return unknown_attribute(word);
    parameter.interpolation = *interpolation;
    return true;
  }

  /// Memories are numbered in the order of their declarations.
  bool next_name(std::string_view prefix, size_t index) {
    uint32_t number = 0;
    std::string_view word;
    if (!name(prefix, number, word)) return false;
    return number == index ||
           fail_at(cursor_.place_of(word), "expected {}{}: numbers must be in order", prefix, index);
  }
  bool attribute(std::string_view word, uint32_t& number) {
    const std::string_view found = cursor_.word();
    if (found != word) return fail_at(cursor_.place_of(found), "expected '{}'", word);
    return in_parentheses(number);
  }
  bool local() {
    LocalArray local{};
    if (!next_name("x", module_.locals.size()) || !attribute("rows", local.rows)) return false;
    if (!attribute("components", local.components)) return false;
    module_.locals.push_back(local);
    return true;
  }
  bool shared() {
    SharedArray shared{};
    if (!next_name("g", module_.shared.size()) || !attribute("bytes", shared.bytes)) return false;
    if (!attribute("stride", shared.stride)) return false;
    module_.shared.push_back(shared);
    return true;
  }
  bool table() {
    if (!next_name("table", module_.tables.size())) return false;
    module_.tables.push_back({static_cast<uint32_t>(module_.table_words.size()), 0});
    return true;
  }
  bool row() {
    if (module_.tables.empty()) return fail("a row outside a table");
    std::array<uint32_t, 4> words{};
    for (uint32_t i = 0; i < 4; ++i) {
      if ((i != 0 && !expect(',')) || !word_constant(words[i])) return false;
    }
    module_.table_words.insert(module_.table_words.end(), words.begin(), words.end());
    ++module_.tables.back().rows;
    return true;
  }
  bool phase() {
    uint32_t number = 0;
    HullPhaseInfo phase{};
    if (!integer(number)) return false;
    if (number != module_.phases.size()) return fail("expected phase {}", module_.phases.size());
    if (!enumerator(phase.kind, "hull phase") || !attribute("instances", phase.instance_count)) return false;
    module_.phases.push_back(phase);
    return true;
  }

 protected:
  bool in_code_ = false;
  bool has_module_ = false;
};

}  // namespace texlate::ir
