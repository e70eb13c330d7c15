// NVIDIA's tools as independent checks of machine code (`make judges` installs them in build/judges/bin):
// runs them, and reads what nvdisasm and cuobjdump print. If they are missing, tests are skipped and say so.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "tests/support/paths.h"

namespace texlate::maxwell {

namespace fs = std::filesystem;

inline const fs::path kJudges = fs::path(test::source_dir()) / "build/judges/bin";

inline bool judges_present() {
  for (const char* tool : {"ptxas", "nvdisasm", "cuobjdump"}) {
    if (!fs::exists(kJudges / tool)) return false;
  }
  return true;
}

/// A folder that is removed with its contents at the end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("texlate_judges_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

struct ToolRun {
  std::string output;  // stdout and stderr
  int status = 0;
};

inline ToolRun run(const std::string& command) {
  ToolRun result;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {"cannot start", -1};
  char buffer[65536];
  size_t size = 0;
  while ((size = fread(buffer, 1, sizeof(buffer), pipe)) > 0) result.output.append(buffer, size);
  result.status = pclose(pipe);
  return result;
}

/// One line of a disassembly: its instruction text and word.
struct Line {
  std::string text;
  uint64_t word = 0;
};

inline std::string strip(std::string text) {
  const auto is_edge = [](char c) { return c == ' ' || c == '\t' || c == ';'; };
  while (!text.empty() && (is_edge(text.front()) || text.front() == '{')) {
    if (text.front() == '{' && text.find('}') != std::string::npos) break;
    text.erase(0, 1);
  }
  while (!text.empty() &&
         (is_edge(text.back()) || (text.back() == '}' && text.find('{') == std::string::npos))) {
    text.pop_back();
  }
  return text;
}

/// "/*0008*/   MOV R1, c[0x0][0x20] ;   /* 0x4c98078000870001 */" by address; dual issue is printed with
/// braces.
inline bool parse_line(const std::string& line, uint32_t& address, Line& out) {
  const size_t open = line.find("/*");
  const size_t close = line.find("*/", open);
  const size_t word = line.rfind("/* 0x");
  if (open == std::string::npos || close == std::string::npos || word == std::string::npos || word < close)
    return false;
  if (line.find_first_not_of(" \t") != open) return false;
  address = static_cast<uint32_t>(std::strtoul(line.c_str() + open + 2, nullptr, 16));
  out.word = std::strtoull(line.c_str() + word + 5, nullptr, 16);
  out.text = strip(line.substr(close + 2, word - close - 2));
  return true;
}

/// The spelling differences of docs/maxwell-isa.md, "Text": minus zero, and NaNs whose bits nvdisasm does not
/// print.
inline std::string normalize(std::string text) {
  static const std::regex minus_zero("-0\\.0 *(?=[.,]|$)");
  static const std::regex nan("([+-][QS]NAN ?|0x[7f]f[0-9a-f]{6}|0x[7f][c-f][0-9a-f]{2})(?=[.,]|$)");
  text = std::regex_replace(text, minus_zero, "-0");
  return std::regex_replace(text, nan, "NAN");
}

inline std::string print_with_reuse(uint64_t word, uint32_t address, uint8_t reuse) {
  Instruction instruction;
  if (!decode(word, instruction)) return "(does not decode)";
  instruction.control.reuse = reuse;
  std::string text;
  print(instruction, address, text);
  return text;
}

/// Before sm_60, double precision does not use the operand cache: nvdisasm shows no .reuse for these there.
inline bool shows_reuse(uint64_t word) {
  Instruction instruction;
  if (!decode(word, instruction)) return false;
  switch (opcode(instruction)) {
    case Opcode::dmnmx:
    case Opcode::dset:
    case Opcode::dsetp:
    case Opcode::f2f:
    case Opcode::f2i:
    case Opcode::i2f: return false;
    default: return true;
  }
}

/// The lines of a disassembly by address. The word of the second instruction of a pair may be on the next
/// line.
inline std::map<uint32_t, Line> parse_lines(const std::string& output) {
  std::map<uint32_t, Line> lines;
  std::istringstream stream(output);
  std::string before;
  for (std::string line; std::getline(stream, line); before = line) {
    uint32_t address = 0;
    Line parsed;
    if (parse_line(line, address, parsed)) {
      lines[address] = parsed;
    } else if (before.find("/* 0x") == std::string::npos && parse_line(before + line, address, parsed)) {
      lines[address] = parsed;
    }
  }
  return lines;
}

}  // namespace texlate::maxwell
