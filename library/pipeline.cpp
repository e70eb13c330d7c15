#include "library/pipeline.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <optional>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/read.h"
#include "frontend/sm4/compare.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/shader_message.h"
#include "frontend/sm4/validate.h"
#include "ir/base/stack_arena.h"
#include "ir/passes/apply_known_state.h"
#include "ir/passes/fold.h"
#include "ir/passes/hoist_derivatives.h"
#include "ir/passes/optimize.h"
#include "ir/passes/simplify_branches.h"
#include "ir/spelling.h"
#include "ir/text_parser.h"
#include "ir/text_printer.h"
#include "ir/verifier.h"
#include "library/foreign_input.h"

namespace texlate::library {

namespace {

/// True for a container or a token stream. The first byte of a version token is 0x40, 0x41, 0x50 or 0x51, and
/// the second is 0.
bool is_binary(std::string_view bytes) {
  if (dxbc::is_container(std::as_bytes(std::span(bytes)))) return true;
  return bytes.size() >= 8 && bytes[1] == '\0' &&
         (bytes[0] == 0x40 || bytes[0] == 0x41 || bytes[0] == 0x50 || bytes[0] == 0x51);
}

/// Initial memory for a module and its passes: enough in one piece for most programs of this length.
size_t arena_size(const sm4::Program& program) {
  constexpr size_t kLeast = 16 << 10, kEach = 1 << 10, kMost = 1 << 20;
  return std::clamp(program.instructions.size() * kEach, kLeast, kMost);
}

/// Memory for a module and its passes: the caller's, which is emptied at the end, or an arena of its own.
class Scratch {
 public:
  Scratch(StackArena* given, size_t first, std::pmr::memory_resource* upstream)
      : given_(given), own_(first, upstream) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (given_ != nullptr) given_->reset(kMostKept);
  }
  StackArena* arena() { return given_ != nullptr ? given_ : &own_; }

 private:
  static constexpr size_t kMostKept = 32 << 20;  // more than all but the longest shaders need
  StackArena* given_;
  StackArena own_;
};

constexpr std::string_view kLower = "lower", kFoldAndShare = "fold_and_share",
                           kSimplifyBranches = "simplify_branches", kHoistDerivatives = "hoist_derivatives",
                           kApplyKnownState = "apply_known_state", kLegalizeTarget = "legalize_target";

/// The arms of an `if` often read the same inputs.
void hoist_derivatives(ir::Module& module, const ir::PassObserver* observer) {
  if (!ir::hoist_derivatives(module)) return;
  ir::notify(observer, kHoistDerivatives, module);
  ir::fold_and_share(module);
  ir::notify(observer, kFoldAndShare, module);
}

/// The code of an access depends on the format of its typed view.
void rely_on_formats(ir::Module& module, std::span<const backend::ViewFormat> given) {
  const auto is_known = [](const backend::ViewFormat& format) { return !format.known_as.empty(); };
  if (std::ranges::none_of(given, is_known)) return;
  std::pmr::vector<bool> is_accessed(module.resources.size(), false, module.memory());
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op == ir::Op::surf_load || instruction.op == ir::Op::surf_store ||
        instruction.op == ir::Op::surf_atomic)
      is_accessed[module.access_of(instruction).resource] = true;
  }
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& view = module.resources[i];
    if (!view.is_uav || !is_accessed[i]) continue;
    const backend::ViewFormat* const format = backend::find_format(given, view.id);
    if (format != nullptr && is_known(*format))
      module.relied.view_formats.push_back(
          {{ir::RegisterFile::uav, view.space, view.lower_bound, view.upper_bound}, format->known_as});
  }
}

