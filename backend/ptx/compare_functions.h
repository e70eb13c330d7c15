// Expanded comparisons as functions: in a program with many, each is a call. The function's body is the
// legalized form of one such sample. Facts of the texture and the sampler are parameters, because a function
// cannot read the kernel's parameters (PTX ISA 7.1).
#pragma once

#include "backend/ptx/records.h"

namespace texlate::ptx {

/// A comparison as a function: `facts` of the texture and the sampler are its parameters.
struct CompareFunction {
  ir::ResourceAccess contract;
  std::pmr::vector<ir::KnownFact> known;  // constants in its code
  std::pmr::vector<uint32_t> facts;       // BindingQuery, packed, in the order of the parameters
  uint32_t argument_count() const;
};

/// The functions of one kernel.
class CompareFunctions : private Writer {
 public:
  CompareFunctions(Core& core, Records& records) : Writer(core), records_(records) {}

  /// The call, with what it needs from the parameter block. The function handles an unbound texture: its
  /// facts are zeros.
  void emit_call(const Instruction& instruction);
  /// Their code, before the kernel's.
  std::string_view text() const { return text_; }

 private:
  uint32_t find(const Instruction& instruction);

  Records& records_;
  std::pmr::vector<CompareFunction> functions_{module_.memory()};
  std::pmr::string text_{module_.memory()};
};

/// Appends the function with that number, whose code is `body`, to `out`.
void emit_function(const ir::Module& body, const Options& options, const Layout& layout, uint32_t number,
                   CompareFunction& function, std::pmr::string& out, Diagnostics& diagnostics);

}  // namespace texlate::ptx
