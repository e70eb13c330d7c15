// What `texlate view` shows: texts whose lines come from the same lines of the source, the gaps that were
// closed, and pictures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace texlate::cli {

struct ViewLine {
  std::string text;
  uint32_t source = 0;  // the line of the source that it comes from; 0: none
};

struct ViewPane {
  std::string id;     // in the page: "ptx"
  std::string title;  // "PTX"
  std::vector<ViewLine> lines;
  bool shown = true;    // at first
  std::string failure;  // why there is nothing: the target refuses the shader
};

struct ViewGap {
  uint32_t source = 0;
  std::string target, operation, promise, document, done;
};

struct ViewPicture {
  std::string label;
  std::string png;  // the file's bytes
};

struct View {
  std::string title;            // the file's name
  std::string summary;          // "pixel shader, model 5.0"
  std::vector<ViewPane> panes;  // the source first
  std::vector<ViewGap> gaps;
  std::vector<ViewPicture> pictures;
  std::vector<std::string> verdicts;  // "ir and ptx: 0 of 6400 differ"
};

/// One page that needs nothing else: no file, no network.
std::string view_page(const View& view);

/// The page's own style and behaviour (view_assets.cpp).
std::string_view view_style();
std::string_view view_script();

}  // namespace texlate::cli
