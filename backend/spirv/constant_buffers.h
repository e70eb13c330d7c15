// Constant buffers as uniform buffers: their types, variables and loads.
#pragma once

#include "backend/spirv/constant_layout.h"
#include "backend/spirv/push_constants.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

class ConstantBuffers : private Writer {
 public:
  ConstantBuffers(Core& core, ConstantLayouts& layouts, const RegisterPlaces& places,
                  DescriptorReport& report, PushConstants& push_constants)
      : Writer(core), layouts_(layouts), places_(places), report_(report), push_constants_(push_constants) {}

  /// cb.load
  void emit_load(const Instruction& instruction);
  void emit_specialization(const Instruction& instruction);

 private:
  /// The variables of one buffer: two views of the same bytes. none: not declared.
  struct Variables {
    Id floats, uints;
  };
  /// struct { T4 rows[N]; }
  struct Block {
    uint32_t rows;
    Kind kind;
    Id type;
  };

  Id row_block(const ConstantLayout& layout);
  Id array_block(const ConstantLayout& layout, const ir::ConstantBuffer& buffer, Kind kind);
  Id variable_of(uint32_t index, Kind kind);
  Id range_index(const Instruction& load, bool& non_uniform);

  ConstantLayouts& layouts_;
  const RegisterPlaces& places_;
  DescriptorReport& report_;
  PushConstants& push_constants_;
  const std::span<Variables> variables_ = zeroed<Variables>(arena_, module_.constant_buffers.size());
  ArenaBuffer<Block> blocks_{&arena_};
};

}  // namespace texlate::spirv
