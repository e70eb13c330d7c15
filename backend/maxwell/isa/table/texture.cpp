// Texture instructions: the operand slots that the long forms share (docs/reference/maxwell.md 3, "Common"),
// those of the scalar forms (section 2.1), and the rows.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

using M = Modifier;

constexpr Slot residency() {
  return pred_result(51).omit_if(Omit::pt);
}
constexpr Slot result() {
  return rd().spans(Span::texture_result);
}
constexpr Slot coordinates() {
  return ra().no_reuse().spans(Span::texture_coordinates);
}
constexpr Slot extra() {
  return rb().no_reuse().spans(Span::texture_extra).omit_if(Omit::rz);
}
/// Word index into the texture-bound constant bank (tsPtrIdxU13); the bindless forms print 0x0 in its place.
constexpr Slot header_index() {
  return uimm(36, 13);
}
constexpr Slot no_index() {
  return uimm(0, 0);
}
constexpr Slot dim() {
  return field(SlotKind::texture_dim, 28, 3);
}
constexpr Slot mask() {
  return uimm(31, 4);
}

/// The document's bases (0xC038, 0xDEB8 ...) contain Pd = PT; here Pd is a field.
constexpr uint64_t long_form(uint16_t base_of_sheet) {
  return top(base_of_sheet & ~0x38);
}

/// A long form. `index`: header_index(), or no_index() for .B.
void add_long(Builder& t, Opcode opcode, uint16_t base, Modifiers modifiers, Slot index,
              Slot second = extra()) {
  t.row(opcode, long_form(base), modifiers,
        {residency(), result(), coordinates(), second, index, dim(), mask()});
}

// ---- scalar forms: two result registers, the second one comes first in the text
constexpr Slot scalar_result_high() {
  return reg_at(28).as(Role::destination).spans(Span::scalar_result_high);
}
constexpr Slot scalar_result_low() {
  return rd().spans(Span::scalar_result_low);
}
constexpr Slot scalar_first() {
  return ra().no_reuse().spans(Span::scalar_first);
}
constexpr Slot scalar_second() {
  return rb().no_reuse().spans(Span::scalar_second).omit_if(Omit::rz);
}
constexpr Slot scalar_mask() {
  return field(SlotKind::scalar_mask, 50, 3);
}

// TEX: sample through a sampler. docs/reference/maxwell.md 3.
//
//   63........55 54    53..51 50 49    48..36  35  34..31 30..28 27..20 19..16 15..8 7..0
//   1100 0 LC lod AOFFI  Pd   DC NODEP  index  NDV  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1110 10         Pd   DC NODEP  ----   NDV  mask   dim    Rb    guard   Ra    Rd      .B
// Bound: index into the texture bank. .B: the handle is Rb's first register; 36 AOFFI, 37..39 lod mode,
// 40 LC.
//
//   Ra = [layer] x [y] [z]     Rb = [handle] [lod or bias] [AOFFI word] [reference]
// Layer: low 16 bits of its register; with .LC the minimum LOD (8.8) shares it. Results: the components of
// the mask, packed from Rd. Pd is the residency predicate, PT when unused (docs/maxwell-isa.md: text "TEX P6,
// R0, ...").
void add_tex(Builder& t) {
  add_long(t, Opcode::tex, 0xc038,
           {mod(M::lod, 55, 3), mod(M::lc, 58), mod(M::aoffi, 54), mod(M::dc, 50), mod(M::ndv, 35),
            mod(M::nodep, 49)},
           header_index());
  add_long(t, Opcode::tex_b, 0xdeb8,
           {mod(M::lod, 37, 3), mod(M::lc, 40), mod(M::aoffi, 36), mod(M::dc, 50), mod(M::ndv, 35),
            mod(M::nodep, 49)},
           no_index());
}

