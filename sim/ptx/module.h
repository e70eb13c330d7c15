// A parsed PTX module: a flat list of decoded instructions that share one register file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ptx/opaque.h"

namespace texlate {
class Diagnostics;
}

namespace texlate::sim::ptx {

class Warp;
struct Instruction;
/// Executes one instruction for the lanes of `active`.
using Handler = void (*)(Warp&, const Instruction&, uint32_t active);

enum class Opcode : uint16_t {
#define TEXLATE_PTX_OPCODE(name, text, modifiers, operands) name,
#include "sim/ptx/opcode_table.inc"
#undef TEXLATE_PTX_OPCODE
};

/// PTX ISA 5.2: fundamental types. `none`: the instruction has no type there.
enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  f32,
  f64,
};
constexpr int size_of(Type type) {
  constexpr int kSizes[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 4, 8};
  return kSizes[static_cast<int>(type)];
}
constexpr bool is_signed(Type type) {
  return type >= Type::s8 && type <= Type::s64;
}
constexpr bool is_float(Type type) {
  return type >= Type::f16;
}

/// Where dynamic shared memory begins: beyond all static variables.
constexpr uint32_t kDynamicSharedBase = 0x10000;

/// PTX ISA 5.1. `generic`: no space is given, and the address determines it.
enum class Space : uint8_t { generic, param, shared, local, global, const_ };

/// Everything except types that may follow a mnemonic; one bit each in Instruction::modifiers.
enum class Mod : uint8_t {
#define TEXLATE_PTX_MODIFIER(name, text) name,
#include "sim/ptx/modifier_table.inc"
#undef TEXLATE_PTX_MODIFIER
  count_
};

struct ModSet {
  std::array<uint64_t, 3> words{};
  bool has(Mod m) const {
    return (words[static_cast<size_t>(m) / 64] >> (static_cast<size_t>(m) % 64) & 1) != 0;
  }
  void add(Mod m) { words[static_cast<size_t>(m) / 64] |= uint64_t{1} << (static_cast<size_t>(m) % 64); }
};
static_assert(static_cast<size_t>(Mod::count_) <= 192);

/// Fixed registers at the start of the file.
constexpr uint32_t kSink = 0;   // `_`: written, never read
constexpr uint32_t kCarry = 1;  // CC.CF of the extended-precision instructions
constexpr uint32_t kFirstSpecial = 2;
constexpr uint32_t kNone = 0xffffffffu;

struct TexOperands {
  uint32_t handle = kNone;
  uint32_t sampler = kNone;  // independent mode only
  std::array<uint32_t, 4> coordinate{kNone, kNone, kNone, kNone};
  std::array<uint32_t, 4> ddx{kNone, kNone, kNone, kNone}, ddy{kNone, kNone, kNone, kNone};
  std::array<uint32_t, 4> offset{kNone, kNone, kNone, kNone};
  uint32_t level = kNone;
  uint32_t reference = kNone;
  uint32_t resident = kNone;  // the predicate after `|`
};

/// Sources and destinations are register numbers. Literals, special registers and symbol addresses are
/// registers that hold a constant, so that handlers need not distinguish the kinds of operands.
struct Instruction {
  Handler run = nullptr;
  Opcode opcode{};
  Type type = Type::none;
  Type type2 = Type::none;  // the second type in the text: source of cvt, coordinates of tex ...
  Space space = Space::generic;
  uint8_t vector = 1;  // .v2, .v4
  bool guard_negated = false;
  uint8_t negated = 0;         // bit i: predicate source i is `!p`
  bool fixed_address = false;  // no base register
  uint32_t guard = kNone;
  std::array<uint32_t, 4> dst{kNone, kNone, kNone, kNone};
  std::array<uint32_t, 5> src{kNone, kNone, kNone, kNone, kNone};
  int64_t offset = 0;   // of an address
  uint32_t target = 0;  // branch target, called function, table of targets, tex operands
  ModSet modifiers;
  uint32_t line = 0, column = 0;

  bool has(Mod m) const { return modifiers.has(m); }
};

/// ld.global.nc and ldu: loads of memory that the kernel does not write.
inline bool reads_constant_memory(const Instruction& i) {
  return i.opcode == Opcode::ldu || (i.opcode == Opcode::ld && i.has(Mod::nc));
}

/// A formal parameter, or a .param variable in the body of a function.
struct Parameter {
  uint32_t offset = 0;  // entries: in the parameter block; functions: in the per-lane parameter area
  uint32_t size = 0;
};

struct Call {
  uint32_t function = kNone;
  std::vector<Parameter> arguments, results;
};

/// A parameter of an entry as declared. .texref and the other opaque types are in Module::opaques.
struct EntryParameter {
  std::string name;
  Type type = Type::none;
  uint32_t offset = 0, size = 0;  // in the parameter block
  bool is_array = false;
  uint32_t line = 0, column = 0;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool defined = false;
  uint32_t first_instruction = 0, end_instruction = 0;
  std::vector<Parameter> parameters, results;
  std::vector<EntryParameter> entry_parameters;
  uint32_t parameter_bytes = 0;                     // entries: size of the block
  std::array<uint32_t, 3> required_block{0, 0, 0};  // .reqntid
};

struct Constant {
  uint32_t reg;
  uint64_t value;
  uint32_t global = kNone;  // index of the variable whose address is added
  uint32_t opaque = kNone;  // index of the opaque variable whose handle it is
};

/// A .global or .const variable of the module.
struct GlobalVariable {
  std::string name;
  Space space = Space::global;
  uint64_t size = 0, align = 1;
  std::vector<std::byte> initial;
};

struct Module {
  std::vector<Instruction> code;
  std::vector<TexOperands> tex_operands;
  std::vector<Function> functions;
  std::vector<Call> calls;
  std::vector<std::vector<uint32_t>> branch_tables;
  std::vector<Constant> constants;
  std::vector<GlobalVariable> globals;
  std::vector<OpaqueVariable> opaques;
  uint32_t sm = 0;           // .target sm_NN
  bool independent = false;  // .target texmode_independent: samplers are separate operands (PTX ISA 5.3)
  bool has_read_only_loads = false;  // ld.global.nc, ldu
  uint32_t register_count = 0;
  uint32_t shared_bytes = 0, local_bytes = 0, call_parameter_bytes = 0;  // static, whole module

  const Function* find_entry(std::string_view name) const;
  /// The entry's parameter with this name, otherwise the module's variable; kNone if there is none.
  uint32_t find_opaque(std::string_view name, std::string_view entry = {}) const;
};

/// Parses PTX text (PTX ISA 9.0 and earlier, the subset in opcode_table.inc). Errors have locations. Returns
/// null if there were errors.
std::unique_ptr<Module> parse(std::string_view text, Diagnostics& diagnostics);

/// The per-lane parameter area of calls, as addressed by ld.param / st.param. Entry parameters start at 0.
constexpr uint64_t kCallParameterBase = 0x100000;

}  // namespace texlate::sim::ptx
