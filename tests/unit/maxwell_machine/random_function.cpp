#include "tests/unit/maxwell_machine/random_function.h"

#include <algorithm>
#include <random>

#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine::test {
namespace {

Operand reg(uint8_t flags = 0) {
  return Operand::r(kVirtual, flags);
}
Operand pred(bool inverted = false) {
  return Operand::p(kVirtual, inverted);
}

class Generator {
 public:
  Generator(uint32_t seed, const RandomFunctionOptions& options, Function& function,
            std::vector<SideEffect>& effects)
      : random_(seed), options_(options), effects_(effects), builder_(function) {
    effects_.assign(1, {});
  }

  void run() {
    builder_.begin(builder_.block());
    for (unsigned i = 0; i < 4; ++i) special_register();
    pick_predicate();
    left_ = options_.size;
    body(options_.depth, kNoBlock, {}, kNoBlock, {});
    if (builder_.is_open()) end_program();
    builder_.finish();
  }

 private:
  struct Loop;
  using Values = std::vector<Value>;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  // ---- values in scope

  Value any() {
    // Prefers recent values: the range determines the register pressure.
    const size_t reach = std::min<size_t>(general_.size(), options_.pressure);
    return general_[general_.size() - 1 - below(static_cast<unsigned>(reach))];
  }
  Value any_predicate() {
    const size_t reach = std::min<size_t>(predicates_.size(), 5);
    return predicates_[predicates_.size() - 1 - below(static_cast<unsigned>(reach))];
  }
  Value define() {
    pending_.push_back(builder_.general());
    return pending_.back();
  }
  Value define_predicate() {
    pending_.push_back(builder_.predicate());
    pending_predicates_.push_back(pending_.back());
    return pending_.back();
  }

  Instruction& append(const maxwell::Instruction& code, const Values& values, SideEffect effect = {}) {
    const bool guarded = chance(12) && form(code).guarded && !writes_cc_;
    Value guard = kNoValue;
    if (guarded) guard = any_predicate();
    Instruction& i = builder_.append(code, values, guard, chance(50));
    i.origin = static_cast<uint32_t>(effects_.size());
    i.effect = effect.effect;
    i.space = effect.space;
    effects_.push_back(effect);
    if (guarded && i.result_count != 0) merge(code, values);
    for (const Value v : pending_) {
      const bool is_predicate =
          std::find(pending_predicates_.begin(), pending_predicates_.end(), v) != pending_predicates_.end();
      (is_predicate ? predicates_ : general_).push_back(v);
    }
    pending_.clear();
    pending_predicates_.clear();
    if (left_ != 0) --left_;
    return i;
  }

  void merge(const maxwell::Instruction& code, const Values& values) {
    Values before;
    unsigned at = 0;
    for (unsigned k = 0; k < form(code).operand_count; ++k) {
      for (unsigned e = 0; e < value_count(code, k); ++e, ++at) {
        if (!is_result(code, k)) continue;
        const bool is_predicate = code.operands[k].kind == OperandKind::predicate;
        before.push_back(values[at] == kNoValue ? kNoValue : is_predicate ? any_predicate() : any());
      }
    }
    builder_.merge(before);
  }

  // ---- instructions

  void special_register() {
    maxwell::Instruction code = make_instruction(Opcode::s2r);
    code.operands[0] = reg();
    code.operands[1] = Operand::word(static_cast<int32_t>(below(8)) + 0x21);
    writes_cc_ = true;  // unguarded: these are the first values
    append(code, {define()});
    writes_cc_ = false;
  }

  void pick_predicate() {
    maxwell::Instruction code = make_instruction(Opcode::fsetp);
    set(code, Modifier::float_compare, FloatCompare::lt);
    code.operands[0] = pred();
    code.operands[2] = reg();
    code.operands[3] = reg();
    const Value a = any(), b = any();
    const bool was = writes_cc_;
    writes_cc_ = was || predicates_.empty();
    append(code, {define_predicate(), a, b});
    writes_cc_ = was;
  }

  void arithmetic() {
    switch (below(12)) {
      case 0: three(Opcode::ffma); return;
      case 1: two(Opcode::fadd); return;
      case 2: two(Opcode::fmul); return;
      case 3: one(Opcode::mufu, 1); return;
      case 4: constant(); return;
      case 5: with_constant(); return;
      case 6: select(); return;
      case 7: tied(); return;
      case 8: carry_pair(); return;
      case 9: doubles(); return;
      case 10: move(); return;
      default: one(Opcode::i2f, 1); return;
    }
  }

