// The C interface: reads programs and translates them.

#include "texlate/texlate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "backend/maxwell/containers.h"
#include "backend/maxwell/target.h"
#include "backend/ptx/target.h"
#include "frontend/dxbc/info.h"
#include "frontend/sm4/validate.h"
#include "ir/spelling.h"
#include "ir/text_printer.h"
#include "library/fixed_function_options.h"
#include "library/foreign_input.h"
#include "library/handles.h"
#include "library/kernel_options.h"
#include "library/known_state.h"
#include "library/spirv_options.h"
#include "library/view_formats.h"

using namespace texlate;
using namespace texlate::library;

namespace {

#define TEXLATE_STRING2(x) #x
#define TEXLATE_STRING(x) TEXLATE_STRING2(x)
constexpr char kVersion[] = TEXLATE_STRING(TEXLATE_VERSION_MAJOR) "." TEXLATE_STRING(
    TEXLATE_VERSION_MINOR) "." TEXLATE_STRING(TEXLATE_VERSION_PATCH);

int get_diagnostic(const Diagnostics& diagnostics, size_t index, texlate_diagnostic* out) {
  if (out == nullptr || index >= diagnostics.list().size()) return 0;
  *out = to_c(diagnostics.list()[index]);
  return 1;
}

}  // namespace

namespace texlate::library {

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

texlate_parse_options parse_options(const texlate_parse_options* options) {
  if (options == nullptr) return TEXLATE_PARSE_OPTIONS_INIT;
  const texlate_parse_options taken = versioned(options, kOldestParseOptions, "options");
  require_enumerator(taken.digest, TEXLATE_DIGEST_IGNORE, "options.digest");
  return taken;
}

dxbc::DigestCheck digest_check(texlate_digest digest) {
  switch (digest) {
    case TEXLATE_DIGEST_REQUIRE: return dxbc::DigestCheck::require;
    case TEXLATE_DIGEST_IGNORE: return dxbc::DigestCheck::ignore;
    default: return dxbc::DigestCheck::warn;
  }
}

}  // namespace texlate::library

const char* texlate_version(void) {
  return kVersion;
}

texlate_status texlate_parse(const void* data, size_t size, const texlate_parse_options* options,
                             texlate_program** program) {
  if (program != nullptr) *program = nullptr;
  return guarded([&] {
    require(program != nullptr, "program is null");
    require(data != nullptr || size == 0, "data is null but size is not 0");
    const texlate_parse_options chosen = parse_options(options);
    // The chunks of a container are copied, and a dword of its code becomes six.
    const size_t expected = 8 * std::clamp<size_t>(size, 1 << 9, 1 << 17);
    texlate_program* made = make<texlate_program>(CallerMemory(chosen.allocator), expected);
    const auto read = [&] {
      const std::string_view bytes(static_cast<const char*>(data), size);
      made->is_ir = is_ir_text(bytes);
      made->program.lenient = chosen.lenient != 0;
      made->valid = made->is_ir ? read_module(bytes, made->module, made->diagnostics)
                                : read_program(bytes, digest_check(chosen.digest), made->program,
                                               made->container, made->diagnostics);
      report(made->diagnostics, chosen.callback, chosen.callback_user);
    };
    undo_on_failure(read, [&] { destroy(made); });
    *program = made;
    return made->valid ? TEXLATE_OK : TEXLATE_ERROR_INPUT;
  });
}

texlate_status texlate_context_create(const texlate_allocator* allocator, texlate_context** context) {
  if (context != nullptr) *context = nullptr;
  return guarded([&] {
    require(context != nullptr, "context is null");
    *context = make<texlate_context>(CallerMemory(allocator));
    return TEXLATE_OK;
  });
}

