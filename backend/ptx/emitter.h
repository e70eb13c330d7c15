// State and text helpers that the parts of the PTX emitter share.
//
// Registers: value n is %r<n> (b32), %rd<n> (b64) or %p<n> (b1); temporaries are %t<n>, %td<n>, %tp<n>, %h<n>
// (b16). All 32-bit registers are untyped, as the IR's values are; the instruction says how bits are read.
#pragma once

#include <charconv>
#include <string_view>

#include "backend/ptx/emit.h"
#include "backend/ptx/path_masks.h"
#include "ir/structure.h"

namespace texlate::ptx {

using ir::Instruction;
using ir::Op;
using ir::Value;

// How an operand is spelled when it is a constant.
struct Int {
  Value value;
};  // decimal or hexadecimal
struct Float {
  Value value;
};  // 0f3F800000
struct Double {
  Value value;
};  // 0d...
struct Pred {
  Value value;
};  // %p<n>; constants become registers that the prologue sets

// Temporaries.
struct Temp {
  uint32_t n;
};
struct Temp64 {
  uint32_t n;
};
struct TempPred {
  uint32_t n;
};
struct Half {
  uint32_t n;
};
struct Label {
  uint32_t n;
};
inline constexpr Label kExitLabel = {0};  // LEXIT, the end of the program
/// A register with the lanes on a path.
struct Mask {
  uint32_t n;
};

/// tex and tld4 with a residency predicate (PTX ISA 9.7.10.3, 9.7.10.4).
inline constexpr uint32_t kLeastTargetOfResidency = 60;
inline constexpr std::string_view kLeastVersionOfResidency = "7.1";

/// A binding record: at a known place of the parameter block, or behind a pointer for a run-time index, and
/// then in the block or in a table.
struct Record {
  uint32_t base = 0;
  bool dynamic = false;
  Temp64 pointer = {0};
  bool in_table = false;
};

/// A comparison by hand as a function of its own: `facts` of the texture and the sampler are its parameters.
struct CompareFunction {
  ir::ResourceAccess contract;
  std::pmr::vector<uint32_t> facts;  // BindingQuery, packed, in the order of the parameters
};

/// The kernel's parameter, and where the block is when that is its address.
inline constexpr std::string_view kParameters = "texlate_params";
inline constexpr std::string_view kBlock = "%block";

class Emitter {
 public:
  Emitter(const ir::Module& source, const Options& choices, const Layout& abi, std::pmr::string& text,
          Diagnostics& sink);
  bool run();

 private:
  // compare_call.cpp
  void emit_compare_call(const Instruction& instruction);
  uint32_t compare_function(const Instruction& instruction);
  bool run_function(CompareFunction& function, uint32_t number, uint32_t arguments);
  void emit_function_fact(const Instruction& instruction);

  // Text
  void put(std::string_view text) { body_.append(text); }
  void put(char c) { body_.push_back(c); }
  void put(uint32_t number);
  void put(Int operand);
  void put(Float operand);
  void put(Double operand);
  void put(Pred operand);
  void put(Temp t) {
    put("%t");
    put(t.n);
  }
  void put(Temp64 t) {
    put("%td");
    put(t.n);
  }
  void put(TempPred t) {
    put("%tp");
    put(t.n);
  }
  void put(Half h) {
    put("%h");
    put(h.n);
  }
  void put(Label l) {
    put('L');
    if (l.n == kExitLabel.n) return put("EXIT");
    put(l.n);
  }
  void put(Mask m) {
    put("%m");
    put(m.n);
  }
  void put_hex(uint64_t bits, uint32_t digits);
  /// One line: `op` with a tab in front, the parts as they come, and a semicolon.
  template <typename... Parts>
  void line(const Parts&... parts) {
    put('\t');
    (put(parts), ...);
    put(";\n");
  }
  /// The rest of a line.
  template <typename... Parts>
  void end_line(const Parts&... parts) {
    (put(parts), ...);
    put(";\n");
  }
  Temp temp() { return {temps_++}; }
  Temp64 temp64() { return {temps64_++}; }
  TempPred temp_pred() { return {temp_preds_++}; }
  Half half() { return {halves_++}; }
  Label label() { return {labels_++}; }
  void place(Label l) {
    put(l);
    put(":\n");
  }

  void refuse(const Instruction& instruction, std::string_view what);

