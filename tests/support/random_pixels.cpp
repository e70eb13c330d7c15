#include "tests/support/random_pixels.h"

#include <fmt/format.h>

#include <random>
#include <string_view>

namespace texlate::test {

namespace {

struct DimensionRow {
  std::string_view name;  // as in declarations
  uint32_t axes;          // of a sample's coordinate: 3 for cubes
  int slice;              // component of the slice; -1: no array
  bool cube, multisampled, buffer;
};
constexpr DimensionRow kDimensions[] = {
    {"texture2d", 2, -1, false, false, false},         {"texture2darray", 2, 2, false, false, false},
    {"texture1d", 1, -1, false, false, false},         {"texture1darray", 1, 1, false, false, false},
    {"texture3d", 3, -1, false, false, false},         {"texturecube", 3, -1, true, false, false},
    {"texturecubearray", 3, 3, true, false, false},    {"texture2dms(4)", 2, -1, false, true, false},
    {"texture2dmsarray(4)", 2, 2, false, true, false}, {"buffer", 1, -1, false, false, true},
};

struct Texture {
  const DimensionRow* dimension = nullptr;
  std::string_view type;  // float, uint, sint, unorm, snorm
  bool compared = false;
  std::string_view shape() const { return dimension->name.substr(0, dimension->name.find('(')); }
  bool flat2d() const { return dimension->axes == 2 && !dimension->multisampled; }
  bool is_integer() const { return type == "uint" || type == "sint"; }
};

// r0: coordinates. r1, r2: derivatives. r3: whole numbers. r4: x level, y bias, z reference. r5: conditions
// and loop counters. r6: results within control flow. r10 and up: results.
constexpr uint32_t kFirstResult = 10, kTextures = 4;

class Writer {
 public:
  Writer(uint64_t seed, const RandomPixelsOptions& options) : random_(seed), options_(options) {}

  RandomPixels write() {
    for (uint32_t i = 0; i < kTextures; ++i) textures_.push_back(texture());
    const uint32_t results = whole(1, 6);
    for (uint32_t i = 0; i < results; ++i) {
      line("mov r{}.xyzw, l(0,0,0,0)", kFirstResult + i);
      add_result(i);
    }
    std::string body;
    body.swap(result_.text);
    line("ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[3], immediateIndexed");
    line("dcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\ndcl_sampler s2, mode_default");
    for (uint32_t i = 0; i < kTextures; ++i)
      line("dcl_resource_{0} ({1},{1},{1},{1}) t{2}", textures_[i].dimension->name, textures_[i].type, i);
    line("dcl_input_ps_siv linear noperspective v0.xy, position");
    line("dcl_input_ps linear v1.xyzw\ndcl_input_ps linear v2.xyzw\ndcl_input_ps constant v3.xyzw");
    for (uint32_t i = 0; i < results; ++i) line("dcl_output o{}.xyzw", i);
    line("dcl_temps {}", kFirstResult + results);
    result_.text += body;
    for (uint32_t i = 0; i < results; ++i) line("mov o{}.xyzw, r{}.xyzw", i, kFirstResult + i);
    line("ret");
    return result_;
  }

 private:
  uint32_t whole(uint32_t least, uint32_t most) {
    return least + static_cast<uint32_t>(random_() % (most - least + 1));
  }
  bool one_in(uint32_t n) { return random_() % n == 0; }
  /// A literal without a point would be an integer. Eighths: the text gives the number exactly.
  static std::string literal(double value) { return fmt::format("{:#}", value); }
  double eighths(int least, int most) {
    return static_cast<double>(whole(0, static_cast<uint32_t>(8 * (most - least)))) / 8 + least;
  }
  std::string eighth(int least, int most) { return literal(eighths(least, most)); }
  std::string threshold(int least, int most) {
    return literal(eighths(least, most) + double{options_.condition});
  }
  std::string reference() { return literal(eighths(0, 1) + double{options_.reference}); }
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(result_.text), format, std::forward<Arguments>(arguments)...);
    result_.text += '\n';
  }

