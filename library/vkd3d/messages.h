// The texts that a call gives its client, in the form of vkd3d-shader: one line for each, with a letter and a
// number by which clients and people know it.
#pragma once

#include <string>
#include <string_view>

#include "library/vkd3d/abi.h"

namespace texlate::vkd3d {

/// The numbers of messages: those of vkd3d-shader for the same mistakes.
enum class MessageCode : uint32_t {
  container_size = 1,
  container_tag = 2,
  container_digest = 3,
  container_version = 4,
  chunk_offset = 5,
  chunk_size = 6,
  signature_chunk = 8,
  signature_name = 9,
  signature_type = 10,
  program = 1000,
  signature_register = 1004,
  no_binding = 2000,
  bad_binding = 2002,
  no_indexing = 2003,
  no_feature = 2004,
  not_implemented = 2008,
  root_version = 3001,
  root_parameter = 3002,
  root_range = 3003,
  root_mixed_table = 3004,
  parameter_type = 9000,
  parameter_data = 9008,
  parameter_value = 9020,
  missing_semantic = 9021,
  indexed_pair = 9300,
};

class Messages {
 public:
  /// Keeps the messages of `level` and more serious ones. `source_name` begins each line; null:
  /// "<anonymous>".
  Messages(const char* source_name, LogLevel level)
      : prefix_(std::string(source_name != nullptr ? source_name : "<anonymous>") + ": "), level_(level) {}
  /// For functions whose input has no name.
  Messages() = default;

  void error(MessageCode code, std::string_view text) { add(LogLevel::error, 'E', code, text); }
  void warning(MessageCode code, std::string_view text) { add(LogLevel::warning, 'W', code, text); }
  /// The errors and warnings so far, whatever the level, for the log.
  const std::string& all() const { return all_; }
  /// Puts a copy of the kept lines into `*to`, which the client frees; null if there are none. `to` may be
  /// null.
  void copy_to(char** to) const;

 private:
  void add(LogLevel level, char letter, MessageCode code, std::string_view text);

  std::string prefix_;
  LogLevel level_ = LogLevel::info;
  std::string kept_, all_;
};

}  // namespace texlate::vkd3d
