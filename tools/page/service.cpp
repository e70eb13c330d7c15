// Answers one request of the page: JSON on standard input, JSON on standard output. The playground starts it
// anew for each request, so that nothing that one shader does can touch the next.

#include <cstdio>
#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/page/requests.h"

namespace {

using Json = nlohmann::json;

constexpr int kOutOfMemory = 3;

/// The answer where memory has run out: a scene or a shader may ask for more than there is.
void say_out_of_memory() {
  std::fputs(R"({"good": false, "error": "this shader or its scene needs more memory than the page has"})",
             stdout);
  std::fflush(stdout);
  std::_Exit(kOutOfMemory);
}

}  // namespace

int main() {
  std::set_new_handler(say_out_of_memory);
  std::string text;
  char piece[65536];
  while (const size_t count = std::fread(piece, 1, sizeof piece, stdin)) text.append(piece, count);
  const Json request = Json::parse(text, nullptr, false);
  const Json reply = request.is_discarded() ? Json{{"good", false}, {"error", "the request is not JSON"}}
                                            : texlate::page::answer(request);
  const std::string out = reply.dump(-1, ' ', false, Json::error_handler_t::replace);
  return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 1;
}