  Texture texture() {
    Texture made;
    // 2D textures are half of all, as in applications.
    made.dimension =
        one_in(2) ? &kDimensions[whole(0, 1)] : &kDimensions[whole(0, std::size(kDimensions) - 1)];
    const bool samples = !made.dimension->multisampled && !made.dimension->buffer;
    made.compared = samples && made.dimension->name != "texture3d" && one_in(3);
    static constexpr std::string_view kTypes[] = {"float", "float", "float", "float",
                                                  "uint",  "sint",  "unorm", "snorm"};
    made.type = made.compared ? "float" : kTypes[whole(0, std::size(kTypes) - 1)];
    return made;
  }

  void add_result(uint32_t index) {
    number_ = whole(0, kTextures - 1);
    current_ = &textures_[number_];
    result_.kinds.push_back(RandomPixels::Kind::exact);
    to_ = kFirstResult + index;
    coordinates();
    const bool diverges = one_in(4), loops = !diverges && one_in(8);
    // Derivatives need the whole quad; the rest may be anywhere.
    const auto [text, has_derivatives] = instruction();
    if (diverges && !has_derivatives) {
      line("lt r5.x, v2.{}, l({})", "xyzw"[whole(0, 3)], threshold(-1, 1));
      line("if_nz r5.x\n{}else\nmov r{}.xyzw, v1.xyzw\nendif", text, to_);
    } else if (loops) {
      line("mov r5.y, l(0)\nloop\nige r5.z, r5.y, l({})\nbreakc_nz r5.z", whole(1, 3));
      line("{}mov r6.xyzw, r{}.xyzw\nmov r0.xyzw, r0.yxzw\niadd r5.y, r5.y, l(1)\nendloop", text, to_);
    } else {
      result_.text += text;
    }
    if (one_in(20)) {
      line("lt r5.x, v2.x, l({})", threshold(-1, 0));
      line("discard_nz r5.x");
    }
  }

  void coordinates() {
    switch (whole(0, 5)) {
      case 0: line("mov r0.xyzw, v1.xyzw"); break;
      case 1: line("mov r0.xyzw, v2.wxyz"); break;
      case 2: line("mov r0.xyzw, cb0[{}].xyzw", whole(0, 2)); break;
      case 3: line("mad r0.xyzw, v0.xyxy, l({},{},{},{}), v1.zzzw", step(), step(), step(), step()); break;
      default:
        line("mad r0.xyzw, v{}.xyzw, l({},{},{},{}), l({},{},{},{})", whole(1, 2), eighth(-3, 3),
             eighth(-3, 3), eighth(-3, 3), eighth(0, 4), eighth(-1, 1), eighth(-1, 1), eighth(-1, 1),
             eighth(-1, 1));
    }
    line("add r0.xyz, r0.xyzx, l({},{},{},0)", literal(options_.shift[0]), literal(options_.shift[1]),
         literal(options_.shift[2]));
    if (options_.divides_directions && current_->dimension->cube) {
      line("max r6.x, |r0.x|, |r0.y|\nmax r6.x, r6.x, |r0.z|");
      line("div r0.xyz, r0.xyzx, r6.xxxx");
    }
    // Slices: some between two, some out of range.
    const int slice = current_->dimension->slice;
    if (slice >= 0) {
      line("mul r0.{}, v{}.{}, l({})", "xyzw"[slice], whole(1, 2), "xyzw"[whole(0, 3)], eighth(0, 5));
      if (options_.slice != 0) line("add r0.{0}, r0.{0}, l({1})", "xyzw"[slice], literal(options_.slice));
    }
    line("mul r1.xyzw, v{}.{}, l({},{},{},{})", whole(1, 2), one_in(2) ? "xyzw" : "wzyx", step(), step(),
         step(), step());
    line("mul r2.xyzw, v{}.{}, l({},{},{},{})", whole(1, 2), one_in(2) ? "yxwz" : "zwxy", step(), step(),
         step(), step());
    line("mad r4.xyzw, v{}.{}, l({},{},{},{}), l({},{},{},0)", whole(1, 2), one_in(2) ? "xyzw" : "zwxy",
         eighth(0, 3), eighth(0, 1), eighth(0, 1), step(), eighth(-1, 3), eighth(-2, 2), reference());
    switch (whole(0, 2)) {
      case 0: line("iadd r3.xyzw, v3.xyzw, l({},{},{},{})", offset(), offset(), offset(), mip()); break;
      case 1:
        line("ftoi r3.xyzw, v0.xyyx");
        line("iadd r3.xyzw, r3.xyzw, l({},{},{},{})", offset(), offset(), offset(), mip());
        line("mov r3.zw, l(0,0,{},{})", whole(0, 3), mip());
        break;
      default: line("mov r3.xyzw, l({},{},{},{})", offset(), offset(), offset(), mip());
    }
  }

