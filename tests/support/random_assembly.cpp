#include "tests/support/random_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string_view>

namespace texlate::test {

namespace {

// Registers by what they hold, so that most results are determined: r0..r3 small floats, r4..r7 integers, r8
// what is only close to a value, r9 conditions and addresses, r10 and r11 loop counters.
constexpr uint32_t kFloats = 0;
constexpr uint32_t kIntegers = 4;
constexpr uint32_t kRegisters = 4;
constexpr uint32_t kClose = 8;
constexpr uint32_t kScratch = 9;
constexpr uint32_t kCounters = 10;
constexpr uint32_t kTemps = 14;
constexpr uint32_t kInputs = 4;
constexpr uint32_t kOutputs = 4;
constexpr uint32_t kRows = 8;       // of cb0 and icb
constexpr uint32_t kArrayRows = 4;  // of x0
constexpr uint32_t kWordsEach = 8;  // that a lane has in u0 and in g0

struct Form {
  std::string_view mnemonic;
  std::string_view operands;  // F float, I integer, B a condition (bits, which no modifier makes sense of); a
                              // mask of its own; results first: f, i, c (close)
};
// c: the result is close to a value only, and goes to r8 alone.
constexpr Form kForms[] = {
    {"add", "fFF"},      {"mul", "fFF"},        {"div", "cFF"},        {"min", "fFF"},
    {"max", "fFF"},      {"mad", "fFFF"},       {"dp2", "fFF"},        {"dp3", "fFF"},
    {"dp4", "fFF"},      {"exp", "cF"},         {"log", "cF"},         {"rsq", "cF"},
    {"rcp", "cF"},       {"sqrt", "cF"},        {"frc", "fF"},         {"round_ne", "fF"},
    {"round_ni", "fF"},  {"round_pi", "fF"},    {"round_z", "fF"},     {"mov", "fF"},
    {"mov", "iI"},       {"movc", "fBFF"},      {"movc", "iBII"},      {"eq", "iFF"},
    {"ne", "iFF"},       {"lt", "iFF"},         {"ge", "iFF"},         {"iadd", "iII"},
    {"imad", "iIII"},    {"ineg", "iI"},        {"umad", "iIII"},      {"imin", "iII"},
    {"imax", "iII"},     {"umin", "iII"},       {"umax", "iII"},       {"ieq", "iII"},
    {"ine", "iII"},      {"ilt", "iII"},        {"ige", "iII"},        {"ult", "iII"},
    {"uge", "iII"},      {"and", "iII"},        {"or", "iII"},         {"xor", "iII"},
    {"not", "iI"},       {"ishl", "iII"},       {"ishr", "iII"},       {"ushr", "iII"},
    {"ubfe", "iIII"},    {"ibfe", "iIII"},      {"bfi", "iIIII"},      {"bfrev", "iI"},
    {"countbits", "iI"}, {"firstbit_hi", "iI"}, {"firstbit_lo", "iI"}, {"firstbit_shi", "iI"},
    {"msad", "iIII"},    {"f32tof16", "iF"},    {"f16tof32", "fI"},    {"ftoi", "iF"},
    {"ftou", "iF"},      {"itof", "fI"},        {"utof", "fI"},        {"imul", "iiII"},
    {"umul", "iiII"},    {"udiv", "iiII"},      {"uaddc", "iiII"},     {"usubb", "iiII"},
    {"swapc", "ffBFF"},  {"swapc", "iiBII"},    {"sincos", "ccF"},
};
constexpr std::string_view kDoubleForms[] = {"dadd", "dmul",  "dmin", "dmax", "ddiv", "dfma", "drcp",
                                             "dmov", "dmovc", "deq",  "dge",  "dlt",  "dne",  "dtof",
                                             "ftod", "dtoi",  "dtou", "itod", "utod"};
constexpr std::string_view kAtomics[] = {"and", "or", "xor", "iadd", "imax", "imin", "umax", "umin"};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  RandomAssembly run() {
    constexpr sm4::Stage kStages[] = {sm4::Stage::pixel, sm4::Stage::vertex, sm4::Stage::compute};
    made_.stage = kStages[below(3)];
    has_doubles_ = chance(8);
    subroutines_ = chance(6) ? 1 + below(2) : 0;
    make_lanes();
    bind();
    declare();
    initialise();
    if (is_compute()) address_own_words();
    block(6 + below(30));
    finish();
    loops_ = 3;  // a caller's counters are not a subroutine's
    for (uint32_t i = 0; i < subroutines_; ++i) {
      line("label l{}", i);
      in_subroutine_ = true;
      uniform_ = false;
      block(1 + below(8));
      line("ret ");
    }
    return std::move(made_);
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  bool is_compute() const { return made_.stage == sm4::Stage::compute; }
  bool is_pixel() const { return made_.stage == sm4::Stage::pixel; }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    made_.text += fmt::format(format, std::forward<Args>(args)...);
    made_.text += '\n';
  }

