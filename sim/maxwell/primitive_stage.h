// What hull, domain and geometry programs run on: vertices of the batch's primitives, patches, the
// tessellator's coordinates, emitted vertices. Whatever hardware does not specify is chosen so that programs
// that rely on it fail (docs/maxwell-machine.md, "Primitives").
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace texlate::sim::maxwell {

class Warp;
struct Instruction;

// Special registers of these stages.
constexpr uint32_t kPrimitiveType = 0x10, kInvocationId = 0x11, kInvocationInfo = 0x1d;

class PrimitiveStage {
 public:
  static constexpr uint32_t kWords = 256;  // of a vertex's attributes; word n is a[4n]
  using Words = std::array<uint32_t, kWords>;
  using Flags = std::bitset<kWords>;
  enum class Kind : uint8_t { hull, domain, geometry };

  /// A thread, in the order of lanes. A block is one warp.
  struct Thread {
    bool runs = false;
    uint32_t primitive = 0;   // or patch, of the launch
    uint32_t invocation = 0;  // output control point, or instance of a geometry program
    uint32_t u = 0, v = 0;    // domain programs: floats
  };
  struct Vertex {
    Words words{};
    Flags written;
  };
  struct Emitted {
    uint32_t stream = 0;
    bool cut = false;  // no vertex, but the end of a strip
    Vertex vertex;
  };

  // What the program's header declares.
  Kind kind = Kind::geometry;
  Flags readable, writable;
  uint32_t store_first = 0xff, store_last = 0;  // words of vertices that are read back
  uint32_t patch_words = 0;
  uint32_t streams = 0;  // a bit for each
  uint32_t max_vertices = 0;
  // The launch.
  uint32_t vertices = 1;  // of a primitive
  std::vector<Thread> threads;
  std::vector<Words> inputs;          // by primitive and vertex
  std::vector<Words> patch_inputs;    // domain programs, by patch
  std::vector<uint32_t> ids;          // by primitive
  std::vector<uint32_t> batch_first;  // by block: the first primitive of its batch
  // Results.
  std::vector<Vertex> outputs;                // hull and domain programs, by thread
  std::vector<Vertex> patch_outputs;          // hull programs, by patch
  std::vector<std::vector<Emitted>> emitted;  // geometry programs, by thread

  /// Sizes the results; the rest must be set before.
  void begin();

  // Used by the executing warps. `lane` runs `thread`.
  uint32_t special(uint32_t number, uint32_t thread) const;
  void load(Warp& w, const Instruction& i, int lane);
  void store(Warp& w, const Instruction& i, int lane);
  void find_vertex(Warp& w, const Instruction& i, int lane);   // ISBERD
  void find_address(Warp& w, const Instruction& i, int lane);  // AL2P
  void emit(Warp& w, const Instruction& i, int lane);          // OUT
  void end(Warp& w, const Instruction& i, int lane);           // EXIT

 private:
  struct Place;
  struct Progress {
    uint32_t handle = 0;   // of the vertex under construction
    uint32_t emitted = 0;  // with those that were dropped
    Vertex vertex;
  };
  uint32_t batch_number(uint32_t thread) const;
  bool place_of(Warp& w, const Instruction& i, int lane, Place& place) const;
  const uint32_t* input_word(Warp& w, const Instruction& i, int lane, uint32_t word);
  const uint32_t* vertex_word(Warp& w, const Instruction& i, int lane, uint32_t word);
  const uint32_t* patch_word(Warp& w, const Instruction& i, int lane, const Place& place, uint32_t word);
  const uint32_t* output_word(Warp& w, const Instruction& i, int lane, uint32_t word);
  uint32_t& output_to(Warp& w, const Instruction& i, int lane, uint32_t word);
  uint32_t& patch_output_to(Warp& w, const Instruction& i, int lane, uint32_t word);

  std::vector<Progress> progress_;                     // geometry programs, by thread
  std::vector<std::array<uint32_t, kWords>> writers_;  // of patch_outputs: the thread that wrote last
  uint32_t next_handle_ = 0;
  uint32_t unused_ = 0;
};

}  // namespace texlate::sim::maxwell
