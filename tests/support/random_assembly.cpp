#include "tests/support/random_assembly.h"

#include <array>
#include <string_view>

#include "tests/support/random_assembly_writer.h"

namespace texlate::test {

namespace {

struct Form {
  std::string_view mnemonic;
  std::string_view operands;  // F float, I integer, U unsigned (not negated), B condition (bits, for which no
                              // modifier makes sense); uses a separate mask; results first: f, i, c (close)
};
// c: the result is only close to a value, and goes only to r8.
constexpr Form kForms[] = {
    {"add", "fFF"},      {"mul", "fFF"},        {"div", "cFF"},        {"min", "fFF"},
    {"max", "fFF"},      {"mad", "fFFF"},       {"dp2", "fFF"},        {"dp3", "fFF"},
    {"dp4", "fFF"},      {"exp", "cF"},         {"log", "cF"},         {"rsq", "cF"},
    {"rcp", "cF"},       {"sqrt", "cF"},        {"frc", "fF"},         {"round_ne", "fF"},
    {"round_ni", "fF"},  {"round_pi", "fF"},    {"round_z", "fF"},     {"mov", "fF"},
    {"mov", "iI"},       {"movc", "fBFF"},      {"movc", "iBII"},      {"eq", "iFF"},
    {"ne", "iFF"},       {"lt", "iFF"},         {"ge", "iFF"},         {"iadd", "iII"},
    {"imad", "iIII"},    {"ineg", "iI"},        {"umad", "iUUU"},      {"imin", "iII"},
    {"imax", "iII"},     {"umin", "iUU"},       {"umax", "iUU"},       {"ieq", "iII"},
    {"ine", "iII"},      {"ilt", "iII"},        {"ige", "iII"},        {"ult", "iUU"},
    {"uge", "iUU"},      {"and", "iUU"},        {"or", "iUU"},         {"xor", "iUU"},
    {"not", "iU"},       {"ishl", "iII"},       {"ishr", "iII"},       {"ushr", "iUU"},
    {"ubfe", "iUUU"},    {"ibfe", "iIII"},      {"bfi", "iUUUU"},      {"bfrev", "iU"},
    {"countbits", "iU"}, {"firstbit_hi", "iU"}, {"firstbit_lo", "iU"}, {"firstbit_shi", "iI"},
    {"msad", "iUUU"},    {"f32tof16", "iF"},    {"f16tof32", "fI"},    {"ftoi", "iF"},
    {"ftou", "iF"},      {"itof", "fI"},        {"utof", "fU"},        {"imul", "iiII"},
    {"umul", "iiUU"},    {"udiv", "iiUU"},      {"uaddc", "iiUU"},     {"usubb", "iiUU"},
    {"swapc", "ffBFF"},  {"swapc", "iiBII"},    {"sincos", "ccF"},
};
constexpr std::string_view kDoubleForms[] = {"dadd", "dmul",  "dmin", "dmax", "ddiv", "dfma", "drcp",
                                             "dmov", "dmovc", "deq",  "dge",  "dlt",  "dne",  "dtof",
                                             "ftod", "dtoi",  "dtou", "itod", "utod"};

class Generator {
 public:
  explicit Generator(uint64_t seed) : w_(seed) {}

  RandomAssembly run() {
    constexpr sm4::Stage kStages[] = {sm4::Stage::pixel, sm4::Stage::vertex, sm4::Stage::compute};
    w_.made.stage = kStages[w_.below(3)];
    has_doubles_ = w_.chance(8);
    subroutines_ = w_.chance(6) ? 1 + w_.below(2) : 0;
    make_lanes();
    bind();
    declare();
    initialize();
    if (w_.is_compute()) address_own_words();
    block(6 + w_.below(30));
    finish();
    loops_ = 3;  // a caller's counters are not the subroutine's
    for (uint32_t i = 0; i < subroutines_; ++i) {
      w_.line("label l{}", i);
      in_subroutine_ = true;
      w_.uniform = false;
      block(1 + w_.below(8));
      w_.line("ret ");
    }
    return std::move(w_.made);
  }

