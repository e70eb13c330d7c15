#include "ir/base/platform/files.h"
#include "tools/texlate/commands.h"

int main(int argc, char** argv) {
  texlate::platform::prepare_standard_streams();
  return texlate::cli::run_command_line(argc, argv);
}
