#include "tests/bench/translation/report.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace texlate::bench {

namespace {

template <typename... Args>
std::string format(const char* text, Args... args) {
  std::array<char, 512> line;
  std::snprintf(line.data(), line.size(), text, args...);
  return line.data();
}

std::string class_name(size_t size) {
  if (size == 0) return format("<%u", kSizeLimits[0]);
  if (size == kSizeLimits.size()) return format(">=%u", kSizeLimits.back());
  return format("%u-%u", kSizeLimits[size - 1], kSizeLimits[size] - 1);
}

template <typename Numbers>
auto sum(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), typename Numbers::value_type{});
}

}  // namespace

void print_table(const Report& report) {
  std::printf("%-24s", "instructions");
  for (size_t size = 0; size < kSizeClasses; ++size) std::printf("%11s", class_name(size).c_str());
  std::printf("%11s%13s\n%-24s", "all", "bytes", "shaders");
  for (const size_t shaders : report.shaders) std::printf("%11zu", shaders);
  std::printf("%11zu\n", sum(report.shaders));
  for (const Result& result : report.results) {
    std::printf("%-24s", format("%.20s, us", result.engine.c_str()).c_str());
    for (const double time : result.microseconds) std::printf("%11.0f", time);
    std::printf("%11.0f%13zu\n", sum(result.microseconds), sum(result.bytes));
  }
  // How many times as fast the first engine is.
  for (size_t i = 1; i < report.results.size(); ++i) {
    std::printf("%-24s", format("  / %.19s", report.results[0].engine.c_str()).c_str());
    const auto& of = report.results[i].microseconds;
    const auto& first = report.results[0].microseconds;
    for (size_t size = 0; size < kSizeClasses; ++size)
      std::printf("%11.2f", first[size] > 0 ? of[size] / first[size] : 0.0);
    std::printf("%11.2f  %s\n", sum(of) / sum(first), report.results[i].engine.c_str());
  }
}

std::string to_json(const Report& report) {
  std::string json = "{\n  \"unit\": \"microseconds of processor time\",\n  \"classes\": [\n";
  for (size_t size = 0; size < kSizeClasses; ++size) {
    json += format("    {\"instructions\": \"%s\", \"shaders\": %zu, \"total\": %zu}%s\n",
                   class_name(size).c_str(), report.shaders[size], report.instructions[size],
                   size + 1 < kSizeClasses ? "," : "");
  }
  json += "  ],\n  \"engines\": [\n";
  for (const Result& result : report.results) {
    json += format("    {\"name\": \"%.200s\", \"time\": [", result.engine.c_str());
    for (size_t size = 0; size < kSizeClasses; ++size)
      json += format("%s%.1f", size != 0 ? ", " : "", result.microseconds[size]);
    json += "], \"bytes\": [";
    for (size_t size = 0; size < kSizeClasses; ++size)
      json += format("%s%zu", size != 0 ? ", " : "", result.bytes[size]);
    json += &result != &report.results.back() ? "]},\n" : "]}\n";
  }
  return json + "  ]\n}\n";
}

std::string to_svg(const Report& report) {
  constexpr std::array<const char*, 6> kColors = {"#3465a4", "#73a9e6", "#9fbfdf",
                                                  "#cc5500", "#e6a173", "#888888"};
  constexpr double kHeight = 240, kBar = 18, kLeft = 50, kTop = 30;
  const double group = static_cast<double>(report.results.size() + 1) * kBar;
  const auto each = [&](const Result& result, size_t size) {
    const auto count = static_cast<double>(report.instructions[size]);
    return count > 0 ? result.microseconds[size] / count : 0;
  };
  double most = 1e-9;
  for (const Result& result : report.results) {
    for (size_t size = 0; size < kSizeClasses; ++size) most = std::max(most, each(result, size));
  }
  const double width = kLeft + group * kSizeClasses + 220;
  std::string svg = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
      "<text x=\"8\" y=\"16\">microseconds of processor time for each Direct3D instruction, by size of the "
      "shader</text>\n",
      width, kTop + kHeight + 30);
  for (size_t size = 0; size < kSizeClasses; ++size) {
    const double x = kLeft + group * static_cast<double>(size);
    for (size_t i = 0; i < report.results.size(); ++i) {
      const double height = each(report.results[i], size) / most * (kHeight - 20);
      const double left = x + kBar * static_cast<double>(i), top = kTop + kHeight - height;
      svg += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", left, top,
                    kBar - 2, height, kColors[i % kColors.size()]);
      svg += format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"8\">%.2f</text>\n", left, top - 2,
                    each(report.results[i], size));
    }
    std::string name = class_name(size);
    if (const size_t less = name.find('<'); less != std::string::npos) name.replace(less, 1, "&lt;");
    svg += format("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, kTop + kHeight + 16, name.c_str());
  }
  for (size_t i = 0; i < report.results.size(); ++i) {
    const double x = kLeft + group * kSizeClasses, y = kTop + 16 * static_cast<double>(i + 1);
    svg += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, y - 9,
                  kColors[i % kColors.size()]);
    svg += format("<text x=\"%.1f\" y=\"%.1f\">%.60s</text>\n", x + 15, y, report.results[i].engine.c_str());
  }
  return svg + "</svg>\n";
}

}  // namespace texlate::bench
