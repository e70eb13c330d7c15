// ALD, AST, AL2P, ISBERD and OUT of hull, domain and geometry programs.
#include "sim/maxwell/primitive_stage.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

constexpr uint32_t kPrimitiveId = 0x60 / 4, kDomainPoint = 0x2f0 / 4;
constexpr uint32_t kFactorWords = 6, kFirstPatchVector = 8, kPatchEnd = 0x200 / 4;
constexpr uint32_t kNobody = 0xffffffffu;

// Numbers that only the hardware understands are products with an odd number, so that they can be taken back,
// and are recognized by what they are a multiple of.
constexpr uint32_t kOdd = 0x9e3779b1u, kInverse = 0x0e8b2f51u;
static_assert(kOdd * kInverse == 1u);
constexpr uint32_t kVertexMark = 0x5a000000, kAddressMark = 0x3c000000, kOutputMark = 0x00800000,
                   kEmissionMark = 0x69000000, kMarks = 0xff000000;

constexpr uint32_t disguise(uint32_t number, uint32_t mark) {
  return (number | mark) * kOdd;
}
/// The number, or kNobody for what disguise() did not make with this mark.
constexpr uint32_t unmask(uint32_t number, uint32_t mark) {
  const uint32_t plain = number * kInverse;
  return (plain & kMarks) == mark ? plain & ~kMarks : kNobody;
}

/// Batches count their primitives from here, so that the number is not that of the launch.
uint32_t batch_base(uint32_t block) {
  return 1 + block % 3;
}

/// What the bits of a special register hold of which no document says anything.
constexpr uint32_t kUnspecified = 0xa500b700u;

bool is_patch(const Instruction& i) {
  return i.bit(31);
}
bool is_output(const Instruction& i) {
  return i.bit(32);
}

}  // namespace

/// Where an access goes.
struct PrimitiveStage::Place {
  uint32_t word = 0;
  uint32_t count = 1;
};

void PrimitiveStage::begin() {
  outputs.assign(kind == Kind::geometry ? 0 : threads.size(), {});
  emitted.assign(kind == Kind::geometry ? threads.size() : 0, {});
  progress_.assign(emitted.size(), {});
  patch_outputs.assign(kind == Kind::hull ? ids.size() : 0, {});
  std::array<uint32_t, kWords> nobody;
  nobody.fill(kNobody);
  writers_.assign(patch_outputs.size(), nobody);
}

uint32_t PrimitiveStage::batch_number(uint32_t thread) const {
  const uint32_t block = thread / kLanes;
  return threads[thread].primitive - batch_first[block] + batch_base(block);
}

uint32_t PrimitiveStage::special(uint32_t number, uint32_t thread) const {
  switch (number) {
    case kInvocationId: return threads[thread].invocation;
    case kPrimitiveType: return (kUnspecified & ~0xff00u) | vertices << 8;
    case kInvocationInfo: return kUnspecified | vertices << 16 | batch_number(thread);
    default: return 0;
  }
}

void PrimitiveStage::find_vertex(Warp& w, const Instruction& i, int lane) {
  const uint32_t index = w.a(i)[lane], first = batch_number(w.element_of(lane)) * vertices;
  if (index < first || index >= first + vertices)
    w.fault(FaultKind::out_of_range, i, lane, "ISBERD of a vertex that is not of the lane's primitive");
  w.target(i.rd())[lane] = disguise(index & ~kMarks, kVertexMark);
}

void PrimitiveStage::find_address(Warp& w, const Instruction& i, int lane) {
  const uint32_t address = w.a(i)[lane] + static_cast<uint32_t>(i.signed_field(20, 11));
  if (address % 4 != 0 || address / 4 >= kWords)
    w.fault(FaultKind::out_of_range, i, lane, "AL2P of an address that is none of an attribute");
  const uint32_t mark = kAddressMark | (is_output(i) ? kOutputMark : 0);
  w.target(i.rd())[lane] = disguise(address / 4 % kWords, mark);
}

