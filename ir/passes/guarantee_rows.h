// A table of texture promises written as rows, for targets whose promises follow no rule.
#pragma once

#include <span>

#include "ir/passes/texture_guarantees.h"

namespace texlate::ir {

struct GuaranteeRow {
  Op op;
  Dimension dimension;
  uint32_t promises;
  std::string_view source;
};

constexpr void set_promises(GuaranteeTable& table, std::span<const GuaranteeRow> rows) {
  for (const GuaranteeRow& row : rows) {
    for (size_t i = 0; i < kResourceOps.size(); ++i) {
      if (kResourceOps[i] != row.op) continue;
      TextureGuarantee& guarantee = table.rows[i][static_cast<size_t>(row.dimension)];
      guarantee.promises = row.promises;
      guarantee.source = row.source;
    }
  }
}

/// stand_in(dimension): the dimension whose operations are used instead.
template <typename StandIn>
constexpr void set_stand_ins(GuaranteeTable& table, StandIn stand_in) {
  for (auto& op_row : table.rows) {
    for (uint32_t d = 0; d < kDimensionCount; ++d) op_row[d].stand_in = stand_in(static_cast<Dimension>(d));
  }
}

}  // namespace texlate::ir