void texlate_context_free(texlate_context* context) {
  destroy(context);
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

const char* texlate_pass_name(uint32_t index) {
  return index < pass_names().size() ? pass_names()[index].data() : nullptr;
}

uint32_t texlate_target_count(void) {
  return static_cast<uint32_t>(output_forms().size());
}

texlate_status texlate_target_get_info(uint32_t index, texlate_target_info* info) {
  return guarded([&] {
    require(info != nullptr, "info is null");
    if (index >= texlate_target_count())
      refuse_argument("there are {} targets, so there is no target {}", texlate_target_count(), index);
    const OutputForm& form = output_forms()[index];
    const uint32_t takes = form.target != nullptr ? form.target->takes : 0;
    texlate_target_info made{};
    // Names are string literals and therefore terminated.
    made.name = form.name.data();
    made.title = form.title.data();
    made.suffix = form.suffix.data();
    made.reflection = form.target != nullptr && form.target->reflect != nullptr ? 1 : 0;
    made.takes_sm = (takes & backend::kTakesSm) != 0 ? 1 : 0;
    made.takes_uav_formats = (takes & backend::kTakesViewFormats) != 0 ? 1 : 0;
    copy_out(made, info, kOldestTargetInfo, "info");
    return TEXLATE_OK;
  });
}

namespace {

/// True if the form is one of these targets, which have separate TargetOptions.
bool is_among(const OutputForm& form, std::span<const backend::Target> targets) {
  return std::ranges::any_of(targets, [&](const backend::Target& one) { return form.target == &one; });
}

/// The use of a context by one translation.
class ContextUse {
 public:
  explicit ContextUse(texlate_context* context)
      : context_(context != nullptr && !context->is_busy ? context : nullptr) {
    if (context_ != nullptr) context_->is_busy = true;
  }
  ContextUse(const ContextUse&) = delete;
  ContextUse& operator=(const ContextUse&) = delete;
  ~ContextUse() {
    if (context_ != nullptr) context_->is_busy = false;
  }
  StackArena* scratch() const { return context_ != nullptr ? &context_->scratch : nullptr; }
  maxwell::KeptRoutines* routines() const { return context_ != nullptr ? &context_->routines : nullptr; }

 private:
  texlate_context* context_;
#if !defined(__cpp_exceptions)
  static void undo(void* self) {
    texlate_context* const context = static_cast<ContextUse*>(self)->context_;
    if (context == nullptr) return;
    context->scratch.reset(0);
    context->is_busy = false;
  }
  PendingUndo undo_{undo, this};
#endif
};

/// Calls texlate_translate_options::after_pass.
struct PassReport {
  texlate_pass_callback callback;
  void* user;
  std::pmr::string text;

  static void write_module(void* self, std::string_view pass, const ir::Module& module) {
    PassReport& report = *static_cast<PassReport*>(self);
    report.text.clear();
    ir::print(module, report.text);
    write_text(self, pass, report.text);
  }
  /// The same for the text of a target's own form.
  static void write_text(void* self, std::string_view pass, std::string_view text) {
    const PassReport& report = *static_cast<PassReport*>(self);
    // Names are string literals and therefore terminated.
    report.callback(report.user, pass.data(), text.data(), text.size());
  }
};

/// The caller's options in the form that the pipeline uses; `options` refers to the other members.
struct Settings {
  explicit Settings(std::pmr::memory_resource* memory)
      : formats(memory), classes(memory), spirv(memory), known(memory) {}
  ViewFormats formats;
  std::pmr::vector<lower::ClassInstance> classes;
  SpirvSettings spirv;
  ptx::TargetOptions ptx;
  maxwell::TargetOptions maxwell;
  std::optional<ir::Module> hull;
  maxwell::graphics::HullFacts hull_facts;
  KnownSettings known;
  TranslateOptions options;
  const OutputForm* form = nullptr;  // that of options.to
  FixedFunction fixed_function;
};

void take_formats(const texlate_translate_options& from, bool has_stride, const texlate_program& program,
                  Settings& to) {
  const Elements<texlate_uav_format> formats(from.uav_formats, from.uav_format_count, from.uav_format_stride,
                                             has_stride, kOldestUavFormat, "options.uav_formats");
  for (size_t i = 0; i < formats.size(); ++i)
    to.formats.push_back(view_format_of(formats[i], formats.name(i)));
  add_known_formats(to.known.formats, program, to.formats);
  const backend::Target* const target = to.form->target;
  const bool is_used = target != nullptr && (target->takes & backend::kTakesViewFormats) != 0;
  check_view_formats(to.formats, formats.size(), is_used ? &program : nullptr);
  to.options.backend.view_formats = to.formats;
}

bool has_interface(const sm4::Program& program) {
  return std::ranges::any_of(program.instructions, [](const sm4::Instruction& instruction) {
    return instruction.opcode == sm4::Opcode::dcl_interface;
  });
}

/// Instances are facts about one shader: without an interface, or twice for one slot, they are a mistake.
/// Nothing is known of a program that was read with errors.
void check_classes(const std::pmr::vector<lower::ClassInstance>& classes, const texlate_program& program) {
  if (classes.empty() || !program.valid) return;
  if (!has_interface(program.program))
    refuse_argument("options.classes[0] names slot fp{}, but the shader declares no interface",
                    classes[0].slot);
  std::pmr::vector<size_t> order(classes.get_allocator());
  for (size_t i = 0; i < classes.size(); ++i) order.push_back(i);
  const auto slot = [&](size_t i) { return classes[i].slot; };
  std::ranges::stable_sort(order, {}, slot);
  for (size_t i = 1; i < order.size(); ++i) {
    if (slot(order[i - 1]) == slot(order[i]))
      refuse_argument("options.classes[{}] and [{}] both name slot fp{}", order[i - 1], order[i],
                      slot(order[i]));
  }
}

void take_classes(const texlate_translate_options& from, bool has_stride, const texlate_program& program,
                  Settings& to) {
  const Elements<texlate_class_instance> classes(from.classes, from.class_count, from.class_stride,
                                                 has_stride, kOldestClassInstance, "options.classes");
  for (size_t i = 0; i < classes.size(); ++i) {
    const texlate_class_instance instance = classes[i];
    to.classes.push_back({instance.slot, instance.table, instance.constant_buffer, instance.constant_offset,
                          instance.texture, instance.sampler});
  }
  const OutputForm::Kind kind = to.form->kind;
  const bool is_used = kind == OutputForm::Kind::target || kind == OutputForm::Kind::ir;
  if (is_used) check_classes(to.classes, program);
  to.options.classes = to.classes;
}

void take_known(const texlate_known_state& from, const texlate_program& program, Settings& to) {
  if (to.form->kind != OutputForm::Kind::target)
    refuse_argument("options.known: {} is for any host, so nothing can be known", to.options.to);
  take_known_state(from, to.known);
  const bool is_kernel = (to.form->target->takes & backend::kTakesLaunchFacts) != 0;
  if (program.valid) check_known_state(from, program, is_kernel);
  to.options.backend.known = &to.known.state;
  if (specializes(to.known.state) && !is_among(*to.form, spirv::targets()))
    refuse_argument("options.known: {} has no specialization constants", to.options.to);
}

/// Earlier releases promised an error of the input, so callers that were compiled with their headers get one.
void check_sm(const texlate_translate_options& from, const OutputForm& form) {
  constexpr size_t kOptionsOf02 = offsetof(texlate_translate_options, fixed_function);
  if (from.struct_size <= kOptionsOf02 || from.sm == 0 || form.target == nullptr ||
      form.target->has_sm == nullptr)
    return;
  if (form.target->has_sm(from.sm)) return;
  constexpr uint32_t kMostSm = 200;  // no GPU has a greater number
  fmt::memory_buffer known;          // lives on the stack
  for (uint32_t sm = 1; sm <= kMostSm; ++sm) {
    if (form.target->has_sm(sm))
      fmt::format_to(std::back_inserter(known), "{}{}", known.size() == 0 ? "" : ", ", sm);
  }
  refuse_argument("options.sm is {}, which {} does not have; it has {}", from.sm, form.name,
                  std::string_view(known.data(), known.size()));
}

ir::Stage stage_of(const texlate_program& program) {
  return program.is_ir ? program.module.stage : static_cast<ir::Stage>(program.program.version.stage);
}

/// Diagnostics of the hull shader say so and where in it: the locations of others are in the program.
void report_hull(const Diagnostics& found, Diagnostics& diagnostics) {
  for (const Diagnostic& each : found.list()) {
    const SourceLocation& at = each.location;
    fmt::memory_buffer text;  // lives on the stack
    const auto to = std::back_inserter(text);
    fmt::format_to(to, "options.hull");
    if (at.line != 0) fmt::format_to(to, ", line {}", at.line);
    if (at.line == 0 && at.offset != SourceLocation::kNoOffset) fmt::format_to(to, ", offset {}", at.offset);
    fmt::format_to(to, ": {}", std::string_view(each.message));
    diagnostics.add(each.severity, {}, std::string_view(text.data(), text.size()));
  }
}

/// False, with its diagnostics, if the hull shader has errors.
bool take_hull(const texlate_program& hull, const texlate_program& program, Settings& to,
               Diagnostics& diagnostics) {
  require(hull.valid, "options.hull was read with errors");
  if (stage_of(hull) != ir::Stage::hull)
    refuse_argument("options.hull is a {} shader", ir::spelling(stage_of(hull)));
  if (program.valid && stage_of(program) != ir::Stage::domain)
    refuse_argument("options.hull is given, but this is a {} shader", ir::spelling(stage_of(program)));
  const ir::Module* module = &hull.module;
  if (!hull.is_ir) {
    to.hull.emplace(to.formats.get_allocator().resource());
    Diagnostics found(to.formats.get_allocator().resource());
    const bool good = library::prepare(hull.program, nullptr, {}, *to.hull, found);
    report_hull(found, diagnostics);
    if (!good) return false;
    module = &*to.hull;
  }
  to.hull_facts = maxwell::graphics::facts_of(*module);
  return true;
}

void take_fixed_function_of(const texlate_fixed_function& from, const texlate_program& program,
                            Settings& to) {
  to.fixed_function = take_fixed_function(from);
  to.options.fixed_function = &to.fixed_function;
  if (!program.valid || !applies(to.fixed_function, static_cast<sm4::Stage>(stage_of(program)))) return;
  const OutputForm::Kind kind = to.form->kind;
  if (program.is_ir || (kind != OutputForm::Kind::target && kind != OutputForm::Kind::ir))
    refuse_argument("options.fixed_function changes what is translated: {} cannot have it",
                    program.is_ir ? "IR text" : to.options.to);
  check_fixed_function(to.fixed_function, program.program);
}

/// The same for all targets, so that a listing can be assembled, and tools can print the name on one line.
std::string_view take_entry(std::string_view name) {
  require(!name.empty(), "options.entry is empty");
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7f;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code < kFirstPrintable || code == kDelete)
      refuse_argument("options.entry has the control character {:#04x}", code);
  }
  return name;
}

