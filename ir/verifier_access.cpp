// Which contracts an access may have: one row per operation, then the rules that depend on the dimension.

#include <algorithm>

#include "ir/spelling.h"
#include "ir/verifier_report.h"

namespace texlate::ir {

namespace {

// Modules may come from text or other programs, so an enumerator may be a number without a name.
constexpr bool is_known(LodRule rule) {
  switch (rule) {
    case LodRule::none:
    case LodRule::implicit:
    case LodRule::bias:
    case LodRule::level:
    case LodRule::zero:
    case LodRule::gradient: return true;
  }
  return false;
}
constexpr bool is_known(ComponentType type) {
  switch (type) {
    case ComponentType::none:
    case ComponentType::unorm:
    case ComponentType::snorm:
    case ComponentType::sint:
    case ComponentType::uint:
    case ComponentType::float_:
    case ComponentType::mixed:
    case ComponentType::double_: return true;
  }
  return false;
}
constexpr bool is_known(AtomicOp atomic) {
  switch (atomic) {
    case AtomicOp::add:
    case AtomicOp::and_:
    case AtomicOp::or_:
    case AtomicOp::xor_:
    case AtomicOp::imin:
    case AtomicOp::imax:
    case AtomicOp::umin:
    case AtomicOp::umax:
    case AtomicOp::exchange:
    case AtomicOp::compare_exchange: return true;
  }
  return false;
}
constexpr bool is_known(CounterOp counter) {
  switch (counter) {
    case CounterOp::alloc:
    case CounterOp::consume: return true;
  }
  return false;
}

constexpr uint32_t bit(Slot slot, uint32_t count = 1) {
  return ((1u << count) - 1u) << static_cast<uint32_t>(slot);
}
constexpr uint32_t bit(LodRule rule) {
  return 1u << static_cast<uint32_t>(rule);
}

enum Dimensions : uint16_t {
  kBufferBit = 1 << static_cast<int>(Dimension::buffer),
  kRaw = 1 << static_cast<int>(Dimension::raw_buffer),
  kStructured = 1 << static_cast<int>(Dimension::structured_buffer),
  kMultisampled =
      1 << static_cast<int>(Dimension::texture2d_ms) | 1 << static_cast<int>(Dimension::texture2d_ms_array),
  kCubes =
      1 << static_cast<int>(Dimension::texture_cube) | 1 << static_cast<int>(Dimension::texture_cube_array),
  kGathered = 1 << static_cast<int>(Dimension::texture2d) |
              1 << static_cast<int>(Dimension::texture2d_array) | kCubes,
  kTextures = ((1 << kDimensionCount) - 1) & ~(kBufferBit | kRaw | kStructured),
};

enum Rules : uint32_t {
  kAddress = 1 << 0,  // the coordinates of the dimension
  kLayer = 1 << 1,    // and the layer of an array
  kSampler = 1 << 2,
  kOffset = 1 << 3,  // may have an immediate offset
  kRunTimeOffset = 1 << 4,
  kCompare = 1 << 5,  // may compare
  kLodClamp = 1 << 6,
  kSampleIndex = 1 << 7,  // needs a sample index, whatever the dimension
  kFeedback = 1 << 8,     // may return its residency
  kStores = 1 << 9,       // value0 and following, by component_mask
  kAtomic = 1 << 10,      // value0, and compare for compare_exchange
  kUav = 1 << 11,         // only unordered access views
  kNoUav = 1 << 12,       // only shader resources
  kFallback = 1 << 13,    // a guarded access gives fallbacks
  kSomeWords = 1 << 14,   // component_mask may leave words out
  kGather = 1 << 15,      // picks a component
  kMemory = 1 << 16,      // may be given an address instead of coordinates
};

struct Row {
  Op op;
  uint16_t dimensions;
  uint32_t rules;
  uint32_t levels;  // LodRule bits
};

constexpr uint32_t kNoLevel = bit(LodRule::none);

constexpr Row kRows[] = {
    // A cube's coordinates are a direction: legalization reads the texel of a mip to which it points.
    {Op::tex_fetch, kTextures | kBufferBit, kAddress | kLayer | kOffset | kFeedback | kNoUav | kFallback,
     kNoLevel | bit(LodRule::level)},
    {Op::tex_sample, kTextures & ~kMultisampled,
     kAddress | kLayer | kSampler | kOffset | kCompare | kLodClamp | kFeedback | kNoUav | kFallback,
     bit(LodRule::implicit) | bit(LodRule::bias) | bit(LodRule::level) | bit(LodRule::zero) |
         bit(LodRule::gradient)},
    {Op::tex_gather, kGathered,
     kAddress | kLayer | kSampler | kOffset | kRunTimeOffset | kCompare | kFeedback | kNoUav | kFallback |
         kGather,
     kNoLevel},
    {Op::tex_lod, kTextures & ~kMultisampled, kAddress | kSampler | kNoUav | kFallback,
     kNoLevel | bit(LodRule::implicit) | bit(LodRule::gradient)},
    {Op::tex_size, kTextures, kFallback, kNoLevel | bit(LodRule::level)},
    {Op::tex_samples, kTextures, kNoUav | kFallback, kNoLevel},
    {Op::sample_position, kTextures, kSampleIndex | kNoUav | kFallback, kNoLevel},
    {Op::surf_load, (kTextures & ~kMultisampled) | kBufferBit,
     kAddress | kMemory | kLayer | kFeedback | kUav | kFallback, kNoLevel},
    {Op::surf_store, (kTextures & ~kMultisampled) | kBufferBit, kAddress | kMemory | kLayer | kStores | kUav,
     kNoLevel},
    {Op::surf_atomic, (kTextures & ~kMultisampled) | kBufferBit,
     kAddress | kMemory | kLayer | kAtomic | kUav | kFallback, kNoLevel},
    {Op::buf_load, kRaw | kStructured, kAddress | kMemory | kFeedback | kFallback | kSomeWords, kNoLevel},
    {Op::buf_store, kRaw | kStructured, kAddress | kMemory | kStores | kUav | kSomeWords, kNoLevel},
    {Op::buf_atomic, kRaw | kStructured, kAddress | kMemory | kAtomic | kUav | kFallback | kSomeWords,
     kNoLevel},
    {Op::buf_size, kBufferBit | kRaw | kStructured, kFallback, kNoLevel},
    {Op::counter, kStructured, kUav | kFallback, kNoLevel},
};

constexpr bool every_access_has_a_row() {
  for (uint32_t i = 0; i < kOpCount; ++i) {
    if (info(static_cast<Op>(i)).payload != Payload::access) continue;
    const bool found = std::any_of(std::begin(kRows), std::end(kRows),
                                   [i](const Row& row) { return row.op == static_cast<Op>(i); });
    if (!found) return false;
  }
  return true;
}
static_assert(every_access_has_a_row());

/// Slots that must be present (`required`) and slots that may be.
struct Slots {
  uint32_t required = 0;
  uint32_t allowed = 0;
};

Slots slots_of(const Row& row, const ResourceAccess& access) {
  const Dimension dimension = access.dimension;
  Slots slots;
  const uint32_t axes = coordinate_count(dimension);
  const bool by_address = (row.rules & kMemory) && access.has(Slot::address);
  if (by_address) slots.required |= bit(Slot::address);
  if ((row.rules & kAddress) && !by_address) slots.required |= bit(Slot::coordinate0, axes);
  if ((row.rules & kLayer) && is_array(dimension) && !by_address) slots.required |= bit(Slot::layer);
  if ((row.rules & kSampleIndex) || (row.op == Op::tex_fetch && is_multisampled(dimension))) {
    slots.required |= bit(Slot::sample);
  }
  if ((row.rules & kAddress) && dimension == Dimension::structured_buffer && !by_address)
    slots.required |= bit(Slot::byte_offset);
  if (access.lod == LodRule::level || access.lod == LodRule::bias) slots.required |= bit(Slot::lod);
  if (access.lod == LodRule::gradient) slots.required |= bit(Slot::ddx0, axes) | bit(Slot::ddy0, axes);
  if (access.compare) slots.required |= bit(Slot::reference);
  if (row.rules & kStores) slots.required |= bit(Slot::value0, std::popcount(access.component_mask));
  if (row.rules & kAtomic) {
    slots.required |= bit(Slot::value0);
    if (access.atomic == AtomicOp::compare_exchange) slots.required |= bit(Slot::compare);
  }
  slots.allowed =
      slots.required | bit(Slot::guard) | bit(by_address ? Slot::byte_offset : Slot::resource_index);
  if (row.rules & kFallback) slots.allowed |= bit(Slot::fallback0, 4);
  if (row.rules & kSampler) slots.allowed |= bit(Slot::sampler_index);
  if ((row.rules & kLodClamp) && access.lod != LodRule::level && access.lod != LodRule::zero) {
    slots.allowed |= bit(Slot::lod_clamp);
  }
  // Both or none: the second is required if the first is present.
  if ((row.rules & kRunTimeOffset) && !is_cube(dimension)) {
    slots.allowed |= bit(Slot::offset0, 2);
    if (access.has(Slot::offset0) || access.has(Slot::offset1)) slots.required |= bit(Slot::offset0, 2);
  }
  return slots;
}

constexpr std::string_view kSlotNames[kSlotCount] = {
    "guard",         "fallback0",   "fallback1",   "fallback2", "fallback3", "address",
    "coordinate0",   "coordinate1", "coordinate2", "layer",     "sample",    "byte_offset",
    "lod",           "ddx0",        "ddx1",        "ddx2",      "ddy0",      "ddy1",
    "ddy2",          "offset0",     "offset1",     "reference", "lod_clamp", "resource_index",
    "sampler_index", "value0",      "value1",      "value2",    "value3",    "compare"};

class AccessVerifier {
 public:
  AccessVerifier(const Module& module, const Instruction& instruction, VerifierReport& report)
      : module_(module), instruction_(instruction), access_(module.access_of(instruction)), report_(report) {}