// TEXS: the short form of TEX. Bound textures only, no offset, 14 combinations of LOD mode, comparison and
// dimension. docs/reference/maxwell.md 2.1 and 2.2.
//
//   63..60 59  58..57 56..53 52..50 49    48..36 35..28 27..20 19..16 15..8 7..0
//   1101   F32   00    form  mask   NODEP  index  Rd1    Rb    guard   Ra    Rd0       F32 = 0: .F16 results
//
// What Ra and Rb hold for each form: texture_operands.cpp. The meaning of the mask code depends on Rd1 (RZ or
// not): masks of one and two components, or of three and four, among which RGBA may be left out (TEXS page).
// The first two components go to Rd0, Rd0+1, the others to Rd1, Rd1+1.
void add_texs(Builder& t) {
  t.row(Opcode::texs, top(0xd000), {mod(M::f32_result, 59), mod(M::texs_form, 53, 4), mod(M::nodep, 49)},
        {scalar_result_high(), scalar_result_low(), scalar_first(), scalar_second(), header_index(),
         field(SlotKind::texs_dim, 0, 0), scalar_mask().omit_if(Omit::rgba)});
}

// TLD: fetch a texel by integer coordinates, no sampler. docs/reference/maxwell.md 3.
//
//   63..56     55 54  53..51 50 49    48..36  35    34..31 30..28 27..20 19..16 15..8 7..0
//   1101 1100  LL CL    Pd   MS NODEP  index  AOFFI  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1101  LL CL    Pd   MS NODEP  ----   AOFFI  mask   dim    Rb    guard   Ra    Rd      .B
//
//   Ra = [layer] x [y] [z]     Rb = [handle] [lod if .LL] [AOFFI word] [sample if .MS]
// For the order with both MS and AOFFI the sources disagree; ptxas puts the offset first
// (docs/maxwell-isa.md).
void add_tld(Builder& t) {
  const Modifiers modifiers = {mod(M::fetch_lod, 55), mod(M::aoffi, 35), mod(M::ms, 50), mod(M::cl, 54),
                               mod(M::nodep, 49)};
  add_long(t, Opcode::tld, 0xdc38, modifiers, header_index());
  add_long(t, Opcode::tld_b, 0xdd38, modifiers, no_index());
}

// TLDS: the short form of TLD. Bound textures only, 9 combinations of LOD, offset, sample and dimension.
// docs/reference/maxwell.md 2.1 and 2.3.
//
//   63..60 59  58..57 56..53 52..50 49    48..36 35..28 27..20 19..16 15..8 7..0
//   1101   F32   01    form  mask   NODEP  index  Rd1    Rb    guard   Ra    Rd0       F32 = 0: .F16 results
//
// What Ra and Rb hold for each form: texture_operands.cpp.
void add_tlds(Builder& t) {
  t.row(Opcode::tlds, top(0xd200), {mod(M::f32_result, 59), mod(M::tlds_form, 53, 4), mod(M::nodep, 49)},
        {scalar_result_high(), scalar_result_low(), scalar_first(), scalar_second(), header_index(),
         field(SlotKind::tlds_dim, 0, 0), scalar_mask()});
}

// TLD4: gather one component of the four texels of a bilinear footprint. docs/reference/maxwell.md 3.
//
//   63..58    57..56 55..54 53..51 50 49    48..36  35  34..31 30..28 27..20 19..16 15..8 7..0
//   1100 10    comp  offset   Pd   DC NODEP  index  NDV  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1110 11              Pd   DC NODEP  ----   NDV  mask   dim    Rb    guard   Ra    Rd      .B
// .B: comp 39..38, offset 37..36.
//
//   Ra = [layer] x y [z]     Rb = [handle] [AOFFI word | two PTP words] [reference]
void add_tld4(Builder& t) {
  add_long(t, Opcode::tld4, 0xc838,
           {mod(M::gather_component, 56, 2), mod(M::gather_offset, 54, 2), mod(M::dc, 50), mod(M::ndv, 35),
            mod(M::nodep, 49)},
           header_index());
  add_long(t, Opcode::tld4_b, 0xdef8,
           {mod(M::gather_component, 38, 2), lit("B"), mod(M::gather_offset, 36, 2), mod(M::dc, 50),
            mod(M::ndv, 35), mod(M::nodep, 49)},
           no_index());
}