  std::string step() {
    return literal(one_in(4) ? 0.0 : std::ldexp(one_in(2) ? 1.0 : -1.0, -static_cast<int>(whole(1, 8))));
  }
  int offset() { return one_in(16) ? static_cast<int>(random_()) : static_cast<int>(whole(0, 12)) - 4; }
  int mip() { return one_in(4) ? static_cast<int>(whole(0, 8)) - 2 : 0; }

  std::string immediate_offsets() {
    if (current_->dimension->cube || one_in(2)) return "";
    const auto one = [&] { return static_cast<int>(whole(0, 15)) - 8; };
    const uint32_t axes = current_->dimension->axes;
    return fmt::format("({},{},{})", one(), axes > 1 ? one() : 0, axes > 2 ? one() : 0);
  }
  /// What follows the mnemonic.
  std::string suffix(bool offsets = true) {
    const std::string given = offsets ? immediate_offsets() : "";
    return suffix_with(given);
  }
  std::string suffix_of_sample() {
    const std::string given = immediate_offsets();
    return suffix_with(options_.sample_offsets ? given : "");
  }
  std::string suffix_with(std::string_view offsets) const {
    return fmt::format("{0}_indexable{1}({2})({3},{3},{3},{3})", offsets.empty() ? "" : "_aoffimmi", offsets,
                       current_->shape(), current_->type);
  }
  std::string resource() {
    static constexpr std::string_view kSwizzles[] = {"xyzw", "xyzw", "wzyx", "yzwx", "xxxx"};
    return fmt::format("t{}.{}", number_,
                       current_->compared ? "xxxx" : kSwizzles[whole(0, std::size(kSwizzles) - 1)]);
  }
  std::string sampler() const { return number_ % 2 == 0 ? "s0" : "s2"; }

  struct Instruction {
    std::string text;
    bool has_derivatives = false;
  };
  Instruction instruction() {
    if (current_->dimension->buffer) return {one_in(4) ? information() : fetch()};
    if (current_->dimension->multisampled) return {one_in(3) ? information() : fetch()};
    const uint32_t kind = whole(0, 11);
    if (kind == 0) return {information()};
    if ((kind == 1 || current_->is_integer()) && !current_->dimension->cube) return {fetch()};
    if (current_->is_integer()) return {information()};
    const bool gathers = current_->flat2d() || current_->dimension->cube;
    if (kind < 5 && gathers) return {gather()};
    if (current_->compared) return comparison();
    return kind == 5 ? level_query() : sample();
  }

  std::string information() {
    const uint32_t form = whole(0, 2);
    static constexpr std::string_view kForms[] = {"", "_uint", "_rcpFloat"};
    if (current_->dimension->buffer)
      return fmt::format("bufinfo_indexable(buffer)({0},{0},{0},{0}) r{1}.x, t{2}.x\n", current_->type, to_,
                         number_);
    if (current_->dimension->multisampled && one_in(2))
      return fmt::format("sampleinfo{} r{}.xyzw, t{}.xyzw\n", kForms[form % 2], to_, number_);
    return fmt::format("resinfo{}{} r{}.xyzw, {}, t{}.xyzw\n", suffix(false), kForms[form], to_,
                       one_in(2) ? "l(0)" : "r3.w", number_);
  }

  std::string fetch() {
    if (current_->dimension->multisampled)
      return fmt::format("ldms{} r{}.xyzw, r3.xyzw, {}, {}\n", suffix(), to_, resource(),
                         one_in(2) ? fmt::format("l({})", whole(0, 4)) : std::string("v3.y"));
    return fmt::format("ld{} r{}.xyzw, r3.xyzw, {}\n", suffix(!current_->dimension->buffer), to_, resource());
  }