  bool run() {
    const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                  [this](const Row& candidate) { return candidate.op == instruction_.op; });
    if (!enumerators_in_range()) return false;
    bool good = resource(*row);
    if (!((row->dimensions >> static_cast<uint32_t>(access_.dimension)) & 1u)) {
      return report_.broken("dimension", "not for {}", spelling(access_.dimension));
    }
    if (!(row->levels & bit(access_.lod)))
      good = report_.broken("level", "has a level rule that the operation does not allow");
    good &= slots(*row);
    good &= sampler(*row);
    good &= offset(*row);
    good &= flags(*row);
    good &= address();
    return good;
  }

 private:
  bool enumerators_in_range() {
    const bool good = static_cast<uint32_t>(access_.dimension) < kDimensionCount && is_known(access_.lod) &&
                      is_known(access_.type) && is_known(access_.atomic) && is_known(access_.counter);
    return good || report_.broken("payload", "an enumerator of the access is out of range");
  }

  bool resource(const Row& row) {
    if (access_.resource >= module_.resources.size()) {
      return report_.broken("payload", "resource {} does not exist: there are {}", access_.resource,
                            module_.resources.size());
    }
    const Resource& resource = module_.resources[access_.resource];
    bool good = true;
    if ((row.rules & kUav) && !resource.is_uav) good = report_.broken("resource", "needs a u#, not a t#");
    if ((row.rules & kNoUav) && resource.is_uav) good = report_.broken("resource", "needs a t#, not a u#");
    // Another texture dimension may stand in for the declared one, but never a buffer for a texture.
    if (is_buffer(access_.dimension) != is_buffer(resource.dimension) ||
        (is_buffer(resource.dimension) && access_.dimension != resource.dimension)) {
      good = report_.broken("dimension", "{}, but the resource is a {}", spelling(access_.dimension),
                            spelling(resource.dimension));
    }
    if (access_.has(Slot::resource_index) && !resource.is_range()) {
      good = report_.broken("resource", "an index into a single register");
    }
    return good;
  }

