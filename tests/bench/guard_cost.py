#!/usr/bin/env python3
"""What the guards of PTX cost in machine instructions (docs/ptx.md, "What guards cost").

usage: guard_cost.py TEXLATE JUDGES [SHADER.asm ...]

TEXLATE is the program, JUDGES the folder with ptxas and nvdisasm. For each shader and each of sm_75 and
sm_90: the instructions that a thread executes whose every fetch is inside, of the kernel and of the same
kernel without guards, presets and masks of fetches, and all instructions of the kernel. Padding is left out.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def without_guards(text, stores):
    """PTX as texlate writes it, less the guards of its fetches; `stores`: and of its surface stores."""
    lines = text.split("\n")
    branch = next((i for i, line in enumerate(lines) if re.match(r"\t@!%p\d+ bra L\d+;", line)), None)
    if branch is not None:  # fetches that share a guard: the arm with plain ones stays
        guarded = re.search(r"bra (L\d+)", lines[branch]).group(1)
        start = lines.index(guarded + ":")
        join = re.search(r"bra (L\d+)", lines[start - 1]).group(1)
        lines = lines[:branch] + lines[branch + 1 : start - 1] + lines[lines.index(join + ":") + 1 :]
    texels = {r for line in lines if "\ttex" in line or " tex" in line for r in re.findall(r"%r\d+", line.split("[")[0])}
    masked = {}
    result = []
    for line in lines:
        line = re.sub(r"^\t@%\w+ (tex|sust)" if stores else r"^\t@%\w+ (tex)", r"\t\1", line)
        logic = re.match(r"\t(and|or)\.b32 (%r\d+), (%r\d+), (%r\d+);", line)
        if logic:
            name, to, a, b = logic.groups()
            source = next((r for r in (a, b) if r in (texels if name == "and" else masked)), None)
            if source:
                line = f"\tmov.b32 {to}, {source};"
                masked[to] = source
        result.append(line)
    return "\n".join(result)


def machine_code(judges, text, sm):
    """Instructions in order, and where labels are."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = Path(folder) / "a.ptx", Path(folder) / "a.cubin"
        ptx.write_text(text)
        subprocess.run([f"{judges}/ptxas", "-arch", f"sm_{sm}", str(ptx), "-o", str(cubin)], check=True)
        listing = subprocess.run([f"{judges}/nvdisasm", "-c", str(cubin)], check=True, capture_output=True, text=True).stdout
    instructions, labels = [], {}
    for line in listing.split("\n"):
        label = re.match(r"\s*(\.L_x_\d+):", line)
        if label:
            labels[label.group(1)] = len(instructions)
        found = re.search(r"/\*[0-9a-f]{4}\*/\s+(.*?);", line)
        if found:
            instructions.append(found.group(1).strip())
    while instructions[-1] == "NOP" or instructions[-1].startswith("BRA"):
        instructions.pop()
    return instructions, labels


def executed(instructions, labels):
    """Along the way of a thread whose fetches are all inside, to the last exit."""
    at, count, steps = 0, 0, len(instructions)
    fetches = [(i, found.group(1)) for i, found in enumerate(re.match(r"(@!?P\d+ )?(?:TLD|TEX)", text) for text in instructions) if found]
    plain = next((i for i, predicate in fetches if not predicate), None)
    while steps:
        steps -= 1
        text = instructions[at]
        count += 1
        if text == "EXIT":
            return count
        jump = re.match(r"(@!?P\d+ )?BRA `\((\.L_x_\d+)\)", text)
        if jump:
            target = labels[jump.group(2)]
            to_plain = plain is not None and at + 1 < target <= plain
            # The assembler has moved the plain fetches before the branch, under its condition.
            behind = fetches[0][0] < at and fetches[0][1] == jump.group(1)
            if not jump.group(1) or to_plain or behind:
                at = target
                continue
        at += 1
    raise RuntimeError("no exit")


def main():
    texlate, judges, *shaders = sys.argv[1:]
    root = Path(__file__).resolve().parents[2] / "shaders"
    for shader in shaders or [root / f"{name}.asm" for name in ("ld_frame", "ld_edges", "blur3x3")]:
        for sm in (75, 90):
            command = [texlate, "translate", str(shader), "--to", "ptx", "--sm", str(sm)]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            code, labels = machine_code(judges, text, sm)
            plain, plain_labels = machine_code(judges, without_guards(text, True), sm)
            fetches, fetches_labels = machine_code(judges, without_guards(text, False), sm)
            guarded = executed(code, labels)
            print(
                f"{Path(shader).stem} sm_{sm}: {guarded} executed, {executed(fetches, fetches_labels)} without guards of "
                f"fetches, {executed(plain, plain_labels)} without those of stores too, {len(code)} in all"
            )


if __name__ == "__main__":
    main()