/// Returns false, with diagnostics, if the options do not fit the program.
bool take_options(const texlate_translate_options& from, const texlate_program& program, Settings& to,
                  Diagnostics& diagnostics) {
  TranslateOptions& options = to.options;
  if (from.target != nullptr) options.to = from.target;
  to.form = find_output_form(options.to);
  if (to.form == nullptr)
    refuse_argument("options.target: there is no target '{}' (texlate_target_get_info)", options.to);
  check_sm(from, *to.form);
  options.backend.sm = from.sm;
  if (from.entry != nullptr) options.backend.entry = take_entry(from.entry);
  options.explain = from.explain != 0;
  options.exact_literals = from.rounded_literals == 0;
  options.reflect = from.reflect != 0;
  const bool has_stride = from.struct_size > kOldestTranslateOptions;
  if (from.known != nullptr) take_known(*from.known, program, to);
  take_formats(from, has_stride, program, to);
  take_classes(from, has_stride, program, to);
  if (from.fixed_function != nullptr) take_fixed_function_of(*from.fixed_function, program, to);
  const bool fits = from.spirv == nullptr || take_spirv_options(*from.spirv, program, to.spirv, diagnostics);
  if (is_among(*to.form, spirv::targets())) {
    options.backend.own = &to.spirv.options;
    options.messages = to.spirv.messages;
  }
  const bool is_ptx = options.to == "ptx", is_maxwell = is_among(*to.form, maxwell::targets());
  take_kernel_options(from.ptx, from.kernel, options.to, to.ptx, to.maxwell);
  if (is_ptx) options.backend.own = &to.ptx;
  if (is_maxwell) options.backend.own = &to.maxwell;
  if (from.hull != nullptr) {
    if (!take_hull(*from.hull, program, to, diagnostics)) return false;
    to.maxwell.hull = &to.hull_facts;
  }
  return fits;
}

}  // namespace