  // emit.cpp: the module around the body
  void scan();
  void emit_header();
  void emit_prologue();
  void emit_epilogue();
  void emit_tables();
  void emit_instruction(const Instruction& instruction);
  void emit_stream_head();
  void emit_output_stores();
  void find_lines(size_t code_start);
  void emit_limits();
  void emit_location(const Instruction& instruction);
  bool check_atomic_formats();

  // arithmetic.cpp
  void emit_arithmetic(const Instruction& instruction);
  bool emit_fused(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);
  void emit_half_conversion(const Instruction& instruction);
  void emit_derivative(const Instruction& instruction);
  void emit_compare(const Instruction& instruction, Value result, Value combined_with);

  /// The register with the lanes of the present path. Not tracked: nothing asks before the path ends.
  struct Path {
    Mask mask = {0};
    bool tracked = false;
  };
  enum class Arms : uint8_t { apart, first_goes_on, second_goes_on };
  /// An open construct.
  struct Open {
    uint32_t marker;  // index of if, loop, switch
    uint32_t end;     // index of its end marker
    Label begin, otherwise, finish;
    uint32_t next_label = 0, next_arm = 0;  // of a switch
    // path_masks.cpp
    Path outside = {};
    Arms arms = Arms::apart;
    bool first_has = false, second_has = false;  // exchanges that need the mask of the arm
    bool voted = false;
    Mask ballot = {0};                      // the mask inside
    bool counts_again = false;              // lanes that jump out are told at the end
    bool counts_turns = false;              // loop: at the end of each turn
    Mask turn = {0};                        // who started the turn
    Label latch = {0};                      // the end of a turn
    uint8_t end_jumps = 0, turn_jumps = 0;  // jumps that go by way of the end, of the latch: bits
    bool pending_break = false;             // a break comes to the end by way of another one
    uint32_t first_arm_mask = 0;            // switch: ballots of the arms
  };
  struct SwitchArm {
    TempPred matches = {0};
    bool voted = false;  // some case leads here
    bool is_default = false;
  };

  // control_flow.cpp
  void emit_control(const Instruction& instruction);
  void emit_jump(const Instruction& instruction, Jump kind);
  void move_all(std::span<const Value> sources, Value first_destination, uint32_t count);
  void move(Value destination, Value source);
  void emit_switch_dispatch(uint32_t switch_index);
  void emit_case_label();
  void find_structure();

  // path_masks.cpp
  struct Stop {
    Label label;
    bool counts;  // lanes are counted there: the jump must be pending
  };
  Mask new_mask();
  void branch_if(TempPred condition, Label target);
  bool parts_lanes(uint32_t marker) const;
  bool counts_again_at_end(uint32_t marker) const;
  uint32_t end_of_construct(uint32_t marker) const;
  void vote_for_arms(Open& construct, Value condition);
  void enter_first_arm(const Open& construct);
  void enter_second_arm(const Open& construct);
  void open_loop_masks(Open& construct);
  void start_turn(const Open& construct);
  void end_turn(const Open& construct, size_t level);
  void vote_for_cases(Open& construct, std::span<const SwitchArm> arms);
  void enter_case(const Open& construct, uint32_t arm);
  void close_masks(size_t level);
  void go_on(size_t level, uint8_t jumps, bool from_turn);
  Label leave_turn(size_t level, Jump jump);
  Stop next_stop(size_t level, Jump jump, bool pending);
  void jump(Jump jump);

  // memory.cpp
  void emit_memory(const Instruction& instruction);
  void emit_constant_buffer(const Instruction& instruction);
  void emit_table_load(const Instruction& instruction);
  void emit_local(const Instruction& instruction);
  void emit_shared(const Instruction& instruction);
  void emit_input(const Instruction& instruction);
  void emit_output(const Instruction& instruction);
  void emit_system_value(const Instruction& instruction);
  void emit_stream_value(const Instruction& instruction);
  void emit_evaluation(const Instruction& instruction);
  void emit_indexed_output(const Instruction& instruction);
  void emit_binding(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);
  Record find_record(uint32_t base, uint32_t record_size, Value index);
  template <typename Binding>
  Record find_record(const Binding& binding, uint32_t base, uint32_t record_size, Value index);
  Record find_table_record(uint32_t base, uint32_t record_size, Value index);
  Record find_pair(const SampledPair& pair, const Instruction& instruction);
  Record find_pair_in_table(const SampledPair& pair, Value resource_index, Value sampler_index);
  void put_block();
  std::string_view load_of(const Record& record) const;
  Record resource_record(const Instruction& instruction);
  void put(const Record& record);
  void load_field(std::string_view type, Temp destination, const Record& record, uint32_t field);
  void load_field(Temp64 destination, const Record& record, uint32_t field);
  Record constant_buffer_record_of(const Instruction& instruction, uint32_t position);
  void begin_guarded(const Instruction& instruction);
  Temp64 row_address(std::string_view array, uint32_t number, Value row);

