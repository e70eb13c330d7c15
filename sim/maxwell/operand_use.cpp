// What an instruction reads and writes, and whether its vectors are aligned.
#include "sim/maxwell/instruction.h"
#include "sim/maxwell/texture_form.h"

namespace texlate::sim::maxwell {

namespace {

class Use {
 public:
  explicit Use(Instruction& i) : i_(i) {}

  void read(uint8_t first, uint32_t count = 1) {
    if (first == kZeroRegister || count == 0) return;
    check(first, count);
    i_.reads[i_.read_count++] = {first, static_cast<uint8_t>(count)};
  }
  /// A vector whose value is needed must be present.
  void read_vector(uint8_t first, uint32_t count) {
    if (count != 0 && first == kZeroRegister) i_.operand_fault = "RZ where a parameter is needed";
    read(first, count);
  }
  void write(uint8_t first, uint32_t count = 1) {
    if (first == kZeroRegister || count == 0) return;
    check(first, count);
    i_.writes[i_.write_count++] = {first, static_cast<uint8_t>(count)};
  }
  void read(const Operand& operand, uint32_t count = 1) {
    if (operand.kind == Operand::Kind::register_) read(operand.reg, count);
  }
  void read_predicate(uint32_t p) {
    if (p < kTruePredicate) i_.predicates_read |= static_cast<uint8_t>(1u << p);
  }
  void write_predicate(uint32_t p) {
    if (p < kTruePredicate) i_.predicates_written |= static_cast<uint8_t>(1u << p);
  }

