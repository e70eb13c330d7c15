// Converts known state from the C interface.
#pragma once

#include <memory_resource>
#include <string>
#include <vector>

#include "backend/view_format.h"
#include "ir/known_state.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// The texels of typed views.
struct KnownFormat {
  ir::KnownRegisters of;
  uint32_t number = 0;         // in DXGI_FORMAT
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

/// What is known of registers that `program` declares must suit views of the declared dimension, and the
/// launch its stage: otherwise an argument error.
void check_known_state(const texlate_known_state& given, const texlate_program& program, bool is_kernel);

/// The words must be those of rows that a buffer can have: otherwise an argument error. `name` is that of the
/// entry, in messages.
void check_known_rows(const texlate_known_constants& from, const std::string& name);

/// Does any entry ask for a specialization constant?
bool specializes(const ir::KnownState& state);

/// What Direct3D does not have is an argument error that names the member, and so are two entries for the
/// same fact of a register.
void take_known_state(const texlate_known_state& given, KnownSettings& to);

}  // namespace texlate::library