// TLD4S: the short form of TLD4. Bound 2D textures only; always four results, in two pairs (.F16: two
// registers). docs/reference/maxwell.md 2.1 and 2.4.
//
//   63..56     55  54 53..52 51    50 49    48..36 35..28 27..20 19..16 15..8 7..0
//   1101 1111  F16  0  comp  AOFFI DC NODEP  index  Rd1    Rb    guard   Ra    Rd0
// F16 = 1: .F16 results (in TEXS it is the opposite).
//
//   AOFFI DC   Ra     Rb
//    -    -    x      y
//    x    -    x,y    offsets
//    -    x    x,y    reference
//    x    x    x,y    offsets, reference
void add_tld4s(Builder& t) {
  t.row(Opcode::tld4s, top(0xdf00),
        {mod(M::f16_result, 55), mod(M::gather_component, 52, 2), mod(M::aoffi, 51), mod(M::dc, 50),
         mod(M::nodep, 49)},
        {scalar_result_high(), scalar_result_low(), scalar_first(), scalar_second().omit_if(Omit::never),
         header_index()});
}

// TXD: sample with explicit derivatives; 1D, 2D and their arrays only. docs/reference/maxwell.md 3.
//
//   63..54        53..51 50 49    48..36  35    34..31 30..28 27..20 19..16 15..8 7..0
//   1101 1110 00    Pd   LC NODEP  index  AOFFI  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1110 01    Pd   LC NODEP  ----   AOFFI  mask   dim    Rb    guard   Ra    Rd      .B
//
//   Ra = [handle] x [y] [layer in bits 15..0 | offsets: x in 19..16, y in 23..20]
//   Rb = dx/dX, dx/dY [, dy/dX, dy/dY]
void add_txd(Builder& t) {
  const Modifiers modifiers = {mod(M::lc, 50), mod(M::aoffi, 35), mod(M::nodep, 49)};
  const Slot gradients = extra().omit_if(Omit::never);
  add_long(t, Opcode::txd, 0xde38, modifiers, header_index(), gradients);
  add_long(t, Opcode::txd_b, 0xde78, modifiers, no_index(), gradients);
}

// TMML.LOD: the LOD that a sample would use. docs/reference/maxwell.md 3, results in 6b.
//
//   63..48                49    48..36  35  34..31 30..28 27..20 19..16 15..8 7..0
//   1101 1111 0101 1000  NODEP  index  NDV  mask   dim     FF   guard   Ra    Rd      bound
//   1101 1111 0110 0000  NODEP  ----   NDV  mask   dim     Rb   guard   Ra    Rd      .B: Rb = handle
// Bound: bit 49 is within the top 16.
//
// TMML page: a mask that is left out is 0xf; a register as the bound form's Rb is no error (the word has RZ
// there); .B ignores the index.
//
//   R = unclamped LOD s8.8, G = clamped LOD u8.8, B = major axis, A = log2(minor/major) s4.12, each in the
//   low 16 bits.
void add_tmml(Builder& t) {
  const Slot optional_mask = mask().omit_if(Omit::all_components);
  const Modifiers modifiers = {mod(M::ndv, 35), mod(M::nodep, 49)};
  t.row(Opcode::tmml, top(0xdf58) | at(0xff, 20), modifiers,
        {result(), coordinates(), header_index(), dim(), optional_mask});
  t.row(Opcode::tmml_b, top(0xdf60), modifiers,
        {result(), coordinates(), extra(), no_index().ignores_number(), dim(), optional_mask});
}

// TXQ: reads properties of a header or sampler. docs/reference/maxwell.md 3.
//
//   63..48                49    48..36  34..31 27..22 19..16 15..8 7..0
//   1101 1111 0100 1000  NODEP  index   mask   query  guard   Ra    Rd      bound
//   1101 1111 0101 0000  NODEP  ----    mask   query  guard   Ra    Rd      .B
//
//   Ra = [handle] lod (integer). TEX_HEADER_DIMENSION: width, height, depth or layers, mip count;
//   TEX_HEADER_TEXTURE_TYPE: samples in B.
void add_txq(Builder& t) {
  const Modifiers modifiers = {mod(M::nodep, 49)};
  const Slot query = field(SlotKind::texture_query, 22, 6);
  t.row(Opcode::txq, top(0xdf48), modifiers, {result(), coordinates(), query, header_index(), mask()});
  t.row(Opcode::txq_b, top(0xdf50), modifiers, {result(), coordinates(), query, no_index(), mask()});
}

}  // namespace

void add_texture(Builder& t) {
  add_tex(t);
  add_texs(t);
  add_tld(t);
  add_tlds(t);
  add_tld4(t);
  add_tld4s(t);
  add_txd(t);
  add_tmml(t);
  add_txq(t);
}

}  // namespace texlate::maxwell::table
