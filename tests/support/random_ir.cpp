#include "tests/support/random_ir.h"

#include <array>
#include <random>

#include "ir/builder.h"

namespace texlate::ir {

namespace {

constexpr uint32_t kRegisters = 6;  // times four components
constexpr uint32_t kCounters = 64;  // registers of loop counters start here

constexpr Op kOperations[] = {
    Op::iadd, Op::isub, Op::ineg, Op::imul, Op::imulhi, Op::umulhi, Op::imad, Op::udiv, Op::urem, Op::imin,
    Op::imax, Op::umin, Op::umax, Op::and_, Op::or_, Op::xor_, Op::not_, Op::shl, Op::ishr, Op::ushr,
    Op::ubfe, Op::ibfe, Op::bfi, Op::bitrev, Op::popcount, Op::firstbit_lo, Op::firstbit_hi, Op::ieq, Op::ine,
    Op::ilt, Op::ige, Op::ult, Op::uge, Op::pand, Op::por, Op::pxor, Op::pnot, Op::mask, Op::select,
    Op::select64, Op::pack64, Op::unpack64,
    // More often, since special rules apply to these.
    Op::mask, Op::mask, Op::select, Op::ine, Op::ieq, Op::and_, Op::or_, Op::pnot, Op::iadd};

class Generator {
 public:
  Generator(uint32_t seed, const RandomIrOptions& options, Module& module)
      : random_(seed), options_(options), module_(module), builder_(module, module.code) {}

  void run() {
    declare();
    for (uint32_t i = 0; i < 3; ++i) {
      line();
      add(builder_.emit(Op::input, {}, i));
    }
    line();
    add(builder_.emit(Op::bound, {}, BindingQuery{0, BindingFact::bound}.pack()));
    region(options_.size, options_.depth);
    for (uint32_t i = 0; i < 3 && reachable_; ++i) store_output();
  }

 private:
  void declare() {
    module_.name = "random";
    module_.stage = below(2) != 0 ? Stage::pixel : Stage::compute;
    module_.register_count = options_.form == Form::registers ? kCounters + 64 : 0;
    Resource texture;
    texture.component_types[0] = ComponentType::float_;
    module_.resources.push_back(texture);
    Resource surface = texture;
    surface.is_uav = true;
    module_.resources.push_back(surface);
    Resource array = texture;
    array.id = array.lower_bound = array.upper_bound = 1;
    array.dimension = Dimension::texture2d_array;
    module_.resources.push_back(array);
    module_.samplers.push_back({});
    module_.constant_buffers.push_back({});
    module_.locals.push_back({4, 4});
    Parameter parameter;
    module_.inputs.push_back(parameter);
    module_.outputs.push_back(parameter);
    for (uint32_t i = 0; i < 8; ++i) module_.table_words.push_back(static_cast<uint32_t>(random_()));
    module_.tables.push_back({0, 2});
  }

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  void line() {
    if (chance(60)) ++line_;
    builder_.set_location(SourceLocation::text(line_, 0));
    builder_.set_flags(chance(10) ? kPrecise : 0);
  }

  // ---- values ----

  std::vector<Value>& pool(Type type) { return available_[static_cast<size_t>(type)]; }
  void add(Value value) { pool(module_.values[value].type).push_back(value); }
  void add_results(const Instruction& instruction) {
    for (uint32_t i = 0; i < instruction.result_count; ++i) add(instruction.first_result + i);
  }

  Value constant(Type type) {
    static constexpr uint32_t kWords[] = {0,  1,  2,  3,          4,          5,          7,
                                          31, 32, 33, 0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000};
    if (type == Type::b1) return module_.constant_b1(below(2) != 0);
    const uint32_t word = chance(80) ? kWords[below(std::size(kWords))] : static_cast<uint32_t>(random_());
    if (type == Type::b64) return module_.constant64(uint64_t{word} << below(33) | below(3));
    return module_.constant(word);
  }
  Value any(Type type) {
    const std::vector<Value>& values = pool(type);
    if (values.empty() || chance(20)) return constant(type);
    // Prefers newer values.
    const size_t back = chance(60) ? below(static_cast<uint32_t>(std::min<size_t>(values.size(), 6)))
                                   : below(static_cast<uint32_t>(values.size()));
    return values[values.size() - 1 - back];
  }
  std::vector<Value> any_of(const std::vector<Type>& types) {
    std::vector<Value> values;
    for (const Type type : types) values.push_back(any(type));
    return values;
  }
  std::vector<Type> some_types(uint32_t most) {
    std::vector<Type> types;
    if (options_.form == Form::registers) return types;
    for (uint32_t count = below(most + 1); count != 0; --count) {
      types.push_back(chance(70) ? Type::b32 : chance(60) ? Type::b1 : Type::b64);
    }
    return types;
  }

  /// Values of a region are not visible after it.
  struct Mark {
    std::array<size_t, 3> sizes;
  };
  Mark mark() const { return {{available_[0].size(), available_[1].size(), available_[2].size()}}; }
  void leave(const Mark& mark) {
    for (size_t i = 0; i < 3; ++i) available_[i].resize(mark.sizes[i]);
  }

