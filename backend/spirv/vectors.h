// The vectors of a function. Their components are extracted where the vector is defined, if anything needs them
// by themselves: what nobody asks for is never written, and what one block asks for another has too.
#pragma once

#include "backend/spirv/function_body.h"

namespace texlate::spirv {

class Vectors {
 public:
  Vectors(ModuleBuilder& builder, FunctionBody& body, std::pmr::memory_resource* memory)
      : builder_(builder), body_(body), vectors_(memory), finished_(memory) {}

  /// A number for a vector of 2 to 4 components that has been defined in the block that is being written, or
  /// at the function's entry.
  uint32_t add(Id id, uint32_t size, As as);

  uint32_t size(uint32_t vector) const { return vectors_[vector].size; }
  bool is_loaded_at_entry(uint32_t vector) const { return vectors_[vector].at_entry; }
  /// The vector as what it is, or with its bits as the other one of float and uint.
  Id id(uint32_t vector, As as);
  /// A component by itself, likewise.
  Id component(uint32_t vector, uint32_t lane, As as);

  /// The words of the function's body with the components that were asked for; forgets the vectors.
  Words& finish();

 private:
  struct Vector {
    Id id;
    Id other;  // with its bits as the other kind; 0: nobody asked for it
    uint32_t position;  // in the entry or the blocks: behind its definition
    As as;
    uint8_t size;
    bool at_entry;
    bool is_asked;  // for anything that finish() must write
    std::array<Id, 4> components, other_components;  // 0: nobody asked for it
  };

  void write_parts(const Vector& vector);
  void write_stream(const Words& words, bool entry);

  ModuleBuilder& builder_;
  FunctionBody& body_;
  Buffer<Vector> vectors_;
  Words finished_;
  uint32_t asked_ = 0;  // vectors of which finish() must write something
};

}  // namespace texlate::spirv