texlate_status texlate_translate(const texlate_program* program, const texlate_translate_options* options,
                                 texlate_output** output) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require(output != nullptr, "output is null");
    require(program != nullptr, "program is null");
    require(options != nullptr, "options is null");
    const texlate_translate_options given = versioned(options, kOldestTranslateOptions, "options");
    return with_output(
        program->memory, output, given.callback, given.callback_user, [&](texlate_output& made) {
          Settings settings(&made.memory);
          const bool fits = take_options(given, *program, settings, made.diagnostics);
          if (!program->valid) {
            made.diagnostics.error({}, "the program was read with errors");
            return false;
          }
          if (!fits) return false;
          PassReport passes{given.after_pass, given.after_pass_user, std::pmr::string(&made.memory)};
          const ir::PassObserver observer{PassReport::write_module, &passes};
          const PassText pass_text{PassReport::write_text, &passes};
          if (given.after_pass != nullptr) {
            settings.options.observer = &observer;
            settings.options.backend.pass_text = &pass_text;
          }
          const ContextUse context(given.context);
          settings.options.scratch = context.scratch();
          settings.maxwell.kept = context.routines();
          if (program->is_ir)
            return library::translate(program->module, settings.options, made.translation, made.diagnostics);
          const bool has_chunks = !program->container.chunks.empty();
          return library::translate(program->program, has_chunks ? &program->container : nullptr,
                                    settings.options, made.translation, made.diagnostics);
        });
  });
}