bool close_gaps(ir::Module& module, const backend::Target& target, const backend::Options& options,
                Diagnostics& diagnostics, ClosedGaps* closed, const ir::PassObserver* observer) {
  std::optional<ir::KnownFacts> known;
  if (options.known != nullptr && !options.known->empty()) {
    known.emplace(module, *options.known);
    const bool is_kernel = (target.takes & backend::kTakesLaunchFacts) != 0;
    const bool is_smaller = ir::apply_known_launch(module, options.known->launch, is_kernel);
    if (ir::apply_known_state(module, *known) || is_smaller) {
      ir::notify(observer, kApplyKnownState, module);
      ir::optimize(module, observer);
    }
  }
  const ir::Value first_new = module.next_value();
  ir::KnownFacts* const facts = known ? &*known : nullptr;
  if (!ir::legalize(module, target.promises(module, options), diagnostics, closed, observer, facts))
    return false;
  if (known) known->conclude();
  if ((target.takes & backend::kTakesViewFormats) != 0) rely_on_formats(module, options.view_formats);
  if (target.legalize != nullptr) {
    if (!target.legalize(module, options, diagnostics, closed)) return false;
    ir::notify(observer, kLegalizeTarget, module);
  }
  // Neighboring accesses share their comparisons, and constant ones are folded. More rounds find next to
  // nothing.
  if (known) {
    // Guards that have become constants leave accesses without guards, branches without use, and dead code.
    ir::optimize(module, observer);
    if (ir::settle_guards(module)) ir::optimize(module, observer);
  } else if (target.skips_dead_code) {
    ir::share_new(module, first_new, observer);
  } else {
    ir::clean_up(module, first_new, observer);
  }
  return true;
}

/// Messages are custom data, as immediate constant buffers are.
std::string_view mnemonic_of(const sm4::Program& program, const sm4::Instruction& instruction) {
  if (instruction.opcode == sm4::Opcode::custom_data && instruction.controls == sm4::kShaderMessage) {
    if (const auto message = sm4::find_message(program.words_of(instruction)))
      return message->is_error ? "errorf" : "printf";
  }
  return sm4::info(instruction.opcode).mnemonic;
}

/// Passes on the diagnostics of legalization and emission, which refer to IR operations. Adds the name of the
/// source instruction at each location.
void pass_on(const Diagnostics& found, const sm4::Program& program, Diagnostics& diagnostics) {
  for (const Diagnostic& each : found.list()) {
    const auto instruction =
        std::ranges::find(program.instructions, each.location, &sm4::Instruction::location);
    if (instruction == program.instructions.end() || each.location == SourceLocation{}) {
      diagnostics.add(each.severity, each.location, each.message);
      continue;
    }
    std::string message(mnemonic_of(program, *instruction));
    message.append(": ").append(each.message);
    diagnostics.add(each.severity, each.location, message);
  }
}

/// `at`: the line of the shader that names the stage.
bool takes_stage(const backend::Target& target, ir::Stage stage, const SourceLocation& at,
                 Diagnostics& diagnostics) {
  if ((target.stages & backend::stage_bit(stage)) != 0) return true;
  std::string taken;
  for (uint32_t rest = target.stages; rest != 0; rest &= rest - 1) {
    const bool last = (rest & (rest - 1)) == 0;
    if (!taken.empty()) taken += last ? " and " : ", ";
    taken += ir::spelling(static_cast<ir::Stage>(std::countr_zero(rest)));
  }
  diagnostics.error(at, "{} supports only {} shaders", target.name, taken);
  return false;
}

/// Tokens can say what no listing can, if nobody but an attacker writes it: unknown numbers, reserved bits.
/// Such a text would not assemble, or to something else.
bool reads_back(const sm4::Program& program, std::string_view text, bool exact, Diagnostics& diagnostics) {
  std::pmr::monotonic_buffer_resource arena(diagnostics.list().get_allocator().resource());
  sm4::Program again(&arena);
  Diagnostics found(&arena);
  size_t at = 0;
  std::string_view what;
  if (!assembly::parse(text, again, found)) {
    const Diagnostic& wrong = *std::ranges::find(found.list(), Severity::error, &Diagnostic::severity);
    what = wrong.message;
    while (at < again.instructions.size() && again.instructions[at].location.line < wrong.location.line) ++at;
  } else if (!exact) {
    return true;  // its literals are rounded
  } else if (const auto difference = sm4::find_difference(program, again)) {
    what = difference->what;
    at = difference->instruction;
  } else {
    return program.instructions.size() == again.instructions.size();
  }
  if (at >= program.instructions.size()) return true;  // an empty program has no listing that assembles
  const sm4::Instruction& instruction = program.instructions[at];
  diagnostics.error(instruction.location, "no listing can say what this {} says: {}",
                    sm4::info(instruction.opcode).mnemonic, what);
  return false;
}

bool print_assembly(const sm4::Program& program, const dxbc::Container* container, bool exact_literals,
                    std::pmr::string& text, Diagnostics& diagnostics) {
  assembly::PrintOptions print;
  print.exact_literals = exact_literals;
  if (container != nullptr) {
    dxbc::disassemble(*container, program, print, text);
  } else {
    assembly::print(program, print, text);
  }
  const bool is_text = program.version_location.line != 0;
  if (is_text || reads_back(program, text, exact_literals, diagnostics)) return true;
  text.clear();
  return false;
}

