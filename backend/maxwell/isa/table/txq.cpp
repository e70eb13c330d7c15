// TXQ: reads properties of a header or sampler. docs/reference/maxwell.md 3.
//
//   63..48                49    48..36  34..31 27..22 19..16 15..8 7..0
//   1101 1111 0100 1000  NODEP  index   mask   query  guard   Ra    Rd      bound
//   1101 1111 0101 0000  NODEP  ----    mask   query  guard   Ra    Rd      .B
//
//   Ra = [handle] lod (integer). TEX_HEADER_DIMENSION: width, height, depth or layers, mip count;
//   TEX_HEADER_TEXTURE_TYPE: samples in B.
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_txq(Builder& t) {
  const Modifiers modifiers = {mod(Modifier::nodep, 49)};
  const Slot query = field(SlotKind::texture_query, 22, 6);
  t.row(Opcode::txq, top(0xdf48), modifiers, {result(), coordinates(), query, header_index(), mask()});
  t.row(Opcode::txq_b, top(0xdf50), modifiers, {result(), coordinates(), query, no_index(), mask()});
}

}  // namespace texlate::maxwell::table
