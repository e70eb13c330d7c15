// The contents of `texlate view`: texts whose lines are linked to source lines, the gaps that were closed,
// and pictures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace texlate::cli {

struct ViewLine {
  std::string text;
  uint32_t source = 0;  // the source line that it comes from; 0: none
};

struct ViewPane {
  std::string id;     // id in the page: "ptx"
  std::string title;  // "PTX"
  std::vector<ViewLine> lines;
  bool shown = true;    // initially shown
  std::string failure;  // why it has no text: the target rejects the shader
};

struct ViewGap {
  uint32_t source = 0;
  std::string target, operation, lack, document, done;
};

struct ViewPicture {
  std::string label;
  std::string png;  // the file's bytes
};

struct View {
  std::string title;            // the file's name
  std::string summary;          // "pixel shader, model 5.0"
  std::vector<ViewPane> panes;  // the source comes first
  std::vector<ViewGap> gaps;
  std::vector<ViewPicture> pictures;
  std::vector<std::string> verdicts;  // "ir and ptx: 0 of 6400 differ"
};

/// A self-contained page: it needs no other file and no network.
std::string view_page(const View& view);

/// The page's style and scripts (view_assets.cpp).
std::string_view view_style();
std::string_view view_script();

}  // namespace texlate::cli
