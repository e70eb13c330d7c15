// The work for an input is bounded by a constant times its size, even for hostile input. It is counted in
// bytes of memory and output, which do not depend on the machine. tests/bench/frontend measures times.
#include <gtest/gtest.h>

#include <cstring>

#include "frontend/dxbc/listing.h"
#include "frontend/sm4/validate.h"
#include "tests/unit/dxbc/assemble_text.h"

namespace texlate {
namespace {

class CountingMemory : public std::pmr::memory_resource {
 public:
  size_t bytes = 0;

 private:
  void* do_allocate(size_t size, size_t alignment) override {
    bytes += size;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* memory, size_t size, size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// Bytes that reading, checking, printing and writing allocate and output.
size_t work_of_bytes(std::span<const std::byte> input) {
  CountingMemory memory;
  dxbc::Container container(&memory);
  sm4::Program program(&memory);
  Diagnostics diagnostics(&memory);
  const bool good = dxbc::read(input, container, program, diagnostics);
  sm4::validate(program, diagnostics);
  std::pmr::string text(&memory);
  dxbc::disassemble(container, program, {}, text);
  std::pmr::vector<std::byte> bytes(&memory);
  if (good) dxbc::write(program, &container, bytes, diagnostics);
  return memory.bytes;
}

size_t work_of_text(std::string_view input) {
  CountingMemory memory;
  sm4::Program program(&memory);
  Diagnostics diagnostics(&memory);
  assembly::parse(input, program, diagnostics);
  sm4::validate(program, diagnostics);
  std::pmr::string text(&memory);
  assembly::print(program, {}, text);
  std::pmr::vector<std::byte> bytes(&memory);
  dxbc::write(program, nullptr, bytes, diagnostics);
  return memory.bytes;
}

/// `work(make(n))` must grow linearly in n. Vectors that double, and fixed costs for small inputs, make the
/// ratio inexact.
template <typename Make, typename Work>
void expect_linear(const char* name, Make make, Work work) {
  constexpr size_t kSmall = 64;
  constexpr size_t kFactor = 64;
  const auto small_input = make(kSmall);
  const auto large_input = make(kSmall * kFactor);
  const double growth = static_cast<double>(large_input.size()) / static_cast<double>(small_input.size());
  const double ratio = static_cast<double>(work(large_input)) / static_cast<double>(work(small_input));
  std::printf("%-40s input x %6.2f, work x %6.2f\n", name, growth, ratio);
  EXPECT_LE(ratio, 1.5 * growth) << name;
}

std::string repeat(std::string_view text, size_t n) {
  std::string all;
  for (size_t i = 0; i < n; ++i) all += text;
  return all;
}

TEST(Linear, Text) {
  const auto expect = [](const char* name, auto make) { expect_linear(name, make, work_of_text); };
  expect("instructions", [](size_t n) {
    return "ps_5_0\ndcl_temps 2\n" + repeat("mad r0.xyzw, r1.xyzw, l(1.0, 2.0, 3.0, 4.0), r0.xyzw\n", n);
  });
  expect("errors", [](size_t n) { return "ps_5_0\n" + repeat("frobnicate r0.xyzw, r1.xyzw\n", n); });
  expect("nested blocks", [](size_t n) { return "ps_5_0\n" + repeat("if_nz r0.x\nbreak \n", n); });
  expect("nested indices",
         [](size_t n) { return "ps_5_0\nmov r0.x, " + repeat("x0[", n) + "0" + repeat("].x", n) + "\n"; });
  expect("declarations and their uses", [](size_t n) {
    std::string text = "ps_5_1\n";
    for (size_t i = 0; i < n; ++i)
      text += fmt::format("dcl_constantbuffer CB{}[0:0][4], immediateIndexed, space=0\n", i);
    for (size_t i = 0; i < n; ++i) text += fmt::format("mov r0.x, CB{}[0][1].x\n", i);
    return text;
  });
  expect("inputs", [](size_t n) {
    std::string text = "vs_5_0\n";
    for (size_t i = 0; i < n; ++i) text += fmt::format("dcl_input v{}.xyzw\n", i);
    return text;
  });
  expect("signature rows", [](size_t n) {
    return "// Input signature:\n// -----\n" +
           repeat("// " + std::string(200, 'A') + " 0 xyzw 0 NONE float xyzw\n", n) + "vs_5_0\nret \n";
  });
  expect("constant rows", [](size_t n) {
    return "ps_5_0\ndcl_immediateConstantBuffer { { 1.0, 0, 0, 0}" + repeat(",\n { 1.0, 2, 3, 4}", n) +
           "}\nret \n";
  });
}

std::vector<std::byte> with_dwords(std::initializer_list<uint32_t> values, size_t size) {
  std::vector<std::byte> data(size, std::byte{'A'});
  std::memcpy(data.data(), values.begin(), values.size() * 4);
  return data;
}

std::pmr::vector<std::byte> container_of(std::vector<dxbc::ChunkData> chunks) {
  static const std::vector<std::byte> code = with_dwords({0x50, 3, 0x0100003e}, 12);
  chunks.push_back({dxbc::kCodeTag5, code});
  std::pmr::vector<std::byte> bytes;
  dxbc::write_container(chunks, bytes);
  return bytes;
}

void put(std::span<std::byte> bytes, size_t at, uint32_t value) {
  std::memcpy(bytes.data() + at, &value, 4);
}

TEST(Linear, Bytes) {
  const auto expect = [](const char* name, auto make) { expect_linear(name, make, work_of_bytes); };
  expect("tokens", [](size_t n) {
    return assemble("ps_5_0\ndcl_temps 2\n" +
                    repeat("mad r0.xyzw, r1.xyzw, l(1.0, 2.0, 3.0, 4.0), r0.xyzw\n", n));
  });
  expect("signature elements with one long name", [](size_t n) {
    std::vector<std::byte> signature(8 + 24 * n + 200, std::byte{0});
    put(signature, 0, static_cast<uint32_t>(n));
    put(signature, 4, 8);
    for (size_t i = 0; i < n; ++i) put(signature, 8 + 24 * i, static_cast<uint32_t>(8 + 24 * n));
    std::memset(signature.data() + 8 + 24 * n, 'N', 199);
    return container_of({{dxbc::fourcc("ISGN"), signature}});
  });
  expect("signature elements with too long a name", [](size_t n) {
    std::vector<std::byte> signature(8 + 24 * n, std::byte{'N'});
    put(signature, 0, static_cast<uint32_t>(std::min<size_t>(n, 1000)));
    for (size_t i = 0; i < n; ++i) put(signature, 8 + 24 * i, 12);
    return container_of({{dxbc::fourcc("ISGN"), signature}});
  });
  expect("one chunk in many entries", [](size_t n) {
    const auto entries = static_cast<uint32_t>(std::min<size_t>(n * 2, 1000));
    const auto elements = static_cast<uint32_t>(std::min<size_t>(n, 1000));
    std::vector<std::byte> signature(8 + size_t{24} * n + 104, std::byte{0});
    std::memset(signature.data() + 8 + 24 * elements, 'N', 100);
    put(signature, 0, elements);
    put(signature, 4, 8);
    for (uint32_t i = 0; i < elements; ++i) put(signature, 8 + 24 * i, 8 + 24 * elements);
    const std::vector<std::byte> table(size_t{4} * entries, std::byte{0});
    auto bytes = container_of({{dxbc::fourcc("NONE"), table}, {dxbc::fourcc("ISGN"), signature}});
    uint32_t at = 0;
    std::memcpy(&at, bytes.data() + 36, 4);  // the signature's offset, for every entry of the table
    put(bytes, 28, entries);
    for (uint32_t i = 0; i < entries; ++i) put(bytes, 32 + 4 * i, at);
    return bytes;
  });
  expect("buffers of one long name", [](size_t n) {
    auto definitions = with_dwords({static_cast<uint32_t>(n), 32, 0, 32, 0xffff0500, 0, 28, 0}, 32 + 64 * n);
    for (size_t i = 0; i < n; ++i) {
      put(definitions, 32 + 24 * i, static_cast<uint32_t>(32 + 24 * n));  // ends at the chunk's end
      put(definitions, 36 + 24 * i, 0);
    }
    return container_of({{dxbc::kResourceTag, definitions}});
  });
  expect("structs of structs", [](size_t n) {
    // One variable whose type is a struct with n members, each of which is that struct.
    auto definitions = with_dwords(
        {1, 32, 0, 32, 0xffff0400, 0, 28, 0, 28, 1, 56, 0, 0, 0, 28, 0, 16, 2, 80, 0}, 96 + 12 * n);
    put(definitions, 80, 5);  // kind: struct
    put(definitions, 84, 0);
    put(definitions, 88, static_cast<uint32_t>(n) << 16);  // members
    put(definitions, 92, 96);
    for (size_t i = 0; i < n; ++i) {
      put(definitions, 96 + 12 * i, 28);
      put(definitions, 100 + 12 * i, 80);
    }
    return container_of({{dxbc::kResourceTag, definitions}});
  });
}

}  // namespace
}  // namespace texlate
