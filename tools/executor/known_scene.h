// Known state and scenes: what a scene says about its bindings, and whether it keeps a promise.
#pragma once

#include <deque>
#include <vector>

#include "sim/ir/bindings.h"
#include "texlate/texlate.h"

namespace texlate::executor {

/// The members of a texlate_known_state, in memory of its own.
struct KnownLists {
  std::vector<texlate_known_resource> resources;
  std::vector<texlate_known_sampler> samplers;
  std::vector<texlate_known_constants> constants;
  std::deque<std::vector<uint32_t>> words;

  /// Refers to the lists, which must not change afterwards.
  texlate_known_state state() const;
};

/// Everything that known state can say about the registers of a shader with these bindings.
KnownLists known_of(const ir::Module& contract, const sim::Bindings& bindings);

texlate_known_sampler known_sampler(uint32_t space, uint32_t reg, const sim::Sampler& sampler);

/// Does the scene give what the code relies on? If not, each contradiction is an error that names the fact.
/// `module` has the declarations of the contract.
bool keeps_promises(const ir::Module& module, const sim::Bindings& bindings, Diagnostics& diagnostics);

}  // namespace texlate::executor
