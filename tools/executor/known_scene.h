// Known state and scenes: what a scene says about its bindings, and whether it keeps a promise.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "library/known_state.h"
#include "sim/scene/scene.h"
#include "texlate/texlate.h"

namespace texlate::executor {

/// The members of a texlate_known_state, in memory of its own.
struct KnownLists {
  texlate_known_state launch = TEXLATE_KNOWN_STATE_INIT;  // only what is known of launches
  std::vector<texlate_known_resource> resources;
  std::vector<texlate_known_sampler> samplers;
  std::vector<texlate_known_constants> constants;
  std::deque<std::vector<uint32_t>> words;

  /// Refers to the lists, which must not change afterwards.
  texlate_known_state state() const;
};

/// Everything that known state can say about a shader on this scene.
KnownLists known_of(const ir::Module& contract, const sim::Scene& scene);

/// TEXLATE_FORMAT_UNKNOWN: typed views for unordered access cannot have this format.
texlate_format view_format_of(sim::Format format);

texlate_known_sampler known_sampler(uint32_t space, uint32_t reg, const sim::Sampler& sampler);

/// What the scene gives for a specialization constant.
uint32_t value_of(const ir::Module& module, const ir::Specialized& constant, const sim::Bindings& bindings);

/// Does the scene give what the code relies on? If not, each contradiction is an error that names the fact.
/// `module` is a legal form of `contract`.
bool keeps_promises(const ir::Module& module, const ir::Module& contract, const sim::Scene& scene,
                    Diagnostics& diagnostics);

/// The same of the formats of typed u#, which the code of some targets relies on.
bool has_known_formats(const ir::Module& contract, std::span<const library::KnownFormat> known,
                       const sim::Scene& scene, Diagnostics& diagnostics);

}  // namespace texlate::executor
