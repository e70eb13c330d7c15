#include "tools/executor/dksh_route.h"

#include <algorithm>
#include <bit>

#include "backend/maxwell/target.h"
#include "tools/executor/dksh_slots.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

namespace {

namespace graphics = maxwell::graphics;
using sim::maxwell::Dksh;
using sim::maxwell::kAttributeWords;

constexpr uint32_t kBlock = 32;
constexpr uint32_t kPositionW = 0x7c;

/// The attributes of all elements in, the results out.
class Streams {
 public:
  Streams(const DkshShader& shader, const ir::Module& module, const sim::StreamLaunch& launch)
      : dksh_(shader.dksh),
        layout_(shader.layout()),
        module_(module),
        launch_(launch),
        threads_((launch.count + kBlock - 1) / kBlock * kBlock),
        inputs_(size_t{threads_} * kAttributeWords, 0),
        outputs_(inputs_.size(), 0),
        alive_(threads_, 0),
        results_(size_t{threads_} * dksh_.program.result_registers, 0) {
    const bool pixel = dksh_.stage == Dksh::Stage::pixel;
    attributes_.has_header = true;
    attributes_.loads_or_stores = dksh_.loads_or_stores;
    attributes_.stores = dksh_.stores;
    for (uint32_t word = 0; word < kAttributeWords; ++word) {
      attributes_.readable[word] = dksh_.inputs[word] != 0;
      attributes_.writable[word] = dksh_.outputs[word] != 0;
      attributes_.in_perspective[word] = pixel && is_generic(word) && dksh_.inputs[word] == 2;
      attributes_.is_constant[word] =
          pixel && (is_generic(word) ? dksh_.inputs[word] == 1 : !is_position(word));
    }
    for (uint32_t i = 0; i < module.inputs.size(); ++i) put_input(i);
    if (pixel) {
      put_perspective();
      put_coverage();
    }
  }

  sim::maxwell::Attributes attributes() {
    // Past the last vertex there are no threads; past the last pixel there are only the helpers of its quad.
    const bool vertex = dksh_.stage == Dksh::Stage::vertex;
    attributes_.elements = vertex ? launch_.count : (launch_.count + 3) / 4 * 4;
    attributes_.inputs = inputs_;
    attributes_.outputs = outputs_;
    attributes_.helpers = helpers_;
    attributes_.alive = alive_;
    attributes_.results = results_;
    attributes_.result_registers = dksh_.program.result_registers;
    attributes_.samples = samples_;
    attributes_.sample_depths = sample_depths_;
    attributes_.coverage = coverage_;
    attributes_.target_samples = launch_.samples;
    return attributes_;
  }

  void take_outputs() {
    for (uint32_t i = 0; i < module_.outputs.size(); ++i) {
      const uint32_t plane = 4 * sim::output_plane_register(module_, module_.outputs[i]);
      for (uint32_t c = 0; c < 4; ++c) {
        if (((module_.outputs[i].mask >> c) & 1) != 0) take_output(i, c, plane + c);
      }
    }
    for (uint32_t e = 0; e < launch_.count; ++e) {
      if (e < launch_.written.size()) launch_.written[e] = is_shown(e) ? 1 : 0;
    }
  }

 private:
  static bool is_generic(uint32_t word) { return word >= 0x80 / 4 && word < 0x2c0 / 4; }
  static bool is_at_center(ir::Interpolation mode) {
    return mode == ir::Interpolation::undefined || mode == ir::Interpolation::linear ||
           mode == ir::Interpolation::linear_noperspective;
  }
  static bool is_position(uint32_t word) { return word >= 0x70 / 4 && word < 0x80 / 4; }

  uint32_t input(const ir::Parameter& parameter, uint32_t component, uint32_t element) const {
    const size_t at = (size_t{parameter.reg} * 4 + component) * launch_.count + element;
    if (at < launch_.inputs.size()) return launch_.inputs[at];
    // Only the translation reads the position: the scene does not know it.
    const bool is_depth = parameter.system_value == ir::SystemValue::position && component == 2;
    return is_depth ? std::bit_cast<uint32_t>(kSceneDepth) : 0;
  }
  uint32_t& attribute(uint32_t element, uint32_t address) {
    return inputs_[size_t{element} * kAttributeWords + address / 4];
  }
  bool is_shown(uint32_t element) const {
    const bool helper = element < helpers_.size() && helpers_[element] != 0;
    return dksh_.stage == Dksh::Stage::vertex || (alive_[element] != 0 && !helper);
  }

