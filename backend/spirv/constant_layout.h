// How constant buffers are laid out as uniform buffers. A buffer of which only a few known rows are read is a
// struct of these rows; every other buffer is an array.
#pragma once

#include <array>

#include "backend/spirv/register_places.h"
#include "backend/spirv/survey.h"

namespace texlate::spirv {

/// Rows of the largest constant buffer in Direct3D.
constexpr uint32_t kMostConstantRows = 4096;

struct ConstantLayout {
  /// A row that is a member of the struct.
  struct Member {
    uint32_t row = 0;
    Kind kind = Kind::float_;
    uint8_t used = 0;  // components, of all loads
    bool is_scalar() const { return (used & (used - 1)) == 0; }
    bool operator==(const Member& other) const {
      return row == other.row && kind == other.kind && is_scalar() == other.is_scalar() &&
             (!is_scalar() || used == other.used);
    }
  };
  static constexpr uint32_t kMostMembers = 4;

  std::array<Member, kMostMembers> rows{};  // ascending
  uint8_t count = 0;
  bool overflowed = false;  // more rows are read than `rows` holds
  bool indexed = false;     // indexed at run time
  bool is_array = true;
  std::array<uint32_t, 2> loads{};  // as floats and as integers
  uint32_t end = 0;                 // the last row that is read, plus 1
  Id block = Id::none;              // the struct's type, after it is declared

  /// Which member a row is; kNoIndex: none.
  uint32_t member_of(uint32_t row) const {
    for (uint32_t m = 0; m < count; ++m) {
      if (rows[m].row == row) return m;
    }
    return kNoIndex;
  }
  void read_row(uint32_t row, Kind kind);
};

using ConstantLayouts = ArenaBuffer<ConstantLayout>;  // by constant buffer

/// Lays out all buffers. Gives all loads of a row the same kind, or all loads of a buffer if only few would
/// have the other kind.
void plan_constant_buffers(const ir::Module& module, const Survey& survey, const RegisterPlaces& places,
                           ConstantLayouts& layouts);

/// Run it after the uses are known: finds the rows of which one component is enough.
void note_constant_components(const ir::Module& module, const Survey& survey, ConstantLayouts& layouts);

}  // namespace texlate::spirv