bool PrimitiveStage::place_of(Warp& w, const Instruction& i, int lane, Place& place) const {
  place.count = i.field(47, 2) + 1;
  const bool physical = i.ra() != kZeroRegister && !is_patch(i);
  if (!physical) {
    const uint32_t address = i.field(20, 10) + w.a(i)[lane];
    const uint32_t alignment = place.count == 1 ? 4 : place.count == 2 ? 8 : 16;
    if (address % alignment != 0) {
      w.fault(FaultKind::misaligned, i, lane,
              "the attribute's address is not a multiple of the vector's size");
      return false;
    }
    place.word = address / 4;
  } else {
    const uint32_t known = unmask(w.a(i)[lane], kAddressMark);
    const bool output = i.opcode == Opcode::ast || is_output(i);
    if (known == kNobody || ((known & kOutputMark) != 0) != output || place.count != 1) {
      w.fault(FaultKind::bad_operand, i, lane, "a physical address that AL2P did not give for this access");
      return false;
    }
    place.word = known & ~kOutputMark;
  }
  if (place.word + place.count <= kWords) return true;
  w.fault(FaultKind::out_of_range, i, lane, "an attribute that the thread does not have");
  return false;
}

// ---- reading

void PrimitiveStage::load(Warp& w, const Instruction& i, int lane) {
  Place place;
  if (!place_of(w, i, lane, place)) return;
  std::array<uint32_t, 4> values{};
  for (uint32_t k = 0; k < place.count; ++k) {
    const uint32_t word = place.word + k;
    const uint32_t* value = is_patch(i)    ? patch_word(w, i, lane, place, word)
                            : is_output(i) ? output_word(w, i, lane, word)
                                           : input_word(w, i, lane, word);
    if (value != nullptr) values[k] = *value;
  }
  for (uint32_t k = 0; k < place.count && i.rd() != kZeroRegister; ++k)
    w.reg(static_cast<uint8_t>(i.rd() + k))[lane] = values[k];
}

const uint32_t* PrimitiveStage::input_word(Warp& w, const Instruction& i, int lane, uint32_t word) {
  if (!readable[word])
    w.fault(FaultKind::bad_operand, i, lane, "an attribute that the header does not list as read");
  if (word != kPrimitiveId) return vertex_word(w, i, lane, word);
  if (i.rc() != kZeroRegister)
    w.fault(FaultKind::bad_operand, i, lane, "the primitive's number with a vertex");
  return &ids[threads[w.element_of(lane)].primitive];
}

const uint32_t* PrimitiveStage::vertex_word(Warp& w, const Instruction& i, int lane, uint32_t word) {
  const uint32_t thread = w.element_of(lane), block = thread / kLanes;
  const uint32_t index = i.rc() == kZeroRegister ? kNobody : unmask(w.lanes(i.rc())[lane], kVertexMark);
  if (index == kNobody) {
    w.fault(FaultKind::bad_operand, i, lane, "a vertex that ISBERD did not give");
    return nullptr;
  }
  const uint64_t primitive = uint64_t{index / vertices} + batch_first[block] - batch_base(block);
  const uint64_t at = primitive * vertices + index % vertices;
  if (at < inputs.size() && primitive == threads[thread].primitive) return &inputs[at][word];
  w.fault(FaultKind::out_of_range, i, lane, "a vertex of another primitive");
  return nullptr;
}

/// Patch constants of a domain program, and what the same lane of a hull program has written.
const uint32_t* PrimitiveStage::patch_word(Warp& w, const Instruction& i, int lane, const Place& place,
                                           uint32_t word) {
  const uint32_t thread = w.element_of(lane), patch = threads[thread].primitive;
  const bool reads_back = is_output(i);
  if (reads_back != (kind == Kind::hull) || kind == Kind::geometry || i.rc() != kZeroRegister ||
      place.word >= kPatchEnd || (word >= kFactorWords && word < kFirstPatchVector) || word >= kPatchEnd) {
    w.fault(FaultKind::bad_operand, i, lane, "a patch attribute that this stage does not have");
    return nullptr;
  }
  if (!reads_back) return &patch_inputs[patch][word];
  if (writers_[patch][word] != thread)
    w.report_undefined(FaultKind::uninitialized, i, 1u << lane,
                       "a patch attribute that this lane has not written");
  return &patch_outputs[patch].words[word];
}

