// The variables of resources and samplers, and what a shader can query about them.
#pragma once

#include "backend/spirv/push_constants.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

/// Components of OpImageQuerySize*: axes, then layers.
constexpr uint32_t size_count(Dimension dimension) {
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  return axes + (ir::is_array(dimension) ? 1 : 0);
}

class Bindings : private Writer {
 public:
  Bindings(Core& core, const ModuleUses& uses, const RegisterPlaces& places, DescriptorReport& report,
           PushConstants& push_constants)
      : Writer(core), uses_(uses), places_(places), report_(report), push_constants_(push_constants) {}

  /// Pointer to a word of a raw or structured buffer that is a storage buffer.
  Id word_pointer(const Instruction& instruction, Id word, Kind kind);
  /// Pointer to a texel of a view, for atomics.
  Id texel_pointer(const Instruction& instruction, Id type, Id where);
  void declare(uint32_t index) { declare_resource(index); }
  /// Is a raw or structured buffer a storage buffer? Otherwise it is a texel buffer.
  bool is_block(uint32_t index) const { return kind_of(index) == DescriptorKind::storage_buffer; }
  /// The image of an access.
  Id image(const Instruction& instruction);
  /// The image and the sampler of an access, together.
  Id sampled_image(const Instruction& instruction);
  /// Pointer to the counter of an access's view.
  Id counter_pointer(const Instruction& instruction);
  /// The SPIR-V type of one component of an image's texels.
  Id texel_component(uint32_t index);
  /// Is the image multisampled in SPIR-V?
  bool is_multisampled(const ir::Resource& resource) const;

  /// Width, height, depth or layers of a mip of an image; kNoValue: the first.
  Id image_size(const ir::Resource& resource, Id texture, Value level);
  /// A fact of the accessed resource: size of mip 0, number of mips, samples; 0 for an unbound slot.
  Id query(const Instruction& instruction, ir::BindingFact fact) {
    return query(resource_of(instruction), fact);
  }
  /// The same, as the result.
  void emit_fact(const Instruction& instruction, ir::BindingFact fact);
  /// `binding` and `bound`.
  void emit_query(const Instruction& instruction);

  /// Forgets what a function loaded at its start: it is not available in another function.
  void forget_entry_values();

 private:
  /// A resource, counter or sampler. Of a range of registers, the element `at`; kNoValue: the first.
  struct Descriptor {
    uint32_t index;  // of the resource or sampler
    DescriptorKind kind;
    const Place* place;
    bool is_range;
    Value at;
    bool non_uniform;  // `at` differs between invocations
    bool is_array() const { return is_range || place->array_size != 0; }
  };
  /// The variable of a resource or sampler. Ids are none until they are needed.
  struct Binding {
    Id variable;
    Id pointee;  // type of one descriptor's object
    Id object;   // loaded at entry
    Id counter;
  };
  struct Pair {
    Id image, sampler, sampled, block;
  };

  Binding& declare_resource(uint32_t index);
  DescriptorKind kind_of(uint32_t index) const {
    return spirv::kind_of(module_.resources[index], places_.resources[index]);
  }
  bool may_alias(uint32_t index) const;
  void decorate_view(uint32_t index);
  Id image_type(uint32_t index);
  uint32_t view_format(uint32_t index);
  uint32_t chosen_format(uint32_t index) const;
  /// SPIR-V 1.3 has a storage class for storage buffers; before, they are uniform buffers whose structure is
  /// decorated BufferBlock (SPIR-V 3.7, 3.20).
  bool has_storage_buffers() const { return options_.version >= Version::v1_3; }
  Id words_type(bool is_uav);
  Id block_of(Id member);
  Id buffer_block(Kind kind);
  /// `is_marked`: the shader says that the index differs between invocations. It may have become constant, or
  /// its register may not be a range: then nothing is indexed, and no capability is required.
  template <typename Declared>
  Descriptor descriptor(uint32_t index, const Declared& declared, DescriptorKind kind, const Place& place,
                        Value at, bool is_marked) const;
  Descriptor resource(uint32_t index, Value at, bool is_marked) const;
  Descriptor resource_of(const Instruction& instruction) const;
  Descriptor sampler_of(const Instruction& instruction) const;
  Id marked(Id id, bool non_uniform);
  Id image_of(const Descriptor& from);
  Id sampler(const Instruction& instruction);
  Id index(const Descriptor& from);
  spv::StorageClass storage_of(DescriptorKind kind) const;
  Id object(Binding& binding, const Descriptor& from);
  Id element(Id variable, Id object, const Descriptor& from);
  Id texel_of(Id view, Id type, Id where, const Descriptor& from);
  const CombinedEntry* find_combined(const ir::Resource& texture, const ir::Sampler* sampler) const;
  const CombinedEntry* only_combined(const ir::Resource& texture) const;
  Id combined_object(uint32_t resource, const CombinedEntry& entry);
  Id query(const Descriptor& from, ir::BindingFact fact);
  Id buffer_size(const ir::Resource& resource, Id words, ir::BindingFact fact);
  Id image_fact(const Descriptor& from, ir::BindingFact fact);

  const ModuleUses& uses_;
  const RegisterPlaces& places_;
  DescriptorReport& report_;
  PushConstants& push_constants_;
  const std::span<Binding> resources_ = zeroed<Binding>(arena_, module_.resources.size());
  const std::span<Binding> samplers_ = zeroed<Binding>(arena_, module_.samplers.size());
  const std::span<Binding> combined_ = zeroed<Binding>(arena_, options_.bindings.combined.size());
  ArenaBuffer<Pair> pairs_{&arena_};
  Id block_type_[3] = {};  // by kind
  Id counter_block_ = Id::none;
};

}  // namespace texlate::spirv
