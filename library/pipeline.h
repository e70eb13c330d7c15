// The only way from a Program to its translations. Command line, C interface, executors, tests and benches
// all use it:
//
//   read_program -> prepare (validate, lower to SSA, optimize; legalize for the target, optimize) -> emit
#pragma once

#include <memory_resource>
#include <string>

#include "backend/target.h"
#include "frontend/dxbc/container.h"
#include "frontend/lower/lower.h"
#include "frontend/sm4/program.h"
#include "ir/base/stack_arena.h"
#include "ir/passes/observer.h"
#include "library/explanation.h"
#include "library/fixed_function.h"
#include "library/output_forms.h"

namespace texlate::library {

struct TranslateOptions {
  std::string_view to = "ptx";  // a name of output_forms()
  backend::Options backend;
  std::span<const lower::ClassInstance> classes = {};
  bool explain = false;
  bool exact_literals = true;  // asm: print more than fxc's six decimals where these lose bits
  bool reflect = false;
  bool messages = false;  // printf and errorf are translated, for targets that have a log
  const FixedFunction* fixed_function = nullptr;  // null: none
  const ir::PassObserver* observer = nullptr;     // called with the module after each pass
  /// Memory for the module and its passes, reset afterwards; nothing else may use it. Null: the
  /// translation's.
  StackArena* scratch = nullptr;
};

/// The pass names that an observer receives, in the order of the pipeline; after those of the IR the ones
/// that targets report (backend::Target::passes).
std::span<const std::string_view> pass_names();

struct Translation {
  explicit Translation(std::pmr::memory_resource* memory)
      : data(memory), reflection(memory), explanation(memory) {}
  std::pmr::string data;
  std::pmr::string reflection;
  Explanation explanation;
};

/// Reads text or bytes, distinguished by the first bytes. All chunks of a container are kept in `container`;
/// for text it remains empty. Returns false with diagnostics.
bool read_program(std::string_view bytes, dxbc::DigestCheck digest, sm4::Program& program,
                  dxbc::Container& container, Diagnostics& diagnostics);

/// Appends the listing of a program, and the line of each of its instructions.
void print_listing(const sm4::Program& program, const dxbc::Container* container, std::pmr::string& text,
                   std::pmr::vector<uint32_t>& lines);

/// Reads the IR's text form (docs/ir.md) and verifies it, also as a contract (ir/verifier.h). Instructions
/// get locations in the text. Returns false with diagnostics.
bool read_module(std::string_view text, ir::Module& module, Diagnostics& diagnostics);

/// Converts a program to a module in SSA form. Without a target, the result is the contract, which `--to ir`
/// prints and the interpreter runs. With a target, it is legalized for the target and ready for emit(). If
/// `closed` is not null, it receives the gaps that were closed. Returns false with diagnostics.
bool prepare(const sm4::Program& program, const backend::Target* target, const TranslateOptions& options,
             ir::Module& module, Diagnostics& diagnostics, ClosedGaps* closed = nullptr);

/// The second half of prepare(), for a contract from another source: closes the target's gaps.
bool legalize(ir::Module& module, const backend::Target& target, const backend::Options& options,
              Diagnostics& diagnostics, ClosedGaps* closed = nullptr,
              const ir::PassObserver* observer = nullptr);

/// The target's translation of a module that was prepared for it with the same options.
struct Emitted {
  explicit Emitted(std::pmr::memory_resource* memory = std::pmr::get_default_resource()) : data(memory) {}
  std::pmr::string data;
  backend::Host host;
};
bool emit(const ir::Module& module, const backend::Target& target, const backend::Options& options,
          Emitted& emitted, Diagnostics& diagnostics);

/// The complete translation, to any of output_forms(). `container` is the one from which the program was
/// read, or null. Returns false with diagnostics.
bool translate(const sm4::Program& program, const dxbc::Container* container, const TranslateOptions& options,
               Translation& translation, Diagnostics& diagnostics);

/// The same for a target that need not be among output_forms(); ignores `options.to`.
bool translate(const sm4::Program& program, const backend::Target& target, const TranslateOptions& options,
               Translation& translation, Diagnostics& diagnostics);

/// The same for a contract in SSA form from read_module(). It has no assembly and no container.
bool translate(const ir::Module& contract, const TranslateOptions& options, Translation& translation,
               Diagnostics& diagnostics);

}  // namespace texlate::library
