#include "tools/texlate/commands.h"

int main(int argc, char** argv) {
  return texlate::cli::run_command_line(argc, argv);
}