 private:
  void make_lanes() {
    w_.single = w_.is_compute() && w_.chance(3);
    w_.made.group = w_.single ? std::array<uint32_t, 3>{1, 1, 1}
                              : std::array<uint32_t, 3>{1 + w_.below(4), 1 + w_.below(4), 1 + w_.below(2)};
    const uint32_t count =
        w_.is_compute() ? w_.made.group[0] * w_.made.group[1] * w_.made.group[2] : 4 * (1 + w_.below(2));
    w_.made.lanes.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      Lane& lane = w_.made.lanes[i];
      lane.flattened = i;
      lane.thread = {i % w_.made.group[0], i / w_.made.group[0] % w_.made.group[1],
                     i / (w_.made.group[0] * w_.made.group[1])};
      lane.thread_in_group = lane.thread;
      for (uint32_t r = 0; r < kInputs; ++r) {
        const auto row = r < 2 ? w_.float_row() : w_.word_row();
        for (uint32_t c = 0; c < 4; ++c) lane.inputs[r][c] = {row[c], Known::exact, 0};
      }
    }
    w_.made.input_registers = w_.is_compute() ? 0 : kInputs;
    w_.made.output_registers = w_.is_compute() ? 0 : kOutputs;
  }

  TextureData texture(sm4::ResourceDimension dimension, uint32_t width, uint32_t height, uint32_t depth,
                      uint32_t mips, uint32_t samples = 1) {
    TextureData data{dimension, width, height, depth, mips, samples, {}};
    data.fill();
    for (auto& mip : data.texels) {
      for (auto& texel : mip) texel = w_.float_row();
    }
    return data;
  }

  void bind() {
    MachineBindings& bindings = w_.made.bindings;
    for (uint32_t i = 0; i < kRows; ++i)
      bindings.constant_buffers[0].push_back(i % 2 == 0 ? w_.float_row() : w_.word_row());
    bindings.textures[0] = texture(sm4::ResourceDimension::texture2d, 8, 4, 1, 3);
    bindings.textures[1] = texture(sm4::ResourceDimension::texture3d, 4, 4, 4, 2);
    bindings.textures[2] = texture(sm4::ResourceDimension::texture2darray, 4, 8, 3, 2);
    bindings.textures[3] = texture(sm4::ResourceDimension::texture1d, 16, 1, 1, 2);
    bindings.textures[7] = texture(sm4::ResourceDimension::texture2dms, 8, 8, 1, 1, 4);
    for (uint32_t slot : {4u, 5u, 6u}) {  // raw, structured, typed
      BufferData& buffer = bindings.buffers[slot];
      buffer.words_per_element = slot == 4 ? 1 : 4;
      for (uint32_t i = 0; i < 32; ++i) buffer.words.push_back(w_.word());
    }
    for (uint32_t slot = 0; slot < 3; ++slot) {
      SamplerData& sampler = bindings.samplers[slot];
      sampler.linear = slot == 1;
      for (Address& address : sampler.address) address = static_cast<Address>(1 + w_.below(5));
      sampler.mip = w_.below(3);
      sampler.comparison = 1 + w_.below(8);
      for (float& border : sampler.border) border = static_cast<float>(w_.below(4));
    }
    const auto count = static_cast<uint32_t>(w_.made.lanes.size());
    if (!w_.is_compute()) return;
    bindings.uav_buffers[0].words.assign(size_t{count} * kWordsEach, 0);  // raw
    bindings.uav_buffers[1].words.assign(size_t{count} * kWordsEach, 0);  // structured
    bindings.uav_buffers[1].words_per_element = kWordsEach;
    bindings.uav_buffers[2].words.assign(16, 0);  // typed, for atomics
    bindings.uav_buffers[4].words.assign(4, 0);   // only its counter
    bindings.uav_buffers[4].counter = w_.word();
    w_.made.allocates = w_.chance(2);
    bindings.uav_textures[3] = TextureData{sm4::ResourceDimension::texture2d, 8, 8, 1, 1, 1, {}};
    bindings.uav_textures[3].components = 1;  // atomics need a single word
    bindings.uav_textures[3].fill();
    for (uint32_t slot : {0u, 1u, 2u}) {
      for (uint32_t& bits : bindings.uav_buffers[slot].words) bits = w_.word();
    }
  }

