// State and text helpers shared by the parts of the PTX emitter.
//
// Registers: value n is %r<n> (b32), %rd<n> (b64) or %p<n> (b1); temporaries are %t<n>, %td<n>, %tp<n>, %h<n>
// (b16). All 32-bit registers are untyped, as the IR's values are; the instruction gives them a type.
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>

#include "backend/ptx/emit.h"
#include "backend/ptx/numbers.h"
#include "backend/ptx/path_masks.h"
#include "ir/base/buffer.h"
#include "ir/structure.h"

namespace texlate::ptx {

using ir::Instruction;
using ir::Op;
using ir::Value;

/// Limit for displacements in instructions; those of ld and st are signed 32-bit numbers (PTX ISA 6.4.1).
inline constexpr uint32_t kMostDisplacement = 1u << 24;

// How a constant operand is spelled.
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
};  // %p<n>; constants are registers that the prologue sets

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
/// A register with the mask of the lanes on a path.
struct Mask {
  uint32_t n;
};

/// An operation that is one PTX instruction: its text, and how its operands and its result are spelled.
struct PlainForm {
  enum class Operands : uint8_t {
    none,
    int_,
    float_,
    double_,
    float_to_int,
    int_to_float,
    int_to_double,
    from_double,
    float_to_double,
    predicate
  };
  std::string_view text;
  Operands form = Operands::none;
};

/// tex and tld4 with a residency predicate (PTX ISA 9.7.10.3, 9.7.10.4).
inline constexpr uint32_t kLeastTargetOfResidency = 60;
inline constexpr std::string_view kLeastVersionOfResidency = "7.1";

/// When an access takes effect: if its guard is true, and, for pixels and vertices, if they are not
/// helpers.
struct Effect {
  Value guard = ir::kNoValue;
  bool is_live = false;  // the condition is only %live
  bool is_both = false;  // `both` is their conjunction
  TempPred both = {0};
  bool is_conditional() const { return guard != ir::kNoValue || is_live; }
};

/// A binding record: at a known place in the parameter block, or, for a run-time index, at a pointer into the
/// block or a table.
struct Record {
  uint32_t base = 0;
  bool dynamic = false;
  Temp64 pointer = {0};
  bool in_table = false;
};

/// A comparison expanded in code, as a function: `facts` of the texture and the sampler are its parameters.
struct CompareFunction {
  ir::ResourceAccess contract;
  std::pmr::vector<ir::KnownFact> known;  // constants in its code
  std::pmr::vector<uint32_t> facts;       // BindingQuery, packed, in the order of the parameters
};