  uint32_t small_float() {
    return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(below(65)) - 32) / 4);
  }
  uint32_t word() {
    switch (below(4)) {
      case 0: return below(40);
      case 1: return 0u - below(40);
      case 2: return 1u << below(32);
      default: return static_cast<uint32_t>(random_());
    }
  }
  std::array<uint32_t, 4> float_row() { return {small_float(), small_float(), small_float(), small_float()}; }
  std::array<uint32_t, 4> word_row() { return {word(), word(), word(), word()}; }

  void make_lanes() {
    single_ = is_compute() && chance(3);
    made_.group = single_ ? std::array<uint32_t, 3>{1, 1, 1}
                          : std::array<uint32_t, 3>{1 + below(4), 1 + below(4), 1 + below(2)};
    const uint32_t count =
        is_compute() ? made_.group[0] * made_.group[1] * made_.group[2] : 4 * (1 + below(2));
    made_.lanes.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      Lane& lane = made_.lanes[i];
      lane.flattened = i;
      lane.thread = {i % made_.group[0], i / made_.group[0] % made_.group[1],
                     i / (made_.group[0] * made_.group[1])};
      lane.thread_in_group = lane.thread;
      for (uint32_t r = 0; r < kInputs; ++r) {
        const auto row = r < 2 ? float_row() : word_row();
        for (uint32_t c = 0; c < 4; ++c) lane.inputs[r][c] = {row[c], Known::exact, 0};
      }
    }
    made_.input_registers = is_compute() ? 0 : kInputs;
    made_.output_registers = is_compute() ? 0 : kOutputs;
  }

  TextureData texture(sm4::ResourceDimension dimension, uint32_t width, uint32_t height, uint32_t depth,
                      uint32_t mips) {
    TextureData data{dimension, width, height, depth, mips, 1, {}};
    data.fill();
    for (auto& mip : data.texels) {
      for (auto& texel : mip) texel = float_row();
    }
    return data;
  }

  void bind() {
    MachineBindings& bindings = made_.bindings;
    for (uint32_t i = 0; i < kRows; ++i)
      bindings.constant_buffers[0].push_back(i % 2 == 0 ? float_row() : word_row());
    bindings.textures[0] = texture(sm4::ResourceDimension::texture2d, 8, 4, 1, 3);
    bindings.textures[1] = texture(sm4::ResourceDimension::texture3d, 4, 4, 4, 2);
    bindings.textures[2] = texture(sm4::ResourceDimension::texture2darray, 4, 8, 3, 2);
    bindings.textures[3] = texture(sm4::ResourceDimension::texture1d, 16, 1, 1, 2);
    for (uint32_t slot : {4u, 5u, 6u}) {  // raw, structured, typed
      BufferData& buffer = bindings.buffers[slot];
      buffer.words_per_element = slot == 4 ? 1 : 4;
      for (uint32_t i = 0; i < 32; ++i) buffer.words.push_back(word());
    }
    for (uint32_t slot = 0; slot < 3; ++slot) {
      SamplerData& sampler = bindings.samplers[slot];
      sampler.linear = slot == 1;
      for (Address& address : sampler.address) address = static_cast<Address>(1 + below(5));
      sampler.mip = below(3);
      sampler.comparison = 1 + below(8);
      for (float& border : sampler.border) border = static_cast<float>(below(4));
    }
    const auto count = static_cast<uint32_t>(made_.lanes.size());
    if (!is_compute()) return;
    bindings.uav_buffers[0].words.assign(size_t{count} * kWordsEach, 0);  // raw
    bindings.uav_buffers[1].words.assign(size_t{count} * kWordsEach, 0);  // structured
    bindings.uav_buffers[1].words_per_element = kWordsEach;
    bindings.uav_buffers[2].words.assign(16, 0);  // typed, for atomics
    bindings.uav_textures[3] = TextureData{sm4::ResourceDimension::texture2d, 8, 8, 1, 1, 1, {}};
    bindings.uav_textures[3].components = 1;  // atomics want one word
    bindings.uav_textures[3].fill();
    for (uint32_t slot : {0u, 1u, 2u}) {
      for (uint32_t& bits : bindings.uav_buffers[slot].words) bits = word();
    }
  }

  void declare() {
    line("{}_5_0", is_pixel() ? "ps" : is_compute() ? "cs" : "vs");
    line("dcl_globalFlags refactoringAllowed{}",
         has_doubles_
             ? " | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | enable11_1ShaderExtensions"
             : " | enable11_1ShaderExtensions");
    std::string rows;
    for (uint32_t i = 0; i < kRows; ++i) {
      const auto row = i % 2 == 0 ? float_row() : word_row();
      rows += fmt::format("{}{{ 0x{:08x}, 0x{:08x}, 0x{:08x}, 0x{:08x}}}", i == 0 ? "" : ",\n", row[0],
                          row[1], row[2], row[3]);
    }
    line("dcl_immediateConstantBuffer {{ {} }}", rows);
    line("dcl_constantbuffer cb0[{}], dynamicIndexed", kRows);
    line("dcl_sampler s0, mode_default\ndcl_sampler s1, mode_default\ndcl_sampler s2, mode_comparison");
    line(
        "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture3d "
        "(float,float,float,float) t1");
    line(
        "dcl_resource_texture2darray (float,float,float,float) t2\ndcl_resource_texture1d "
        "(float,float,float,float) t3");
    line(
        "dcl_resource_raw t4\ndcl_resource_structured t5, 16 \ndcl_resource_buffer (uint,uint,uint,uint) t6");
    if (is_compute()) {
      line("dcl_uav_raw u0\ndcl_uav_structured u1, {}", kWordsEach * 4);
      line("dcl_uav_typed_buffer (uint,uint,uint,uint) u2\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u3");
      line("dcl_input vThreadIDInGroupFlattened\ndcl_input vThreadID.xyz\ndcl_input vThreadIDInGroup.xyz");
      line("dcl_input vThreadGroupID.xyz");
    } else {
      for (uint32_t i = 0; i < kInputs; ++i)
        line("{} v{}.xyzw", is_pixel() ? "dcl_input_ps constant" : "dcl_input", i);
      line("dcl_indexrange v0.xyzw 2");
      for (uint32_t i = 0; i < kOutputs; ++i) line("dcl_output o{}.xyzw", i);
    }
    line("dcl_temps {}\ndcl_indexableTemp x0[{}], 4", kTemps, kArrayRows);
    if (!is_compute()) return;
    line("dcl_tgsm_raw g0, {}\ndcl_tgsm_structured g1, {}, {}", made_.lanes.size() * kWordsEach * 4,
         kWordsEach * 4, made_.lanes.size());
    line("dcl_thread_group {}, {}, {}", made_.group[0], made_.group[1], made_.group[2]);
  }

  std::string literal(bool is_float) { return fmt::format("0x{:08x}", is_float ? small_float() : word()); }
  std::string literals(bool is_float) {
    return fmt::format("l({}, {}, {}, {})", literal(is_float), literal(is_float), literal(is_float),
                       literal(is_float));
  }

  void initialise() {
    for (uint32_t i = 0; i < kRegisters; ++i) {
      if (is_compute()) {
        line("mov r{}.xyzw, {}", kFloats + i, literals(true));
        line("iadd r{}.xyzw, vThreadIDInGroup.xyzx, {}", kIntegers + i, literals(false));
      } else {
        line("mov r{}.xyzw, v{}.xyzw", kFloats + i, i % 2);
        line("mov r{}.xyzw, v{}.xyzw", kIntegers + i, 2 + i % 2);
      }
    }
    for (uint32_t i = kClose; i < kTemps; ++i) line("mov r{}.xyzw, {}", i, literals(true));
    for (uint32_t i = 0; i < kArrayRows; ++i) line("mov x0[{}].xyzw, {}", i, literals(true));
    for (uint32_t i = 0; i < made_.output_registers; ++i) line("mov o{}.xyzw, {}", i, literals(true));
  }

  /// r13.x: bytes to a lane's own words in u0 and g0. Nothing else writes r13.
  void address_own_words() { line("ishl r13.x, vThreadIDInGroupFlattened.x, l(5)"); }

  std::string mask() {
    const uint32_t bits = 1 + below(15);
    std::string text;
    for (uint32_t c = 0; c < 4; ++c) {
      if ((bits >> c & 1) != 0) text += "xyzw"[c];
    }
    return text;
  }
  std::string swizzle() {
    std::string text;
    for (uint32_t c = 0; c < 4; ++c) text += "xyzw"[chance(3) ? below(4) : c];
    return text;
  }
  char component() { return "xyzw"[below(4)]; }

  /// A row number in r9.x, small enough for `limit` rows; usually.
  std::string row(uint32_t limit) {
    if (chance(2)) return fmt::format("{}", below(limit));
    line("and r{}.x, r{}.{}, l({})", kScratch, kIntegers + below(kRegisters), component(), limit / 2 - 1);
    return fmt::format("r{}.x + {}", kScratch, below(limit / 2 + 1));
  }

  /// Of a constant buffer: outside of what is bound now and then.
  std::string beyond(uint32_t limit) {
    line("and r{}.x, r{}.{}, l({})", kScratch, kIntegers + below(kRegisters), component(), limit - 1);
    return fmt::format("r{}.x + {}", kScratch, below(4));
  }

  std::string registers(bool is_float) {
    const uint32_t own = (is_float ? kFloats : kIntegers) + below(kRegisters);
    switch (below(12)) {
      case 0: return fmt::format("cb0[{}]", below(kRows / 2) * 2 + (is_float ? 0 : 1));
      case 1:
        return is_compute() ? fmt::format("r{}", own) : fmt::format("v{}", (is_float ? 0 : 2) + below(2));
      case 2: return fmt::format("x0[{}]", below(kArrayRows));
      case 3: return fmt::format("icb[{}]", below(kRows / 2) * 2 + (is_float ? 0 : 1));
      default: return fmt::format("r{}", own);
    }
  }
  std::string source(bool is_float) {
    if (chance(5)) return literals(is_float);
    const std::string text = registers(is_float) + "." + swizzle();
    if (!is_float) return chance(10) ? "-" + text : text;
    switch (below(10)) {
      case 0: return "-" + text;
      case 1: return "|" + text + "|";
      case 2: return "-|" + text + "|";
      default: return text;
    }
  }
  std::string scalar(bool is_float) { return fmt::format("{}.{}", registers(is_float), component()); }

  void arithmetic() {
    const Form& form = kForms[below(std::size(kForms))];
    std::string text(form.mnemonic);
    const bool saturates =
        form.operands[0] != 'i' && form.operands.find_first_of("IB") == std::string_view::npos && chance(6);
    if (saturates && form.mnemonic != "eq") text += "_sat";
    uint32_t destination = 0;
    for (size_t i = 0; i < form.operands.size(); ++i) {
      text += i == 0 ? " " : ", ";
      const char letter = form.operands[i];
      // Two destinations are different registers (22.10, swapc; 22.11, imul).
      if (letter == 'f' || letter == 'i') {
        const uint32_t base = letter == 'f' ? kFloats : kIntegers;
        destination = i == 0 ? below(kRegisters) : (destination + 1 + below(kRegisters - 1)) % kRegisters;
        const bool twice = form.operands[1] == 'i' || form.operands[1] == 'f';
        text += twice && form.mnemonic != "swapc" && chance(6) && form.operands[0] == 'i' && !dropped_
                    ? std::string("null")
                    : fmt::format("r{}.{}", base + destination, mask());
        dropped_ = text.ends_with("null");
      } else if (letter == 'c') {
        text += i == 0 ? fmt::format("r{}.{}", kClose, mask()) : fmt::format("r{}.{}", kClose + 4, mask());
      } else {
        text += letter == 'B' ? registers(false) + "." + swizzle() : source(letter == 'F');
      }
    }
    dropped_ = false;
    line("{}", text);
    if (form.operands[0] == 'c' && made_.output_registers != 0 && !in_subroutine_)
      line("mov o{}.{}, r{}.{}", below(kOutputs), mask(), kClose, swizzle());
  }

  /// Doubles are made anew from integers or floats each time, so that they stay small.
  void double_arithmetic() {
    line("itod r8.xyzw, r{}.{}", kIntegers + below(kRegisters), swizzle());
    line("ftod r12.xyzw, r{}.{}", kFloats + below(kRegisters), swizzle());
    const std::string_view name = kDoubleForms[below(std::size(kDoubleForms))];
    const std::string pair = chance(2) ? "xyzw" : chance(2) ? "zwxy" : "xyxy";
    const uint32_t f = kFloats + below(kRegisters);
    const uint32_t i = kIntegers + below(kRegisters);
    if (name == "dmovc") {
      line("dmovc r8.xyzw, r{}.{}, r8.{}, r12.xyzw", i, swizzle(), pair);
    } else if (name == "dfma") {
      line("dfma r8.xyzw, r8.{}, r12.xyzw, -r12.{}", pair, pair);
    } else if (name == "drcp" || name == "dmov") {
      line("{} r8.xyzw, {}r12.{}", name, chance(2) ? "-" : "", pair);
    } else if (name == "deq" || name == "dge" || name == "dlt" || name == "dne") {
      line("{} r{}.xy, r8.{}, |r12.xyzw|", name, i, pair);
    } else if (name == "dtof") {
      line("dtof{} r{}.{}, r12.{}", chance(3) ? "_sat" : "", f, chance(2) ? "xy" : "yz", pair);
    } else if (name == "dtoi" || name == "dtou") {
      line("{} r{}.xz, r12.{}", name, i, pair);
    } else if (name == "ftod" || name == "itod" || name == "utod") {
      line("{} r8.xyzw, r{}.{}", name, name == "ftod" ? f : i, swizzle());
    } else {
      line("{} r8.xyzw, r8.{}, r12.xyzw", name, pair);
    }
    line("dtoi r{}.zw, r8.xyzw", i);
    line("mov r{}.xy, r8.zwzw", i);
  }

  /// x0 and v# by a computed row.
  void array() {
    const std::string at = row(kArrayRows);
    if (chance(2)) {
      line("mov x0[{}].{}, r{}.{}", at, mask(), kFloats + below(kRegisters), swizzle());
    } else if (chance(2) || is_compute()) {
      const bool table = chance(2);
      const std::string place = table       ? "icb[" + row(kRows) + "]"
                                : chance(2) ? "cb0[" + beyond(kRows) + "]"
                                            : "x0[" + at + "]";
      line("mov r{}.{}, {}.{}", kIntegers + below(kRegisters), mask(), place, swizzle());
    } else {
      line("and r{}.y, r{}.{}, l(1)", kScratch, kIntegers + below(kRegisters), component());
      line("mov r{}.{}, v[r{}.y + 0].{}", kFloats + below(kRegisters), mask(), kScratch, swizzle());
    }
  }

  std::string offset() {
    return chance(3) ? fmt::format("_aoffimmi({},{},{})", static_cast<int>(below(16)) - 8,
                                   static_cast<int>(below(16)) - 8, static_cast<int>(below(16)) - 8)
                     : "";
  }
  /// `_aoffimmi_indexable(1,0,0)(texture2d)(...)`.
  std::string suffix(uint32_t slot, const std::string& offset) {
    constexpr std::string_view kNames[] = {"texture2d", "texture3d", "texture2darray", "texture1d"};
    const std::string numbers = offset.empty() ? "" : offset.substr(9);
    return fmt::format("{}_indexable{}({})(float,float,float,float)", offset.empty() ? "" : "_aoffimmi",
                       numbers, kNames[slot]);
  }

  void texture_read() {
    const uint32_t slot = below(4);
    const uint32_t to = kFloats + below(kRegisters);
    if (chance(3)) {
      // Texels around the edges, mips and slices about as often there as not.
      line("and r{}.xyzw, r{}.{}, l(7, 3, 3, 1)", kScratch, kIntegers + below(kRegisters), swizzle());
      if (chance(3)) line("iadd r{}.{}, r{}.xyzw, l(-2, 2, -1, 2)", kScratch, mask(), kScratch);
      line("ld{} r{}.{}, r{}.xyzw, t{}.{}", suffix(slot, offset()), to, mask(), kScratch, slot, swizzle());
      return;
    }
    if (chance(6)) {
      constexpr std::string_view kReturns[] = {"", "_uint", "_rcpfloat"};
      const uint32_t form = below(3);
      line("and r{}.x, r{}.{}, l(3)", kScratch, kIntegers + below(kRegisters), component());
      line("resinfo{}{} r{}.{}, r{}.x, t{}.{}", suffix(slot, ""), kReturns[form],
           form == 2   ? kClose
           : form == 1 ? kIntegers + below(kRegisters)
                       : to,
           mask(), kScratch, slot, swizzle());
      return;
    }
    // Multiples of 1/64 of the texture: often exact in texels, as floats.
    line("and r{}.xyzw, r{}.{}, l(127, 127, 127, 127)", kScratch, kIntegers + below(kRegisters), swizzle());
    line("iadd r{}.xyz, r{}.xyzw, l(-32, -32, -32, 0)", kScratch, kScratch);
    line("itof r{}.xyzw, r{}.xyzw", kScratch, kScratch);
    line("mul r{}.xyz, r{}.xyzw, l(0.015625, 0.015625, {}, 0)", kScratch, kScratch,
         slot == 2 ? "0.03125" : "0.015625");
    if (chance(2))
      line("add r{}.xyz, r{}.xyzw, l(0.001953125, 0.001953125, 0.001953125, 0)", kScratch, kScratch);
    sample(slot, to);
  }

  void sample(uint32_t slot, uint32_t to) {
    const bool flat = slot == 0 || slot == 2;
    const uint32_t sampler = below(2);
    const std::string at = fmt::format("r{}.xyzw", kScratch);
    const uint32_t kind = below(is_pixel() && uniform_ ? 9 : 6);
    const std::string reference = fmt::format("l({})", literal(true));
    switch (kind) {
      case 0:
      case 1:
        line("sample_l{} r{}.{}, {}, t{}.{}, s{}, l({})", suffix(slot, offset()), to, mask(), at, slot,
             swizzle(), sampler, literal(true));
        return;
      case 2:
        line("sample_d{} r{}.{}, {}, t{}.{}, s{}, {}, {}", suffix(slot, offset()), to, mask(), at, slot,
             swizzle(), sampler, literals(true), literals(true));
        return;
      case 3:
        if (slot == 1) return;
        line("sample_c_lz{} r{}.{}, {}, t{}.xxxx, s2, {}", suffix(slot, offset()), to, component(), at, slot,
             reference);
        return;
      case 4:
        if (!flat) return;
        line("gather4{} r{}.{}, {}, t{}.{}, s{}.{}", suffix(slot, offset()), to, mask(), at, slot, swizzle(),
             sampler, component());
        return;
      case 5:
        if (!flat) return;
        if (chance(2)) {
          line("gather4_c{} r{}.{}, {}, t{}.{}, s2.x, {}", suffix(slot, offset()), to, mask(), at, slot,
               swizzle(), reference);
        } else {
          line("gather4_po{} r{}.{}, {}, r{}.{}, t{}.{}, s{}.{}", suffix(slot, ""), to, mask(), at,
               kIntegers + below(kRegisters), swizzle(), slot, swizzle(), sampler, component());
        }
        return;
      case 6:
        line("sample{} r{}.{}, {}, t{}.{}, s{}", suffix(slot, offset()), to, mask(), at, slot, swizzle(),
             sampler);
        return;
      case 7:
        line("sample_b{} r{}.{}, {}, t{}.{}, s{}, l({})", suffix(slot, offset()), to, mask(), at, slot,
             swizzle(), sampler, literal(true));
        return;
      default:
        if (slot == 1) return;
        line("sample_c{} r{}.{}, {}, t{}.xxxx, s2, {}", suffix(slot, offset()), to, component(), at, slot,
             reference);
    }
  }

  void buffer_read() {
    const uint32_t to = kIntegers + below(kRegisters);
    line("and r{}.xy, r{}.{}, l(15, 3, 0, 0)", kScratch, kIntegers + below(kRegisters), swizzle());
    switch (below(5)) {
      case 0:
        line("ishl r{}.x, r{}.x, l(3)", kScratch, kScratch);
        line("ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r{}.{}, r{}.x, t4.{}", to, mask(),
             kScratch, swizzle());
        return;
      case 1:
        line(
            "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r{}.{}, r{}.x, "
            "l(0), t5.{}",
            to, mask(), kScratch, swizzle());
        return;
      case 2:
        line(
            "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r{}.x, r{}.x, "
            "l({}), t5.xxxx",
            to, kScratch, 4 * below(4));
        return;
      case 3:
        line("ld_indexable(buffer)(uint,uint,uint,uint) r{}.{}, r{}.xxxx, t6.{}", to, mask(), kScratch,
             swizzle());
        return;
      default: line("bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r{}.x, t4.xxxx", to); return;
    }
  }

  /// Words of the lane itself: r13.x is where they begin.
  void own_memory() {
    const uint32_t from = kIntegers + below(kRegisters);
    constexpr std::string_view kMasks[] = {"x", "xy", "xyz", "xyzw"};
    const std::string_view mask_text = kMasks[below(4)];
    const uint32_t word_number = below(5);
    const bool shared = chance(2);
    switch (below(4)) {
      case 0:
        line("iadd r{}.x, r13.x, l({})", kScratch, word_number * 4);
        line("store_raw {}.{}, r{}.x, {}", shared ? "g0" : "u0", mask_text, kScratch, source(false));
        return;
      case 1:
        line("store_structured {}.{}, vThreadIDInGroupFlattened.x, l({}), {}", shared ? "g1" : "u1",
             mask_text, word_number * 4, source(false));
        return;
      case 2:
        line("iadd r{}.x, r13.x, l({})", kScratch, word_number * 4);
        if (shared) {
          line("ld_raw r{}.{}, r{}.x, g0.{}", from, mask(), kScratch, swizzle());
        } else {
          line("ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r{}.{}, r{}.x, u0.{}", from, mask(),
               kScratch, swizzle());
        }
        return;
      default:
        if (shared) {
          line("ld_structured r{}.{}, vThreadIDInGroupFlattened.x, l({}), g1.{}", from, mask(),
               word_number * 4, swizzle());
        } else {
          line(
              "ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) r{}.{}, "
              "vThreadIDInGroupFlattened.x, l({}), u1.{}",
              from, mask(), word_number * 4, swizzle());
        }
    }
  }

  /// A neighbour's words, between barriers; every lane must come here.
  void shared_memory() {
    line("sync_g_t");
    line("xor r{}.y, vThreadIDInGroupFlattened.x, l(1)", kScratch);
    line("umin r{}.y, r{}.y, l({})", kScratch, kScratch, made_.lanes.size() - 1);
    line("ld_structured r{}.{}, r{}.y, l({}), g1.{}", kIntegers + below(kRegisters), mask(), kScratch,
         4 * below(5), swizzle());
    line("sync_g_t");
  }

  void atomics() {
    line("and r{}.xyzw, r{}.{}, l({}, 7, 0, 0)", kScratch, kIntegers + below(kRegisters), swizzle(),
         chance(4) ? 31 : 7);
    const std::string value = scalar(false);
    if (!single_) {  // one operation that commutes, and nobody looks before the end
      line("atomic_{} u2, r{}.xxxx, {}", kAtomics[made_.lanes.size() % std::size(kAtomics)], kScratch, value);
      return;
    }
    const std::string target =
        chance(2) ? fmt::format("u2, r{}.xxxx", kScratch) : fmt::format("u3, r{}.xyyy", kScratch);
    const std::string to = fmt::format("r{}.{}", kIntegers + below(kRegisters), component());
    switch (below(5)) {
      case 0: line("imm_atomic_cmp_exch {}, {}, {}, {}", to, target, value, scalar(false)); return;
      case 1: line("imm_atomic_exch {}, {}, {}", to, target, value); return;
      case 2: line("atomic_cmp_store {}, {}, {}", target, value, scalar(false)); return;
      case 3:
        line("imm_atomic_{} {}, {}, {}", kAtomics[below(std::size(kAtomics))], to, target, value);
        return;
      default: line("atomic_{} {}, {}", kAtomics[below(std::size(kAtomics))], target, value); return;
    }
  }

  void typed_view() {
    line("mov r{}.x, vThreadIDInGroup.x", kScratch);
    line("imad r{}.y, vThreadIDInGroup.z, l(4), vThreadIDInGroup.y", kScratch);
    if (chance(2)) {
      line("store_uav_typed u3.xyzw, r{}.xyyy, {}", kScratch, source(false));
    } else {
      line("ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r{}.{}, r{}.xyyy, u3.{}",
           kIntegers + below(kRegisters), mask(), kScratch, swizzle());
    }
  }

  /// A condition in r9.x.
  std::string condition() {
    switch (below(3)) {
      case 0: line("lt r{}.x, {}, {}", kScratch, source(true), source(true)); break;
      case 1: line("ilt r{}.x, {}, {}", kScratch, source(false), source(false)); break;
      default:
        return fmt::format("{} r{}.{}", chance(2) ? "_nz" : "_z", kIntegers + below(kRegisters), component());
    }
    return fmt::format("{} r{}.x", chance(2) ? "_nz" : "_z", kScratch);
  }

  void branch() {
    const std::string test = condition();
    line("if{}", test);
    nested(1 + below(5));
    if (chance(2)) {
      line("else ");
      nested(1 + below(4));
    }
    line("endif ");
  }

  void loop() {
    if (loops_ == 3) return;
    const char counter = "xyz"[loops_];
    ++loops_;
    line("mov r{}.{}, l(0)", kCounters, counter);
    line("loop ");
    line("ige r{}.z, r{}.{}, l({})", kScratch, kCounters, counter, 1 + below(5));
    line("breakc_nz r{}.z", kScratch);
    line("iadd r{}.{}, r{}.{}, l(1)", kCounters, counter, kCounters, counter);
    nested(1 + below(5));
    if (chance(3)) {
      const std::string test = condition();
      line("{}c{}", chance(2) ? "break" : "continue", test);
      nested(1 + below(3));
    }
    if (chance(6)) {
      const std::string test = condition();
      line("if{}", test);
      nested(below(2));
      line("{} ", chance(2) ? "break" : "continue");
      line("endif ");
    }
    line("endloop ");
    --loops_;
  }

  void choice() {
    line("and r{}.x, r{}.{}, l(3)", kScratch, kIntegers + below(kRegisters), component());
    line("switch r{}.x", kScratch);
    const uint32_t cases = 1 + below(4);
    const uint32_t default_at = below(6);
    for (uint32_t i = 0; i < cases; ++i) {
      if (i == default_at) line("default ");
      line("case l({})", i);
      if (i + 1 < cases && chance(4)) continue;  // labels that stand together
      nested(1 + below(3));
      if (chance(6)) {
        const std::string test = condition();
        line("breakc{}", test);
        nested(1);
      }
      line("break ");
    }
    if (default_at >= cases && chance(2)) {
      line("default ");
      nested(1 + below(2));
      line("break ");
    }
    line("endswitch ");
  }

  void nested(uint32_t count) {
    const bool was_uniform = uniform_;
    uniform_ = false;
    ++depth_;
    block(count);
    --depth_;
    uniform_ = was_uniform;
  }

  void block(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) statement();
  }

  void statement() {
    const uint32_t roll = below(100);
    if (roll < 52) return arithmetic();
    if (roll < 58) return array();
    if (roll < 66) return texture_read();
    if (roll < 70) return buffer_read();
    if (roll < 76 && depth_ < 4) return branch();
    if (roll < 80 && depth_ < 3) return loop();
    if (roll < 83 && depth_ < 3) return choice();
    if (roll < 86) return has_doubles_ ? double_arithmetic() : arithmetic();
    if (is_compute()) return compute_only(roll);
    if (roll < 92 && !in_subroutine_)
      return line("mov o{}.{}, {}", below(kOutputs), mask(), source(chance(2)));
    if (roll < 94 && is_pixel() && uniform_) return derivative();
    rare(roll);
  }

  void compute_only(uint32_t roll) {
    if (roll < 91) return own_memory();
    if (roll < 93) return atomics();
    if (roll < 95 && single_) return typed_view();
    if (roll < 96 && uniform_) return shared_memory();
    rare(roll);
  }

  void rare(uint32_t roll) {
    if (roll == 99 && is_pixel()) {
      const std::string test = condition();
      return line("discard{}", test);
    }
    if (roll == 98 && depth_ != 0 && !in_subroutine_ && !is_compute() && chance(2)) {
      const std::string test = condition();
      returned_ = true;
      line("retc{}", test);
      return;
    }
    if (roll >= 96 && subroutines_ != 0 && !in_subroutine_) {
      const uint32_t target = below(subroutines_);
      if (chance(2)) return line("call l{}", target);
      const std::string test = condition();
      return line("callc{}, l{}", test, target);
    }
    arithmetic();
  }

  void derivative() {
    if (returned_) return;
    constexpr std::string_view kNames[] = {"deriv_rtx",        "deriv_rty",      "deriv_rtx_coarse",
                                           "deriv_rty_coarse", "deriv_rtx_fine", "deriv_rty_fine"};
    line("{} r{}.{}, {}", kNames[below(6)], kFloats + below(kRegisters), mask(), source(true));
  }

  void finish() {
    for (uint32_t i = 0; i < made_.output_registers; ++i) {
      if (chance(2)) line("mov o{}.{}, r{}.xyzw", i, mask(), below(2) == 0 ? kFloats + i : kIntegers + i);
    }
    if (is_compute()) {
      for (uint32_t i = 0; i < 2; ++i) {
        line("iadd r{}.x, r13.x, l({})", kScratch, 16 * i);
        line("store_raw u0.xyzw, r{}.x, r{}.xyzw", kScratch, kIntegers + below(kRegisters));
      }
    }
    line("ret ");
  }

  std::mt19937_64 random_;
  RandomAssembly made_;
  bool has_doubles_ = false;
  bool single_ = false;  // one thread: every atomic, and its result
  bool uniform_ = true;  // all lanes come here
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
