"""The command `texlate` of the wheel: runs the program that the wheel contains."""

from __future__ import annotations

import os
import subprocess
import sys

from ._library import program_environment, program_path


def main() -> int:
    """Replaces this process by the program, or waits for it where that is not possible (Windows)."""
    words = [str(program_path()), *sys.argv[1:]]
    environment = program_environment()
    if os.name == "nt":
        return subprocess.run(words, check=False).returncode
    sys.stdout.flush()
    os.execve(words[0], words, dict(os.environ) if environment is None else environment)


if __name__ == "__main__":
    sys.exit(main())