/// The kernel's parameter, and the register for the block's address if the parameter is that address.
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

  // Text. write() takes the parts of a line: text, a number, an operand, a register, a label.
  template <size_t N>
  char* write(char* at, const char (&text)[N]) {
    if constexpr (N > 1) {
      if (text[N - 2] == '\n') ++lines_;
    }
    std::memcpy(at, text, N - 1);
    return at + N - 1;
  }
  char* write(char* at, std::string_view text) {
    if (text.ends_with('\n')) ++lines_;
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  char* write(char* at, char c) {
    if (c == '\n') ++lines_;
    *at = c;
    return at + 1;
  }
  char* write(char* at, uint32_t number) { return write_number(at, number); }
  char* write(char* at, Int operand);
  char* write(char* at, Float operand);
  char* write(char* at, Double operand);
  char* write(char* at, Pred operand);
  char* write(char* at, Temp t) { return write_register(at, "%t", t.n); }
  char* write(char* at, Temp64 t) { return write_register(at, "%td", t.n); }
  char* write(char* at, TempPred t) { return write_register(at, "%tp", t.n); }
  char* write(char* at, Half h) { return write_register(at, "%h", h.n); }
  char* write(char* at, Mask m) { return write_register(at, "%m", m.n); }
  char* write(char* at, Label l) {
    return l.n == kExitLabel.n ? write(at, "LEXIT") : write_register(at, "L", l.n);
  }
  char* write(char* at, const Effect& effect) {
    return effect.is_both   ? write(at, effect.both)
           : effect.is_live ? write(at, "%live")
                            : write(at, Pred{effect.guard});
  }
  char* write(char* at, const Record& record) {
    return record.dynamic ? write(at, record.pointer) : write(at, block());
  }
  template <size_t N>
  static char* write_register(char* at, const char (&name)[N], uint32_t number) {
    std::memcpy(at, name, N - 1);
    return write_number(at + N - 1, number);
  }
  /// The most characters that a part can have.
  template <typename Part>
  static size_t most(const Part& part) {
    if constexpr (std::is_array_v<Part>) {
      return sizeof(Part) - 1;
    } else if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
      return std::string_view(part).size();
    } else {
      return 20;
    }
  }
  template <typename... Parts>
  void put(const Parts&... parts) {
    const size_t room = (most(parts) + ...);
    char* const start = body_.extend(room);
    char* at = start;
    ((at = write(at, parts)), ...);
    body_.shrink(room - static_cast<size_t>(at - start));
  }
  void put_hex(uint64_t bits, uint32_t digits);
  /// One line: a tab, the parts in order, and a semicolon.
  template <typename... Parts>
  void line(const Parts&... parts) {
    put('\t', parts..., ";\n");
  }
  /// The rest of a line.
  template <typename... Parts>
  void end_line(const Parts&... parts) {
    put(parts..., ";\n");
  }
  Temp temp() { return {temps_++}; }
  Temp64 temp64() { return {temps64_++}; }
  TempPred temp_pred() { return {temp_preds_++}; }
  Half half() { return {halves_++}; }
  Label label() { return {labels_++}; }
  void place(Label l) { put(l, ":\n"); }

  void refuse(const Instruction& instruction, std::string_view what);

  // emit.cpp: the module around the body
  void scan();
  void defer_definition(const Instruction& user);
  void emit_header();
  void emit_prologue();
  void emit_epilogue();
  void emit_tables();
  void emit_instruction(const Instruction& instruction);
  void emit_stream_head();
  void emit_element();
  void emit_coverage();
  void emit_output_stores();
  void mark_line(const Instruction& instruction);
  void emit_limits();
  void emit_location(const Instruction& instruction);
  std::string_view source_line(uint32_t number);

  // arithmetic.cpp
  void emit_arithmetic(const Instruction& instruction);
  void emit_plain(const Instruction& instruction, const PlainForm& plain);
  bool emit_fused(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);
  void emit_half_conversion(const Instruction& instruction);
  void emit_derivative(const Instruction& instruction);
  void emit_compare(const Instruction& instruction, Value result, Value combined_with);

  /// The register with the lanes of the current path. Not tracked if nothing needs it before the path ends.
  struct Path {
    Mask mask = {0};
    bool tracked = false;
  };
  enum class Arms : uint8_t { apart, first_goes_on, second_goes_on };
  /// What the code of a construct needs in addition to its place in the tree.
  struct Flow {
    uint32_t fields = 0;  // how many known_fields_ there are outside
    Label begin = {0}, otherwise = {0}, finish = {0};
    uint32_t next_label = 0, next_arm = 0;  // of a switch
    // path_masks.cpp
    Path outside = {};
    Arms arms = Arms::apart;
    bool first_has = false, second_has = false;  // whether the arms have exchanges that need their masks
    bool voted = false;
    Mask ballot = {0};                      // the mask inside
    bool counts_again = false;              // lanes that jump out are counted at the end
    bool counts_turns = false;              // loop: at the end of each iteration
    Mask turn = {0};                        // the lanes that started the iteration
    Label latch = {0};                      // the end of an iteration
    uint8_t end_jumps = 0, turn_jumps = 0;  // jumps that pass the end or the latch, as bits
    bool pending_break = false;             // a break reaches the end with its jump pending
    uint32_t first_arm_mask = 0;            // switch: ballots of the arms
  };
  struct SwitchArm {
    TempPred matches = {0};
    bool voted = false;  // some case leads here
    bool is_default = false;
  };

  // control_flow.cpp. A construct is its number in structure_.
  void emit_control(const Instruction& instruction);
  void emit_if(uint32_t construct);
  void emit_else(uint32_t construct);
  void emit_endloop(uint32_t construct);
  void emit_jump(const Instruction& instruction, Jump kind);
  void move_all(std::span<const Value> sources, Value first_destination, uint32_t count);
  void move(Value destination, Value source);
  void emit_switch_dispatch(uint32_t construct);
  void emit_case_label(uint32_t construct);
  void find_structure();
  /// Does control reach the end of the region that ends here?
  bool is_end_reached() const { return !ir::info(module_.code[current_ - 1].op).has(ir::kTerminator); }

  // path_masks.cpp
  struct Stop {
    Label label;
    bool counts;  // lanes are counted there: the jump must be pending
  };
  Mask new_mask();
  void branch_if(TempPred condition, Label target);
  bool parts_lanes(uint32_t construct) const;
  bool counts_again_at_end(uint32_t construct) const;
  void vote_for_arms(uint32_t construct, Value condition);
  void enter_first_arm(uint32_t construct);
  void enter_second_arm(uint32_t construct);
  void open_loop_masks(uint32_t construct);
  void start_turn(uint32_t construct);
  void end_turn(uint32_t construct);
  void vote_for_cases(uint32_t construct, std::span<const SwitchArm> arms);
  void enter_case(uint32_t construct, uint32_t arm);
  void close_masks(uint32_t construct);
  void go_on(uint32_t construct, uint8_t jumps, bool from_turn);
  Label leave_turn(uint32_t construct, Jump jump);
  Stop next_stop(uint32_t construct, Jump jump, bool pending);
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
  void emit_indexed_output(const Instruction& instruction);
  void emit_binding(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);
  Record find_record(uint32_t base, uint32_t record_size, Value index);
  template <typename Binding>
  Record find_record(const Binding& binding, uint32_t base, uint32_t record_size, Value index);
  Record find_table_record(uint32_t base, uint32_t record_size, Value index);
  Record find_pair(const SampledPair& pair, const Instruction& instruction);
  Record find_pair_in_table(const SampledPair& pair, Value resource_index, Value sampler_index);
  /// The address of the parameter block.
  std::string_view block() const { return layout_.in_memory ? kBlock : kParameters; }
  std::string_view load_of(const Record& record) const;
  Record resource_record(const Instruction& instruction);
  void load_field(std::string_view type, Temp destination, const Record& record, uint32_t field);
  void load_field(Temp64 destination, const Record& record, uint32_t field);
  /// The same, but possibly the register of an earlier load, which must not be written.
  Temp field32(const Record& record, uint32_t field);
  Temp64 field64(const Record& record, uint32_t field);
  uint32_t* known_field(const Record& record, uint32_t field, bool is_64);
  void forget_fields(uint32_t known);
  Record constant_buffer_record_of(const Instruction& instruction, uint32_t position);
  void begin_guarded(const Instruction& instruction);
  Temp64 row_address(std::string_view array, uint32_t number, Value row);

  // texture.cpp
  void emit_texture(const Instruction& instruction);
  void emit_texel_access(const Instruction& instruction);
  void put_results(const Instruction& instruction);
  void put_coordinates(const Instruction& instruction, bool is_float);
  void preset_results(const Instruction& instruction, uint32_t count);
  void put_guard(const Instruction& instruction);
  Temp64 handle(const Instruction& instruction, bool sampled);

  // buffer.cpp
  /// Words of a raw or structured buffer.
  struct BufferPlace {
    Temp64 address = {0};
    uint32_t displacement = 0;
    uint32_t alignment = 4;  // of the address, in bytes: 4, 8 or 16
  };
  void emit_buffer(const Instruction& instruction);
  BufferPlace buffer_place(const Instruction& instruction);
  void emit_buffer_load(const Instruction& instruction, const BufferPlace& place);
  void emit_buffer_atomic(const Instruction& instruction, const BufferPlace& place);
  void emit_buffer_store(const Instruction& instruction, const BufferPlace& place);
  void put_words(Value first, uint32_t count);
  void emit_counter(const Instruction& instruction);
  void emit_global_atomic(const Instruction& instruction, Temp64 address);
  Effect effect_of(const Instruction& instruction);
  void put_condition(const Effect& effect);

  // surface.cpp
  void emit_surface(const Instruction& instruction);
  /// How the texels of a view are accessed: their size in bytes, and linear memory or a surface.
  struct Texels {
    uint32_t bytes = 0;
    bool linear = false, coherent = false;
    Temp64 place = {0};  // address or surface
    Temp x = {0};        // of a surface, in bytes
  };
  Texels find_texels(const Instruction& instruction);
  void emit_surface_load(const Instruction& instruction);
  void emit_surface_store(const Instruction& instruction);
  Temp64 linear_address(const Instruction& instruction, uint32_t bytes);
  void put_surface_place(const Instruction& instruction, const Texels& texels);

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
  Buffer<char> body_;
  uint32_t lines_ = 0;               // written so far
  std::pmr::vector<uint32_t> uses_;  // by value
  static constexpr uint32_t kNowhere = 0xffffffffu;
  std::pmr::vector<uint32_t> definition_;  // by value: index of the defining instruction, or kNowhere
  std::pmr::vector<uint8_t> deferred_;     // by instruction: emitted inside its only user
  ir::Structure structure_;
  std::pmr::vector<Flow> flows_;  // by construct
  PathMasks paths_;
  Path path_;
  std::pmr::vector<uint32_t> copy_stamp_;  // by value: scratch of move_all
  /// The address of the last accessed row, in the region that computed it.
  struct RowAddress {
    uint32_t region = 0, array = 0;
    Value row = ir::kNoValue;
    Temp64 address = {0};
  };
  RowAddress local_address_, table_address_;
  struct ElementAddress {
    uint32_t region = 0;
    Temp64 buffer = {0}, address = {0};
    Value index = ir::kNoValue;
  };
  ElementAddress element_address_;  // of a structured buffer, likewise
  /// Fields of the parameter block that are in registers, valid where control comes only from their load.
  std::pmr::vector<uint32_t> fields_;        // by place: number of the register plus 1; 0: none
  std::pmr::vector<uint32_t> known_fields_;  // places, in the order of their loads
  uint32_t region_ = 1;                      // counts control-flow markers
  std::pmr::vector<CompareFunction> functions_;
  std::pmr::string function_text_;          // their code, before the kernel's
  CompareFunction* function_ = nullptr;     // the one that this emitter writes
  uint32_t marked_location_ = 0;            // of the last instruction whose lines were marked
  SourceLocation written_location_;         // the last location that emit_location wrote
  std::pmr::vector<uint32_t> line_starts_;  // of the source; filled for its first line
  uint32_t stamp_ = 0;
  uint32_t current_ = 0;  // index of the instruction being emitted
  uint32_t temps_ = 0, temps64_ = 0, temp_preds_ = 0, halves_ = 0, labels_ = 1, masks_ = 1;
  bool uses_quads_ = false, needs_pending_ = false, needs_residency_ = false, needs_coverage_ = false,
       needs_true_ = false, needs_false_ = false, needs_unbound_ = false, discards_ = false;
  bool is_stream_ = false;   // pixel or vertex: elements, not a grid of groups
  bool tests_live_ = false;  // not every thread may write: %live
  uint32_t errors_before_;
};

}  // namespace texlate::ptx
