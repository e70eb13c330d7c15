#!/usr/bin/env python3
"""Checks docs/tour.md: files exist, names stand in the file of their step, and quoted lines stand in the golden files.

    tour_test.py ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
text = (root / "docs/tour.md").read_text()
goldens = root / "tests/golden/edges/ld"
problems = []

for golden, quoted in re.findall(r"^```golden (\S+)\n(.*?)^```", text, re.M | re.S):
    lines = (goldens / golden).read_text()
    problems += [f"{golden} has no line with: {line}" for line in quoted.splitlines() if line not in lines]

prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
parts = re.split(r"^\*\*\d+\. ", prose, flags=re.M)[1:]
if len(parts) > 12:
    problems.append(f"{len(parts)} steps: there must be 12 at most")
checked = 0
for number, part in enumerate(parts, 1):
    part = part.split("\nWhether")[0]
    words = re.findall(r"`([^`]+)`", part)
    files = [word for word in words if re.fullmatch(r"[\w/.-]+\.(cpp|h|inc)", word)]
    if not files or not (root / files[0]).is_file():
        problems.append(f"step {number} names no file")
        continue
    own = (root / files[0]).read_text()
    for word in words:
        is_path = re.fullmatch(r"[\w./-]*/[\w./-]*", word)
        if is_path and not (root / word).exists():
            problems.append(f"step {number}: there is no {word}")
        # What users type, and names of the instruction and of machine code, are in the golden files.
        if is_path or word.startswith(("-", "(")) or word in ("ld", "tex", "sm4::Instruction"):
            continue
        checked += 1
        if word not in own:
            problems.append(f"step {number}: {files[0]} has no {word}")
for path in re.findall(r"\]\((\.\./[^)#]+|[\w-]+\.md)", text):
    if not (root / "docs" / path).exists():
        problems.append(f"there is no {path}")
if checked < 20:
    problems.append(f"only {checked} names were checked")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(parts)} steps, {checked} names")