  bool slots(const Row& row) {
    const Slots slots = slots_of(row, access_);
    bool good = true;
    for (uint32_t slot = 0; slot < kSlotCount; ++slot) {
      const bool present = (access_.slots >> slot) & 1u;
      if (present && !((slots.allowed >> slot) & 1u)) {
        good = report_.broken("slots", "cannot have the operand {} ({})", kSlotNames[slot],
                              spelling(access_.dimension));
      } else if (!present && ((slots.required >> slot) & 1u)) {
        good = report_.broken("slots", "lacks the operand {} ({})", kSlotNames[slot],
                              spelling(access_.dimension));
      }
    }
    if (access_.slots >> kSlotCount != 0) good = report_.broken("slots", "unknown slot bits");
    if ((access_.slots & bit(Slot::fallback0, 4)) != 0 && !access_.has(Slot::guard)) {
      good = report_.broken("slots", "fallbacks without a guard");
    }
    return good;
  }

  /// What an access by address says in addition.
  bool address() {
    if (!access_.has(Slot::address))
      return access_.alignment == 0 || report_.broken("address", "an alignment without an address");
    const Value offset = module_.operand(instruction_, Slot::byte_offset);
    bool good = std::has_single_bit(access_.alignment) ||
                report_.broken("address", "alignment {}", access_.alignment);
    if (offset != kNoValue && !module_.is_constant(offset))
      good = report_.broken("address", "the byte offset is not a constant");
    return good;
  }