  void declare() {
    w_.line("{}_5_0", w_.is_pixel() ? "ps" : w_.is_compute() ? "cs" : "vs");
    w_.line("dcl_globalFlags refactoringAllowed{}",
            has_doubles_
                ? " | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | enable11_1ShaderExtensions"
                : " | enable11_1ShaderExtensions");
    std::string rows;
    for (uint32_t i = 0; i < kRows; ++i) {
      const auto row = i % 2 == 0 ? w_.float_row() : w_.word_row();
      rows += fmt::format("{}{{ 0x{:08x}, 0x{:08x}, 0x{:08x}, 0x{:08x}}}", i == 0 ? "" : ",\n", row[0],
                          row[1], row[2], row[3]);
    }
    w_.line("dcl_immediateConstantBuffer {{ {} }}", rows);
    w_.line("dcl_constantbuffer cb0[{}], dynamicIndexed", kRows);
    w_.line("dcl_sampler s0, mode_default\ndcl_sampler s1, mode_default\ndcl_sampler s2, mode_comparison");
    w_.line(
        "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture3d "
        "(float,float,float,float) t1");
    w_.line(
        "dcl_resource_texture2darray (float,float,float,float) t2\ndcl_resource_texture1d "
        "(float,float,float,float) t3");
    w_.line("dcl_resource_texture2dms(4) (float,float,float,float) t7");
    w_.line(
        "dcl_resource_raw t4\ndcl_resource_structured t5, 16 \ndcl_resource_buffer (uint,uint,uint,uint) t6");
    if (w_.is_compute()) {
      w_.line("dcl_uav_raw u0\ndcl_uav_structured u1, {}", kWordsEach * 4);
      w_.line(
          "dcl_uav_typed_buffer (uint,uint,uint,uint) u2\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u3");
      w_.line("dcl_uav_structured_opc u4, 4");
      w_.line("dcl_input vThreadIDInGroupFlattened\ndcl_input vThreadID.xyz\ndcl_input vThreadIDInGroup.xyz");
      w_.line("dcl_input vThreadGroupID.xyz");
    } else {
      for (uint32_t i = 0; i < kInputs; ++i)
        w_.line("{} v{}.xyzw", w_.is_pixel() ? "dcl_input_ps constant" : "dcl_input", i);
      w_.line("dcl_indexrange v0.xyzw 2");
      for (uint32_t i = 0; i < kOutputs; ++i) w_.line("dcl_output o{}.xyzw", i);
    }
    w_.line("dcl_temps {}\ndcl_indexableTemp x0[{}], 4\ndcl_indexableTemp x1[{}], 4", kTemps, kArrayRows,
            kArrayRows);
    if (!w_.is_compute()) return;
    w_.line("dcl_tgsm_raw g0, {}\ndcl_tgsm_structured g1, {}, {}", w_.made.lanes.size() * kWordsEach * 4,
            kWordsEach * 4, w_.made.lanes.size());
    w_.line("dcl_thread_group {}, {}, {}", w_.made.group[0], w_.made.group[1], w_.made.group[2]);
  }

