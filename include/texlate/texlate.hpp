// C++20 wrapper of texlate.h: owning objects and string views, nothing else.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "texlate/texlate.h"

namespace texlate::api {

struct Diagnostic {
  texlate_severity severity;
  uint32_t line, column, length, offset;
  std::string_view message;  // valid as long as the queried object
};

namespace detail {
inline Diagnostic convert(const texlate_diagnostic& d) {
  return {d.severity, d.line, d.column, d.length, d.offset, {d.message, d.message_length}};
}
struct ProgramDeleter {
  void operator()(texlate_program* program) const { texlate_program_free(program); }
};
struct ContextDeleter {
  void operator()(texlate_context* context) const { texlate_context_free(context); }
};
struct DefinitionsDeleter {
  void operator()(texlate_definitions* definitions) const { texlate_definitions_free(definitions); }
};
struct OutputDeleter {
  void operator()(texlate_output* output) const { texlate_output_free(output); }
};
}  // namespace detail

/// Memory that is kept between translations of one thread, for texlate_translate_options::context.
class Context {
 public:
  explicit Context(const texlate_allocator* allocator = nullptr) {
    texlate_context* context = nullptr;
    texlate_context_create(allocator, &context);
    context_.reset(context);
  }
  /// Null, which is a valid option, if there was no memory.
  texlate_context* get() const { return context_.get(); }

 private:
  std::unique_ptr<texlate_context, detail::ContextDeleter> context_;
};

/// A translation. If data() is empty, see diagnostics().
class Output {
 public:
  explicit Output(texlate_output* output, texlate_status status) : output_(output), status_(status) {}

  texlate_status status() const { return status_; }
  bool ok() const { return status_ == TEXLATE_OK; }
  std::string_view data() const { return view(texlate_output_data); }
  std::string_view reflection() const { return view(texlate_output_reflection); }
  std::vector<Diagnostic> diagnostics() const {
    return list(texlate_output_diagnostic_count, texlate_output_diagnostic);
  }
  std::vector<Diagnostic> explanations() const {
    return list(texlate_output_explanation_count, texlate_output_explanation);
  }
  /// Is the explanation at `index` of a guard that known state made unnecessary?
  bool is_left_out(size_t index) const {
    return texlate_output_explanation_is_left_out(output_.get(), index) != 0;
  }
  std::string_view explanation_json() const { return view(texlate_output_explanation_json); }

 private:
  template <typename Getter>
  std::string_view view(Getter getter) const {
    size_t size = 0;
    const char* text = output_ ? getter(output_.get(), &size) : nullptr;
    return {text, size};
  }
  template <typename Count, typename Getter>
  std::vector<Diagnostic> list(Count count, Getter getter) const {
    std::vector<Diagnostic> result;
    texlate_diagnostic diagnostic;
    for (size_t i = 0; output_ && i < count(output_.get()); ++i) {
      if (getter(output_.get(), i, &diagnostic)) result.push_back(detail::convert(diagnostic));
    }
    return result;
  }

  std::unique_ptr<texlate_output, detail::OutputDeleter> output_;
  texlate_status status_;
};

/// The names and types of chunk RDEF, valid as long as the program that they were read from.
class Definitions {
 public:
  explicit Definitions(const texlate_program* program) {
    texlate_definitions* definitions = nullptr;
    status_ = texlate_definitions_read(program, &definitions);
    definitions_.reset(definitions);
  }

  texlate_status status() const { return status_; }
  bool ok() const { return status_ == TEXLATE_OK; }
  bool is_complete() const { return ok() && get().is_complete != 0; }
  const char* compiler() const { return ok() ? get().compiler : ""; }
  std::vector<texlate_type_definition> types() const {
    return list(&texlate_definitions_description::types, &texlate_definitions_description::type_count,
                &texlate_definitions_description::type_stride);
  }
  std::vector<texlate_member_definition> members() const {
    return list(&texlate_definitions_description::members, &texlate_definitions_description::member_count,
                &texlate_definitions_description::member_stride);
  }
  std::vector<texlate_variable_definition> variables() const {
    return list(&texlate_definitions_description::variables, &texlate_definitions_description::variable_count,
                &texlate_definitions_description::variable_stride);
  }
  std::vector<texlate_buffer_definition> buffers() const {
    return list(&texlate_definitions_description::buffers, &texlate_definitions_description::buffer_count,
                &texlate_definitions_description::buffer_stride);
  }
  std::vector<texlate_resource_definition> resources() const {
    return list(&texlate_definitions_description::resources, &texlate_definitions_description::resource_count,
                &texlate_definitions_description::resource_stride);
  }

