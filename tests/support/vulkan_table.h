// Runs a body of IR over a table of words as a compute shader: on the interpreter, and as SPIR-V on a Vulkan
// driver with the driver's robustness or with the shader's.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ir/interpreter.h"
#include "tests/support/ir_text.h"
#include "tools/executor/vulkan_route.h"

namespace texlate {

/// The devices of this program by robustness, each opened once. They are closed before main() ends: drivers
/// and layers have statics of their own, which may be destroyed before ours.
class VulkanDevices : public testing::Environment {
 public:
  struct Opened {
    std::unique_ptr<sim::vulkan::Device> device;
    std::string why;  // there is none
  };
  const Opened& get(spirv::Robustness robustness) {
    auto [at, is_new] = devices_.try_emplace(robustness);
    if (!is_new) return at->second;
    Diagnostics diagnostics;
    sim::vulkan::DeviceOptions options;
    options.robust = robustness == spirv::Robustness::driver;
    at->second.device = sim::vulkan::Device::open(options, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.list()) at->second.why = diagnostic.message;
    return at->second;
  }
  void TearDown() override { devices_.clear(); }

 private:
  std::map<spirv::Robustness, Opened> devices_;
};
inline VulkanDevices& vulkan_devices() {
  static auto* const devices =
      static_cast<VulkanDevices*>(testing::AddGlobalTestEnvironment(new VulkanDevices));
  return *devices;
}
// GoogleTest wants to know its environments before the tests start.
inline const bool kHasVulkanDevices = (vulkan_devices(), true);

/// Null if there is none, with the reason in `why`.
inline sim::vulkan::Device* vulkan_device(spirv::Robustness robustness, std::string* why = nullptr) {
  const VulkanDevices::Opened& opened = vulkan_devices().get(robustness);
  if (why != nullptr) *why = opened.why;
  return opened.device.get();
}

/// The device's own robustness, or the guards of the shader where the device has none.
inline spirv::Robustness robustness_here() {
  return vulkan_device(spirv::Robustness::driver) != nullptr ? spirv::Robustness::driver
                                                             : spirv::Robustness::shader;
}

/// Some of what SwiftShader does is wrong, and tests leave it out (docs/spirv.md, "Running it").
inline bool is_swiftshader() {
  const sim::vulkan::Device* const device = vulkan_device(robustness_here());
  return device != nullptr && device->name().starts_with("SwiftShader");
}

/// Did SwiftShader refuse, because it lacks a feature or a format? Such messages start with its name.
/// Lavapipe has all that the tests need.
inline bool is_beyond_device(std::string_view message) {
  return is_swiftshader() && message.find("vulkan: 'SwiftShader") != std::string_view::npos;
}

/// To be called at the start of a test that runs on a Vulkan driver.
#define TEXLATE_NEEDS_VULKAN(robustness)                                              \
  if (std::string why_not; texlate::vulkan_device(robustness, &why_not) == nullptr) { \
    GTEST_SKIP() << why_not;                                                          \
  }

constexpr spirv::Robustness kBothRobustness[] = {spirv::Robustness::driver, spirv::Robustness::shader};
inline std::string robustness_name(spirv::Robustness robustness) {
  return robustness == spirv::Robustness::driver ? "driver" : "shader";
}

/// Rows of `in` words; a row's words are the body's values from %0 on. The body numbers its own values from
/// 100 on. `results` names the values that are returned for a row.
struct TableText {
  std::string declarations;  // of resources, which have numbers from 2 on
  uint32_t in = 1;
  std::string body;
  std::vector<std::string> results;

  static constexpr uint32_t kGroup = 64;

  std::string text() const {
    std::string code = fmt::format(
        "module compute 5.0 \"main\"\nthread_group {} 1 1\nresource t60 raw_buffer mixed\nuav u7 raw_buffer "
        "mixed\n{}"
        "code {{\n  %9000 = sysval thread_id.x\n  %9001 = imul %9000, {}\n",
        kGroup, declarations, padded(in) * 4);
    for (uint32_t i = 0; i < padded(in); i += 4) {
      code += fmt::format(
          "  %{} = iadd %9001, {}\n  %{}..%{} = buf.load t60 raw_buffer mixed coord(%{}) mask(15)\n",
          9010 + i, i * 4, i, i + 3, 9010 + i);
    }
    code += body + fmt::format("  %9002 = imul %9000, {}\n", padded(out()) * 4);
    for (uint32_t i = 0; i < padded(out()); i += 4) {
      const auto result = [&](uint32_t r) { return r < out() ? results[r] : std::string("0"); };
      code += fmt::format(
          "  %{} = iadd %9002, {}\n  buf.store u7 raw_buffer mixed coord(%{}) value({}, {}, {}, {}) "
          "mask(15)\n",
          5000 + i, i * 4, 5000 + i, result(i), result(i + 1), result(i + 2), result(i + 3));
    }
    return code + "}\n";
  }
  uint32_t out() const { return static_cast<uint32_t>(results.size()); }
  static uint32_t padded(uint32_t words) { return (words + 3) / 4 * 4; }
};

class VulkanTable {
 public:
  using Words = std::vector<uint32_t>;
  using Bind = std::function<void(sim::Bindings&)>;  // binds resources from 2 on, samplers, constants

