#include "library/kernel_options.h"

#include "library/arguments.h"
#include "library/structure_sizes.h"

namespace texlate::library {

namespace {

/// A target would find it as an error of the input.
void check_limit(const char* structure, const char* member, uint32_t given, uint32_t least, uint32_t most) {
  if (given != 0 && (given < least || given > most))
    refuse_argument("options.{}.{} is {}: not {} to {}", structure, member, given, least, most);
}

/// A function gets its limits from the kernels that call it.
void check_function(const ptx::TargetOptions& given, const texlate_ptx_options& from,
                    const char* registers_of) {
  if (!given.function) return;
  if (from.max_threads != 0)
    refuse_argument("options.ptx.max_threads is {}, but a .func has no such limit", from.max_threads);
  if (given.max_registers != 0)
    refuse_argument("options.{}.max_registers is {}, but a .func has no such limit", registers_of,
                    given.max_registers);
}

/// The numbers, which have a name for their value, must be in their ranges.
template <typename From>
void check_kernel_rows(const From& from, const char* structure) {
#define OPTION(member, type, standard, option, value, least, most, ...) \
  if (*value != '\0') check_limit(structure, #member, static_cast<uint32_t>(from.member), least, most);
#include "backend/launch/option_rows.inc"
}
void check_ptx_rows(const texlate_ptx_options& from) {
  const char* const structure = "ptx";
#include "backend/ptx/option_rows.inc"
#undef OPTION
  if (from.max_threads % 32 != 0)
    refuse_argument("options.ptx.max_threads is {}: not a multiple of 32", from.max_threads);
}

/// Members that are 0 stand for the defaults that `to` has.
template <typename Options, typename From>
void take_kernel_rows(const From& from, Options& to) {
#define OPTION(member, type, ...) \
  if (from.member != 0) to.member = static_cast<type>(from.member);
#include "backend/launch/option_rows.inc"
}
void take_ptx_rows(const texlate_ptx_options& from, ptx::TargetOptions& to) {
#include "backend/ptx/option_rows.inc"
#undef OPTION
  if (from.source_name != nullptr) to.source_name = from.source_name;
  if (from.source != nullptr) to.source = from.source;
}

}  // namespace

void take_kernel_options(const texlate_ptx_options* ptx, const texlate_kernel_options* kernel,
                         std::string_view target, ptx::TargetOptions& to_ptx,
                         maxwell::TargetOptions& to_maxwell) {
  texlate_ptx_options from = TEXLATE_PTX_OPTIONS_INIT;
  if (ptx != nullptr) from = versioned(ptx, kOldestPtxOptions, "options.ptx");
  check_ptx_rows(from);
  take_ptx_rows(from, to_ptx);
  const char* const registers_of = kernel != nullptr ? "kernel" : "ptx";
  const auto take = [&](const auto& options) {
    check_kernel_rows(options, registers_of);
    take_kernel_rows(options, to_ptx);
    take_kernel_rows(options, to_maxwell);
  };
  if (kernel != nullptr)
    take(versioned(kernel, kOldestKernelOptions, "options.kernel"));
  else
    take(from);
  if (target == "ptx") check_function(to_ptx, from, registers_of);
}

}  // namespace texlate::library