  void put_input(uint32_t i) {
    const ir::Parameter& parameter = module_.inputs[i];
    if (parameter.system_value == ir::SystemValue::sample_index) samples_.resize(launch_.count);
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) == 0) continue;
      const uint32_t address = layout_.inputs[i][c];
      if (address != graphics::kNotUsed && is_generic(address / 4))
        attributes_.at_center[address / 4] = is_at_center(parameter.interpolation);
      // The same address has z of the pixel, which another declaration may read.
      const bool is_sample_depth = parameter.system_value == ir::SystemValue::position && c == 2 &&
                                   ir::is_at_sample(parameter.interpolation);
      if (is_sample_depth) sample_depths_.resize(threads_);
      for (uint32_t e = 0; e < launch_.count; ++e) {
        const uint32_t value = input(parameter, c, e);
        if (is_sample_depth) {
          sample_depths_[e] = value;
        } else if (address != graphics::kNotUsed) {
          attribute(e, address) = value;
        }
        if (!samples_.empty() && parameter.system_value == ir::SystemValue::sample_index) samples_[e] = value;
      }
    }
  }

  /// a[0x7c] is 1/w. If the shader does not read w, it is a power of two that differs between pixels:
  /// dividing and multiplying by it cancel exactly, unless one of the two is missing.
  void put_perspective() {
    bool given = false;
    for (uint32_t i = 0; i < module_.inputs.size(); ++i) {
      const ir::Parameter& parameter = module_.inputs[i];
      given |= parameter.system_value == ir::SystemValue::position && (parameter.mask & 8) != 0;
    }
    for (uint32_t e = 0; e < launch_.count; ++e) {
      const float w =
          given ? std::bit_cast<float>(attribute(e, kPositionW)) : 0.25f * static_cast<float>(1u << e % 4);
      attribute(e, kPositionW) = std::bit_cast<uint32_t>(1.0f / w);
    }
  }

  void put_coverage() {
    helpers_.assign(threads_, 1);
    coverage_.assign(threads_, 0);
    for (uint32_t e = 0; e < launch_.count; ++e) {
      coverage_[e] = e < launch_.covered.size() ? launch_.covered[e] & 0x7fffffffu : 1;
      helpers_[e] = coverage_[e] == 0 ? 1 : 0;
    }
  }

  /// The register from R0 on that holds it, according to the header.
  uint32_t result_register(const ir::Parameter& output, uint32_t component) const {
    uint32_t reg = 0;
    for (uint32_t t = 0; t < dksh_.targets.size(); ++t) {
      if (t == output.reg) return reg + component;
      reg += dksh_.targets[t] != 0 ? 4 : 0;
    }
    return output.system_value == ir::SystemValue::coverage_out ? reg : reg + 1;
  }

  void take_output(uint32_t i, uint32_t component, uint32_t plane) {
    const ir::Parameter& output = module_.outputs[i];
    const bool vertex = dksh_.stage == Dksh::Stage::vertex;
    const uint32_t count = dksh_.program.result_registers;
    const uint32_t reg = vertex ? 0 : result_register(output, component);
    for (uint32_t e = 0; e < launch_.count; ++e) {
      if (!is_shown(e)) continue;
      launch_.outputs[size_t{plane} * launch_.count + e] =
          vertex ? outputs_[size_t{e} * kAttributeWords + layout_.outputs[i][component] / 4]
                 : results_[size_t{e} * count + reg];
    }
  }

  const Dksh& dksh_;
  const graphics::Layout& layout_;
  const ir::Module& module_;
  const sim::StreamLaunch& launch_;
  sim::maxwell::Attributes attributes_;
  uint32_t threads_;  // whole blocks
  std::vector<uint32_t> inputs_, outputs_, alive_, results_, helpers_, samples_, sample_depths_, coverage_;
};

}  // namespace

const backend::Target& dksh_target() {
  return *library::find_target("dksh");
}

bool make_dksh(const ir::Module& module, DkshShader& shader, Diagnostics& diagnostics,
               const graphics::HullFacts* hull) {
  maxwell::TargetOptions own;
  own.hull = hull;
  backend::Options options;
  options.own = &own;
  if (!library::emit(module, dksh_target(), options, shader.emitted, diagnostics)) return false;
  std::string error;
  if (sim::maxwell::read_dksh(std::as_bytes(std::span(shader.emitted.data)), shader.dksh, error)) return true;
  diagnostics.error({}, "the .dksh cannot be read: {}", error);
  return false;
}

bool replace_code(std::string_view dksh, DkshShader& shader, Diagnostics& diagnostics) {
  const Dksh::Stage expected = shader.dksh.stage;
  shader.dksh = {};
  std::string error;
  if (!sim::maxwell::read_dksh(std::as_bytes(std::span(dksh)), shader.dksh, error)) {
    diagnostics.error({}, "the .dksh cannot be read: {}", error);
    return false;
  }
  if (shader.dksh.stage == expected) return true;
  diagnostics.error({}, "the .dksh is of another stage than the shader");
  return false;
}

sim::maxwell::Report run_dksh(DkshShader& shader, const ir::Module& module, const sim::Bindings& bindings,
                              const sim::StreamLaunch& launch, const sim::maxwell::MachineOptions& options) {
  DkshSlots slots(shader.layout(), module, bindings, shader.dksh);
  sim::maxwell::Machine machine(shader.dksh.program, options);
  slots.bind(machine);
  Streams streams(shader, module, launch);
  machine.set_attributes(streams.attributes());
  sim::maxwell::Report report = machine.launch({(launch.count + kBlock - 1) / kBlock}, {kBlock}, {});
  slots.copy_back();
  streams.take_outputs();
  return report;
}

sim::maxwell::Report run_dksh(DkshShader& shader, const ir::Module& module, const sim::Bindings& bindings,
                              const sim::GroupLaunch& launch, const sim::maxwell::MachineOptions& options) {
  DkshSlots slots(shader.layout(), module, bindings, shader.dksh);
  sim::maxwell::Machine machine(shader.dksh.program, options);
  slots.bind(machine);
  const sim::maxwell::Dim3& block = shader.dksh.block;
  sim::maxwell::Report report =
      machine.launch({launch.groups[0], launch.groups[1], launch.groups[2]}, block, {});
  slots.copy_back();
  return report;
}

}  // namespace texlate::executor
