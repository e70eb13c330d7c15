#include "library/vkd3d/client_log.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace texlate::vkd3d {

namespace {

constexpr const char* kEventNames[] = {"served", "passed", "refused"};

std::atomic<unsigned> counts[3];
std::atomic<LogCallback> client_callback{nullptr};

void call(LogCallback callback, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  callback(format, arguments);
  va_end(arguments);
}

}  // namespace

void set_log_callback(LogCallback callback) {
  client_callback.store(callback);
}

void record(Outcome outcome, const std::string& text) {
  const auto which = static_cast<size_t>(outcome);
  ++counts[which];
  const LogCallback callback = client_callback.load();
  if (callback != nullptr && outcome != Outcome::served)
    call(callback, "texlate: %s: %s\n", kEventNames[which], text.c_str());
  const char* const name = std::getenv("TEXLATE_VKD3D_LOG");
  if (name == nullptr) return;
  std::FILE* const file = std::fopen(name, "a");
  if (file == nullptr) return;
  std::fprintf(file, "[served %u, passed %u, refused %u] %s: %s\n", counts[0].load(), counts[1].load(),
               counts[2].load(), kEventNames[which], text.c_str());
  std::fclose(file);
}

}  // namespace texlate::vkd3d