/// Outputs of a lane of the same patch; the coordinates that the tessellator left as outputs.
const uint32_t* PrimitiveStage::output_word(Warp& w, const Instruction& i, int lane, uint32_t word) {
  const uint32_t thread = w.element_of(lane), from = w.lanes(i.rc())[lane];
  if (word < store_first || word > store_last)
    w.fault(FaultKind::bad_operand, i, lane, "an output outside the range that the header lists");
  if (kind == Kind::domain && (word == kDomainPoint || word == kDomainPoint + 1)) {
    if (from != static_cast<uint32_t>(lane))
      w.fault(FaultKind::bad_operand, i, lane, "the domain point of another lane");
    return word == kDomainPoint ? &threads[thread].u : &threads[thread].v;
  }
  const uint32_t other = thread - static_cast<uint32_t>(lane) + from;
  if (kind != Kind::hull || i.rc() == kZeroRegister || from >= kLanes || other >= threads.size() ||
      !threads[other].runs || threads[other].primitive != threads[thread].primitive) {
    w.fault(FaultKind::bad_operand, i, lane, "an output of a lane that is not of the same patch");
    return nullptr;
  }
  if (!outputs[other].written[word])
    w.fault(FaultKind::bad_operand, i, lane, "an output that its lane has not stored");
  return &outputs[other].words[word];
}

// ---- writing

void PrimitiveStage::store(Warp& w, const Instruction& i, int lane) {
  Place place;
  if (!place_of(w, i, lane, place)) return;
  if (kind != Kind::geometry && i.rc() != kZeroRegister)
    w.fault(FaultKind::bad_operand, i, lane, "a vertex in a store of this stage");
  for (uint32_t k = 0; k < place.count; ++k) {
    const uint32_t word = place.word + k;
    uint32_t& to = is_patch(i) ? patch_output_to(w, i, lane, word) : output_to(w, i, lane, word);
    to = i.rd() == kZeroRegister ? 0 : w.reg(static_cast<uint8_t>(i.rd() + k))[lane];
  }
}

uint32_t& PrimitiveStage::output_to(Warp& w, const Instruction& i, int lane, uint32_t word) {
  const uint32_t thread = w.element_of(lane);
  if (!writable[word])
    w.fault(FaultKind::bad_operand, i, lane, "an attribute that the header does not list as written");
  const bool geometry = kind == Kind::geometry;
  if (geometry && w.lanes(i.rc())[lane] != progress_[thread].handle)
    w.fault(FaultKind::bad_operand, i, lane, "a handle that is not that of the vertex under construction");
  Vertex& vertex = geometry ? progress_[thread].vertex : outputs[thread];
  vertex.written.set(word);
  return vertex.words[word];
}

uint32_t& PrimitiveStage::patch_output_to(Warp& w, const Instruction& i, int lane, uint32_t word) {
  const uint32_t thread = w.element_of(lane), patch = threads[thread].primitive;
  if (kind != Kind::hull || word >= patch_words || (word >= kFactorWords && word < kFirstPatchVector)) {
    w.fault(FaultKind::bad_operand, i, lane, "a patch attribute that the header does not count");
    return unused_;
  }
  uint32_t& writer = writers_[patch][word];
  if (writer != kNobody && writer != thread)
    w.fault(FaultKind::bad_operand, i, lane, "a patch attribute that another lane has written");
  writer = thread;
  patch_outputs[patch].written.set(word);
  return patch_outputs[patch].words[word];
}

// ---- emission

// After it the vertex's attributes are undefined. What exceeds the header's count, or is of a stream that it
// does not list, vanishes.
void PrimitiveStage::emit(Warp& w, const Instruction& i, int lane) {
  enum : uint32_t { kEmit = 1, kCut = 2 };
  const uint32_t how = i.field(39, 2), stream = w.b(i)[lane];
  const uint32_t thread = w.element_of(lane);
  if (kind != Kind::geometry || stream > 3) {
    w.fault(FaultKind::bad_operand, i, lane, "an emission of a stage or to a stream that has none");
    return;
  }
  Progress& progress = progress_[thread];
  if (w.a(i)[lane] != progress.handle)
    w.fault(FaultKind::bad_operand, i, lane, "a handle that is not that of the vertex under construction");
  const bool listed = (streams >> stream & 1) != 0;
  if ((how & kEmit) != 0) {
    if (progress.emitted++ < max_vertices && listed)
      emitted[thread].push_back({stream, false, progress.vertex});
    progress.vertex.written.reset();
    progress.vertex.words.fill(kUnspecified);
  }
  if ((how & kCut) != 0 && listed) emitted[thread].push_back({stream, true, {}});
  progress.handle = disguise(++next_handle_ & ~kMarks, kEmissionMark);
  w.target(i.rd())[lane] = progress.handle;
}

void PrimitiveStage::end(Warp& w, const Instruction& i, int lane) {
  if (kind == Kind::geometry && w.reg(0)[lane] != progress_[w.element_of(lane)].handle)
    w.fault(FaultKind::bad_operand, i, lane, "R0 does not hold the last handle at the end");
}

}  // namespace texlate::sim::maxwell