  void initialize() {
    for (uint32_t i = 0; i < kRegisters; ++i) {
      if (w_.is_compute()) {
        w_.line("mov r{}.xyzw, {}", kFloats + i, w_.literals(true));
        w_.line("iadd r{}.xyzw, vThreadIDInGroup.xyzx, {}", kIntegers + i, w_.literals(false));
      } else {
        w_.line("mov r{}.xyzw, v{}.xyzw", kFloats + i, i % 2);
        w_.line("mov r{}.xyzw, v{}.xyzw", kIntegers + i, 2 + i % 2);
      }
    }
    for (uint32_t i = kClose; i < kTemps; ++i) w_.line("mov r{}.xyzw, {}", i, w_.literals(true));
    for (uint32_t i = 0; i < kArrayRows; ++i) w_.line("mov x0[{}].xyzw, {}", i, w_.literals(true));
    w_.line("mov r{}.xyzw, l(0,1,2,3)", kIndices);
    for (uint32_t i = 0; i < kArrayRows; ++i) w_.line("mov x1[{}].xyzw, r{}.{}", i, kIndices, w_.swizzle());
    for (uint32_t i = 0; i < w_.made.output_registers; ++i) w_.line("mov o{}.xyzw, {}", i, w_.literals(true));
  }

  /// r13.x: byte offset of the lane's words in u0 and g0. Nothing else writes r13. And the lane's words in g0
  /// and g1.
  void address_own_words() {
    w_.line("ishl r13.x, vThreadIDInGroupFlattened.x, l(5)");
    for (uint32_t word = 0; word < kWordsEach; word += 4) {  // what is not written yet is undefined
      w_.line("iadd r{}.x, r13.x, l({})", kScratch, word * 4);
      w_.line("store_raw g0.xyzw, r{}.x, {}", kScratch, w_.literals(false));
      w_.line("store_structured g1.xyzw, vThreadIDInGroupFlattened.x, l({}), {}", word * 4,
              w_.literals(false));
    }
  }

  void arithmetic() {
    const Form& form = kForms[w_.below(std::size(kForms))];
    std::string text(form.mnemonic);
    const bool saturates = form.operands[0] != 'i' &&
                           form.operands.find_first_of("IUB") == std::string_view::npos && w_.chance(6);
    if (saturates && form.mnemonic != "eq") text += "_sat";
    uint32_t destination = 0;
    for (size_t i = 0; i < form.operands.size(); ++i) {
      text += i == 0 ? " " : ", ";
      const char letter = form.operands[i];
      // The two destinations are different registers (22.10, swapc; 22.11, imul).
      if (letter == 'f' || letter == 'i') {
        const uint32_t base = letter == 'f' ? kFloats : kIntegers;
        destination =
            i == 0 ? w_.below(kRegisters) : (destination + 1 + w_.below(kRegisters - 1)) % kRegisters;
        const bool twice = form.operands[1] == 'i' || form.operands[1] == 'f';
        text += twice && form.mnemonic != "swapc" && w_.chance(6) && form.operands[0] == 'i' && !dropped_
                    ? std::string("null")
                    : fmt::format("r{}.{}", base + destination, w_.mask());
        dropped_ = text.ends_with("null");
        if (letter == 'f' && !twice && w_.chance(6)) text = text.substr(0, text.rfind('r')) + elsewhere();
      } else if (letter == 'c') {
        text +=
            i == 0 ? fmt::format("r{}.{}", kClose, w_.mask()) : fmt::format("r{}.{}", kClose + 4, w_.mask());
      } else if (letter == 'U') {
        const std::string source = w_.source(false);
        text += source.starts_with('-') ? source.substr(1) : source;
      } else {
        text += letter == 'B' ? w_.registers(false) + "." + w_.swizzle() : w_.source(letter == 'F');
      }
    }
    dropped_ = false;
    w_.line("{}", text);
    if (form.operands[0] == 'c' && w_.made.output_registers != 0 && !in_subroutine_)
      w_.line("mov o{}.{}, r{}.{}", w_.below(kOutputs), w_.mask(), kClose, w_.swizzle());
  }

