// Converts known state from the C interface.
#pragma once

#include <memory_resource>
#include <vector>

#include "backend/view_format.h"
#include "ir/known_state.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// The texels of typed views.
struct KnownFormat {
  ir::KnownRegisters of;
  backend::ViewFormat format;  // `uav` is not set
};

struct KnownSettings {
  explicit KnownSettings(std::pmr::memory_resource* memory)
      : facts(memory), rows(memory), row_counts(memory), formats(memory) {}
  std::pmr::vector<ir::KnownFact> facts;
  std::pmr::vector<ir::KnownRow> rows;
  std::pmr::vector<ir::KnownRowCount> row_counts;
  std::pmr::vector<KnownFormat> formats;
  ir::KnownState state;  // of the above, after take_known_state()
};

/// Does any entry ask for a specialization constant?
bool specializes(const ir::KnownState& state);

/// What Direct3D does not have is an argument error that names the member, and so are two entries for the
/// same fact of a register.
void take_known_state(const texlate_known_state& given, KnownSettings& to);

}  // namespace texlate::library