bool write_container(const sm4::Program& program, const dxbc::Container* container, std::pmr::string& data,
                     Diagnostics& diagnostics) {
  std::pmr::vector<std::byte> bytes(data.get_allocator().resource());
  if (!dxbc::write(program, container, bytes, diagnostics)) return false;
  data.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return true;
}

/// Assembly. If the text contains no listing, a message about what it is instead is more helpful.
bool read_text(std::string_view text, sm4::Program& program, Diagnostics& diagnostics) {
  Diagnostics found(program.memory());
  const bool good = assembly::parse(text, program, found);
  const std::string_view foreign =
      good || !program.instructions.empty() ? std::string_view() : foreign_text(text);
  if (!foreign.empty()) {
    diagnostics.error(SourceLocation::text(1, 1), "{}", foreign);
    return false;
  }
  for (const Diagnostic& diagnostic : found.list())
    diagnostics.add(diagnostic.severity, diagnostic.location, diagnostic.message);
  return good;
}

/// Translates a prepared module. Its code may be gone afterwards.
bool write_module(ir::Module& module, const OutputForm& form, const TranslateOptions& options,
                  Translation& translation, Diagnostics& diagnostics) {
  if (form.kind == OutputForm::Kind::ir) {
    ir::print(module, translation.data);
    return true;
  }
  const bool reflects = options.reflect && form.target->reflect != nullptr;
  Emitted emitted(translation.data.get_allocator().resource());
  backend::Options given = options.backend;
  if (!reflects) given.spent = &module;
  if (!emit(module, *form.target, given, emitted, diagnostics)) return false;
  if (reflects) form.target->reflect(module, emitted.host, translation.reflection);
  translation.data = std::move(emitted.data);
  return true;
}

/// Prepares a program for the target of a form, or the IR, and translates it.
bool write_program(const sm4::Program& program, const OutputForm& form, const TranslateOptions& options,
                   Translation& translation, Diagnostics& diagnostics) {
  auto* memory = translation.data.get_allocator().resource();
  Scratch scratch(options.scratch, arena_size(program), memory);
  ir::Module module(scratch.arena());
  ClosedGaps* const closed = options.explain ? &translation.explanation.gaps() : nullptr;
  if (!prepare(program, form.target, options, module, diagnostics, closed)) return false;
  if (options.explain) translation.explanation.write_out();
  Diagnostics found(module.memory());
  const bool good = write_module(module, form, options, translation, found);
  pass_on(found, program, diagnostics);
  return good;
}

/// In static memory: texlate_pass_name() cannot fail.
struct PassNames {
  std::array<std::string_view, 64> list;
  size_t count = 0;
  void add(std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
      const auto end = list.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(list.begin(), end, name) != end) continue;
      assert(count < list.size());
      list[count++] = name;
    }
  }
};

PassNames make_pass_names() {
  static constexpr std::string_view kOfIr[] = {kLower,
                                               "propagate_copies",
                                               kFoldAndShare,
                                               kSimplifyBranches,
                                               "eliminate_dead_code",
                                               kHoistDerivatives,
                                               kApplyKnownState,
                                               "limit_depth",
                                               "legalize_texture",
                                               "legalize_memory",
                                               "legalize_arithmetic",
                                               kLegalizeTarget};
  PassNames names;
  names.add(kOfIr);
  for (const OutputForm& form : output_forms()) {
    if (form.target != nullptr) names.add(form.target->passes);
  }
  return names;
}

}  // namespace

std::span<const std::string_view> pass_names() {
  static const PassNames kNames = make_pass_names();
  return {kNames.list.data(), kNames.count};
}

void print_listing(const sm4::Program& program, const dxbc::Container* container, std::pmr::string& text,
                   std::pmr::vector<uint32_t>& lines) {
  assembly::PrintOptions print;
  print.exact_literals = true;
  print.lines = &lines;
  if (container != nullptr) {
    dxbc::disassemble(*container, program, print, text);
  } else {
    assembly::print(program, print, text);
  }
}

bool read_module(std::string_view text, ir::Module& module, Diagnostics& diagnostics) {
  std::pmr::vector<ir::DeclarationPlace> declarations(module.memory());
  return ir::parse(without_byte_order_mark(text), module, diagnostics, ir::Lines::of_text, &declarations) &&
         ir::verify(module, diagnostics) && ir::verify_contract(module, diagnostics, declarations);
}