  bool sampler(const Row& row) {
    if (!(row.rules & kSampler)) {
      return access_.sampler == ResourceAccess::kNoSampler ||
             report_.broken("sampler", "cannot have a sampler");
    }
    if (access_.sampler >= module_.samplers.size()) {
      return report_.broken("sampler", "needs a sampler: {} does not exist, there are {}", access_.sampler,
                            module_.samplers.size());
    }
    if (access_.has(Slot::sampler_index) && !module_.samplers[access_.sampler].is_range()) {
      return report_.broken("sampler", "an index into a single register");
    }
    return true;
  }

  bool offset(const Row& row) {
    bool good = true;
    const uint32_t axes = offset_count(access_.dimension);
    if (access_.has_offset && (!(row.rules & kOffset) || axes == 0)) {
      good = report_.broken("offset", "cannot have an offset ({})", spelling(access_.dimension));
    }
    if (access_.has_offset && access_.has(Slot::offset0)) {
      good = report_.broken("offset", "both an immediate and a run-time offset");
    }
    for (uint32_t i = 0; i < 3; ++i) {
      if (access_.offset[i] < -8 || access_.offset[i] > 7) {
        good = report_.broken("offset", "offset {} is outside -8..7", access_.offset[i]);
      } else if (access_.offset[i] != 0 && (!access_.has_offset || i >= axes)) {
        good = report_.broken("offset", "offset {} on axis {}, which the dimension does not have",
                              access_.offset[i], i);
      }
    }
    return good;
  }

  bool flags(const Row& row) {
    bool good = true;
    if (access_.compare && !(row.rules & kCompare)) good = report_.broken("compare", "cannot compare");
    if (access_.feedback && !(row.rules & kFeedback))
      good = report_.broken("feedback", "has no residency status");
    if (access_.gather_component > ((row.rules & kGather) && !access_.compare ? 3 : 0)) {
      good = report_.broken("component", "component {}", access_.gather_component);
    }
    // Texels in stored form (ir/passes/pack_texels.h) have as many words as their format.
    const bool stored =
        (row.op == Op::surf_load || row.op == Op::surf_store) && access_.type == ComponentType::none;
    // A store has words from the first on (docs/reference/direct3d.md 1.3); a load may leave any out.
    const uint32_t mask = access_.component_mask;
    const bool has_gap = (row.rules & kStores) != 0 && (mask & (mask + 1)) != 0;
    const bool some_words = ((row.rules & kSomeWords) || stored) && mask != 0 && mask <= 0xf && !has_gap;
    if (mask != 0xf && !some_words) good = report_.broken("mask", "mask {:#x}", mask);
    if (access_.layer_is_integer && !access_.has(Slot::layer)) {
      good = report_.broken("layer", "an integer layer, but no layer");
    }
    return good;
  }

  const Module& module_;
  const Instruction& instruction_;
  const ResourceAccess& access_;
  VerifierReport& report_;
};

}  // namespace

bool verify_access(const Module& module, const Instruction& instruction, VerifierReport& report) {
  return AccessVerifier(module, instruction, report).run();
}

}  // namespace texlate::ir
