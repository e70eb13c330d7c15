// One lane's access to a resource: its operands, which a contract names, and its results.
#pragma once

#include <array>

#include "sim/ir/lanes.h"
#include "sim/texture_unit/lod.h"

namespace texlate::sim {

/// The lane and the report change; the access is the same for all lanes.
struct LaneAccess {
  LaneAccess(Lanes& all, const Step& executed)
      : lanes(all),
        step(executed),
        instruction(all.module.code[executed.source]),
        contract(all.module.accesses[executed.payload]) {}

  bool has(ir::Slot which) const { return contract.has(which); }
  /// The row of the slot's values.
  const uint32_t* row(ir::Slot which) const;
  uint32_t slot(ir::Slot which) const { return row(which)[lane]; }
  /// 0 if the access lacks the slot.
  float float_slot(ir::Slot which) const;
  /// True if there is no guard, too.
  bool is_allowed() const { return !has(ir::Slot::guard) || slot(ir::Slot::guard) != 0; }
  uint64_t address() const;
  /// The register in the range of the access's slot.
  uint32_t register_index() const;
  const BoundResource& resource();
  const Sampler& sampler();
  /// True if another dimension replaces the declared one: 1D textures are bound with height 1, samples as
  /// slices.
  bool stands_in() const;
  Word4 texel_address(const TextureView& view) const;
  std::array<float, 4> coordinate(const TextureView& view) const;
  /// Over the quad, like ddx.coarse and ddy.coarse.
  Derivatives derivatives();

  void put(uint32_t result, uint32_t value) { lanes.row(step.result)[result * lanes.count + lane] = value; }
  /// A texel of a format. Until legalization adds code that fills in missing components, a target that
  /// promises nothing leaves them undefined.
  void put_texel(Word4 texel, Format format, bool keep_all = false);
  /// Reports an access that a target that promises nothing would do wrong.
  void report_unguarded(const char* what);

  Lanes& lanes;
  const Step& step;
  const ir::Instruction& instruction;
  const ir::ResourceAccess& contract;
  uint32_t lane = 0;
  Access access = {};  // the texture unit's report
};

// texture_access.cpp

void fetch(LaneAccess& at, const BoundResource& resource);
void sample_texture(LaneAccess& at, const BoundResource& resource);
void gather(LaneAccess& at, const BoundResource& resource);
/// Sizes, counts and positions of samples, levels of detail.
void query(LaneAccess& at, const BoundResource& resource);

/// trace.cpp: tells the tracer what the access did.
void trace_access(LaneAccess& at, const std::vector<TexelRead>& texels);

}  // namespace texlate::sim
