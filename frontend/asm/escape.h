// Names from containers as they appear in listings. A name may hold any byte; a listing consists of lines of
// text.
//
//   byte                                     written
//   ---------------------------------------  -------
//   an ASCII letter, digit or punctuation    itself
//   backslash                                two of them
//   any other, including a blank             \xNN
//   an empty name                            \ alone
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

namespace texlate::assembly {

/// Appends `name` as one word. Equal names are written alike, different names differently. The first
/// byte is escaped if it would have another meaning in a row of a signature: `-` (a ruler), `m1:` (a
/// stream).
void append_escaped(std::string_view name, std::pmr::string& out);

/// The name that `word` encodes. A backslash that does not begin an escape stands for itself, as in listings
/// of other tools.
void append_unescaped(std::string_view word, std::pmr::string& out);

/// Appends the text of a message, for quotation marks around it: these are written `\"`, and other bytes as
/// in a name, but blanks stay. A line break is written `\n`.
void append_quoted(std::string_view text, std::pmr::string& out);
void append_unquoted(std::string_view text, std::pmr::string& out);

/// Appends a name for a comment that is never read back: blanks are kept.
void append_escaped_comment(std::string_view name, std::pmr::string& out);

}  // namespace texlate::assembly
