// Values that a function derives from definitions: components of vectors, and bits reinterpreted between
// float and uint. They are written directly after the definition, and only if something uses them. All blocks
// that the definition dominates can share them.
#pragma once

#include "backend/spirv/function_body.h"

namespace texlate::spirv {

class DerivedValues {
 public:
  DerivedValues(ModuleBuilder& builder, FunctionBody& body, std::pmr::memory_resource* memory)
      : builder_(builder), body_(body), vectors_(memory), casts_(memory), finished_(memory) {}

  /// A place in the function, after what was written last.
  struct Place {
    uint32_t position : 31;  // in the entry or the blocks
    uint32_t at_entry : 1;
  };
  Place here() const { return {static_cast<uint32_t>(body_.here()) & 0x7fffffffu, body_.is_at_entry()}; }

  // Vectors of 2 to 4 components
  /// About how many there will be: growing would copy.
  void expect(size_t vectors) { vectors_.reserve(vectors); }
  /// Returns a number for a vector that has been defined in the current block, or at the entry.
  uint32_t add(Id id, uint32_t size, As as);
  uint32_t size(uint32_t vector) const { return vectors_[vector].size; }
  /// Has something asked for that component?
  bool is_extracted(uint32_t vector, uint32_t lane) const {
    return vectors_[vector].components[lane] != Id::none ||
           vectors_[vector].other_components[lane] != Id::none;
  }
  bool is_loaded_at_entry(uint32_t vector) const { return vectors_[vector].place.at_entry != 0; }
  /// The vector as it is, or with its bits reinterpreted between float and uint.
  Id id(uint32_t vector, As as) { return vectors_[vector].as == as ? vectors_[vector].id : other_id(vector); }
  /// One component, in the same way.
  Id component(uint32_t vector, uint32_t lane, As as);

  /// The bits of a scalar that was defined before `place` as a float or uint.
  Id cast(Id scalar, As as, Place place);

  /// Returns the words of the function's body with everything that was asked for, and forgets all of it.
  Words& finish();

 private:
  struct Vector {
    Id id;
    Id other;  // with its bits as the other kind; none: never asked for
    Place place;
    As as;
    uint8_t size;
    bool is_asked;                                   // for anything that finish() must write
    std::array<Id, 4> components, other_components;  // none: never asked for
  };
  struct Cast {
    Place place;
    As as;
    Id id, of;
  };

  Id other_id(uint32_t vector);
  void ask(Vector& vector) {
    asked_ += vector.is_asked ? 0 : 1;
    vector.is_asked = true;
  }
  void write_parts(const Vector& vector);
  void write_stream(const Words& words, uint32_t at_entry, std::span<const Cast> casts);

  ModuleBuilder& builder_;
  FunctionBody& body_;
  Buffer<Vector> vectors_;
  Buffer<Cast> casts_;
  Words finished_;
  uint32_t asked_ = 0;  // vectors from which finish() must write something
};

}  // namespace texlate::spirv