  explicit VulkanTable(TableText text) : table_(std::move(text)), text_(table_.text()) {
    ir::parse_or_fail(text_, contract_);
    ir::verify_or_fail(contract_);
    for (spirv::Robustness robustness : kBothRobustness) {
      auto& legal = legal_[robustness];
      legal = std::make_unique<ir::Module>();
      ir::parse_or_fail(text_, *legal);
      Diagnostics diagnostics;
      spirv::TargetOptions own;
      own.emit.robustness = robustness;
      backend::Options options;
      options.own = &own;
      if (!library::legalize(*legal, executor::spirv_target(), options, diagnostics))
        ADD_FAILURE() << ir::to_text(diagnostics, text_);
      ir::verify_or_fail(*legal);
    }
  }

  const std::string& text() const { return text_; }

  /// `rows`: table.in words per row. The result has table.out() words per row.
  Words interpret(const Words& rows, const Bind& bind) {
    return run(rows, bind, contract_, [&](const sim::Bindings& bindings, uint32_t groups) {
      Diagnostics diagnostics;
      const auto interpreter = sim::Interpreter::create(contract_, diagnostics);
      ASSERT_NE(interpreter, nullptr) << ir::to_text(diagnostics, text_);
      interpreter->run(bindings, sim::GroupLaunch{{groups, 1, 1}});
    });
  }
  Words on_device(spirv::Robustness robustness, const Words& rows, const Bind& bind) {
    std::string complaint;
    Words results = try_on_device(robustness, rows, bind, complaint);
    EXPECT_EQ(complaint, "") << text_;
    return results;
  }
  /// `complaint`: what the device cannot do; empty if it ran.
  Words try_on_device(spirv::Robustness robustness, const Words& rows, const Bind& bind,
                      std::string& complaint) {
    const ir::Module& legal = *legal_[robustness];
    return run(rows, bind, legal, [&](const sim::Bindings& bindings, uint32_t groups) {
      Diagnostics diagnostics;
      sim::vulkan::Device& device = *vulkan_device(robustness);
      executor::VulkanShader shader;
      ASSERT_TRUE(executor::make_vulkan_shader(legal, robustness, device, bindings, 1, shader, diagnostics))
          << ir::to_text(diagnostics, text_);
      if (!device.dispatch(shader.shader, {groups, 1, 1}, diagnostics))
        complaint = diagnostics.list()[0].message;
    });
  }
  /// Tests the guards of robustness SHADER independently of the device: the interpreter runs the legalized
  /// module and reports each access that reaches something that does not exist.
  void expect_guarded(const Words& rows, const Bind& bind) {
    const ir::Module& legal = *legal_[spirv::Robustness::shader];
    run(rows, bind, legal, [&](const sim::Bindings& bindings, uint32_t groups) {
      Diagnostics diagnostics;
      const auto interpreter = sim::Interpreter::create(legal, diagnostics);
      ASSERT_NE(interpreter, nullptr) << ir::to_text(diagnostics, text_);
      sim::InterpreterOptions options;
      options.promise_nothing = true;
      const sim::RunReport report = interpreter->run(bindings, sim::GroupLaunch{{groups, 1, 1}}, options);
      EXPECT_EQ(report.unguarded_count, 0u)
          << (report.unguarded.empty() ? "" : report.unguarded[0].what) << text_;
    });
  }

 private:
  template <typename Execute>
  Words run(const Words& rows, const Bind& bind, const ir::Module& module, Execute execute) {
    const uint32_t in = TableText::padded(table_.in), out = TableText::padded(table_.out());
    const size_t count = rows.size() / table_.in;
    const size_t groups = (count + TableText::kGroup - 1) / TableText::kGroup;
    Words given(groups * TableText::kGroup * in, 0), made(groups * TableText::kGroup * out, 0);
    for (size_t r = 0; r < count; ++r) {
      for (uint32_t i = 0; i < table_.in; ++i) given[r * in + i] = rows[r * table_.in + i];
    }
    const auto raw = [](Words& words) {
      return sim::BufferView{reinterpret_cast<std::byte*>(words.data()), sim::BufferKind::raw,
                             sim::Format::unknown, static_cast<uint32_t>(words.size() * 4)};
    };
    sim::Bindings bindings(module);
    bindings.resources(0)[0].buffer = raw(given);
    bindings.resources(1)[0].buffer = raw(made);
    bind(bindings);
    execute(bindings, static_cast<uint32_t>(groups));
    Words results;
    for (size_t r = 0; r < count; ++r) {
      for (uint32_t i = 0; i < table_.out(); ++i) results.push_back(made[r * out + i]);
    }
    return results;
  }

  TableText table_;
  std::string text_;
  ir::Module contract_;
  std::map<spirv::Robustness, std::unique_ptr<ir::Module>> legal_;
};

}  // namespace texlate