namespace {

/// The common part of both Maxwell functions.
template <typename Work>
texlate_status with_maxwell(const void* data, size_t size, const texlate_maxwell_options* options,
                            texlate_output** output, Work work) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require(output != nullptr, "output is null");
    require(data != nullptr || size == 0, "the input is null but its size is not 0");
    const texlate_maxwell_options chosen = options == nullptr
                                               ? texlate_maxwell_options(TEXLATE_MAXWELL_OPTIONS_INIT)
                                               : versioned(options, kOldestMaxwellOptions, "options");
    return with_output(CallerMemory(chosen.allocator), output, chosen.callback, chosen.callback_user,
                       [&](texlate_output& made) { return work(made, chosen); });
  });
}

}  // namespace

texlate_status texlate_check(const texlate_program* program, texlate_output** output) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require(output != nullptr, "output is null");
    require(program != nullptr, "program is null");
    return with_output(program->memory, output, nullptr, nullptr, [&](texlate_output& made) {
      if (program->valid && program->is_ir) return true;  // verified when read
      if (program->valid) return sm4::validate(program->program, made.diagnostics);
      // A program that could not be read cannot be checked; the reader's errors give the reason.
      for (const Diagnostic& diagnostic : program->diagnostics.list())
        made.diagnostics.add(diagnostic.severity, diagnostic.location, diagnostic.message);
      return false;
    });
  });
}

texlate_status texlate_info(const texlate_program* program, int json, texlate_output** output) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require(output != nullptr, "output is null");
    require(program != nullptr, "program is null");
    require(program->valid, "program was read with errors");
    return with_output(program->memory, output, nullptr, nullptr, [&](texlate_output& made) {
      if (program->is_ir) {
        made.diagnostics.error({}, "a summary needs shader assembly or a container, not IR text");
        return false;
      }
      const dxbc::Info info = dxbc::make_info(program->container, program->program, &made.memory);
      (json != 0 ? dxbc::info_json : dxbc::info_text)(info, made.translation.data);
      return true;
    });
  });
}

texlate_status texlate_maxwell_assemble(const char* text, size_t size, const texlate_maxwell_options* options,
                                        texlate_output** output) {
  return with_maxwell(
      text, size, options, output, [&](texlate_output& made, const texlate_maxwell_options& chosen) {
        maxwell::AssembleOptions assemble;
        assemble.constraints = chosen.unconstrained == 0;
        if (chosen.sm != 0 && !maxwell::is_known_target(chosen.sm))
          refuse_argument("options.sm is {}, which is not 50, 52 or 53", chosen.sm);
        assemble.sm = chosen.sm;
        const std::string_view target = chosen.target != nullptr ? chosen.target : "maxwell-bin";
        if (target == "cubin" || target == "dksh") {
          const auto container = target == "cubin" ? maxwell::Container::cubin : maxwell::Container::dksh;
          return maxwell::assemble({text, size}, container, made.translation.data, made.diagnostics,
                                   assemble);
        }
        if (target != "maxwell-bin")
          refuse_argument("options.target is '{}', which is not maxwell-bin, cubin or dksh", target);
        std::vector<uint8_t> bytes;
        if (!maxwell::assemble({text, size}, bytes, made.diagnostics, assemble)) return false;
        made.translation.data.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
      });
}

texlate_status texlate_maxwell_disassemble(const void* data, size_t size,
                                           const texlate_maxwell_options* options, texlate_output** output) {
  return with_maxwell(data, size, options, output,
                      [&](texlate_output& made, const texlate_maxwell_options& chosen) {
                        maxwell::DisassembleOptions disassemble;
                        disassemble.words = chosen.words != 0;
                        std::string listing;
                        const std::span bytes(static_cast<const uint8_t*>(data), size);
                        if (!maxwell::disassemble_file(bytes, listing, made.diagnostics, disassemble))
                          return false;
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

int texlate_output_explanation_is_left_out(const texlate_output* output, size_t index) {
  if (output == nullptr || index >= output->translation.explanation.size()) return 0;
  return output->translation.explanation.gap(index).known != 0 ? 1 : 0;
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