  void two(Opcode opcode) {
    maxwell::Instruction code = make_instruction(opcode);
    code.operands[0] = reg();
    code.operands[1] = reg();
    code.operands[2] = reg();
    const Value a = any(), b = any();
    append(code, {define(), a, b});
  }
  void three(Opcode opcode) {
    maxwell::Instruction code = make_instruction(opcode);
    for (unsigned k = 0; k < 4; ++k) code.operands[k] = reg();
    const Value a = any(), b = any(), c = any();
    append(code, {define(), a, b, c});
  }
  void one(Opcode opcode, unsigned source) {
    maxwell::Instruction code = make_instruction(opcode);
    code.operands[0] = reg();
    code.operands[source] = reg();
    if (opcode == Opcode::i2f) {
      set(code, Modifier::float_type, FloatType::f32);
    }
    const Value a = any();
    append(code, {define(), a});
  }
  void constant() {
    maxwell::Instruction code = make_instruction(Opcode::mov32i, Shape::imm);
    code.operands[0] = reg();
    code.operands[1].value = static_cast<int32_t>(below(5));
    append(code, {define()});
  }
  void move() {
    maxwell::Instruction code = make_instruction(Opcode::mov, chance(30) ? Shape::cbuf : Shape::reg);
    code.operands[0] = reg();
    if (code.operands[1].kind == OperandKind::constant) {
      code.operands[1] = Operand::c(0, static_cast<int32_t>(4 * below(64)));
      append(code, {define()});
      return;
    }
    if (chance(30)) {
      append(code, {define()});  // of RZ
      return;
    }
    code.operands[1] = reg();
    const Value a = any();
    append(code, {define(), a});
  }
  void with_constant() {
    maxwell::Instruction code = make_instruction(Opcode::fmul, Shape::cbuf);
    code.operands[0] = reg();
    code.operands[1] = reg();
    code.operands[2] = Operand::c(0, static_cast<int32_t>(4 * below(64)));
    const Value a = any();
    append(code, {define(), a});
  }
  void select() {
    maxwell::Instruction code = make_instruction(Opcode::sel);
    code.operands[0] = reg();
    code.operands[1] = reg();
    code.operands[2] = reg();
    code.operands[3] = pred(chance(50));
    const Value a = any(), b = any(), p = any_predicate();
    append(code, {define(), a, b, p});
  }
  void tied() {
    maxwell::Instruction code = make_instruction(Opcode::ffma32i, Shape::imm);
    code.operands[0] = reg();
    code.operands[1] = reg();
    code.operands[3] = reg();
    const Value a = any(), c = any();
    writes_cc_ = true;
    append(code, {define(), a, c});
    writes_cc_ = false;
  }
  void carry_pair() {
    const Value a = any(), b = any(), c = any(), d = any();
    maxwell::Instruction low = make_instruction(Opcode::iadd);
    for (unsigned k = 0; k < 3; ++k) low.operands[k] = reg();
    maxwell::Instruction high = low;
    low.operands[0].flags |= kWriteCC;
    set_modifier(high, Modifier::x, 1);
    writes_cc_ = true;
    append(low, {define(), a, b});
    append(high, {define(), c, d});
    writes_cc_ = false;
  }
  void doubles() {
    maxwell::Instruction code = make_instruction(Opcode::dfma);
    for (unsigned k = 0; k < 4; ++k) code.operands[k] = reg();
    Values sources;
    for (unsigned i = 0; i < 6; ++i) sources.push_back(any());
    Values all{define(), define()};
    all.insert(all.end(), sources.begin(), sources.end());
    append(code, all);
  }

  Values sources(unsigned count) {
    Values out;
    for (unsigned i = 0; i < count; ++i) out.push_back(any());
    return out;
  }
  /// Results of which some are unused.
  void results(unsigned count, Values& out) {
    for (unsigned i = 0; i < count; ++i) out.push_back(chance(12) ? kNoValue : define());
  }

  void texture() {
    if (chance(50)) {
      maxwell::Instruction code = make_instruction(Opcode::texs);
      const uint8_t form_value = static_cast<uint8_t>(below(14));
      set_modifier(code, Modifier::texs_form, form_value);
      const bool four = chance(50);
      fill_texture(code, four);
      return;
    }
    maxwell::Instruction code = make_instruction(Opcode::tex);
    set(code, Modifier::lod, chance(50) ? LodMode::ll : LodMode::none);
    set(code, Modifier::dc, chance(30) ? DepthCompare::on : DepthCompare::off);
    fill_texture(code, false);
  }

