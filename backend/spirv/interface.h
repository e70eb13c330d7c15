// The variables of a module's interface: inputs, outputs, patch constants, built-ins.
#pragma once

#include "backend/spirv/writer.h"
#include "ir/tessellation_factor.h"

namespace texlate::spirv {

/// Where a tessellation factor is in TessLevelOuter or TessLevelInner, whose order is Direct3D's. What else
/// has a system value has no place of its own.
inline ir::TessellationFactor factor_place(ir::SystemValue value) {
  return ir::tessellation_factor(value).value_or(ir::TessellationFactor());
}

/// Is it a pixel shader that runs for each sample? Declaring an input that requires it is enough (D3D11.3
/// functional specification 16.2). Where the device cannot and targets have one sample, that is the pixel.
bool runs_for_each_sample(const ir::Module& module, const Options& options);

/// Does the caller say that render targets have one sample?
bool is_single_sampled(const Options& options);

class Interface : private Writer {
 public:
  static constexpr uint32_t kWhole = 4;  // all components

  Interface(Core& core, InterfaceElements& elements)
      : Writer(core), elements_(elements), per_sample_(runs_for_each_sample(core.module, core.options)) {}

  /// The variables of plain inputs and outputs; the others are declared where they are needed.
  void declare();
  InterfaceElements& elements() { return elements_; }
  const InterfaceElements& elements() const { return elements_; }

  Id builtin(spv::BuiltIn which, Id type, spv::StorageClass storage) {
    return find_builtin(which, type, storage).variable;
  }
  /// The value of an input built-in, loaded at entry.
  Id load_builtin(spv::BuiltIn which, Id type) { return loaded_builtin(which, type).value; }
  /// The same for a vector: a number of Vectors.
  uint32_t builtin_vector(spv::BuiltIn which, uint32_t size, As as);
  /// x, y and z of a pixel's position, loaded at entry: a number of Vectors.
  uint32_t pixel_position(const Element& element);
  /// Requires the capability or, if it is not enough here, ShaderViewportIndexLayerEXT.
  void require_or_index_layer(bool is_enough, spv::Capability capability);
  /// vOutputControlPointID, or vGSInstanceID.
  Id invocation() { return load_builtin(spv::BuiltInInvocationId, builder_.uint_type()); }
  /// TessLevelOuter or TessLevelInner.
  Id tessellation_levels(bool inner, spv::StorageClass storage);
  /// The SPIR-V type of the components of an element's variable.
  Id component_type(const Element& element) {
    return element.is_signed ? builder_.int_type() : type_of(element.kind);
  }
  /// Clip or cull distances of all registers; none: there are none.
  Id distances(bool is_input, ir::SystemValue which);

  /// Loads a plain input at entry.
  void load_input(Element& element);
  /// A component of a plain input, loaded at entry.
  Id input_component(Element& element, uint32_t component);

  // Pointers; none: there is no such variable.
  /// To one component of an input of vertex `index`, or to the whole vector.
  Id vertex_pointer(Element& element, Id index, uint32_t component);
  /// For a vertex or control point: to a component of an element that is a vector, or to the whole.
  Id point_pointer(spv::StorageClass storage, const Element& element, Id index, uint32_t component);
  /// To the whole vector of an output, if it is one.
  Id output_vector(Element& element);
  /// To one component of an output that is a float vector, a position or a distance.
  Id output_pointer(Element& element, uint32_t component);
  /// To an output that is a separate built-in with one component.
  Id output_builtin(Element& element);
  /// The variable of a patch constant that is a vector, which the hull shader writes and the domain shader
  /// reads; none: no location is left for it.
  Id patch_vector(Element& element);
  /// To one component of a patch constant.
  Id patch_pointer(Element& element, uint32_t component);

  /// Values loaded at the start of one function are not available in another.
  void forget_entry_values();

 private:
  struct Builtin {
    uint32_t key;
    Id variable, value;
    uint32_t vector;  // number of Vectors; kNoIndex: none yet
  };

  Builtin& find_builtin(spv::BuiltIn which, Id type, spv::StorageClass storage);
  Builtin& loaded_builtin(spv::BuiltIn which, Id type);
  void declare(Element& element, bool is_input);
  spv::StorageClass patch_storage() const {
    return module_.stage == ir::Stage::hull ? spv::StorageClassOutput : spv::StorageClassInput;
  }
  void declare_sample_frequency();
  uint32_t center_of_pixel(Id position);
  Id load_at_center(const Element& element, Id type);
  Id with_point_sprite(const Element& element, Id loaded);
  void declare_capture(Element& element);
  void decorate_location(const Element& element);
  void decorate_stream(const Element& element);
  void declare_interpolation(const Element& element);
  /// The semantic from its signature, or a register's name.
  void name_element(const Element& element, std::string_view prefix);

  InterfaceElements& elements_;
  ArenaBuffer<Builtin> builtins_{&arena_};
  const bool per_sample_;
  uint32_t center_ = kNoIndex;  // number of Vectors: a pixel's position whose x and y are the center
};

}  // namespace texlate::spirv
