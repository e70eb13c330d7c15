#include "backend/maxwell/isa/words.h"

#include <cstddef>

namespace texlate::maxwell {
namespace {

struct Word {
  uint8_t value;
  std::string_view text;
};

constexpr std::string_view kDims[] = {"1D", "ARRAY_1D", "2D",   "ARRAY_2D",
                                      "3D", "ARRAY_3D", "CUBE", "ARRAY_CUBE"};

// The queries that exist (docs/reference/maxwell.md 3); nvdisasm prints numbers for other even
// values.
constexpr Word kQueries[] = {
    {1, "TEX_HEADER_DIMENSION"},      {2, "TEX_HEADER_TEXTURE_TYPE"}, {5, "TEX_HEADER_SAMPLER_POS"},
    {16, "TEX_SAMPLER_FILTER"},       {18, "TEX_SAMPLER_LOD"},        {20, "TEX_SAMPLER_WRAP"},
    {22, "TEX_SAMPLER_BORDER_COLOR"},
};

// Named as nvdisasm 12.4 names them for sm_52 (the odd spellings are its own); the rest of the 256 values are
// "SR<number>".
constexpr Word kSpecialRegisters[] = {
    {0, "SR_LANEID"},
    {1, "SR_CLOCK"},
    {2, "SR_VIRTCFG"},
    {3, "SR_VIRTID"},
    {4, "SR_PM0"},
    {5, "SR_PM1"},
    {6, "SR_PM2"},
    {7, "SR_PM3"},
    {8, "SR_PM4"},
    {9, "SR_PM5"},
    {10, "SR_PM6"},
    {11, "SR_PM7"},
    {15, "SR_ORDERING_TICKET"},
    {16, "SR_PRIM_TYPE"},
    {17, "SR_INVOCATION_ID"},
    {18, "SR_Y_DIRECTION"},
    {19, "SR_THREAD_KILL"},
    {20, "SM_SHADER_TYPE"},
    {21, "SR_DIRECTCBEWRITEADDRESSLOW"},
    {22, "SR_DIRECTCBEWRITEADDRESSHIGH"},
    {23, "SR_DIRECTCBEWRITEENABLED"},
    {24, "SR_MACHINE_ID_0"},
    {25, "SR_MACHINE_ID_1"},
    {26, "SR_MACHINE_ID_2"},
    {27, "SR_MACHINE_ID_3"},
    {28, "SR_AFFINITY"},
    {29, "SR_INVOCATION_INFO"},
    {30, "SR_WSCALEFACTOR_XY"},
    {31, "SR_WSCALEFACTOR_Z"},
    {32, "SR_TID"},
    {33, "SR_TID.X"},
    {34, "SR_TID.Y"},
    {35, "SR_TID.Z"},
    {36, "SR_CTA_PARAM"},
    {37, "SR_CTAID.X"},
    {38, "SR_CTAID.Y"},
    {39, "SR_CTAID.Z"},
    {40, "SR_NTID"},
    {41, "SR_CirQueueIncrMinusOne"},
    {42, "SR_NLATC"},
    {48, "SR_SWINLO"},
    {49, "SR_SWINSZ"},
    {50, "SR_SMEMSZ"},
    {51, "SR_SMEMBANKS"},
    {52, "SR_LWINLO"},
    {53, "SR_LWINSZ"},
    {54, "SR_LMEMLOSZ"},
    {55, "SR_LMEMHIOFF"},
    {56, "SR_EQMASK"},
    {57, "SR_LTMASK"},
    {58, "SR_LEMASK"},
    {59, "SR_GTMASK"},
    {60, "SR_GEMASK"},
    {61, "SR_REGALLOC"},
    {62, "SR_CTXADDR"},
    {64, "SR_GLOBALERRORSTATUS"},
    {66, "SR_WARPERRORSTATUS"},
    {67, "SR_WARPERRORSTATUSCLEAR"},
    {72, "SR_PM_HI0"},
    {73, "SR_PM_HI1"},
    {74, "SR_PM_HI2"},
    {75, "SR_PM_HI3"},
    {76, "SR_PM_HI4"},
    {77, "SR_PM_HI5"},
    {78, "SR_PM_HI6"},
    {79, "SR_PM_HI7"},
    {80, "SR_CLOCKLO"},
    {81, "SR_CLOCKHI"},
    {82, "SR_GLOBALTIMERLO"},
    {83, "SR_GLOBALTIMERHI"},
    {96, "SR_HWTASKID"},
    {97, "SR_CIRCULARQUEUEENTRYINDEX"},
    {98, "SR_CIRCULARQUEUEENTRYADDRESSLOW"},
    {99, "SR_CIRCULARQUEUEENTRYADDRESSHIGH"},
};

// docs/reference/maxwell.md 2.2: bit 0 = R ... bit 3 = A.
struct Mask {
  std::string_view text;
  uint8_t bits;
};
constexpr Mask kOneRegister[8] = {{"R", 1},  {"G", 2},  {"B", 4},   {"A", 8},
                                  {"RG", 3}, {"RA", 9}, {"GA", 10}, {"BA", 12}};
constexpr Mask kTwoRegisters[8] = {{"RGB", 7},   {"RGA", 11}, {"RBA", 13}, {"GBA", 14},
                                   {"RGBA", 15}, {},          {},          {}};

template <size_t count>
std::string_view find(const Word (&words)[count], uint32_t value) {
  for (const Word& word : words) {
    if (word.value == value) return word.text;
  }
  return {};
}

}  // namespace

std::string_view texture_dim_text(uint32_t value) {
  return value < 8 ? kDims[value] : std::string_view();
}
std::string_view texture_query_text(uint32_t value) {
  return find(kQueries, value);
}
std::string_view special_register_text(uint32_t value) {
  return find(kSpecialRegisters, value);
}

std::string_view scalar_mask_text(uint32_t value, bool two_registers) {
  return (two_registers ? kTwoRegisters : kOneRegister)[value & 7].text;
}

uint8_t scalar_mask_bits(uint32_t value, bool two_registers) {
  return (two_registers ? kTwoRegisters : kOneRegister)[value & 7].bits;
}

uint8_t scalar_mask_code(uint8_t bits) {
  for (uint8_t code = 0; code < 8; ++code) {
    if (bits != 0 && (kOneRegister[code].bits == bits || kTwoRegisters[code].bits == bits)) return code;
  }
  return 8;
}

}  // namespace texlate::maxwell