bool read_program(std::string_view bytes, dxbc::DigestCheck digest, sm4::Program& program,
                  dxbc::Container& container, Diagnostics& diagnostics) {
  if (const std::string_view foreign = foreign_bytes(bytes); !foreign.empty()) {
    diagnostics.error({}, "{}", foreign);
    return false;
  }
  if (!is_binary(bytes)) return read_text(bytes, program, diagnostics);
  return dxbc::read(std::as_bytes(std::span(bytes)), container, program, diagnostics, {.digest = digest});
}

bool prepare(const sm4::Program& program, const backend::Target* target, const TranslateOptions& options,
             ir::Module& module, Diagnostics& diagnostics, ClosedGaps* closed) {
  if (!sm4::validate(program, diagnostics)) return false;
  std::optional<sm4::Program> changed;
  if (options.fixed_function != nullptr && applies(*options.fixed_function, program.version.stage)) {
    changed = with_fixed_function(program, *options.fixed_function, diagnostics);
    if (!changed) return false;
  }
  const lower::Options lowering{.classes = options.classes, .messages = options.messages};
  if (!lower::lower(changed ? *changed : program, module, diagnostics, lowering)) return false;
  ir::notify(options.observer, kLower, module);
  if (target == nullptr) {
    ir::optimize(module, options.observer);
    hoist_derivatives(module, options.observer);
    return true;
  }
  ir::simplify_branches(module);  // an if on a constant, which folding has found
  ir::notify(options.observer, kSimplifyBranches, module);
  hoist_derivatives(module, options.observer);
  if (!takes_stage(*target, module.stage, program.version_location, diagnostics)) return false;
  Diagnostics found(module.memory());
  const bool good = close_gaps(module, *target, options.backend, found, closed, options.observer);
  pass_on(found, program, diagnostics);
  return good;
}

bool legalize(ir::Module& module, const backend::Target& target, const backend::Options& options,
              Diagnostics& diagnostics, ClosedGaps* closed, const ir::PassObserver* observer) {
  const SourceLocation first =
      module.code.empty() ? SourceLocation{} : module.location_of(module.code.front());
  return takes_stage(target, module.stage, first, diagnostics) &&
         close_gaps(module, target, options, diagnostics, closed, observer);
}

bool emit(const ir::Module& module, const backend::Target& target, const backend::Options& options,
          Emitted& emitted, Diagnostics& diagnostics) {
  if (target.emit(module, options, emitted.data, emitted.host, diagnostics)) return true;
  emitted.data.clear();
  return false;
}

bool translate(const sm4::Program& program, const dxbc::Container* container, const TranslateOptions& options,
               Translation& translation, Diagnostics& diagnostics) {
  const OutputForm* form = find_output_form(options.to);
  if (form == nullptr) {
    diagnostics.error({}, "there is no target '{}'", options.to);
    return false;
  }
  if (form->kind == OutputForm::Kind::assembly)
    return print_assembly(program, container, options.exact_literals, translation.data, diagnostics);
  if (form->kind == OutputForm::Kind::dxbc)
    return write_container(program, container, translation.data, diagnostics);
  return write_program(program, *form, options, translation, diagnostics);
}

bool translate(const sm4::Program& program, const backend::Target& target, const TranslateOptions& options,
               Translation& translation, Diagnostics& diagnostics) {
  return write_program(program, form_of(target), options, translation, diagnostics);
}

bool translate(const ir::Module& contract, const TranslateOptions& options, Translation& translation,
               Diagnostics& diagnostics) {
  const OutputForm* form = find_output_form(options.to);
  if (form == nullptr) {
    diagnostics.error({}, "there is no target '{}'", options.to);
    return false;
  }
  if (form->kind == OutputForm::Kind::assembly || form->kind == OutputForm::Kind::dxbc) {
    diagnostics.error({}, "{}: IR text cannot be turned back into shader assembly", form->name);
    return false;
  }
  Scratch scratch(options.scratch, 16 << 10, translation.data.get_allocator().resource());
  ir::Module module(scratch.arena());
  module = contract;
  ClosedGaps* const closed = options.explain ? &translation.explanation.gaps() : nullptr;
  if (form->target == nullptr) {
    ir::optimize(module, options.observer);
  } else if (!legalize(module, *form->target, options.backend, diagnostics, closed, options.observer)) {
    return false;
  }
  if (options.explain) translation.explanation.write_out();
  return write_module(module, *form, options, translation, diagnostics);
}

}  // namespace texlate::library