  // texture.cpp
  void emit_texture(const Instruction& instruction);
  void put_results(const Instruction& instruction);
  void put_coordinates(const Instruction& instruction, bool is_float);
  void preset_results(const Instruction& instruction, uint32_t count);
  void put_guard(const Instruction& instruction);
  Temp64 handle(const Instruction& instruction, bool sampled);

  // buffer.cpp
  void emit_buffer(const Instruction& instruction);
  void emit_counter(const Instruction& instruction);
  void emit_global_atomic(const Instruction& instruction, Temp64 address);
  /// Predicate for effects: the guard, and in pixel shaders that the pixel is not a helper. False: none is
  /// needed.
  bool effect_predicate(const Instruction& instruction, TempPred& predicate);

  // surface.cpp
  void emit_surface(const Instruction& instruction);
  void emit_surface_load(const Instruction& instruction, const SurfaceFormat& format);
  void emit_surface_store(const Instruction& instruction, const SurfaceFormat& format);
  Temp64 linear_address(const Instruction& instruction, const SurfaceFormat& format);
  void put_surface_coordinates(const Instruction& instruction, const SurfaceFormat& format);
  void put_quotient(Value value, float divisor);
  void unpack_component(Value result, Temp word, backend::TexelComponent component, TexelKind kind);
  void pack_component(Temp packed, Value value, uint32_t bits, TexelKind kind);
  void put_scaled(Temp packed, uint32_t steps);
  void unpack_texel(const Instruction& instruction, const SurfaceFormat& format, std::span<const Temp> words);
  void pack_texel(const Instruction& instruction, const SurfaceFormat& format, std::span<const Temp> words);

  const ir::ResourceAccess& access(const Instruction& instruction) const {
    return module_.access_of(instruction);
  }
  Value slot(const Instruction& instruction, ir::Slot which) const {
    return module_.operand(instruction, which);
  }
  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  bool is_used(Value value) const { return uses_[value] != 0; }
  SurfaceFormat surface_format(uint16_t resource) const;
  bool in_memory(uint16_t resource) const { return layout_.forms[resource] == BindingForm::memory; }

  const ir::Module& module_;
  const Options& options_;
  const Layout& layout_;
  std::pmr::string& out_;
  Diagnostics& diagnostics_;
  std::pmr::string body_;
  std::pmr::vector<uint32_t> uses_;        // by value
  std::pmr::vector<uint32_t> definition_;  // by value: index of the defining instruction
  std::pmr::vector<uint8_t> deferred_;     // by instruction: emitted inside its only user
  ir::Structure structure_;
  std::pmr::vector<Open> open_;
  std::pmr::vector<uint32_t> end_of_;  // by instruction: end marker of if, loop, switch; of else too
  PathMasks paths_;
  Path path_;
  std::pmr::vector<uint32_t> copy_stamp_;  // by value: scratch of move_all
  /// The address of a row that was accessed last, in the region where it was computed.
  struct RowAddress {
    uint32_t region = 0, array = 0;
    Value row = ir::kNoValue;
    Temp64 address = {0};
  };
  RowAddress local_address_, table_address_;
  uint32_t region_ = 1;  // counts markers of control flow
  struct Mark {
    size_t at;  // in the code's text
    SourceLocation location;
  };
  std::pmr::vector<CompareFunction> functions_;
  std::pmr::string function_text_;       // their code, in front of the kernel's
  CompareFunction* function_ = nullptr;  // the one that this emitter writes
  std::pmr::vector<Mark> marks_;         // where the code of each instruction starts
  SourceLocation told_;                  // by emit_location
  uint32_t stamp_ = 0;
  uint32_t current_ = 0;  // index of the instruction being emitted
  uint32_t temps_ = 0, temps64_ = 0, temp_preds_ = 0, halves_ = 0, labels_ = 1, masks_ = 1;
  bool uses_quads_ = false, needs_pending_ = false, needs_residency_ = false, needs_coverage_ = false,
       needs_true_ = false, needs_false_ = false, needs_unbound_ = false;
  bool is_stream_ = false;  // pixel or vertex: elements, not a grid of groups
  uint32_t errors_before_;
};

}  // namespace texlate::ptx
