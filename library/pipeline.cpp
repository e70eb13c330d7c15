#include "library/pipeline.h"

#include <algorithm>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/read.h"
#include "frontend/sm4/validate.h"
#include "ir/base/stack_arena.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/optimize.h"
#include "ir/spelling.h"
#include "ir/text_printer.h"

namespace texlate::library {

namespace {

/// A container, or a token stream: the version token's first byte is 0x40, 0x41, 0x50 or 0x51 and its second
/// one 0.
bool is_binary(std::string_view bytes) {
  if (dxbc::is_container(std::as_bytes(std::span(bytes)))) return true;
  return bytes.size() >= 8 && bytes[1] == '\0' &&
         (bytes[0] == 0x40 || bytes[0] == 0x41 || bytes[0] == 0x50 || bytes[0] == 0x51);
}

/// Memory for a module and the passes over it: what most programs of this length need, in one piece.
size_t arena_size(const sm4::Program& program) {
  constexpr size_t kLeast = 16 << 10, kEach = 1 << 10, kMost = 1 << 20;
  return std::clamp(program.instructions.size() * kEach, kLeast, kMost);
}

/// Closes the target's gaps; `again`: the module is worth another round of optimisation whatever comes in.
bool close_gaps(ir::Module& module, const backend::Target& target, const backend::Options& options,
                bool again, Diagnostics& diagnostics, ClosedGaps* closed) {
  const size_t values = module.values.size();
  if (!ir::legalize(module, target.promises(options), diagnostics, closed)) return false;
  if (target.legalise != nullptr && !target.legalise(module, options, diagnostics)) return false;
  // Neighbouring accesses share their comparisons, constant ones fold; more rounds find next to nothing.
  if (again) {
    ir::optimize_once(module);
  } else if (module.values.size() != values) {
    ir::clean_up(module);
  }
  return true;
}

bool takes_stage(const backend::Target& target, ir::Stage stage, Diagnostics& diagnostics) {
  if ((target.stages & backend::stage_bit(stage)) != 0) return true;
  std::string taken;
  for (uint32_t rest = target.stages; rest != 0; rest &= rest - 1) {
    const bool last = (rest & (rest - 1)) == 0;
    if (!taken.empty()) taken += last ? " and " : ", ";
    taken += ir::spelling(static_cast<ir::Stage>(std::countr_zero(rest)));
  }
  diagnostics.error({}, "{} takes {} shaders", target.name, taken);
  return false;
}

bool print_assembly(const sm4::Program& program, const dxbc::Container* container, bool exact_literals,
                    std::pmr::string& text) {
  assembly::PrintOptions print;
  print.exact_literals = exact_literals;
  if (container != nullptr) {
    dxbc::disassemble(*container, program, print, text);
  } else {
    assembly::print(program, print, text);
  }
  return true;
}

bool write_container(const sm4::Program& program, const dxbc::Container* container, std::pmr::string& data,
                     Diagnostics& diagnostics) {
  std::pmr::vector<std::byte> bytes(data.get_allocator().resource());
  if (!dxbc::write(program, container, bytes, diagnostics)) return false;
  data.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return true;
}

}  // namespace

bool read_program(std::string_view bytes, dxbc::DigestCheck digest, sm4::Program& program,
                  dxbc::Container& container, Diagnostics& diagnostics) {
  if (!is_binary(bytes)) return assembly::parse(bytes, program, diagnostics);
  return dxbc::read(std::as_bytes(std::span(bytes)), container, program, diagnostics, {.digest = digest});
}

bool prepare(const sm4::Program& program, const backend::Target* target, const TranslateOptions& options,
             ir::Module& module, Diagnostics& diagnostics, ClosedGaps* closed) {
  if (!sm4::validate(program, diagnostics)) return false;
  if (!lower::lower(program, module, diagnostics, {options.classes})) return false;
  if (!ir::construct_ssa(module, diagnostics)) return false;
  if (target == nullptr) {
    ir::optimize(module);
    return true;
  }
  // Optimised once more after legalisation: one round of cleaning up is enough here.
  const bool again = ir::optimize_once(module);
  return takes_stage(*target, module.stage, diagnostics) &&
         close_gaps(module, *target, options.backend, again, diagnostics, closed);
}

bool legalise(ir::Module& module, const backend::Target& target, const backend::Options& options,
              Diagnostics& diagnostics, ClosedGaps* closed) {
  return takes_stage(target, module.stage, diagnostics) &&
         close_gaps(module, target, options, false, diagnostics, closed);
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
  auto* memory = translation.data.get_allocator().resource();
  if (form->kind == OutputForm::Kind::assembly)
    return print_assembly(program, container, options.exact_literals, translation.data);
  if (form->kind == OutputForm::Kind::dxbc)
    return write_container(program, container, translation.data, diagnostics);
  // One arena for module and passes; it goes away with this function.
  StackArena arena(arena_size(program), memory);
  ir::Module module(&arena);
  ClosedGaps* const closed = options.explain ? &translation.explanation.gaps() : nullptr;
  if (!prepare(program, form->target, options, module, diagnostics, closed)) return false;
  if (options.explain) translation.explanation.write_out();
  if (form->kind == OutputForm::Kind::ir) {
    ir::print(module, translation.data);
    return true;
  }
  Emitted emitted(memory);
  if (!emit(module, *form->target, options.backend, emitted, diagnostics)) return false;
  if (options.reflect && form->target->reflect != nullptr)
    form->target->reflect(module, emitted.host, translation.reflection);
  translation.data = std::move(emitted.data);
  return true;
}

}  // namespace texlate::library