 private:
  // Vectors of two start at an even register; vectors of three and four start at a multiple of four.
  void check(uint8_t first, uint32_t count) {
    const uint32_t alignment = count == 1 ? 1 : count == 2 ? 2 : 4;
    if (first % alignment != 0) i_.operand_fault = "a register vector is not aligned to its length";
    if (first + count > kZeroRegister) i_.operand_fault = "a register vector runs past R254";
  }
  Instruction& i_;
};

constexpr uint32_t kSizeRegisters[8] = {1, 1, 1, 1, 1, 2, 4, 4};

void use_letters(const Instruction& i, Use& use) {
  for (char c : operation(i.opcode).operands) {
    switch (c) {
      case 'd': use.write(i.rd()); break;
      case 'D': use.write(i.rd(), 2); break;
      case 'a': use.read(i.ra()); break;
      case 'A': use.read(i.ra(), 2); break;
      case 'b': use.read(i.b); break;
      case 'B': use.read(i.b, 2); break;
      case 'c': use.read(i.c); break;
      case 'C': use.read(i.c, 2); break;
      case 'e': use.read(i.rd()); break;
      case 'P':
        use.write_predicate(i.field(3, 3));
        use.write_predicate(i.field(0, 3));
        break;
      case 'f': use.write_predicate(i.field(3, 3)); break;
      case 'q': use.write_predicate(i.field(45, 3)); break;
      case 's': use.write_predicate(i.field(48, 3)); break;
      case 'p': use.read_predicate(i.field(39, 3)); break;
      case 'm': use.read_predicate(i.field(12, 3)); break;
      case 'n': use.read_predicate(i.field(29, 3)); break;
      default: break;
    }
  }
}

void use_conversion(const Instruction& i, Use& use) {
  use.write(i.rd(), i.field(8, 2) == 3 ? 2 : 1);
  use.read(i.b, i.field(10, 2) == 3 ? 2 : 1);
}

void use_memory(const Instruction& i, Use& use) {
  switch (i.opcode) {
    case Opcode::ldc:
      use.read(i.ra());
      use.write(i.rd(), kSizeRegisters[i.field(48, 3)]);
      return;
    case Opcode::ldg:
    case Opcode::lds:
    case Opcode::ldl:
      use.read(i.ra(), i.opcode == Opcode::ldg && i.bit(45) ? 2 : 1);
      use.write(i.rd(), kSizeRegisters[i.field(48, 3)]);
      return;
    case Opcode::stg:
    case Opcode::sts:
    case Opcode::stl:
      use.read(i.ra(), i.opcode == Opcode::stg && i.bit(45) ? 2 : 1);
      use.read(i.rd(), kSizeRegisters[i.field(48, 3)]);
      return;
    case Opcode::ld:
      use.read(i.ra(), i.bit(52) ? 2 : 1);
      use.write(i.rd(), kSizeRegisters[i.field(53, 3)]);
      return;
    case Opcode::st:
      use.read(i.ra(), i.bit(52) ? 2 : 1);
      use.read(i.rd(), kSizeRegisters[i.field(53, 3)]);
      return;
    default: use.read(i.ra(), i.bit(52) ? 2 : 1); return;  // CCTL
  }
}

void use_atomic(const Instruction& i, Use& use) {
  const auto wide = [](uint32_t type) { return type == 2 || type == 5 || type == 6; };
  switch (i.opcode) {
    case Opcode::atom: {
      const uint32_t count = wide(i.field(49, 3)) ? 2 : 1;
      use.read(i.ra(), i.bit(48) ? 2 : 1);
      use.read(i.rb(), count);
      use.write(i.rd(), count);
      return;
    }
    case Opcode::atom_cas: {
      const uint32_t count = i.bit(49) ? 2 : 1;
      use.read(i.ra(), i.bit(48) ? 2 : 1);
      use.read(i.rb(), 2 * count);
      use.write(i.rd(), count);
      return;
    }
    case Opcode::red:
      use.read(i.ra(), i.bit(48) ? 2 : 1);
      use.read(i.rd(), wide(i.field(20, 3)) ? 2 : 1);
      return;
    case Opcode::atoms: {
      const uint32_t count = i.field(28, 2) >= 2 ? 2 : 1;
      use.read(i.ra());
      use.read(i.rb(), count);
      use.write(i.rd(), count);
      return;
    }
    default: {  // ATOMS.CAS
      const uint32_t count = i.bit(52) ? 2 : 1;
      use.read(i.ra());
      use.read(i.rb(), 2 * count);
      use.write(i.rd(), count);
      return;
    }
  }
}

void use_texture(Instruction& i, Use& use) {
  const TextureForm form = texture_form(i);
  use.read_vector(form.a.first, form.a.count);
  use.read_vector(form.b.first, form.b.count);
  use.write(form.d0.first, form.d0.count);
  use.write(form.d1.first, form.d1.count);
  const bool sparse = i.opcode == Opcode::tex || i.opcode == Opcode::tex_b || i.opcode == Opcode::tld ||
                      i.opcode == Opcode::tld_b || i.opcode == Opcode::tld4 || i.opcode == Opcode::tld4_b ||
                      i.opcode == Opcode::txd || i.opcode == Opcode::txd_b;
  if (sparse) use.write_predicate(i.field(51, 3));
  if (!form.fault.empty()) i.operand_fault = form.fault;
  if (form.b.count == 0 && i.rb() != kZeroRegister) i.operand_fault = "Rb is unused but is not RZ";
}

void use_query(const Instruction& i, Use& use) {
  uint32_t count = 0;
  for (int c = 0; c < 4; ++c) count += i.bit(31 + c) ? 1u : 0u;
  use.read_vector(i.ra(), i.opcode == Opcode::txq_b ? 2 : 1);
  use.write(i.rd(), count);
}

// Coordinates of a surface: one, two, one and the layer, two and the layer, three.
constexpr uint32_t kSurfaceCoordinates[8] = {1, 1, 2, 2, 3, 3, 0, 0};

void use_surface(Instruction& i, Use& use) {
  const uint32_t coordinates = kSurfaceCoordinates[i.field(33, 3)];
  if (coordinates == 0) i.operand_fault = "invalid value of the dimension field";
  use.read_vector(i.ra(), coordinates);
  if (i.opcode == Opcode::suatom || i.opcode == Opcode::suatom_cas) {
    const bool bound = !i.bit(54);
    const uint32_t type = bound ? i.field(51, 3) : i.field(36, 3);
    const uint32_t count = type == 2 || type == 5 || type == 7 ? 2 : 1;
    use.read(i.rb(), i.opcode == Opcode::suatom_cas ? 2 * count : count);
    use.write(i.rd(), count);
    if (!bound) use.read(i.rc());
    return;
  }
  if (!i.bit(51)) use.read(i.rc());
  if (i.opcode == Opcode::sured) {
    const uint32_t type = i.field(20, 3);
    use.read(i.rd(), type == 2 || type == 5 || type == 7 ? 2 : 1);
    return;
  }
  uint32_t count = 0;
  if (i.bit(52)) {
    count = kSizeRegisters[i.field(20, 3)];
  } else {
    for (int c = 0; c < 4; ++c) count += i.bit(20 + c) ? 1u : 0u;
  }
  if (i.opcode == Opcode::suld) {
    use.write(i.rd(), count);
  } else {
    use.read(i.rd(), count);
  }
}

void use_shuffle(const Instruction& i, Use& use) {
  use.read(i.ra());
  if (!i.bit(28)) use.read(i.rb());
  if (!i.bit(29)) use.read(i.rc());
  use.write(i.rd());
  use.write_predicate(i.field(48, 3));
}

void use_packed_predicates(Instruction& i, Use& use) {
  use.read(i.ra());
  use.read(i.b);
  const bool cc = i.bit(40);
  if (i.opcode == Opcode::p2r) {
    use.write(i.rd());
    if (cc) i.reads_cc = true;
    for (uint32_t p = 0; p < 7 && !cc; ++p) use.read_predicate(p);
  } else if (cc) {
    i.writes_cc = true;
  } else {
    // Only the predicates in the mask, if it is known.
    for (uint32_t p = 0; p < 7; ++p) {
      if (i.b.kind != Operand::Kind::immediate || (i.b.immediate >> p & 1) != 0) use.write_predicate(p);
    }
  }
}

void use_half(const Instruction& i, Use& use) {
  use.read(i.ra());
  use.read(i.b);
  if (i.opcode == Opcode::hfma2) use.read(i.c);
  if (i.opcode == Opcode::hset2 || i.opcode == Opcode::hsetp2) use.read_predicate(i.field(39, 3));
  if (i.opcode == Opcode::hsetp2) {
    use.write_predicate(i.field(3, 3));
    use.write_predicate(i.field(0, 3));
  } else {
    use.write(i.rd());
  }
}

void use_attribute(const Instruction& i, Use& use) {
  const uint32_t count = i.field(47, 2) + 1;
  switch (i.opcode) {
    case Opcode::ipa:
      use.read(i.ra());
      use.read(i.rb());
      use.read(i.rc());
      use.write(i.rd());
      use.write_predicate(i.field(47, 3));
      return;
    case Opcode::ald:
      use.read(i.ra());
      use.read(i.rc());
      use.write(i.rd(), count);
      return;
    default:
      use.read(i.ra());
      use.read(i.rc());
      use.read(i.rd(), count);
      return;
  }
}

void use_barrier(const Instruction& i, Use& use) {
  if (!i.bit(44)) use.read(i.ra());
  if (!i.bit(43)) use.read(i.rb());
  if (i.field(32, 3) == 2) use.read_predicate(i.field(39, 3));
}

void use_by_modifiers(Instruction& i, Use& use) {
  switch (i.opcode) {
    case Opcode::f2f:
    case Opcode::f2i:
    case Opcode::i2f: return use_conversion(i, use);
    case Opcode::p2r:
    case Opcode::r2p: return use_packed_predicates(i, use);
    case Opcode::shfl: return use_shuffle(i, use);
    case Opcode::bar: return use_barrier(i, use);
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::red:
    case Opcode::atoms:
    case Opcode::atoms_cas: return use_atomic(i, use);
    case Opcode::txq:
    case Opcode::txq_b: return use_query(i, use);
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suatom:
    case Opcode::suatom_cas: return use_surface(i, use);
    default: break;
  }
  switch (operation(i.opcode).pipe) {
    case Pipe::texture: return use_texture(i, use);
    case Pipe::attribute: return use_attribute(i, use);
    case Pipe::half: return use_half(i, use);
    default: return use_memory(i, use);
  }
}

// The condition-code test of a control instruction; 15 is always true.
bool tests_cc(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::sync:
    case Opcode::brk:
    case Opcode::cont:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::kil: return i.field(0, 5) != 15;
    case Opcode::cset:
    case Opcode::csetp: return true;
    default: return false;
  }
}

}  // namespace

void describe_use(Instruction& i) {
  const Operation& op = operation(i.opcode);
  Use use(i);
  if (op.operands == "*") {
    use_by_modifiers(i, use);
  } else {
    use_letters(i, use);
  }
  if (op.cc_write_bit != 0 && i.bit(op.cc_write_bit)) i.writes_cc = true;
  if (op.cc_read_bit != 0 && i.bit(op.cc_read_bit)) i.reads_cc = true;
  if (i.opcode == Opcode::imnmx && i.field(43, 2) != 0) i.reads_cc = true;
  if (tests_cc(i)) i.reads_cc = true;
}

}  // namespace texlate::sim::maxwell
