#include "tools/executor/dksh_link.h"

#include <algorithm>
#include <vector>

#include "ir/spelling.h"
#include "tools/executor/dksh_route.h"

namespace texlate::executor {

namespace {

using maxwell::graphics::kNotUsed;

bool is_made_by_hardware(ir::SystemValue value) {
  using enum ir::SystemValue;
  return value == is_front_face || value == sample_index || value == primitive_id;
}

/// The address of a component of a register in stream 0, which is the one that is drawn; kNotUsed if it is
/// not written.
uint32_t written_address(const LinkedAttributes& written, const ir::Parameter& input, uint32_t component) {
  for (size_t i = 0; i < written.parameters.size(); ++i) {
    const ir::Parameter& output = written.parameters[i];
    if (output.stream != 0 || output.reg != input.reg || ((output.mask >> component) & 1) == 0) continue;
    const bool is_same = output.system_value == input.system_value;
    if (is_same || !is_made_by_hardware(input.system_value)) return written.places[i][component];
  }
  return kNotUsed;
}

/// The inputs that the shader itself declares, of those that its translation reads (ir/passes/limit_depth.h):
/// the others are made by the hardware, and the stage before has no such register.
class DeclaredInputs {
 public:
  DeclaredInputs(const ir::Module& shader, const ir::Module& module, const maxwell::graphics::Layout& layout)
      : stage_(module.stage) {
    for (size_t i = 0; i < module.inputs.size(); ++i) {
      if (std::ranges::find(shader.inputs, module.inputs[i].reg, &ir::Parameter::reg) == shader.inputs.end())
        continue;
      parameters_.push_back(module.inputs[i]);
      places_.push_back(layout.inputs[i]);
    }
  }
  LinkedAttributes attributes() const { return {stage_, parameters_, places_}; }

 private:
  ir::Stage stage_;
  std::vector<ir::Parameter> parameters_;
  std::vector<maxwell::graphics::Attribute> places_;
};

/// Makes the programs of a draw one after another, and keeps the last one.
class DrawLink {
 public:
  explicit DrawLink(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool add(const Shader& shader) {
    const ir::Module& module = shader.legal_dksh;
    auto program = std::make_unique<DkshShader>();
    maxwell::graphics::HullFacts hull;
    if (shader.hull != nullptr) hull = maxwell::graphics::facts_of(shader.hull->legal_dksh);
    if (!make_dksh(module, *program, diagnostics_, shader.hull != nullptr ? &hull : nullptr)) return false;
    bool good = true;
    if (before_ != nullptr) {
      const maxwell::graphics::Layout& layout = before_->layout();
      good = attributes_meet({stage_, *outputs_, layout.outputs},
                             DeclaredInputs(shader.contract, module, program->layout()).attributes(),
                             diagnostics_);
    }
    if (module.stage == ir::Stage::domain && before_ != nullptr) {
      good &= attributes_meet({stage_, *constants_, before_->layout().patch_constants},
                              {module.stage, module.patch_constants, program->layout().patch_constants},
                              diagnostics_);
    }
    before_ = std::move(program);
    stage_ = module.stage;
    outputs_ = &module.outputs;
    constants_ = &module.patch_constants;
    return good;
  }

 private:
  Diagnostics& diagnostics_;
  std::unique_ptr<DkshShader> before_;
  ir::Stage stage_ = ir::Stage::vertex;
  const std::pmr::vector<ir::Parameter>* outputs_ = nullptr;
  const std::pmr::vector<ir::Parameter>* constants_ = nullptr;
};

}  // namespace

bool attributes_meet(const LinkedAttributes& written, const LinkedAttributes& read,
                     Diagnostics& diagnostics) {
  bool good = true;
  for (size_t i = 0; i < read.parameters.size(); ++i) {
    const ir::Parameter& input = read.parameters[i];
    for (uint32_t c = 0; c < 4; ++c) {
      if (((input.mask >> c) & 1) == 0 || read.places[i][c] == kNotUsed) continue;
      const uint32_t address = written_address(written, input, c);
      if (address == kNotUsed || address == read.places[i][c]) continue;
      diagnostics.error(
          {}, "the {} program leaves register {}.{} at a[{:#05x}], but the {} program reads it at a[{:#05x}]",
          ir::spelling(written.stage), input.reg, "xyzw"[c], address, ir::spelling(read.stage),
          read.places[i][c]);
      good = false;
    }
  }
  return good;
}

bool attributes_meet(const Pipeline& pipeline, Diagnostics& diagnostics) {
  DrawLink link(diagnostics);
  for (const std::unique_ptr<PipelineStage>& stage : pipeline.stages) {
    if (stage != nullptr && !link.add(stage->shader)) return false;
  }
  return true;
}

}  // namespace texlate::executor
