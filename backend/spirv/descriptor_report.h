// What a module requires from its host, recorded as it is declared: descriptors and facts.
#pragma once

#include "backend/spirv/register_places.h"
#include "backend/spirv/writer.h"

namespace texlate::spirv {

class DescriptorReport : private Writer {
 public:
  DescriptorReport(Core& core, const RegisterPlaces& places) : Writer(core), places_(places) {}

  /// Declares the variable of a register or range of registers, whose descriptors have this object, and adds
  /// it to the report.
  Id declare(spv::StorageClass storage, Id object, DescriptorKind kind, RegisterClass register_class,
             uint32_t index);
  /// The same for an image and a sampler in one descriptor.
  Id declare_combined(Id object, uint32_t resource, const CombinedEntry& entry);
  void add(const Descriptor& descriptor);
  /// The specialization constant of a fact, or the number that the caller gave for it.
  /// `index` and `word`: see Specialization.
  Id fact(Fact which, uint32_t index, uint32_t word = 0);
  /// `bound` or `missing_alpha` of the register at this place of its range; none: it has no range.
  Id register_fact(Fact which, uint32_t index, Value at);

  /// Run it after everything is declared. Reports errors for two registers at one binding, for a range that
  /// is longer than its array, and for a register that a strict map lacks.
  void check();

 private:
  /// A specialization constant of the module.
  struct Constant {
    Specialization what;
    bool is_chosen;  // its number, by the caller
    Id id = Id::none;
  };

  Id array_of(Id object, const Registers& registers, const Place& place);
  void describe(Id variable, const Descriptor& descriptor, std::string_view name);
  uint32_t specialization_id(Fact which, uint32_t index, uint32_t word) const;
  const FactSource* source_of(Fact which, uint32_t index, uint32_t element) const;
  void refuse_shared_id(const Constant& chosen);
  void refuse_default_place(const Descriptor& descriptor);
  void refuse_short_array(const Descriptor& descriptor);

  const RegisterPlaces& places_;
  ArenaBuffer<Descriptor> described_{&arena_};
  ArenaBuffer<Constant> constants_{&arena_};
};

}  // namespace texlate::spirv