 private:
  const texlate_definitions_description& get() const { return *texlate_definitions_get(definitions_.get()); }
  /// The elements, which a newer library may have made longer than this header's.
  template <typename T>
  std::vector<T> list(const T* texlate_definitions_description::*first,
                      size_t texlate_definitions_description::*count,
                      size_t texlate_definitions_description::*stride) const {
    std::vector<T> copies;
    if (!ok()) return copies;
    const char* const bytes = reinterpret_cast<const char*>(get().*first);
    for (size_t i = 0; i < get().*count; ++i)
      copies.push_back(*reinterpret_cast<const T*>(bytes + i * (get().*stride)));
    return copies;
  }

  std::unique_ptr<texlate_definitions, detail::DefinitionsDeleter> definitions_;
  texlate_status status_ = TEXLATE_ERROR_ARGUMENT;
};

/// A program that was read. If not ok(), see diagnostics().
class Program {
 public:
  explicit Program(std::string_view bytes, const texlate_parse_options* options = nullptr) {
    texlate_program* program = nullptr;
    status_ = texlate_parse(bytes.data(), bytes.size(), options, &program);
    program_.reset(program);
  }

  texlate_status status() const { return status_; }
  bool ok() const { return status_ == TEXLATE_OK; }
  /// For functions of texlate.h; valid as long as this object.
  const texlate_program* get() const { return program_.get(); }
  texlate_program_info info() const {
    texlate_program_info info{};
    info.struct_size = sizeof info;
    texlate_program_get_info(program_.get(), &info);
    return info;
  }
  std::vector<Diagnostic> diagnostics() const {
    std::vector<Diagnostic> result;
    texlate_diagnostic diagnostic;
    for (size_t i = 0; program_ && i < texlate_program_diagnostic_count(program_.get()); ++i) {
      if (texlate_program_diagnostic(program_.get(), i, &diagnostic))
        result.push_back(detail::convert(diagnostic));
    }
    return result;
  }
  std::vector<texlate_signature_element> signature(texlate_signature which) const {
    std::vector<texlate_signature_element> elements(texlate_program_signature_size(program_.get(), which));
    for (size_t i = 0; i < elements.size(); ++i) {
      elements[i].struct_size = sizeof elements[i];
      texlate_program_get_signature_element(program_.get(), which, i, &elements[i]);
    }
    return elements;
  }
  Definitions definitions() const { return Definitions(program_.get()); }
  std::vector<texlate_texture_use> texture_uses() const {
    size_t count = 0;
    texlate_program_texture_uses(program_.get(), nullptr, sizeof(texlate_texture_use), &count);
    std::vector<texlate_texture_use> uses(count);
    texlate_program_texture_uses(program_.get(), uses.data(), sizeof(texlate_texture_use), &count);
    return uses;
  }
  /// The locations at which `next` reads this program's outputs. If empty, see texlate_argument_error().
  std::vector<texlate_varying> link(const Program& next) const {
    size_t count = 0;
    if (texlate_link(program_.get(), next.get(), nullptr, sizeof(texlate_varying), &count) != TEXLATE_OK)
      return {};
    std::vector<texlate_varying> varyings(count);
    texlate_link(program_.get(), next.get(), varyings.data(), sizeof(texlate_varying), &count);
    return varyings;
  }
  Output translate(const texlate_translate_options& options) const {
    texlate_output* output = nullptr;
    const texlate_status status = texlate_translate(program_.get(), &options, &output);
    return Output(output, status);
  }
  Output check() const {
    texlate_output* output = nullptr;
    const texlate_status status = texlate_check(program_.get(), &output);
    return Output(output, status);
  }
  Output summary(bool json) const {
    texlate_output* output = nullptr;
    const texlate_status status = texlate_info(program_.get(), json ? 1 : 0, &output);
    return Output(output, status);
  }

 private:
  std::unique_ptr<texlate_program, detail::ProgramDeleter> program_;
  texlate_status status_ = TEXLATE_ERROR_ARGUMENT;
};

}  // namespace texlate::api
