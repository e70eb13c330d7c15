#include "ir/passes/closed_gap.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "ir/spelling.h"

namespace texlate::ir {

namespace {

constexpr GapText text(Gap gap) {
  switch (gap) {
    case Gap::offset:
      return {"offset", "an offset added in texels before the range check",
              "offset added to the coordinates before they are compared, modulo 2^32"};
    case Gap::coordinate_range:
      return {"coordinate_range", "the result of an access outside the resource",
              "coordinates compared with the size: an access outside reads 0 (alpha 1 if the format has "
              "none) and stores nothing"};
    case Gap::slice_range:
      return {"slice_range", "the result of an access to a slice that does not exist",
              "slice compared with the number of slices"};
    case Gap::level_range:
      return {"level_range", "the result of an access to a mip that does not exist",
              "mip compared with the number of mips"};
    case Gap::sample_range:
      return {"sample_range", "a safe access to a sample that does not exist",
              "sample index compared with the number of samples"};
    case Gap::structure_range:
      return {"structure_range", "the result of an access to a structure beyond 2^32 bytes",
              "index limited, so that its product with the stride fits 32 bits"};
    case Gap::unbound:
      return {"unbound", "0 from an unbound slot",
              "slot tested: if unbound, reads 0 in all components and stores nothing"};
    case Gap::bound_by_host:
      return {"bound_by_host", "0 from an unbound slot", "nothing is tested: the host must bind every slot"};
    case Gap::missing_components:
      return {"missing_components", "0, 0, 0, 1 in components that the format lacks",
              "components that the format lacks set to 0, 0, 0, 1"};
    case Gap::conversion:
      return {"conversion", "conversion between the view's format and 32-bit components",
              "texels packed and unpacked in code, for the format of the view"};
    case Gap::stored_range:
      return {"stored_range", "0 for NaN in a normalized format and clamping of integers that do not fit",
              "stored values limited to what the format holds"};
    case Gap::implicit_level:
      return {"implicit_level", "an LOD from derivatives over the quad",
              "derivatives over the quad computed explicitly"};
    case Gap::level_in_code:
      return {"level_in_code", "an LOD from given derivatives", "LOD computed from the derivatives"};
    case Gap::bias:
      return {"bias", "a bias of the computed LOD", "bias folded into the derivatives or the LOD"};
    case Gap::anisotropy:
      return {"anisotropy", "an anisotropic sample with an LOD of its own",
              "anisotropic samplers: the probes along the longer derivative read and averaged one by one"};
    case Gap::level_zero:
      return {"level_zero", "a form without an LOD operand that reads mip 0", "LOD 0 given explicitly"};
    case Gap::lod_clamp: return {"lod_clamp", "an LOD clamp per access", "LOD computed and clamped in code"};
    case Gap::lod_clamp_range:
      return {"lod_clamp_range", "the out-of-range value for an LOD clamp past the last mip",
              "LOD clamp compared with the last mip"};
    case Gap::layer_rounding:
      return {"layer_rounding", "an array index rounded to nearest even and clamped",
              "array index rounded to nearest even and clamped"};
    case Gap::comparison:
      return {"comparison", "a comparison before filtering", "comparison and filtering done in code"};
    case Gap::run_time_offset:
      return {"run_time_offset", "a gather with a run-time offset", "gather done by four fetches"};
    case Gap::dimension:
      return {"dimension", "an operation for this dimension", "another dimension used instead", "not in"};
    case Gap::query:
      return {"query", "Direct3D's result for mips that do not exist and for unbound slots",
              "result for missing mips and unbound slots taken from the properties of the binding"};
    case Gap::row_range:
      return {"row_range", "0 from a row or an offset out of bounds",
              "row or offset compared with the size: out of bounds reads 0 and writes nothing"};
    case Gap::alignment:
      return {"alignment", "an access at an offset that is not a multiple of 4",
              "low two bits of the offset cleared"};
    case Gap::register_index:
      return {"register_index", "a safe access to a register number that is not declared",
              "register number clamped"};
    case Gap::descriptor_index:
      return {"descriptor_index", "a safe access with an index outside a register range",
              "index into the register range clamped"};
    case Gap::zero_divisor:
      return {"zero_divisor", "0xffffffff from a division by 0",
              "divisor compared with 0: the result is then 0xffffffff"};
    case Gap::shift_count:
      return {"shift_count", "a shift count taken modulo 32", "shift count masked with 31"};
    case Gap::field_range:
      return {"field_range", "width and offset of a bit field taken modulo 32",
              "width and offset masked with 31"};
    case Gap::field_end:
      return {"field_end", "a bit field that reaches past bit 31",
              "width reduced where the field reaches past bit 31"};
    case Gap::below_one:
      return {"below_one", "a fraction below 1",
              "fraction compared with 1: the largest float below 1 instead"};
    case Gap::saturation:
      return {"saturation", "saturation of a number that does not fit the integer",
              "number clamped to the integer's range"};
    case Gap::nan_to_integer:
      return {"nan_to_integer", "0 for a NaN converted to an integer", "NaN tested: converts to 0"};
    case Gap::nan_operand: return {"nan_operand", "the operand that is not NaN", "operands tested for NaN"};
    case Gap::toward_zero:
      return {"toward_zero", "conversion to half with rounding toward zero, to the largest half if too large",
              "half assembled from the bits of the float"};
    case Gap::half_denormal:
      return {"half_denormal", "a number from a half denormal",
              "exponent compared with 0: a denormal is the mantissa times 2^-24"};
    case Gap::one_rounding:
      return {"one_rounding", "the double nearest to the exact result",
              "what rounding loses computed exactly, and the result rounded once"};
    case Gap::sign_bit:
      return {"sign_bit", "a sign change that keeps the bits of a NaN",
              "sign bit changed by an integer operation"};
    case Gap::angle_range:
      return {"angle_range", "sine and cosine to within 0.0008 for angles up to 100 pi",
              "angle reduced by whole turns"};
    case Gap::depth_limit:
      return {"depth_limit",
              "the greater (oDepthGE) or lesser (oDepthLE) of the shader's depth and the rasterizer's",
              "depth compared with the rasterizer's, which is z of the position"};
    case Gap::depth_range: return {"depth_range", "a depth from 0 to 1, and 0 of a NaN", "depth saturated"};
    case Gap::expansion:
      return {"expansion", "an instruction for this operation", "replaced by simpler operations", "not in"};
  }
  return {};
}

constexpr uint32_t kGapCount = static_cast<uint32_t>(Gap::expansion) + 1;

struct Texts {
  GapText of[kGapCount];
};
constexpr Texts kTexts = [] {
  Texts texts{};
  for (uint32_t i = 0; i < kGapCount; ++i) texts.of[i] = text(static_cast<Gap>(i));
  return texts;
}();

/// "the width and levels of t0 are", "the rows of cb2 are"
std::string known_facts(const ClosedGap& gap) {
  std::string names;
  uint32_t count = 0;
  for (uint32_t rest = gap.known; rest != 0; rest &= rest - 1, ++count) {
    const bool last = (rest & (rest - 1)) == 0;
    if (count != 0) names += last ? " and " : ", ";
    names += gap.known_of == RegisterFile::constant_buffer
                 ? "the number of rows"
                 : spelling(static_cast<BindingFact>(std::countr_zero(rest)));
  }
  if (gap.known == 1 && gap.known_of != RegisterFile::constant_buffer)
    return fmt::format("the binding of {}{} is", letter_of(gap.known_of), gap.known_register);
  return fmt::format("{} of {}{} {}", names, letter_of(gap.known_of), gap.known_register,
                     count > 1 ? "are" : "is");
}

}  // namespace

const GapText& text_of(Gap gap) {
  return kTexts.of[static_cast<uint32_t>(gap)];
}

void explain(const ClosedGap& gap, std::pmr::string& out) {
  const GapText& words = text_of(gap.gap);
  if (gap.known != 0) {
    fmt::format_to(std::back_inserter(out), "{}: no guard is needed for {}, because {} known",
                   info(gap.op).text, words.promise, known_facts(gap));
    return;
  }
  fmt::format_to(std::back_inserter(out), "{}: {} ({} {})", info(gap.op).text, words.done, words.lack,
                 gap.source);
}

void explain_json(const ClosedGap& gap, std::pmr::string& out) {
  const GapText& words = text_of(gap.gap);
  auto to = std::back_inserter(out);
  if (gap.location.line != 0) {
    fmt::format_to(to, R"({{"line": {}, "column": {}, )", gap.location.line, gap.location.column);
  } else if (gap.location.offset != SourceLocation::kNoOffset) {
    fmt::format_to(to, R"({{"offset": {}, )", gap.location.offset);
  } else {
    out += '{';
  }
  fmt::format_to(to, R"("op": "{}", )", info(gap.op).text);
  if (gap.has_dimension) fmt::format_to(to, R"("dimension": "{}", )", spelling(gap.dimension));
  // No text of the tables contains a quote or a backslash: a test checks that.
  fmt::format_to(to, R"("gap": "{}", "promise": "{}", "source": "{}", )", words.name, words.promise,
                 gap.source);
  if (gap.known != 0) {
    fmt::format_to(to, R"("known": "{} known"}})", known_facts(gap));
  } else {
    fmt::format_to(to, R"("done": "{}"}})", words.done);
  }
}

}  // namespace texlate::ir