  /// A destination that is no temporary register.
  std::string elsewhere() {
    if (w_.made.output_registers != 0 && !in_subroutine_ && w_.chance(2))
      return fmt::format("o{}.{}", w_.below(kOutputs), w_.mask());
    return fmt::format("x0[{}].{}", w_.chance(2) ? fmt::format("{}", w_.below(kArrayRows)) : w_.kept_row(),
                       w_.mask());
  }

  /// Doubles are made from integers or floats each time, so that they stay small.
  void double_arithmetic() {
    w_.line("itod r8.xyzw, r{}.{}", kIntegers + w_.below(kRegisters), w_.swizzle());
    w_.line("ftod r12.xyzw, r{}.{}", kFloats + w_.below(kRegisters), w_.swizzle());
    const std::string_view name = kDoubleForms[w_.below(std::size(kDoubleForms))];
    const std::string pair = w_.chance(2) ? "xyzw" : w_.chance(2) ? "zwxy" : "xyxy";
    const uint32_t f = kFloats + w_.below(kRegisters);
    const uint32_t i = kIntegers + w_.below(kRegisters);
    if (name == "dmovc") {
      w_.line("dmovc r8.xyzw, r{}.{}, r8.{}, r12.xyzw", i, w_.swizzle(), pair);
    } else if (name == "dfma") {
      w_.line("dfma r8.xyzw, r8.{}, r12.xyzw, -r12.{}", pair, pair);
    } else if (name == "drcp" || name == "dmov") {
      w_.line("{} r8.xyzw, {}r12.{}", name, w_.chance(2) ? "-" : "", pair);
    } else if (name == "deq" || name == "dge" || name == "dlt" || name == "dne") {
      w_.line("{} r{}.xy, r8.{}, |r12.xyzw|", name, i, pair);
    } else if (name == "dtof") {
      w_.line("dtof{} r{}.{}, r12.{}", w_.chance(3) ? "_sat" : "", f, w_.chance(2) ? "xy" : "yz", pair);
    } else if (name == "dtoi" || name == "dtou") {
      w_.line("{} r{}.xz, r12.{}", name, i, pair);
    } else if (name == "ftod" || name == "itod" || name == "utod") {
      w_.line("{} r8.xyzw, r{}.{}", name, name == "ftod" ? f : i, w_.swizzle());
    } else {
      w_.line("{} r8.xyzw, r8.{}, r12.xyzw", name, pair);
    }
    w_.line("dtoi r{}.zw, r8.xyzw", i);
    w_.line("mov r{}.xy, r8.zwzw", i);
  }

  /// r11 and x1 hold rows of x0. Only indices read them, perhaps in another region than the one that wrote
  /// them.
  void use_indices() {
    switch (w_.below(5)) {
      case 0:
        w_.line("and r{}.{}, r{}.{}, l(3,3,3,3)", kIndices, w_.mask(), kIntegers + w_.below(kRegisters),
                w_.swizzle());
        return;
      case 1:
        w_.line("mov x1[r{}.{} + 0].{}, {}.{}", kIndices, w_.component(), w_.mask(), w_.kept_rows(),
                w_.swizzle());
        return;
      case 2:
        w_.line("mov x0[{}].{}, r{}.{}", w_.kept_row(), w_.mask(), kFloats + w_.below(kRegisters),
                w_.swizzle());
        return;
      case 3: w_.line("mov r{}.{}, {}.{}", kIndices, w_.mask(), w_.kept_rows(), w_.swizzle()); return;
      default:
        const std::string_view array = std::array{"x0", "cb0", "icb"}[w_.below(3)];
        w_.line("mov r{}.{}, {}[{}].{}", kIntegers + w_.below(kRegisters), w_.mask(), array, w_.kept_row(),
                w_.swizzle());
    }
  }

