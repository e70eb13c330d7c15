// Textures, buffers, group-shared memory and unordered access in random programs.
#include <string_view>

#include "tests/support/random_assembly_writer.h"

namespace texlate::test {

namespace {

constexpr std::string_view kAtomics[] = {"and", "or", "xor", "iadd", "imax", "imin", "umax", "umin"};

std::string offset(AssemblyWriter& w) {
  return w.chance(3) ? fmt::format("_aoffimmi({},{},{})", static_cast<int>(w.below(16)) - 8,
                                   static_cast<int>(w.below(16)) - 8, static_cast<int>(w.below(16)) - 8)
                     : "";
}
/// `_aoffimmi_indexable(1,0,0)(texture2d)(...)`.
std::string suffix(uint32_t slot, const std::string& offset) {
  constexpr std::string_view kNames[] = {"texture2d", "texture3d", "texture2darray", "texture1d"};
  const std::string numbers = offset.empty() ? "" : offset.substr(9);
  return fmt::format("{}_indexable{}({})(float,float,float,float)", offset.empty() ? "" : "_aoffimmi",
                     numbers, kNames[slot]);
}

void sample(AssemblyWriter& w, uint32_t slot, uint32_t to) {
  const bool flat = slot == 0 || slot == 2;
  const uint32_t sampler = w.below(2);
  const std::string at = fmt::format("r{}.xyzw", kScratch);
  const uint32_t kind = w.below(w.is_pixel() && w.uniform ? 9 : 6);
  const std::string reference = fmt::format("l({})", w.literal(true));
  switch (kind) {
    case 0:
    case 1:
      w.line("sample_l{} r{}.{}, {}, t{}.{}, s{}, l({})", suffix(slot, offset(w)), to, w.mask(), at, slot,
             w.swizzle(), sampler, w.literal(true));
      return;
    case 2:
      w.line("sample_d{} r{}.{}, {}, t{}.{}, s{}, {}, {}", suffix(slot, offset(w)), to, w.mask(), at, slot,
             w.swizzle(), sampler, w.literals(true), w.literals(true));
      return;
    case 3:
      if (slot == 1) return;
      w.line("sample_c_lz{} r{}.{}, {}, t{}.xxxx, s2, {}", suffix(slot, offset(w)), to, w.component(), at,
             slot, reference);
      return;
    case 4:
      if (!flat) return;
      w.line("gather4{} r{}.{}, {}, t{}.{}, s{}.{}", suffix(slot, offset(w)), to, w.mask(), at, slot,
             w.swizzle(), sampler, w.component());
      return;
    case 5:
      if (!flat) return;
      if (w.chance(3)) {
        w.line("gather4_po_c{} r{}.{}, {}, r{}.{}, t{}.{}, s2.x, {}", suffix(slot, ""), to, w.mask(), at,
               kIntegers + w.below(kRegisters), w.swizzle(), slot, w.swizzle(), reference);
      } else if (w.chance(2)) {
        w.line("gather4_c{} r{}.{}, {}, t{}.{}, s2.x, {}", suffix(slot, offset(w)), to, w.mask(), at, slot,
               w.swizzle(), reference);
      } else {
        w.line("gather4_po{} r{}.{}, {}, r{}.{}, t{}.{}, s{}.{}", suffix(slot, ""), to, w.mask(), at,
               kIntegers + w.below(kRegisters), w.swizzle(), slot, w.swizzle(), sampler, w.component());
      }
      return;
    case 6:
      w.line("sample{} r{}.{}, {}, t{}.{}, s{}", suffix(slot, offset(w)), to, w.mask(), at, slot, w.swizzle(),
             sampler);
      return;
    case 7:
      w.line("sample_b{} r{}.{}, {}, t{}.{}, s{}, l({})", suffix(slot, offset(w)), to, w.mask(), at, slot,
             w.swizzle(), sampler, w.literal(true));
      return;
    default:
      if (slot == 1) return;
      w.line("sample_c{} r{}.{}, {}, t{}.xxxx, s2, {}", suffix(slot, offset(w)), to, w.component(), at, slot,
             reference);
  }
}

}  // namespace

/// t7 has four samples; one that does not exist is undefined.
void read_multisampled(AssemblyWriter& w, uint32_t to) {
  if (w.chance(6)) {
    const bool whole = w.chance(2);
    w.line("sampleinfo{} r{}.{}, t7.{}", whole ? "_uint" : "", whole ? kIntegers + w.below(kRegisters) : to,
           w.mask(), w.swizzle());
    return;
  }
  w.line("and r{}.xyzw, r{}.{}, l(7, 7, 7, 3)", kScratch, kIntegers + w.below(kRegisters), w.swizzle());
  const std::string by = offset(w);
  const std::string sample = w.chance(2)   ? fmt::format("l({})", w.below(4))
                             : w.chance(2) ? fmt::format("r{}.w", kScratch)
                                           : fmt::format("{}.{}", w.kept_rows(), w.component());
  w.line("ldms{}_indexable{}(texture2dms)(float,float,float,float) r{}.{}, r{}.xyzw, t7.{}, {}",
         by.empty() ? "" : "_aoffimmi", by.empty() ? "" : by.substr(9), to, w.mask(), kScratch, w.swizzle(),
         sample);
}

void read_texture(AssemblyWriter& w) {
  const uint32_t slot = w.below(5);
  const uint32_t to = kFloats + w.below(kRegisters);
  if (slot == 4) return read_multisampled(w, to);
  if (w.chance(8)) {
    w.line("ld{} r{}.{}, {}.{}, t{}.{}", suffix(slot, offset(w)), to, w.mask(), w.kept_rows(), w.swizzle(),
           slot, w.swizzle());
    return;
  }
  if (w.chance(3)) {
    // Texels around the edges; mips and slices exist about half of the time.
    w.line("and r{}.xyzw, r{}.{}, l(7, 3, 3, 1)", kScratch, kIntegers + w.below(kRegisters), w.swizzle());
    if (w.chance(3)) w.line("iadd r{}.{}, r{}.xyzw, l(-2, 2, -1, 2)", kScratch, w.mask(), kScratch);
    w.line("ld{} r{}.{}, r{}.xyzw, t{}.{}", suffix(slot, offset(w)), to, w.mask(), kScratch, slot,
           w.swizzle());
    return;
  }
  if (w.chance(6)) {
    constexpr std::string_view kReturns[] = {"", "_uint", "_rcpfloat"};
    const uint32_t form = w.below(3);
    w.line("and r{}.x, r{}.{}, l(3)", kScratch, kIntegers + w.below(kRegisters), w.component());
    w.line("resinfo{}{} r{}.{}, r{}.x, t{}.{}", suffix(slot, ""), kReturns[form],
           form == 2   ? kClose
           : form == 1 ? kIntegers + w.below(kRegisters)
                       : to,
           w.mask(), kScratch, slot, w.swizzle());
    return;
  }
  // Multiples of 1/64 of the texture: often exact in texels, as floats.
  w.line("and r{}.xyzw, r{}.{}, l(127, 127, 127, 127)", kScratch, kIntegers + w.below(kRegisters),
         w.swizzle());
  w.line("iadd r{}.xyz, r{}.xyzw, l(-32, -32, -32, 0)", kScratch, kScratch);
  w.line("itof r{}.xyzw, r{}.xyzw", kScratch, kScratch);
  w.line("mul r{}.xyz, r{}.xyzw, l(0.015625, 0.015625, {}, 0)", kScratch, kScratch,
         slot == 2 ? "0.03125" : "0.015625");
  if (w.chance(2))
    w.line("add r{}.xyz, r{}.xyzw, l(0.001953125, 0.001953125, 0.001953125, 0)", kScratch, kScratch);
  sample(w, slot, to);
}

void read_buffer(AssemblyWriter& w) {
  const uint32_t to = kIntegers + w.below(kRegisters);
  if (w.chance(4)) {
    w.line(
        "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r{}.{}, {}.{}, "
        "l(0), t5.{}",
        to, w.mask(), w.kept_rows(), w.component(), w.swizzle());
    return;
  }
  w.line("and r{}.xy, r{}.{}, l(15, 3, 0, 0)", kScratch, kIntegers + w.below(kRegisters), w.swizzle());
  switch (w.below(5)) {
    case 0:
      w.line("ishl r{}.x, r{}.x, l(3)", kScratch, kScratch);
      w.line("ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r{}.{}, r{}.x, t4.{}", to, w.mask(),
             kScratch, w.swizzle());
      return;
    case 1:
      w.line(
          "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r{}.{}, r{}.x, "
          "l(0), t5.{}",
          to, w.mask(), kScratch, w.swizzle());
      return;
    case 2:
      w.line(
          "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r{}.x, r{}.x, "
          "l({}), t5.xxxx",
          to, kScratch, 4 * w.below(4));
      return;
    case 3:
      w.line("ld_indexable(buffer)(uint,uint,uint,uint) r{}.{}, r{}.xxxx, t6.{}", to, w.mask(), kScratch,
             w.swizzle());
      return;
    default: w.line("bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r{}.x, t4.xxxx", to); return;
  }
}

void use_own_memory(AssemblyWriter& w) {
  const uint32_t from = kIntegers + w.below(kRegisters);
  constexpr std::string_view kMasks[] = {"x", "xy", "xyz", "xyzw"};
  const std::string_view mask_text = kMasks[w.below(4)];
  const uint32_t word_number = w.below(5);
  const bool shared = w.chance(2);
  switch (w.below(4)) {
    case 0:
      w.line("iadd r{}.x, r13.x, l({})", kScratch, word_number * 4);
      w.line("store_raw {}.{}, r{}.x, {}", shared ? "g0" : "u0", mask_text, kScratch, w.source(false));
      return;
    case 1:
      w.line("store_structured {}.{}, vThreadIDInGroupFlattened.x, l({}), {}", shared ? "g1" : "u1",
             mask_text, word_number * 4, w.source(false));
      return;
    case 2:
      w.line("iadd r{}.x, r13.x, l({})", kScratch, word_number * 4);
      if (shared) {
        w.line("ld_raw r{}.{}, r{}.x, g0.{}", from, w.mask(), kScratch, w.swizzle());
      } else {
        w.line("ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r{}.{}, r{}.x, u0.{}", from, w.mask(),
               kScratch, w.swizzle());
      }
      return;
    default:
      if (shared) {
        w.line("ld_structured r{}.{}, vThreadIDInGroupFlattened.x, l({}), g1.{}", from, w.mask(),
               word_number * 4, w.swizzle());
      } else {
        w.line(
            "ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) r{}.{}, "
            "vThreadIDInGroupFlattened.x, l({}), u1.{}",
            from, w.mask(), word_number * 4, w.swizzle());
      }
  }
}

void share_memory(AssemblyWriter& w) {
  w.line("sync_g_t");
  w.line("xor r{}.y, vThreadIDInGroupFlattened.x, l(1)", kScratch);
  w.line("umin r{}.y, r{}.y, l({})", kScratch, kScratch, w.made.lanes.size() - 1);
  w.line("ld_structured r{}.{}, r{}.y, l({}), g1.{}", kIntegers + w.below(kRegisters), w.mask(), kScratch,
         4 * w.below(5), w.swizzle());
  w.line("sync_g_t");
}

void use_atomics(AssemblyWriter& w) {
  w.line("and r{}.xyzw, r{}.{}, l({}, 7, 0, 0)", kScratch, kIntegers + w.below(kRegisters), w.swizzle(),
         w.chance(4) ? 31 : 7);
  const std::string value = w.scalar(false);
  if (!w.single) {  // a single commutative operation, and nothing reads the location before the end
    w.line("atomic_{} u2, r{}.xxxx, {}", kAtomics[w.made.lanes.size() % std::size(kAtomics)], kScratch,
           value);
    return;
  }
  const std::string target =
      w.chance(2) ? fmt::format("u2, r{}.xxxx", kScratch) : fmt::format("u3, r{}.xyyy", kScratch);
  const std::string to = fmt::format("r{}.{}", kIntegers + w.below(kRegisters), w.component());
  switch (w.below(5)) {
    case 0: w.line("imm_atomic_cmp_exch {}, {}, {}, {}", to, target, value, w.scalar(false)); return;
    case 1: w.line("imm_atomic_exch {}, {}, {}", to, target, value); return;
    case 2: w.line("atomic_cmp_store {}, {}, {}", target, value, w.scalar(false)); return;
    case 3:
      w.line("imm_atomic_{} {}, {}, {}", kAtomics[w.below(std::size(kAtomics))], to, target, value);
      return;
    default: w.line("atomic_{} {}, {}", kAtomics[w.below(std::size(kAtomics))], target, value); return;
  }
}

void use_counter(AssemblyWriter& w) {
  w.line("imm_atomic_{} r{}.{}, u4", w.made.allocates ? "alloc" : "consume", kIntegers + w.below(kRegisters),
         w.component());
}

void use_typed_view(AssemblyWriter& w) {
  w.line("mov r{}.x, vThreadIDInGroup.x", kScratch);
  w.line("imad r{}.y, vThreadIDInGroup.z, l(4), vThreadIDInGroup.y", kScratch);
  if (w.chance(2)) {
    w.line("store_uav_typed u3.xyzw, r{}.xyyy, {}", kScratch, w.source(false));
  } else {
    w.line("ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r{}.{}, r{}.xyyy, u3.{}",
           kIntegers + w.below(kRegisters), w.mask(), kScratch, w.swizzle());
  }
}

}  // namespace texlate::test
