#include "tools/executor/label.h"

namespace texlate::executor {

namespace {

constexpr uint32_t kColumns = 3, kRows = 5, kZoom = 2, kAdvance = (kColumns + 1) * kZoom, kMargin = 3;
constexpr uint16_t kInk = 224;

/// Five rows of three dots as octal digits, from the top; 4 is the left dot.
struct Glyph {
  char letter;
  uint16_t rows;
};
constexpr Glyph kGlyphs[] = {
    {'A', 025755}, {'B', 065656}, {'C', 034443}, {'D', 065556}, {'E', 074647}, {'F', 074644}, {'G', 034553},
    {'H', 055755}, {'I', 072227}, {'J', 011152}, {'K', 055655}, {'L', 044447}, {'M', 057755}, {'N', 065555},
    {'O', 025552}, {'P', 065644}, {'Q', 025563}, {'R', 065655}, {'S', 034216}, {'T', 072222}, {'U', 055557},
    {'V', 055552}, {'W', 055775}, {'X', 055255}, {'Y', 055222}, {'Z', 071247}, {'0', 075557}, {'1', 026227},
    {'2', 071747}, {'3', 071717}, {'4', 055711}, {'5', 074717}, {'6', 074757}, {'7', 071111}, {'8', 075757},
    {'9', 075717}, {'-', 000700}, {'+', 002720}, {'.', 000002}, {':', 002020}, {'/', 011244}, {'_', 000007},
    {'(', 024442}, {')', 021112}, {',', 000024}, {'=', 007070},
};

uint16_t rows_of(char c) {
  if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  for (const Glyph& glyph : kGlyphs) {
    if (glyph.letter == c) return glyph.rows;
  }
  return 0;
}

void put(uint32_t x, uint32_t y, sim::Picture& picture) {
  if (x >= picture.width || y >= picture.height) return;
  uint16_t* const texel = &picture.texels[(size_t{y} * picture.width + x) * 4];
  texel[0] = texel[1] = texel[2] = kInk;
}

}  // namespace

uint32_t label_width(std::string_view text) {
  return static_cast<uint32_t>(text.size()) * kAdvance + 2 * kMargin;
}

void draw_label(std::string_view text, uint32_t left, sim::Picture& picture) {
  for (size_t i = 0; i < text.size(); ++i) {
    const uint32_t rows = rows_of(text[i]), start = left + kMargin + static_cast<uint32_t>(i) * kAdvance;
    for (uint32_t y = 0; y < kRows * kZoom; ++y) {
      for (uint32_t x = 0; x < kColumns * kZoom; ++x) {
        const uint32_t row = rows >> (3 * (kRows - 1 - y / kZoom)) & 7;
        if ((row >> (kColumns - 1 - x / kZoom) & 1) != 0) put(start + x, kMargin + y, picture);
      }
    }
  }
}

}  // namespace texlate::executor