  /// x0 and v# with a computed row.
  void array() {
    if (w_.chance(2)) return use_indices();
    const std::string at = w_.row(kArrayRows);
    if (w_.chance(2)) {
      w_.line("mov x0[{}].{}, r{}.{}", at, w_.mask(), kFloats + w_.below(kRegisters), w_.swizzle());
    } else if (w_.chance(2) || w_.is_compute()) {
      const bool table = w_.chance(2);
      const std::string place = table          ? "icb[" + w_.row(kRows) + "]"
                                : w_.chance(2) ? "cb0[" + w_.beyond(kRows) + "]"
                                               : "x0[" + at + "]";
      w_.line("mov r{}.{}, {}.{}", kIntegers + w_.below(kRegisters), w_.mask(), place, w_.swizzle());
    } else {
      w_.line("and r{}.y, r{}.{}, l(1)", kScratch, kIntegers + w_.below(kRegisters), w_.component());
      w_.line("mov r{}.{}, v[r{}.y + 0].{}", kFloats + w_.below(kRegisters), w_.mask(), kScratch,
              w_.swizzle());
    }
  }

  /// A condition in r9.x.
  std::string condition() {
    switch (w_.below(3)) {
      case 0: w_.line("lt r{}.x, {}, {}", kScratch, w_.source(true), w_.source(true)); break;
      case 1: w_.line("ilt r{}.x, {}, {}", kScratch, w_.source(false), w_.source(false)); break;
      default:
        return fmt::format("{} {}.{}", w_.chance(2) ? "_nz" : "_z",
                           w_.chance(3) ? w_.kept_rows() : w_.registers(false), w_.component());
    }
    return fmt::format("{} r{}.x", w_.chance(2) ? "_nz" : "_z", kScratch);
  }

  void branch() {
    const std::string test = condition();
    w_.line("if{}", test);
    nested(1 + w_.below(5));
    if (w_.chance(2)) {
      w_.line("else ");
      nested(1 + w_.below(4));
    }
    w_.line("endif ");
  }

  void loop() {
    if (loops_ == 3) return;
    const char counter = "xyz"[loops_];
    ++loops_;
    w_.line("mov r{}.{}, l(0)", kCounters, counter);
    w_.line("loop ");
    w_.line("ige r{}.z, r{}.{}, l({})", kScratch, kCounters, counter, 1 + w_.below(5));
    w_.line("breakc_nz r{}.z", kScratch);
    w_.line("iadd r{}.{}, r{}.{}, l(1)", kCounters, counter, kCounters, counter);
    nested(1 + w_.below(5));
    if (w_.chance(3)) {
      const std::string test = condition();
      w_.line("{}c{}", w_.chance(2) ? "break" : "continue", test);
      nested(1 + w_.below(3));
    }
    if (w_.chance(6)) {
      const std::string test = condition();
      w_.line("if{}", test);
      nested(w_.below(2));
      w_.line("{} ", w_.chance(2) ? "break" : "continue");
      w_.line("endif ");
    }
    w_.line("endloop ");
    --loops_;
  }

  void choice() {
    if (w_.chance(2)) {
      w_.line("switch {}.{}", w_.kept_rows(), w_.component());
    } else {
      w_.line("and r{}.x, r{}.{}, l(3)", kScratch, kIntegers + w_.below(kRegisters), w_.component());
      w_.line("switch r{}.x", kScratch);
    }
    const uint32_t cases = 1 + w_.below(4);
    const uint32_t default_at = w_.below(6);
    for (uint32_t i = 0; i < cases; ++i) {
      if (i == default_at) w_.line("default ");
      w_.line("case l({})", i);
      if (i + 1 < cases && w_.chance(4)) continue;  // consecutive labels
      nested(1 + w_.below(3));
      if (w_.chance(6)) {
        const std::string test = condition();
        w_.line("breakc{}", test);
        nested(1);
      }
      w_.line("break ");
    }
    if (default_at >= cases && w_.chance(2)) {
      w_.line("default ");
      nested(1 + w_.below(2));
      w_.line("break ");
    }
    w_.line("endswitch ");
  }