  void set_rounded(bool by_derivatives = false) {
    const bool cube = by_derivatives && current_->dimension->cube;
    result_.kinds.back() = cube ? RandomPixels::Kind::cube : RandomPixels::Kind::rounded;
  }

  std::string gather() {
    result_.kinds.back() = RandomPixels::Kind::sampled;
    const char component = current_->compared ? 'x' : "xyzw"[whole(0, 3)];
    const bool by_register = current_->flat2d() && one_in(3);
    if (current_->dimension->cube || by_register) set_rounded();
    if (current_->dimension->cube && current_->compared)
      result_.kinds.back() = RandomPixels::Kind::cube_gather;
    const std::string head = fmt::format("gather4{}{}{} r{}.xyzw, r0.xyzw, {}{}", by_register ? "_po" : "",
                                         current_->compared ? "_c" : "", suffix(!by_register), to_,
                                         by_register ? "r3.xyxx, " : "", resource());
    return current_->compared ? fmt::format("{}, s1.x, r4.z\n", head)
                              : fmt::format("{}, {}.{}\n", head, sampler(), component);
  }

  Instruction comparison() {
    const bool zero = one_in(2);
    set_rounded(!zero);
    const LodClamp clamp = zero ? LodClamp() : lod_clamp();
    return {fmt::format("sample_c{}{}{} r{}.xyzw, {}r0.xyzw, {}, s1, {}{}\n", zero ? "_lz" : "", clamp.name,
                        suffix_of_sample(), to_, clamp.status, resource(),
                        one_in(2) ? "r4.z" : fmt::format("l({})", reference()), clamp.operand),
            !zero};
  }

  Instruction level_query() {
    result_.kinds.back() =
        current_->dimension->cube ? RandomPixels::Kind::cube_level : RandomPixels::Kind::level;
    return {fmt::format("lod r{}.xyzw, r0.xyzw, t{}.xyzw, {}\n", to_, number_, sampler()), true};
  }

  Instruction sample() {
    const std::string texel = fmt::format("r0.xyzw, {}, {}", resource(), sampler());
    // Where the target has no LOD from derivatives of these dimensions, it is computed in code.
    const bool by_hand = current_->dimension->axes == 3;
    result_.kinds.back() = RandomPixels::Kind::sampled;
    if (by_hand) set_rounded();
    const uint32_t form = whole(0, 4);
    if (form == 0)
      return {fmt::format("sample_l{} r{}.xyzw, {}, {}\n", suffix_of_sample(), to_, texel,
                          one_in(3) ? "l(0)" : "r4.x")};
    const LodClamp clamp = lod_clamp();
    std::string name = "sample", operands;
    if (form == 1) {
      name = "sample_b";
      operands = ", " + (one_in(3) ? fmt::format("l({})", eighth(-2, 3)) : std::string("r4.y"));
    } else if (form == 2) {
      name = "sample_d";
      operands = ", r1.xyzw, r2.xyzw";
    }
    if (form == 1 || (form > 2 && by_hand) || !clamp.name.empty()) set_rounded(form != 2);
    return {fmt::format("{}{}{} r{}.xyzw, {}{}{}{}\n", name, clamp.name, suffix_of_sample(), to_,
                        clamp.status, texel, operands, clamp.operand),
            form != 2};
  }

  struct LodClamp {
    std::string_view name, status;  // what follows the mnemonic, and the operand after the destination
    std::string operand;            // the last operand
  };
  LodClamp lod_clamp() {
    if (!options_.lod_clamps || !one_in(2)) return {};
    return {"_cl_s", "null, ", ", " + (one_in(3) ? std::string("r4.x") : fmt::format("l({})", eighth(0, 5)))};
  }

  std::mt19937_64 random_;
  RandomPixelsOptions options_;
  RandomPixels result_;
  std::vector<Texture> textures_;
  const Texture* current_ = nullptr;
  uint32_t number_ = 0, to_ = 0;
};

}  // namespace

RandomPixels make_random_pixels(uint64_t seed, const RandomPixelsOptions& options) {
  return Writer(seed, options).write();
}

}  // namespace texlate::test
