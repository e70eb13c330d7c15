// What the host knows about a program's bindings when it translates: facts that are constants from then on.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/resource.h"

namespace texlate::ir {

enum class RegisterFile : uint8_t { resource, uav, sampler, constant_buffer };  // t#, u#, s#, cb#

/// Registers first..last of a space; 0xffffffff: all that follow. Before shader model 5.1 the space is 0 and
/// a register is the number in its name.
struct KnownRegisters {
  RegisterFile file = RegisterFile::resource;
  uint32_t space = 0, first = 0, last = 0;

  bool contains(RegisterFile of, uint32_t in, uint32_t reg) const {
    return file == of && space == in && first <= reg && reg <= last;
  }
  bool operator==(const KnownRegisters&) const = default;
};

/// A fact of each of these textures, buffers or samplers. Every fact but `bound` says that something is
/// bound.
struct KnownFact {
  KnownRegisters of;
  BindingFact fact = BindingFact::bound;
  uint32_t value = 0;
  bool specialize = false;  // the value is the default of a specialization constant
  bool operator==(const KnownFact&) const = default;
};

/// Components of a row of each of these constant buffers. Such a row is bound.
struct KnownRow {
  KnownRegisters of;
  uint32_t row = 0;
  uint8_t mask = 0xf;  // the components that are known
  uint32_t words[4] = {};
  bool specialize = false;  // as above
  bool operator==(const KnownRow&) const = default;
};

/// Rows 0..count-1 of each of these constant buffers are bound, possibly more.
struct KnownRowCount {
  KnownRegisters of;
  uint32_t count = 0;
  bool operator==(const KnownRowCount&) const = default;
};

/// The format of these typed views for unordered access.
struct KnownViewFormat {
  KnownRegisters of;
  std::string_view name;  // a word that lives as long as the program
  bool operator==(const KnownViewFormat&) const = default;
};

/// What is known of each launch of a pixel or vertex shader.
struct KnownLaunch {
  uint32_t elements = 0;             // pixels or vertices; 0: not known
  std::optional<bool> helper_lanes;  // false: every pixel is covered
  std::optional<bool> early_depth;   // true: depth and stencil are tested before the shader, or not at all

  bool empty() const { return elements == 0 && !helper_lanes && !early_depth; }
  /// The launch has exactly one thread for each element: they fill all warps.
  bool has_exact_threads() const { return elements != 0 && elements % 32 == 0; }
  bool operator==(const KnownLaunch&) const = default;
};

/// A specialization constant of a module: a fact of a texture or buffer, or a word of a constant buffer.
struct Specialized {
  KnownRegisters of;                      // one register
  BindingFact fact = BindingFact::bound;  // not of constant buffers
  uint32_t row = 0, component = 0;        // of constant buffers
  uint32_t value = 0;                     // the default
  bool is_same_place(const Specialized& other) const {
    return of == other.of && fact == other.fact && row == other.row && component == other.component;
  }
};

/// Of two entries for the same thing the first one counts.
struct KnownState {
  std::span<const KnownFact> facts;
  std::span<const KnownRow> rows;
  std::span<const KnownRowCount> row_counts;
  KnownLaunch launch = {};

  bool empty() const { return facts.empty() && rows.empty() && row_counts.empty() && launch.empty(); }
};

/// The part of the known state that the code of a module relies on, register by register: the host's promise.
struct Reliance {
  explicit Reliance(std::pmr::memory_resource* memory)
      : facts(memory), rows(memory), row_counts(memory), view_formats(memory) {}
  std::pmr::vector<KnownFact> facts;
  std::pmr::vector<KnownRow> rows;
  std::pmr::vector<KnownRowCount> row_counts;
  std::pmr::vector<KnownViewFormat> view_formats;
  KnownLaunch launch;

  KnownState state() const { return {facts, rows, row_counts, launch}; }
  bool empty() const { return state().empty() && view_formats.empty(); }
};

}  // namespace texlate::ir