  /// Every register operand that a texture instruction's form requires.
  void fill_texture(maxwell::Instruction code, bool two_results) {
    Values values;
    const Form& f = form(code);
    Values all;
    for (unsigned k = 0; k < f.operand_count; ++k) {
      Operand& o = code.operands[k];
      if (o.kind == OperandKind::word && f.operands[k].kind == SlotKind::scalar_mask)
        o.value = static_cast<int32_t>(below(5));
      if (f.operands[k].kind == SlotKind::texture_dim) o.value = static_cast<int32_t>(below(5));
      if (o.kind == OperandKind::immediate && f.operands[k].kind == SlotKind::unsigned_imm &&
          f.operands[k].width == 4) {
        o.value = static_cast<int32_t>(1 + below(15));
      }
    }
    for (unsigned k = 0; k < f.operand_count; ++k) {
      if (code.operands[k].kind != OperandKind::reg) continue;
      if (f.operands[k].span == Span::scalar_result_high && !two_results) continue;
      code.operands[k] = reg();
    }
    for (unsigned k = 0; k < f.operand_count; ++k) {
      if (code.operands[k].kind == OperandKind::reg && code.operands[k].reg != kRZ &&
          value_count(code, k) == 0) {
        code.operands[k] = Operand::r(kRZ);
      }
    }
    for (unsigned k = 0; k < f.operand_count; ++k) {
      const unsigned n = value_count(code, k);
      if (n == 0) continue;
      if (is_result(code, k)) {
        results(n, all);
      } else {
        const Values s = sources(n);
        all.insert(all.end(), s.begin(), s.end());
      }
    }
    append(code, all);
  }

  void memory() {
    const bool is_load = chance(50);
    const unsigned width = below(3);
    const uint8_t size = static_cast<uint8_t>(width == 0   ? LoadSize::b32
                                              : width == 1 ? LoadSize::b64
                                                           : LoadSize::b128);
    const unsigned count = 1u << width;
    const uint8_t space = static_cast<uint8_t>(below(4));
    maxwell::Instruction code = make_instruction(is_load ? Opcode::ldg : Opcode::stg);
    set_modifier(code, Modifier::e, 1);
    set_modifier(code, is_load ? Modifier::load_size : Modifier::memory_size, size);
    const Values address = sources(2);
    Values all;
    if (is_load) {
      code.operands[0] = reg();
      code.operands[1] = Operand::address(kVirtual, 16);
      results(count, all);
      all.insert(all.end(), address.begin(), address.end());
      append(code, all, {Effect::read, space});
      return;
    }
    code.operands[0] = Operand::address(kVirtual, 32);
    code.operands[1] = reg();
    const Values data = sources(count);
    all = address;
    all.insert(all.end(), data.begin(), data.end());
    append(code, all, {Effect::write, space});
  }

  void atomic() {
    maxwell::Instruction code = make_instruction(Opcode::atom_cas);
    set_modifier(code, Modifier::e, 1);
    code.operands[0] = reg();
    code.operands[1] = Operand::address(kVirtual, 8);
    code.operands[2] = reg();
    code.operands[3] = reg();
    Values all;
    const Values s = sources(4);
    all.push_back(define());
    all.insert(all.end(), s.begin(), s.end());
    append(code, all, {Effect::write, 2});
  }

  void store_all() {
    for (unsigned i = 0; i < 3; ++i) {
      maxwell::Instruction code = make_instruction(Opcode::stg);
      set_modifier(code, Modifier::e, 1);
      code.operands[0] = Operand::address(kVirtual, 0);
      code.operands[1] = reg();
      set(code, Modifier::memory_size, MemorySize::b32);
      const Value a = any(), b = any(), c = any();
      append(code, {a, b, c}, {Effect::write, 3});
    }
  }

  /// The routine's results are one or two new values.
  void call() {
    TestRoutine routine;
    routine.arguments = below(TestRoutine::kMostArguments + 1);
    routine.clobbers = std::max(2u, routine.arguments) + below(12);
    Values results(1 + below(2));
    Values given;
    for (unsigned i = 0; i < routine.arguments; ++i) given.push_back(chance(10) ? general_.front() : any());
    for (Value& v : results) v = builder_.general();
    builder_.call(routine.number(), static_cast<uint16_t>(routine.clobbers), given, results);
    general_.insert(general_.end(), results.begin(), results.end());
    if (left_ != 0) --left_;
  }