  void marker(Op op, const std::vector<Value>& operands, const std::vector<Type>& results,
              uint32_t payload = 0) {
    line();
    const Value first = builder_.emit_variadic(op, operands, static_cast<uint32_t>(results.size()), payload);
    for (size_t i = 0; i < results.size(); ++i) module_.values[first + i].type = results[i];
  }

  // ---- instructions ----

  void region(uint32_t size, uint32_t depth) {
    for (uint32_t i = 0; i < size; ++i) {
      if (!reachable_) {
        // Register form: code after a jump is dropped later.
        if (options_.form == Form::registers && chance(30)) operation();
        return;
      }
      const uint32_t kind = below(100);
      if (depth != 0 && kind < 8) {
        if_construct(size, depth);
      } else if (depth != 0 && kind < 12) {
        loop_construct(size, depth);
      } else if (depth != 0 && kind < 15) {
        switch_construct(size, depth);
      } else if (kind < 18 && depth != options_.depth) {
        jump();
      } else if (kind < 40) {
        effect();
      } else if (kind < 50 && options_.accesses) {
        access();
      } else {
        operation();
      }
    }
  }

  void operation() {
    line();
    const Op op = kOperations[below(std::size(kOperations))];
    std::array<Value, 4> operands{};
    uint32_t count = 0;
    for (const char letter : info(op).operands) operands[count++] = any(type_of_letter(letter));
    builder_.emit(op, std::span<const Value>(operands.data(), count));
    add_results(builder_.last());
  }

  void effect() {
    line();
    const uint32_t kind = below(8);
    if (options_.form == Form::registers && kind < 5) {
      const uint32_t reg = below(kRegisters * 4);
      if (chance(50)) {
        add(builder_.emit(Op::reg_load, {}, reg));
      } else {
        builder_.emit(Op::reg_store, {any(Type::b32)}, reg);
      }
    } else if (kind == 5) {
      add(builder_.emit(Op::local_load, {any(Type::b32)}, below(4)));
    } else if (kind == 6) {
      builder_.emit(Op::local_store, {any(Type::b32), any(Type::b32)}, below(4));
    } else if (kind == 7 && chance(30)) {
      builder_.emit(Op::discard, {any(Type::b1)});
    } else {
      store_output();
    }
  }
  void store_output() {
    line();
    builder_.emit(Op::output, {any(Type::b32)}, below(4));
  }

  void access() {
    line();
    AccessBuilder access;
    access.contract.type = ComponentType::float_;
    access.set(Slot::coordinate0, any(Type::b32));
    access.set(Slot::coordinate1, any(Type::b32));
    if (chance(30)) {
      access.set(Slot::guard, any(Type::b1));
    }
    Op op = Op::tex_fetch;
    switch (below(6)) {
      case 0:
        access.contract.resource = 2;
        access.contract.dimension = Dimension::texture2d_array;
        access.set(Slot::layer, any(Type::b32));
        [[fallthrough]];
      case 1:
        access.contract.lod = LodRule::level;
        access.set(Slot::lod, any(Type::b32));
        access.contract.has_offset = chance(50);
        if (access.contract.has_offset) access.contract.offset[below(2)] = static_cast<int8_t>(below(16)) - 8;
        if (access.has(Slot::guard) && chance(50)) access.set(Slot::fallback0 + below(4), any(Type::b32));
        break;
      case 2:
        op = Op::tex_sample;
        access.contract.sampler = 0;
        access.contract.lod = LodRule::bias;
        access.set(Slot::lod, any(Type::b32));
        access.contract.feedback = chance(20);
        break;
      case 3:
        op = Op::surf_load;
        access.contract.resource = 1;
        break;
      case 4:
        op = Op::surf_store;
        access.contract.resource = 1;
        for (uint32_t i = 0; i < 4; ++i) access.set(Slot::value0 + i, any(Type::b32));
        break;
      default:
        op = Op::surf_atomic;
        access.contract.resource = 1;
        access.contract.atomic = chance(30) ? AtomicOp::compare_exchange : AtomicOp::umax;
        access.set(Slot::value0, any(Type::b32));
        if (access.contract.atomic == AtomicOp::compare_exchange) access.set(Slot::compare, any(Type::b32));
        break;
    }
    access.emit(builder_, op);
    add_results(builder_.last());
    if (chance(50)) return;
    line();
    if (chance(50)) {
      builder_.emit(Op::cb_load, {any(Type::b32)}, 0);
    } else {
      builder_.emit(Op::binding, {},
                    BindingQuery{0, chance(50) ? BindingFact::width : BindingFact::levels}.pack());
    }
    add_results(builder_.last());
  }

  // ---- constructs ----

  struct Open {
    Op op;
    std::vector<Type> results;  // of the end marker
    std::vector<Type> carried;  // loop; SSA form: the first one is the counter
    Value counter = kNoValue;
  };

  std::vector<Value> next_values(const Open& loop) {
    std::vector<Value> values = any_of(loop.carried);
    if (!values.empty()) values[0] = loop.counter;
    return values;
  }

