// What a target is: plain data and functions. A target is a folder of backend/ with a `target.h` that
// provides rows of this table, and one word in the list TEXLATE_TARGETS (CMakeLists.txt). The public library,
// and through it the command line, the C interface, executors, tests and benches, find it by its name.
// docs/contributing.md describes how to add one.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "backend/view_format.h"
#include "ir/base/diagnostics.h"
#include "ir/base/pass_text.h"
#include "ir/module.h"
#include "ir/passes/legalize.h"

namespace texlate::backend {

/// A target's own options, of the type that its target.h names, together with which type that is.
class OwnOptions {
 public:
  constexpr OwnOptions() = default;
  constexpr OwnOptions(std::nullptr_t) {}
  template <typename Own>
  constexpr OwnOptions(const Own* options)
      : options_(options), type_(options != nullptr ? &kType<Own> : nullptr) {}

  /// Where there are none, the defaults. To ask for those of another target is a mistake in the program.
  template <typename Own>
  const Own& get() const {
    static constexpr Own kDefaults;
    assert((type_ == nullptr || type_ == &kType<Own>)&&"the options of another target");
    return type_ == &kType<Own> ? *static_cast<const Own*>(options_) : kDefaults;
  }

 private:
  template <typename>
  static constexpr char kType = 0;  // its address stands for the type

  const void* options_ = nullptr;
  const char* type_ = nullptr;
};

/// What a caller may choose. Every target uses the options that concern it and ignores the rest;
/// Target::takes says which.
struct Options {
  std::string_view entry = "main";  // name of the entry point
  uint32_t sm = 0;                  // of the GPU's instruction set; 0: the target's own choice
  /// Typed views that are not listed have the target's default format.
  std::span<const ViewFormat> view_formats = {};
  /// What the host knows about the bindings; null: nothing. The code then relies on it (ir::Module::relied).
  const ir::KnownState* known = nullptr;
  /// Gets the text of the target's own form after each of its passes (Target::passes); null: nobody.
  const PassText* pass_text = nullptr;
  OwnOptions own;  // without any, the target takes its defaults
  /// The module that emit() gets, if nobody needs its code afterwards, reflect() included: emit() may then
  /// change it in place. Its declarations stay.
  ir::Module* spent = nullptr;
};

/// Options that only some targets understand, as bits of Target::takes.
enum Takes : uint32_t {
  kTakesSm = 1 << 0,
  kTakesViewFormats = 1 << 1,
  kTakesLaunchFacts = 1 << 2,  // ir::KnownLaunch: kernels with the launch ABI
};

constexpr uint32_t stage_bit(ir::Stage stage) {
  return 1u << static_cast<uint32_t>(stage);
}
inline constexpr uint32_t kAllStages = 0x3f;

/// What a host must know to launch a translation, of a type that the target's target.h names. reflect()
/// writes it as JSON, executors read it.
using Host = std::shared_ptr<const void>;

struct Target {
  std::string_view name;    // in `--to` and messages
  std::string_view title;   // a short description, for `--help`
  std::string_view suffix;  // of files, with the dot
  uint32_t stages = kAllStages;
  uint32_t takes = 0;
  /// Is this a GPU of the target (Options::sm)? Null: the target takes no such option.
  bool (*has_sm)(uint32_t sm) = nullptr;
  /// What the target's documents promise to a shader: legalization adds guards for the rest.
  ir::Guarantees (*promises)(const ir::Module& module, const Options& options) = nullptr;
  /// Legalization that tables cannot express, run after them; null: none. False, with located errors, on
  /// failure. `closed`, when given, gets the gaps that it closes.
  bool (*legalize)(ir::Module& module, const Options& options, Diagnostics& diagnostics,
                   std::pmr::vector<ir::ClosedGap>* closed) = nullptr;
  /// emit() leaves out what nothing needs by itself, so that no pass has to remove it before.
  bool skips_dead_code = false;
  /// Appends the translation of a legalized module. Returns false, with located errors, for what it cannot
  /// express.
  bool (*emit)(const ir::Module& module, const Options& options, std::pmr::string& data, Host& host,
               Diagnostics& diagnostics) = nullptr;
  /// The names of the passes that emit() runs and reports, in their order.
  std::span<const std::string_view> passes = {};
  /// Appends JSON; null: the target has no reflection.
  void (*reflect)(const ir::Module& module, const Host& host, std::pmr::string& json) = nullptr;
};

/// Makes a Host of an object of the target's own type.
template <typename Own, typename... Args>
std::shared_ptr<Own> make_host(std::pmr::memory_resource* memory, Args&&... args) {
  return std::allocate_shared<Own>(std::pmr::polymorphic_allocator<Own>(memory), std::forward<Args>(args)...);
}

}  // namespace texlate::backend
