#!/usr/bin/env python3
"""Runs the commands that documents show, and compares their output.

    console_test.py PROGRAM DOCUMENT...

In a block fenced as `console`, bash runs each line that starts with `$ `, in a temporary folder with a copy of shaders/ and with the program in
PATH. The lines that follow are the output that the command must print, standard error included. A line `...` stands for any number of lines, and
`...` within a line for any text. If FILE does not exist, `cat FILE` creates it from the lines that follow.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(text):
    for match in re.finditer(r"^```console\n(.*?)^```$", text, re.M | re.S):
        yield text[: match.start()].count("\n") + 2, match.group(1)


def commands(line, block):
    """(line, command, expected lines)"""
    found = []
    for number, content in enumerate(block.splitlines(), line):
        if content.startswith("$ "):
            found.append((number, content[2:], []))
        elif found:
            found[-1][2].append(content)
    return found


def pattern(expected):
    parts = []
    for line in expected:
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("...")) + r"\n")
    return re.compile("".join(parts) + r"\Z")


def run(command, expected, folder, environment):
    name = re.fullmatch(r"cat ([\w.]+)", command)
    if name and not os.path.exists(os.path.join(folder, name.group(1))):
        with open(os.path.join(folder, name.group(1)), "w") as file:
            file.write("\n".join(expected) + "\n")
        return True, ""
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = result.stdout
    if expected:
        return pattern(expected).match(text) is not None, text
    return result.returncode == 0, text


def main():
    program = os.path.realpath(sys.argv[1])
    failed = total = 0
    for document in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder, open(document) as file:
            shutil.copytree("shaders", os.path.join(folder, "shaders"))
            environment = dict(os.environ, PATH=os.path.dirname(program) + ":" + os.environ["PATH"], NO_COLOR="1")
            for line, block in blocks(file.read()):
                for number, command, expected in commands(line, block):
                    total += 1
                    good, text = run(command, expected, folder, environment)
                    if good:
                        continue
                    failed += 1
                    print(f"{document}:{number}: {command}\n--- expected:\n" + "\n".join(expected) + f"\n--- printed:\n{text}")
    print(f"{total - failed} of {total} commands do what the documents show")
    return 1 if failed or not total else 0


sys.exit(main())
