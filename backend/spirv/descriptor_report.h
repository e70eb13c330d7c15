// What a module requires from its host, recorded as it is declared: descriptors and facts.
#pragma once

#include <string>

#include "backend/spirv/register_places.h"
#include "backend/spirv/writer.h"

namespace texlate::spirv {

class DescriptorReport : private Writer {
 public:
  DescriptorReport(Core& core, const RegisterPlaces& places) : Writer(core), places_(places) {}

  /// Decorates and names a variable of a register; adds it to the report.
  void describe(Id variable, DescriptorKind kind, RegisterClass register_class, uint32_t index);
  void describe_combined(Id variable, uint32_t resource, const CombinedEntry& entry);
  void add(const Descriptor& descriptor);
  /// The specialization constant of a fact, or the number that the caller gave for it.
  /// `index`: see Specialization.
  Id fact(Fact which, uint32_t index);
  /// A word of a constant buffer that is passed as specialization constants.
  Id constant_word(uint32_t buffer, uint32_t word);

  /// Run it after everything is declared. Reports errors for two registers at one binding, for a range that
  /// is longer than its array, and for a register that a strict map lacks.
  void check();

 private:
  void describe(Id variable, const Descriptor& descriptor, std::string_view name);
  const Place& place_of(RegisterClass register_class, uint32_t index) const;
  uint32_t specialization_id(Fact which, uint32_t resource) const;
  const FactSource* source_of(Fact which, uint32_t resource) const;
  std::string register_name(const Descriptor& descriptor) const;
  /// The id of a specialization constant of the module.
  struct SpecId {
    uint32_t id;
    bool is_bool, is_default;
  };
  void refuse_shared_id(const SpecId& chosen);
  void refuse_default_place(const Descriptor& descriptor);
  void refuse_short_array(const Descriptor& descriptor);

  const RegisterPlaces& places_;
  ArenaBuffer<Descriptor> described_{&arena_};
  ArenaBuffer<SpecId> ids_{&arena_};
  /// A word of a constant buffer.
  struct Word {
    uint32_t buffer, word;
    Id id;
  };
  ArenaBuffer<Word> words_{&arena_};
};

}  // namespace texlate::spirv
