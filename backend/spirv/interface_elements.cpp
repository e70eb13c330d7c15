#include "backend/spirv/interface_elements.h"

#include <algorithm>
#include <bit>

#include "ir/distances.h"

namespace texlate::spirv {

namespace {

/// D3D_REGISTER_COMPONENT_TYPE in Parameter::component_type.
constexpr uint8_t kUnsigned = 1, kSigned = 2;

/// Is it a copy of an output for a transform feedback buffer? See arrange_outputs().
bool is_capture(const Parameter& parameter) {
  return parameter.reg >= kFirstCapture && parameter.reg < ir::kSpecialRegister;
}

/// Every stream of a geometry shader numbers its registers from 0; the locations of streams are consecutive.
uint32_t first_location(const ir::Module& module, uint32_t stream) {
  uint32_t first = 0;
  for (uint32_t s = 0; s < stream; ++s) {
    uint32_t registers = 0;
    for (const Parameter& parameter : module.outputs) {
      if (parameter.stream == s && parameter.reg < kFirstKept)
        registers = std::max(registers, parameter.reg + 1);
    }
    first += registers;
  }
  return first;
}

/// The element without a system value of the parameter's register; null: none.
Element* find_plain(Elements& elements, const Parameter& parameter) {
  const auto found = std::ranges::find_if(elements, [&](const Element& element) {
    return element.reg == parameter.reg && element.stream == parameter.stream &&
           element.system_value == SystemValue::none;
  });
  return found != elements.end() ? found : nullptr;
}

/// Plans the parameters of one side, one after the other.
class Planner {
 public:
  Planner(const ir::Module& module, bool is_input, std::span<const Capture> captures, Elements& elements)
      : module_(module),
        is_input_(is_input),
        captures_(captures),
        parameters_(is_input ? module.inputs : module.outputs),
        elements_(elements) {}

  void run() {
    for (const Parameter& parameter : parameters_) {
      Element element{.reg = parameter.reg,
                      .mask = parameter.mask,
                      .is_output = !is_input_,
                      .stream = parameter.stream,
                      .array_size = is_input_ ? parameter.array_size : 0,
                      .semantic = parameter.semantic,
                      .semantic_index = parameter.semantic_index};
      if (!is_input_ && is_capture(parameter)) {
        element.capture = parameter.reg - kFirstCapture;
        element.count = captures_[element.capture].count;
        element.location = location_of(module_, parameter);
      } else if (!is_input_ && parameter.reg == kPointSizeRegister) {
        element.is_point_size = true;
      } else if (is_system_value(parameter)) {
        element.system_value = parameter.system_value;
        element.interpolation = parameter.interpolation;
        for (uint32_t c = 0; c < 4 && is_clip_or_cull(parameter.system_value); ++c)
          element.clip_base[c] = static_cast<uint8_t>(
              ir::distances_before(parameters_, parameter.system_value, 0, parameter.reg, c));
      } else if (!plan_plain(parameter, element)) {
        continue;
      }
      elements_.push_back(element);
    }
  }

 private:
  Kind kind_of(const Parameter& parameter) const {
    const bool outer = is_input_ ? module_.stage == Stage::vertex : module_.stage == Stage::pixel;
    const bool integer = parameter.component_type == kUnsigned || parameter.component_type == kSigned;
    return outer && integer ? Kind::uint : Kind::float_;
  }

  /// False: the element of another parameter has it, too.
  bool plan_plain(const Parameter& parameter, Element& element) const {
    const Kind kind = kind_of(parameter);
    bool alone = true;  // no other parameter requires another variable in the same register
    uint8_t mask = parameter.mask;
    for (const Parameter& other : parameters_) {
      if (&other == &parameter || other.reg != parameter.reg || other.stream != parameter.stream ||
          is_system_value(other))
        continue;
      alone &= other.interpolation == parameter.interpolation && kind_of(other) == kind;
      mask |= other.mask;
    }
    if (Element* const same = alone ? find_plain(elements_, parameter) : nullptr; same != nullptr) {
      same->mask |= parameter.mask;
      return false;
    }
    element.kind = kind;
    element.is_signed = kind == Kind::uint && parameter.component_type == kSigned;
    element.interpolation = parameter.interpolation;
    element.location = location_of(module_, parameter);
    if (!is_input_ && module_.stage == Stage::hull)
      element.array_size = std::max(1u, module_.output_control_points);
    if (!alone && parameter.mask != 0) {
      element.first = static_cast<uint8_t>(std::countr_zero(parameter.mask));
      element.count = static_cast<uint8_t>(std::bit_width(parameter.mask) - element.first);
    } else if (!is_input_ && module_.stage == Stage::pixel && mask != 0) {
      // A render target is not one side of an interface that must match.
      element.count = static_cast<uint8_t>(std::bit_width(mask));
    }
    return true;
  }