  void instruction() {
    if (options_.calls != 0 && chance(options_.calls)) return call();
    const unsigned kind = below(100);
    if (kind < 50) {
      arithmetic();
    } else if (kind < 62) {
      texture();
    } else if (kind < 78) {
      memory();
    } else if (kind < 82) {
      atomic();
    } else if (kind < 92) {
      pick_predicate();
    } else if (kind < 94) {
      barrier();
    } else {
      predicate_logic();
    }
  }

  void barrier() {
    maxwell::Instruction code = make_instruction(Opcode::membar);
    writes_cc_ = true;
    append(code, {}, {Effect::barrier, kAllSpaces});
    writes_cc_ = false;
  }
  void predicate_logic() {
    maxwell::Instruction code = make_instruction(Opcode::psetp);
    set(code, Modifier::boolean, Boolean::xor_);
    code.operands[0] = pred();
    code.operands[2] = pred(chance(50));
    code.operands[3] = pred();
    const Value a = any_predicate(), b = any_predicate();
    append(code, {define_predicate(), a, b});
  }

  // ---- control flow

  struct Scope {
    size_t general, predicates;
  };
  Scope scope() const { return {general_.size(), predicates_.size()}; }
  void leave(Scope s) {
    general_.resize(s.general);
    predicates_.resize(s.predicates);
  }

  /// Statements. The end is reachable unless they leave by a jump. `merge`, `next`: of the enclosing loop.
  void body(unsigned depth, BlockId loop_merge, const Values& merge_parameters, BlockId loop_next,
            const Values& next_parameters) {
    const unsigned count = 2 + below(8);
    for (unsigned n = 0; n < count && left_ != 0 && builder_.is_open(); ++n) {
      const unsigned kind = below(100);
      if (depth > 0 && kind < 22) {
        selection(depth - 1, loop_merge, merge_parameters, loop_next, next_parameters);
      } else if (depth > 0 && kind < 32) {
        loop(depth - 1);
      } else {
        instruction();
      }
    }
    if (depth == options_.depth) {
      while (left_ != 0 && builder_.is_open()) {
        if (depth > 0 && chance(25)) {
          chance(70) ? selection(depth - 1, loop_merge, merge_parameters, loop_next, next_parameters)
                     : loop(depth - 1);
        } else {
          instruction();
        }
      }
    }
  }

  Values arguments(const Values& parameters) {
    Values out;
    for (size_t i = 0; i < parameters.size(); ++i) {
      out.push_back(is_predicate_parameter(i) ? any_predicate() : any());
    }
    return out;
  }
  static bool is_predicate_parameter(size_t i) { return i % 4 == 3; }
  Values parameters() {
    Values out;
    const unsigned count = below(6);
    for (unsigned i = 0; i < count; ++i)
      out.push_back(is_predicate_parameter(i) ? builder_.predicate() : builder_.general());
    return out;
  }
  void enter_scope(const Values& list) {
    for (size_t i = 0; i < list.size(); ++i)
      (is_predicate_parameter(i) ? predicates_ : general_).push_back(list[i]);
  }

  void selection(unsigned depth, BlockId loop_merge, const Values& merge_parameters, BlockId loop_next,
                 const Values& next_parameters) {
    const BlockId then_block = builder_.block();
    const BlockId else_block = builder_.block();
    const BlockId merge = builder_.block();
    const Values list = parameters();
    bool uniform = options_.uniform && chance(15);
    const Value condition = uniform ? uniform_condition() : any_predicate();
    const Scope before = scope();
    builder_.selection(merge);
    builder_.branch(condition, chance(50), then_block, else_block, uniform);
    bool reached = false;
    for (const BlockId arm : {then_block, else_block}) {
      builder_.begin(arm);
      if (!chance(30)) body(depth, loop_merge, merge_parameters, loop_next, next_parameters);
      if (builder_.is_open()) {
        const unsigned kind = below(100);
        const bool must = arm == else_block && !reached;
        if (!must && kind < 18 && loop_merge != kNoBlock) {
          builder_.jump(loop_merge, arguments(merge_parameters));
        } else if (!must && kind < 30 && loop_next != kNoBlock) {
          builder_.jump(loop_next, arguments(next_parameters));
        } else if (!must && kind < 33) {
          end_program();
        } else {
          builder_.jump(merge, arguments(list));
          reached = true;
        }
      }
      leave(before);
    }
    builder_.begin(merge, list);
    enter_scope(list);
    if (!reached) end_program();  // unreachable
  }

