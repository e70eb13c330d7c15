// Finds and reads cases.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ir/base/json_location.h"
#include "sim/scene/json_parse.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/suite.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kSidecar = ".test.json";

bool has_cases(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".asm") || name.ends_with(".ir") || name.ends_with(kSidecar);
}

/// The text of a comment line, without `//` or `;` and blanks. Nothing if the line is not a comment.
std::string_view comment_of(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  if (!line.starts_with("//") && !line.starts_with(";")) return {};
  const size_t text = line.find_first_not_of(" \t;/");
  return text == std::string_view::npos ? std::string_view() : line.substr(text);
}

void read_comments(TestCase& test) {
  constexpr std::string_view kStep = "TEST:";
  uint32_t number = 0;
  for (size_t begin = 0; begin < test.text.size();) {
    const size_t end = std::min(test.text.find('\n', begin), test.text.size());
    std::string_view line = std::string_view(test.text).substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1;
    ++number;
    const std::string_view comment = comment_of(line);
    if (comment.empty()) continue;
    if (comment.starts_with(kStep)) {
      const auto column = static_cast<uint32_t>(comment.data() - line.data()) + 1;
      test.steps.push_back({std::string(comment.substr(kStep.size())),
                            SourceLocation::text(number, column, static_cast<uint32_t>(comment.size()))});
    } else {
      test.check_lines.emplace_back(number, line);
    }
  }
}

bool refuse(const TestCase& test, SourceLocation location, std::string_view message) {
  write_messages(
      rendered(Diagnostic{Severity::error, location, std::pmr::string(message)}, test.file, test.text));
  return false;
}

/// {"schema": 1, "shader": "a.dxbc", "tests": ["translate --to ptx"], "checks": ["CHECK: ..."]}
bool read_sidecar(TestCase& test) {
  Json json;
  if (const auto error = parse_json(test.text, json)) return refuse(test, error->location, error->message);
  if (!json.is_object()) return refuse(test, {}, "a case must be a JSON object");
  for (const auto& [key, value] : json.items()) {
    const std::string path[] = {key};
    const bool list = key == "tests" || key == "checks";
    const bool good = list              ? value.is_array() && std::all_of(value.begin(), value.end(),
                                                                          [](const Json& one) { return one.is_string(); })
                      : key == "shader" ? value.is_string()
                                        : key == "schema" && value == kSchema;
    if (!good)
      return refuse(
          test, locate_in_json(test.text, path),
          "a case must have 'schema' (1), 'shader' (a file name), 'tests' and 'checks' (lists of strings)");
    for (size_t i = 0; list && i < value.size(); ++i) {
      const std::string element[] = {key, std::to_string(i)};
      const SourceLocation location = locate_in_json(test.text, element);
      if (key == "tests") test.steps.push_back({value[i].get<std::string>(), location});
      if (key == "checks") test.check_lines.emplace_back(location.line, "// " + value[i].get<std::string>());
    }
  }
  if (!json.contains("shader")) return refuse(test, {}, "a case must name its 'shader'");
  test.shader = (std::filesystem::path(test.folder) / json["shader"].get<std::string>()).string();
  return true;
}

}  // namespace

bool read_case(const std::string& file, TestCase& test) {
  test = {};
  test.file = test.shader = file;
  const auto text = read_file(file);
  if (!text) return false;
  test.text = *text;
  test.folder = std::filesystem::path(file).parent_path().string();
  if (file.ends_with(kSidecar)) return read_sidecar(test);
  read_comments(test);
  return true;
}

bool find_files(const std::string& path, std::vector<std::string>& files) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    files.push_back(path);
    return true;
  }
  std::vector<std::string> found;
  for (std::filesystem::recursive_directory_iterator at(path, error), end; at != end && !error;
       at.increment(error)) {
    if (at->is_regular_file(error) && has_cases(at->path())) found.push_back(at->path().string());
  }
  if (error) file_error(path, "cannot be read: " + error.message());
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return !error;
}

}  // namespace texlate::cli