  const ir::Module& module_;
  const bool is_input_;
  const std::span<const Capture> captures_;
  const std::span<const Parameter> parameters_;
  Elements& elements_;
};

void plan_patch_constants(const ir::Module& module, Elements& elements) {
  for (const Parameter& parameter : module.patch_constants) {
    Element* const same =
        parameter.system_value == SystemValue::none ? find_plain(elements, parameter) : nullptr;
    if (same != nullptr) {
      same->mask |= parameter.mask;
      continue;
    }
    elements.push_back({.reg = parameter.reg,
                        .mask = parameter.mask,
                        .is_patch = true,
                        .system_value = parameter.system_value,
                        .semantic = parameter.semantic,
                        .semantic_index = parameter.semantic_index});
  }
}

}  // namespace

// Only the output of stream 0 is rasterized: system values of other streams are plain outputs. An input of
// several vertices is not read by the rasterizer, so array indices are plain there; Vulkan has no such
// built-ins (Layer and ViewportIndex).
bool is_system_value(const Parameter& parameter) {
  if (parameter.array_size != 0 && (parameter.system_value == SystemValue::render_target_array_index ||
                                    parameter.system_value == SystemValue::viewport_array_index))
    return false;
  return parameter.system_value != SystemValue::none && parameter.stream == 0;
}

// Captures come after the locations of all outputs.
uint32_t location_of(const ir::Module& module, const Parameter& parameter) {
  constexpr uint32_t kStreams = 4;
  if (is_capture(parameter)) return first_location(module, kStreams) + parameter.reg - kFirstCapture;
  return parameter.reg + first_location(module, parameter.stream);
}

uint32_t last_patch_location(const Options& options) {
  constexpr int64_t kComponents = 128;
  const int64_t most = options.device.limit(Limit::patch_outputs).value_or(kComponents);
  return most < 4 ? 0 : static_cast<uint32_t>(std::min(most, kComponents) / 4 - 1);
}

bool is_clip_or_cull(SystemValue value) {
  return value == SystemValue::clip_distance || value == SystemValue::cull_distance;
}

void plan_interface(const ir::Module& module, std::span<const Capture> captures,
                    InterfaceElements& elements) {
  Planner(module, true, captures, elements.inputs).run();
  Planner(module, false, captures, elements.outputs).run();
  plan_patch_constants(module, elements.patch_constants);
}

Kind input_kind(const InterfaceElements& elements, const ir::Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand) || instruction.op == ir::Op::patch_input) return Kind::float_;
  const Element* const element =
      find_element(elements.inputs, instruction.payload / 4, instruction.payload % 4);
  if (element == nullptr) return Kind::float_;
  if (element->system_value == SystemValue::none) return element->kind;
  return element->system_value == SystemValue::position || is_clip_or_cull(element->system_value)
             ? Kind::float_
             : Kind::uint;
}

Kind output_kind(const InterfaceElements& elements, const ir::Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand)) return Kind::float_;
  const Element* const element =
      find_element(elements.outputs, instruction.payload / 4, instruction.payload % 4);
  return element != nullptr ? output_kind(*element) : Kind::float_;
}

Kind output_kind(const Element& element) {
  switch (element.system_value) {
    case SystemValue::none: return element.kind;
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
    case SystemValue::primitive_id:
    case SystemValue::coverage_out:
    case SystemValue::stencil_ref: return Kind::uint;
    default: return Kind::float_;
  }
}

}  // namespace texlate::spirv