  void loop(unsigned depth) {
    const BlockId header = builder_.block();
    const BlockId next = builder_.block();
    const BlockId merge = builder_.block();
    Values header_list = parameters();
    const Values next_list = parameters();
    const Values merge_list = parameters();
    const Value start = count_constant();
    const bool is_header_next = chance(40);
    Values first = arguments(header_list);
    // The counter is the header's first parameter, before those of the list.
    const Value counter = builder_.general();
    Values header_all{counter};
    header_all.insert(header_all.end(), header_list.begin(), header_list.end());
    Values first_all{start};
    first_all.insert(first_all.end(), first.begin(), first.end());
    const Scope before = scope();
    builder_.loop(merge, next);
    builder_.jump(header, first_all);

    builder_.begin(header, header_all);
    enter_scope(header_list);
    const auto [down, is_left] = count_down(counter);
    const BlockId leave_block = builder_.block();
    const BlockId body_block = builder_.block();
    // Tests the count early or late.
    const bool late = chance(50) && !is_header_next;
    if (!late) {
      builder_.branch(is_left, false, body_block, leave_block, false);
      builder_.begin(leave_block);
      builder_.jump(merge, arguments(merge_list));
      builder_.begin(body_block);
    }
    body(depth, merge, merge_list, next, next_list);
    if (builder_.is_open()) builder_.jump(next, arguments(next_list));
    leave(before);
    builder_.begin(next, next_list);
    enter_scope(next_list);
    if (chance(50)) instruction();
    Values back{down};
    const Values rest = arguments(header_list);
    back.insert(back.end(), rest.begin(), rest.end());
    if (late) {
      const BlockId again = builder_.block();
      builder_.branch(is_left, true, leave_block, again, false);
      builder_.begin(again);
      builder_.jump(header, back);
      builder_.begin(leave_block);
      builder_.jump(merge, arguments(merge_list));
    } else {
      builder_.jump(header, back);
    }
    leave(before);
    builder_.begin(merge, merge_list);
    enter_scope(merge_list);
  }

  Value count_constant() {
    maxwell::Instruction code = make_instruction(Opcode::mov32i, Shape::imm);
    code.operands[0] = reg();
    code.operands[1].value = static_cast<int32_t>(1 + below(3));
    const bool was = writes_cc_;
    writes_cc_ = true;
    const Value v = builder_.general();
    append(code, {v});
    writes_cc_ = was;
    return v;
  }
  std::pair<Value, Value> count_down(Value counter) {
    maxwell::Instruction code = make_instruction(Opcode::iadd32i, Shape::imm);
    code.operands[0] = reg();
    code.operands[1] = reg();
    code.operands[2].value = -1;
    const Value down = builder_.general();
    writes_cc_ = true;
    append(code, {down, counter});
    maxwell::Instruction test = make_instruction(Opcode::isetp);
    set(test, Modifier::integer_compare, IntegerCompare::ne);
    test.operands[0] = pred();
    test.operands[2] = reg();
    const Value is_left = builder_.predicate();
    append(test, {is_left, counter});
    writes_cc_ = false;
    return {down, is_left};
  }
  /// The same value in all lanes.
  Value uniform_condition() {
    const Value a = count_constant();
    const Value b = count_constant();
    maxwell::Instruction code = make_instruction(Opcode::fsetp);
    set(code, Modifier::float_compare, FloatCompare::gt);
    code.operands[0] = pred();
    code.operands[2] = reg();
    code.operands[3] = reg();
    const Value p = builder_.predicate();
    writes_cc_ = true;
    append(code, {p, a, b});
    writes_cc_ = false;
    return p;
  }

  void end_program() {
    store_all();
    if (!options_.outputs) {
      builder_.exit();
      return;
    }
    Values out;
    for (unsigned i = 0; i < kOutputs; ++i) {
      // For some of them, nothing has waited.
      if (chance(50)) chance(50) ? texture() : arithmetic();
      out.push_back(chance(25) ? kNoValue : chance(50) ? general_.back() : any());
    }
    builder_.exit(out);
  }

  std::mt19937 random_;
  RandomFunctionOptions options_;
  std::vector<SideEffect>& effects_;
  Builder builder_;
  Values general_, predicates_;  // in scope
  Values pending_, pending_predicates_;
  unsigned left_ = 0;
  bool writes_cc_ = false;  // no guard on what is appended
};

}  // namespace

void make_random_function(uint32_t seed, const RandomFunctionOptions& options, Function& function,
                          std::vector<SideEffect>& effects) {
  Generator(seed, options, function, effects).run();
}

}  // namespace texlate::maxwell::machine::test
