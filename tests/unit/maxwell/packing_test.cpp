// The packing layer, exhaustively: every request that some form can express is encoded, decoded and described
// again with the operands that section 3 of the sheet requires (repeated here as strings).
#include "backend/maxwell/isa/texture_packing.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>
#include <string>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/isa/words.h"
#include "tests/support/describe_texture.h"
#include "tests/support/maxwell_codec.h"

namespace texlate::maxwell {
namespace {

using enum TextureOperation;

/// One letter per register: h handle, a layer, x y z, l LOD, b bias, o offset, p q the four offsets, r
/// reference, s sample, w layer and offsets of TXD, 1 2 3 4 derivatives, m mip.
std::string letters(const std::array<TextureValue, kMaxTextureRegisters>& values, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += "-haAxyzlbopqrsw1234m"[static_cast<unsigned>(values[i])];
  return text;
}

std::string axes(TextureDim dim) {
  switch (dim) {
    case TextureDim::_1d:
    case TextureDim::array_1d: return "x";
    case TextureDim::_2d:
    case TextureDim::array_2d: return "xy";
    default: return "xyz";
  }
}
bool array(TextureDim dim) {
  return static_cast<unsigned>(dim) % 2 == 1;
}

/// Section 3, "Operand packing".
std::string long_a(const TextureRequest& r) {
  const std::string h = r.bindless ? "h" : "";
  if (r.operation == query) return h + "m";
  if (r.operation == gradient) return h + axes(r.dim) + (array(r.dim) || r.offset ? "w" : "");
  return std::string(array(r.dim) ? "a" : "").append(axes(r.dim));
}
std::string long_b(const TextureRequest& r) {
  if (r.operation == query) return "";
  if (r.operation == gradient) return axes(r.dim) == "x" ? "12" : "1234";
  std::string b = r.bindless ? "h" : "";
  if (r.operation == query_lod) return b;
  if (r.lod == TextureLod::explicit_) b += "l";
  if (r.lod == TextureLod::bias) b += "b";
  if (r.offset) b += "o";
  if (r.compare) b += "r";
  if (r.multisample) b += "s";
  return b;
}

/// Sections 2.2 to 2.4: operation, LOD mode, flags, dimension -> Ra/Rb; empty if there is no short form.
std::string short_operands(const TextureRequest& r) {
  std::string key = r.operation == sample ? "TEXS" : r.operation == fetch ? "TLDS" : "TLD4S";
  if (r.lod == TextureLod::zero) key += ".LZ";
  if (r.lod == TextureLod::bias) key += ".LB";
  if (r.lod == TextureLod::explicit_) key += ".LL";
  if (r.offset) key += ".AOFFI";
  if (r.multisample) key += ".MS";
  if (r.compare) key += ".DC";
  key += ' ';
  key += texture_dim_text(static_cast<uint32_t>(r.dim));
  static const std::pair<const char*, const char*> kRows[] = {
      {"TEXS.LZ 1D", "x/"},
      {"TEXS 2D", "x/y"},
      {"TEXS.LZ 2D", "x/y"},
      {"TEXS.LL 2D", "xy/l"},
      {"TEXS.DC 2D", "xy/r"},
      {"TEXS.LL.DC 2D", "xy/lr"},
      {"TEXS.LZ.DC 2D", "xy/r"},
      {"TEXS ARRAY_2D", "ax/y"},
      {"TEXS.LZ ARRAY_2D", "ax/y"},
      {"TEXS.LZ.DC ARRAY_2D", "ax/yr"},
      {"TEXS 3D", "xy/z"},
      {"TEXS.LZ 3D", "xy/z"},
      {"TEXS CUBE", "xy/z"},
      {"TEXS.LL CUBE", "xy/zl"},
      {"TLDS.LZ 1D", "x/"},
      {"TLDS.LL 1D", "x/l"},
      {"TLDS.LZ 2D", "x/y"},
      {"TLDS.LZ.AOFFI 2D", "xy/o"},
      {"TLDS.LL 2D", "xy/l"},
      {"TLDS.LZ.MS 2D", "xy/s"},
      {"TLDS.LZ 3D", "xy/z"},
      {"TLDS.LZ ARRAY_2D", "a/xy"},
      {"TLDS.LL.AOFFI 2D", "xy/lo"},
      {"TLD4S 2D", "x/y"},
      {"TLD4S.AOFFI 2D", "xy/o"},
      {"TLD4S.DC 2D", "xy/r"},
      {"TLD4S.AOFFI.DC 2D", "xy/or"},
  };
  for (const auto& [name, operands] : kRows) {
    if (key == name) return operands;
  }
  return {};
}

/// The mask of the short form: the first one, with two components more at the most, that exists; 0: none.
unsigned short_mask(const TextureRequest& r) {
  const auto exists = [&](unsigned mask) {
    if (r.operation == gather) return mask == 3 || mask == 15;
    return mask != 5 && mask != 6;  // RB, GB
  };
  for (int extra = 0; extra <= 2; ++extra) {
    for (unsigned mask = 1; mask < 16; ++mask) {
      const int more = std::popcount(mask) - std::popcount(static_cast<unsigned>(r.mask));
      if ((mask & r.mask) == r.mask && more == extra && exists(mask)) return mask;
    }
  }
  return 0;
}

/// The D3D-visible rules, repeated: requests that a form can express.
bool legal(const TextureRequest& r) {
  const bool is_query = r.operation == query || r.operation == query_lod;
  const bool cube = r.dim == TextureDim::cube || r.dim == TextureDim::array_cube;
  const bool volume = r.dim == TextureDim::_3d || r.dim == TextureDim::array_3d;
  const bool flat = axes(r.dim) == "xy";
  if (r.mask == 0) return false;
  if (r.dim == TextureDim::array_3d && r.operation != query) return false;
  if (r.component != GatherComponent::r && r.operation != gather) return false;
  if (is_query) return r.lod == TextureLod::implicit && !r.offset && !r.compare && !r.multisample;
  if (cube && r.offset) return false;
  if (r.multisample) {
    return r.operation == fetch && flat && r.lod == TextureLod::zero && !r.compare;
  }
  switch (r.operation) {
    case sample: return !(volume && r.compare);
    case fetch: return !cube && !r.compare && (r.lod == TextureLod::zero || r.lod == TextureLod::explicit_);
    case gather: return (flat || cube) && r.lod == TextureLod::implicit;
    default: return !cube && !volume && !r.compare && r.lod == TextureLod::implicit;
  }
}

/// Encodes with aligned registers, decodes, and describes: the request and packing are the same.
void expect_round_trip(const TextureRequest& request, const TexturePacking& packing) {
  const Instruction made =
      make_texture(packing, {.low = 8, .high = 12, .a = 16, .b = 20}, request.bindless ? 0 : 0x155);
  const Encoded encoded = encode(made);
  ASSERT_FALSE(encoded.violation) << rule_text(encoded.violation.rule);
  const Violation violation = check_constraints(made);
  ASSERT_FALSE(violation) << rule_text(violation.rule);
  Instruction decoded;
  ASSERT_TRUE(decode(encoded.word, decoded));
  ASSERT_EQ(encode_unchecked(decoded), encoded.word);
  TextureRequest described;
  ASSERT_TRUE(describe_texture(decoded, described));
  TextureRequest expected = request;
  expected.mask = packing.mask;
  if (request.operation == query) expected.dim = TextureDim::_2d;  // TXQ has no dimension
  ASSERT_EQ(described, expected);
  TextureOperands operands;
  ASSERT_TRUE(texture_operands(decoded, operands));
  ASSERT_EQ(operands, static_cast<const TextureOperands&>(packing));
}

/// Where the components are: `of_vector(k)` is the register of the k-th one.
template <typename OfVector>
void expect_places(const TexturePacking& packing, unsigned mask, OfVector of_vector) {
  ASSERT_EQ(packing.mask, mask);
  int next = 0;
  for (unsigned c = 0; c < 4; ++c)
    ASSERT_EQ(packing.result[c], (mask >> c & 1) != 0 ? of_vector(next++) : -1);
}

struct Counts {
  unsigned legal = 0, short_forms = 0;
};

void check(const TextureRequest& r, Counts& counts) {
  ++counts.legal;
  const TexturePacking as_long = pack_long(r);
  ASSERT_EQ(letters(as_long.a, as_long.a_count), long_a(r));
  ASSERT_EQ(letters(as_long.b, as_long.b_count), long_b(r));
  ASSERT_EQ(as_long.low_count, std::popcount(r.mask));
  expect_places(as_long, r.mask, [](int k) { return k; });
  expect_round_trip(r, as_long);
  const bool scalar = r.operation == sample || r.operation == fetch || r.operation == gather;
  const bool fits = scalar && !r.bindless && !short_operands(r).empty() && short_mask(r) != 0;
  const std::optional<TexturePacking> as_short = pack_short(r);
  ASSERT_EQ(as_short.has_value(), fits);
  if (!fits) return;
  ++counts.short_forms;
  ASSERT_EQ(letters(as_short->a, as_short->a_count) + "/" + letters(as_short->b, as_short->b_count),
            short_operands(r));
  // First two components in Rd0, the others in Rd1.
  expect_places(*as_short, short_mask(r), [](int k) { return k / 2 * 4 + k % 2; });
  expect_round_trip(r, *as_short);
}

TEST(Packing, EveryRequest) {
  Counts counts;
  TextureRequest r;
  for (unsigned operation = 0; operation < 6; ++operation) {
    for (unsigned dim = 0; dim < 8; ++dim) {
      for (unsigned lod = 0; lod < 4; ++lod) {
        for (unsigned flags = 0; flags < 16; ++flags) {
          for (unsigned mask = 0; mask < 16; ++mask) {
            r.operation = static_cast<TextureOperation>(operation);
            r.dim = static_cast<TextureDim>(dim);
            r.lod = static_cast<TextureLod>(lod);
            r.offset = (flags & 1) != 0;
            r.compare = (flags & 2) != 0;
            r.multisample = (flags & 4) != 0;
            r.bindless = (flags & 8) != 0;
            r.mask = static_cast<uint8_t>(mask);
            for (unsigned component = 0; component < 4; ++component) {
              r.component = static_cast<GatherComponent>(component);
              if (legal(r)) check(r, counts);
              if (HasFatalFailure()) {
                FAIL() << "operation " << operation << " dim " << dim << " lod " << lod << " flags " << flags
                       << " mask " << mask << " component " << component;
              }
            }
          }
        }
      }
    }
  }
  std::printf("%u requests, %u of them with a short form\n", counts.legal, counts.short_forms);
}

TEST(Packing, EveryQueryOfTxq) {
  for (const uint8_t query_value : {1, 2, 5, 16, 18, 20, 22}) {
    TextureRequest r;
    r.operation = query;
    r.query = static_cast<TextureQuery>(query_value);
    expect_round_trip(r, pack_texture(r));
  }
}

TEST(Packing, EveryScalarMaskCode) {
  std::set<uint8_t> seen;
  for (const bool two : {false, true}) {
    for (uint8_t code = 0; code < 8; ++code) {
      const uint8_t bits = scalar_mask_bits(code, two);
      if (bits == 0) continue;
      EXPECT_EQ(std::popcount(bits) > 2, two);
      EXPECT_EQ(scalar_mask_code(bits), code);
      EXPECT_TRUE(seen.insert(bits).second);
    }
  }
  EXPECT_EQ(seen.size(), 13u);  // all except RB and GB
  EXPECT_EQ(scalar_mask_code(5), 8);
  EXPECT_EQ(scalar_mask_code(6), 8);
  EXPECT_EQ(scalar_mask_code(0), 8);
}

TEST(Packing, SuffixesOfTheScalarFormsSayWhatTheRowsSay) {
  const auto suffix = [](const ScalarForm& row) {
    std::string text = row.lz ? "LZ" : row.ll ? "LL" : "";
    if (row.offset) text += ".AOFFI";
    if (row.multisample) text += ".MS";
    if (row.compare) text += text.empty() ? "DC" : ".DC";
    return text;
  };
  EXPECT_EQ(std::size(kTexs), modifier_info(Modifier::texs_form).value_count);
  EXPECT_EQ(std::size(kTlds), modifier_info(Modifier::tlds_form).value_count);
  for (const ScalarForm& row : kTexs) EXPECT_EQ(modifier_text(Modifier::texs_form, row.form), suffix(row));
  for (const ScalarForm& row : kTlds) EXPECT_EQ(modifier_text(Modifier::tlds_form, row.form), suffix(row));
}

// Words that uam 1.1.0 (devkitPro; the nv50_ir code generator of Mesa 19.0.8) emitted for these.
TEST(Packing, OffsetWords) {
  EXPECT_EQ(pack_offsets(1, -2, 7), 0x7e1u);
  EXPECT_EQ(pack_gather_offset(-5, 6), 0x06fbu);
  for (int x = -8; x < 8; ++x) {
    for (int y = -8; y < 8; ++y) {
      const uint32_t word = pack_offsets(x, y, 0);
      EXPECT_EQ(static_cast<int32_t>(word << 28) >> 28, x);
      EXPECT_EQ(static_cast<int32_t>(word << 24) >> 28, y);
    }
  }
}

}  // namespace
}  // namespace texlate::maxwell
