#include "backend/maxwell/kernel.h"

#include <algorithm>
#include <utility>

#include "backend/maxwell/compare_routines.h"
#include "backend/maxwell/isa/listing.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/select/select.h"

namespace texlate::maxwell {

namespace {

constexpr uint32_t kSupported[] = {50, 52, 53};
/// Shared memory of a block (CUDA C++ programming guide, technical specifications of compute capability 5.x).
constexpr uint32_t kSharedLimit = 48 * 1024;
/// Local memory of a thread.
constexpr uint32_t kLocalLimit = 512 * 1024;

/// The lines of the shader that IR instructions come from, by Instruction::origin; 0: none.
std::pmr::vector<uint32_t> find_lines(const ir::Module& module) {
  std::pmr::vector<uint32_t> lines(module.code.size() + 1, 0, module.memory());
  uint32_t* line = lines.data();
  for (const ir::Instruction& instruction : module.code) *++line = module.location_of(instruction).line;
  return lines;
}

bool check_sizes(const Kernel& kernel, Diagnostics& diagnostics) {
  const auto fits = [&](uint32_t bytes, std::string_view memory, uint32_t limit) {
    if (bytes > limit)
      diagnostics.error({}, "the shader needs {} bytes of {} memory, but maxwell has only {}", bytes, memory,
                        limit);
    return bytes <= limit;
  };
  const bool shared_fits = fits(kernel.shared_bytes, "shared", kSharedLimit);
  return fits(kernel.local_bytes, "local", kLocalLimit) && shared_fits;
}

}  // namespace

bool is_known_target(uint32_t sm) {
  return std::find(std::begin(kSupported), std::end(kSupported), sm) != std::end(kSupported);
}

bool make_kernel(const ir::Module& module, const launch::Layout& layout, const KernelOptions& options,
                 Kernel& kernel, Diagnostics& diagnostics, ir::Module* spent,
                 const graphics::Layout* graphics) {
  if (!is_known_target(options.sm)) {
    diagnostics.error({}, "maxwell has no target sm_{}: it must be 50, 52 or 53", options.sm);
    return false;
  }
  machine::Function function(module.memory());
  // Most shaders do not exceed this; memory that is not touched is free.
  function.instructions.reserve(3 * module.code.size() + 64);
  function.operands.reserve(7 * module.code.size() + 256);
  function.values.reserve(2 * module.code.size() + 64);
  select::Options selection;
  selection.sm = options.sm;
  selection.graphics = graphics;
  CompareRoutines routines(module, layout, options, diagnostics);
  if (graphics == nullptr) selection.routines = &routines;
  if (!select::select(module, layout, selection, function, diagnostics)) return false;
  const std::pmr::vector<uint32_t> lines = find_lines(module);
  if (spent != nullptr) spent->drop_code();
  for (const ir::LocalArray& array : module.locals) function.local_bytes += array.rows * 16;
  function.local_bytes = std::max(function.local_bytes, routines.local_bytes());
  machine::Program program(module.memory());
  machine::FinishError error = machine::finish(function, options.finish, program);
  if (error == machine::FinishError::none) error = machine::link(program, routines.programs());
  if (error != machine::FinishError::none) {
    diagnostics.error({}, "{} (maxwell)", machine::finish_error_text(error, program));
    return false;
  }
  constexpr uint32_t kAddressBytes = 8;
  kernel.parameter_bytes = layout.in_memory ? kAddressBytes : std::max(16u, layout.size);
  kernel.name = options.entry;
  kernel.sm = options.sm;
  kernel.instructions = std::move(program.instructions);
  // Registers are allocated in groups of eight; the smallest kernel has some for the driver.
  kernel.registers = program.register_count;
  kernel.local_bytes = (program.local_bytes + 15) / 16 * 16;
  kernel.branches = program.stack_depth;
  kernel.spilled_values = program.spilled_values;
  for (const ir::SharedArray& array : module.shared) kernel.shared_bytes += (array.bytes + 15) / 16 * 16;
  kernel.constants.assign(module.table_words.begin(), module.table_words.end());
  if (module.stage == ir::Stage::compute)
    std::copy(module.thread_group, module.thread_group + 3, kernel.threads.begin());
  // Groups whose sizes are free do not wait for each other: those of pixels and vertices.
  if (!launch::has_free_blocks(module.stage)) {
    for (const Code& instruction : kernel.instructions) {
      if (latency_class(instruction) == LatencyClass::synchronise && opcode(instruction) != Opcode::membar)
        kernel.barriers = 1;
    }
  }
  kernel.lines = std::move(program.origins);
  for (uint32_t& line : kernel.lines) line = lines[line];
#ifndef NDEBUG
  const ProgramViolation violation = check_program(kernel.instructions);
  if (violation.violation) {
    diagnostics.error({}, "internal error: instruction {} of the program ({}) cannot be encoded: {}",
                      violation.index, opcode_info(opcode(kernel.instructions[violation.index])).text,
                      rule_text(violation.violation.rule));
    return false;
  }
#endif
  return check_sizes(kernel, diagnostics);
}

void write_text(const Kernel& kernel, std::pmr::string& out, std::pmr::vector<launch::LineMark>& marks) {
  std::string listing = kernel_line(kernel.name) + '\n';
  print_directives(kernel, kCubinDirectives, listing);
  constexpr size_t kAboutALine = 48;
  listing.reserve(listing.size() + kernel.instructions.size() * kAboutALine);
  auto number = static_cast<uint32_t>(std::ranges::count(listing, '\n') + 1);  // of the next line
  const std::vector<uint32_t> labels = list_program(kernel.instructions, listing);
  out += listing;
  uint32_t last = 0;
  const size_t count = labels.size(), known = kernel.lines.size();
  for (size_t i = 0; i < count; ++i) {
    const auto mark = [&](uint32_t line) {
      if (line != std::exchange(last, line))
        marks.push_back({number, line != 0 ? SourceLocation::text(line, 1) : SourceLocation{}});
      ++number;
    };
    if (labels[i] != kNoLabel) mark(0);
    if (i + 1 < count) mark(i < known ? kernel.lines[i] : 0);
  }
}

void write_words(const Kernel& kernel, std::pmr::string& out) {
  std::pmr::vector<uint64_t> code(kernel.words, out.get_allocator().resource());
  if (code.empty()) encode_unchecked(kernel.instructions, code);
  for (const std::span<const uint64_t> words : {std::span<const uint64_t>(code), end_of_program(code)})
    out.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

}  // namespace texlate::maxwell