  void if_construct(uint32_t size, uint32_t depth) {
    const std::vector<Type> types = some_types(3);
    line();
    builder_.emit(Op::if_, {any(Type::b1)});
    open_.push_back({Op::if_, types, {}, kNoValue});
    const Mark before = mark();
    region(below(size / 3 + 1), depth - 1);
    const bool first_ends = reachable_;
    marker(Op::else_, first_ends ? any_of(types) : std::vector<Value>{}, {});
    leave(before);
    reachable_ = true;
    if (chance(60)) region(below(size / 3 + 1), depth - 1);
    const bool second_ends = reachable_;
    const std::vector<Value> passed = second_ends ? any_of(types) : std::vector<Value>{};
    leave(before);
    open_.pop_back();
    reachable_ = first_ends || second_ends;
    marker(Op::endif, passed, reachable_ ? types : std::vector<Type>{});
    add_results(builder_.last());
  }

  void break_if(Value condition) {
    line();
    builder_.emit(Op::if_, {condition});
    const Open* target = nullptr;
    for (const Open& open : open_) target = open.op == Op::if_ ? target : &open;
    marker(Op::break_, any_of(target->results), {});
    marker(Op::else_, {}, {});
    marker(Op::endif, {}, {});
  }

  void loop_construct(uint32_t size, uint32_t depth) {
    Open open{Op::loop, some_types(3), some_types(3), kNoValue};
    const uint32_t counter_register = (kCounters + static_cast<uint32_t>(open_.size())) * 4;
    const bool registers = options_.form == Form::registers;
    line();
    if (registers) {
      builder_.emit(Op::reg_store, {module_.constant(0)}, counter_register);
    } else {
      open.carried.insert(open.carried.begin(), Type::b32);
    }
    std::vector<Value> initial = any_of(open.carried);
    if (!initial.empty()) initial[0] = module_.constant(0);
    const Mark before = mark();
    marker(Op::loop, initial, open.carried);
    const Instruction loop = builder_.last();
    const Value count = registers ? builder_.emit(Op::reg_load, {}, counter_register) : loop.first_result;
    line();
    open.counter = builder_.emit(Op::iadd, {count, module_.constant(1)});
    if (registers) builder_.emit(Op::reg_store, {open.counter}, counter_register);
    add_results(loop);
    const Value done = builder_.emit(Op::uge, {count, module_.constant(1 + below(3))});
    open_.push_back(open);
    break_if(done);
    region(below(size / 3 + 1), depth - 1);
    if (reachable_ && chance(50)) break_if(any(Type::b1));
    const std::vector<Value> passed = reachable_ ? next_values(open_.back()) : std::vector<Value>{};
    leave(before);
    open_.pop_back();
    reachable_ = true;
    marker(Op::endloop, passed, open.results);
    add_results(builder_.last());
  }

  void switch_construct(uint32_t size, uint32_t depth) {
    Open open{Op::switch_, some_types(2), {}, kNoValue};
    line();
    builder_.emit(Op::switch_, {any(Type::b32)});
    open_.push_back(open);
    const Mark before = mark();
    const uint32_t arms = 1 + below(3);
    const uint32_t default_arm = below(arms);
    uint32_t next_case = 0;
    for (uint32_t arm = 0; arm < arms; ++arm) {
      for (uint32_t labels = arm == default_arm ? below(2) : 1 + below(2); labels != 0; --labels) {
        marker(Op::case_, {}, {}, next_case++);
      }
      if (arm == default_arm) marker(Op::default_, {}, {});
      reachable_ = true;
      region(below(size / 4 + 1), depth - 1);
      if (reachable_) marker(Op::break_, any_of(open.results), {});
      leave(before);
    }
    // At least one arm leaves, so that the code after it is reachable.
    marker(Op::case_, {}, {}, next_case);
    marker(Op::break_, any_of(open.results), {});
    open_.pop_back();
    reachable_ = true;
    marker(Op::endswitch, {}, open.results);
    add_results(builder_.last());
  }

  void jump() {
    const Open* innermost = nullptr;
    const Open* loop = nullptr;
    for (const Open& open : open_) {
      if (open.op == Op::loop) loop = &open;
      if (open.op != Op::if_) innermost = &open;
    }
    const uint32_t kind = below(10);
    if (kind < 5 && innermost != nullptr) {
      marker(Op::break_, any_of(innermost->results), {});
    } else if (kind < 9 && loop != nullptr) {
      marker(Op::continue_, next_values(*loop), {});
    } else if (kind == 9) {
      marker(Op::return_, {}, {});
    } else {
      return;
    }
    reachable_ = false;
  }

  std::mt19937 random_;
  const RandomIrOptions options_;
  Module& module_;
  Builder builder_;
  std::array<std::vector<Value>, 3> available_;
  std::vector<Open> open_;
  bool reachable_ = true;
  uint32_t line_ = 1;
};

}  // namespace

void make_random_module(uint32_t seed, const RandomIrOptions& options, Module& module) {
  Generator(seed, options, module).run();
}

}  // namespace texlate::ir