  void nested(uint32_t count) {
    const bool was_uniform = w_.uniform;
    w_.uniform = false;
    ++depth_;
    block(count);
    --depth_;
    w_.uniform = was_uniform;
  }

  void block(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) statement();
  }

  void statement() {
    const uint32_t roll = w_.below(100);
    if (roll < 52) return arithmetic();
    if (roll < 58) return array();
    if (roll < 66) return read_texture(w_);
    if (roll < 70) return read_buffer(w_);
    if (roll < 76 && depth_ < 4) return branch();
    if (roll < 80 && depth_ < 3) return loop();
    if (roll < 83 && depth_ < 3) return choice();
    if (roll < 86) return has_doubles_ ? double_arithmetic() : arithmetic();
    if (w_.is_compute()) return compute_only(roll);
    if (roll < 92 && !in_subroutine_)
      return w_.line("mov o{}.{}, {}", w_.below(kOutputs), w_.mask(), w_.source(w_.chance(2)));
    if (roll < 94 && w_.is_pixel() && w_.uniform) return derivative();
    rare(roll);
  }

  void compute_only(uint32_t roll) {
    if (roll < 91) return use_own_memory(w_);
    if (roll < 93) return use_atomics(w_);
    if (roll < 95 && w_.single) return w_.chance(4) ? use_counter(w_) : use_typed_view(w_);
    if (roll < 96 && w_.uniform) return share_memory(w_);
    rare(roll);
  }

  void rare(uint32_t roll) {
    if (roll == 99 && w_.is_pixel()) {
      const std::string test = condition();
      return w_.line("discard{}", test);
    }
    if (roll == 98 && depth_ != 0 && !in_subroutine_ && !w_.is_compute() && w_.chance(2)) {
      const std::string test = condition();
      returned_ = true;
      w_.line("retc{}", test);
      return;
    }
    if (roll >= 96 && subroutines_ != 0 && !in_subroutine_) {
      const uint32_t target = w_.below(subroutines_);
      if (w_.chance(2)) return w_.line("call l{}", target);
      const std::string test = condition();
      return w_.line("callc{}, l{}", test, target);
    }
    arithmetic();
  }

  void derivative() {
    if (returned_) return;
    constexpr std::string_view kNames[] = {"deriv_rtx",        "deriv_rty",      "deriv_rtx_coarse",
                                           "deriv_rty_coarse", "deriv_rtx_fine", "deriv_rty_fine"};
    w_.line("{} r{}.{}, {}", kNames[w_.below(6)], kFloats + w_.below(kRegisters), w_.mask(), w_.source(true));
  }

  void finish() {
    for (uint32_t i = 0; i < w_.made.output_registers; ++i) {
      if (w_.chance(2))
        w_.line("mov o{}.{}, r{}.xyzw", i, w_.mask(), w_.below(2) == 0 ? kFloats + i : kIntegers + i);
    }
    if (w_.is_compute()) {
      for (uint32_t i = 0; i < 2; ++i) {
        w_.line("iadd r{}.x, r13.x, l({})", kScratch, 16 * i);
        w_.line("store_raw u0.xyzw, r{}.x, r{}.xyzw", kScratch, kIntegers + w_.below(kRegisters));
      }
    }
    w_.line("ret ");
  }

  AssemblyWriter w_;
  bool has_doubles_ = false;
  bool returned_ = false;
  bool in_subroutine_ = false;
  bool dropped_ = false;
  uint32_t subroutines_ = 0;
  uint32_t depth_ = 0;
  uint32_t loops_ = 0;
};

}  // namespace

RandomAssembly make_random_assembly(uint64_t seed) {
  return Generator(seed).run();
}

}  // namespace texlate::test
