// Legalized IR -> a Maxwell kernel: its instructions and what a launch must know; and its output forms: text
// with control columns, raw words, an ELF that the CUDA driver loads.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "backend/launch/launch.h"
#include "backend/launch/launch_abi.h"
#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/directives.h"
#include "backend/maxwell/machine/program.h"
#include "ir/module.h"

namespace texlate::maxwell {

namespace graphics {
struct Layout;
}
class KeptRoutines;

struct KernelOptions {
  uint32_t sm = 52;                 // 50, 52 or 53
  std::string_view entry = "main";  // name of the kernel
  /// How the machine's passes finish the code. With 40 registers an SM holds three quarters of its warps.
  /// Kernels load constants from memory, and with fewer registers these loads wait for each other
  /// (tests/corpus/maxwell_corpus_test.cpp, BesidePtxas).
  machine::Options finish = {.register_goal = 38, .fetch_register_goal = 38, .weighs_registers = true};
  KeptRoutines* kept = nullptr;  // null: routines are made for this kernel alone
};

/// The code of a kernel, and what the headers of a file say about it.
struct Kernel : ProgramFacts {
  explicit Kernel(std::pmr::memory_resource* memory) : instructions(memory), words(memory), lines(memory) {}

  std::pmr::vector<Code> instructions;
  /// Groups of a control word and three instructions, without what ends a program in a file. Empty: those
  /// of the instructions, which are encoded where they are written.
  std::pmr::vector<uint64_t> words;
  std::pmr::vector<uint32_t> lines;  // by instruction: of the shader's text, 0: none
  uint32_t spilled_values = 0;
};

/// Is `sm` a target that this backend has?
bool is_known_target(uint32_t sm);

/// Translates a module in SSA form that was legalized for Maxwell. Returns false, with located errors, for
/// what it cannot express. `spent`: the same module, if nobody needs its code once instructions are selected:
/// of a long program it takes as much memory as the instructions. `graphics`: of deko3d's programs, which
/// have its interface in place of a kernel's (graphics/program.h puts them into a file).
bool make_kernel(const ir::Module& module, const launch::Layout& layout, const KernelOptions& options,
                 Kernel& kernel, Diagnostics& diagnostics, ir::Module* spent = nullptr,
                 const graphics::Layout* graphics = nullptr);

/// The listing, which can be assembled to the same words and to the same cubin (isa/listing.h, containers.h).
/// It does not show the end of the program. Marks where its lines come from: a line without a mark comes from
/// where the line before it does.
void write_text(const Kernel& kernel, std::pmr::string& out, std::pmr::vector<launch::LineMark>& marks);
/// The words and the end of the program (isa/program.h).
void write_words(const Kernel& kernel, std::pmr::string& out);
/// An ELF file for the driver (cubin.cpp).
void write_cubin(const Kernel& kernel, std::pmr::string& out);

struct Cubin;
/// The facts in a cubin with one kernel, as far as write_cubin() writes them.
ProgramFacts facts_of(const Cubin& cubin);

}  // namespace texlate::maxwell
