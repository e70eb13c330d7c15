#!/usr/bin/env python3
"""What known state saves (docs/performance.md, "Known state"): instructions of translations for any host and for one host.

usage: known_state_table.py TEXLATE JUDGES examples SHADERS_FOLDER
       known_state_table.py TEXLATE JUDGES corpus GAMES_FOLDER [COUNT]
       known_state_table.py TEXLATE JUDGES cuda GAMES_FOLDER [CUDA_BIN [PATTERN]]

TEXLATE is the program, JUDGES the folder with ptxas and nvdisasm (tools/judges.sh). Instructions of PTX are those of sm_75 after ptxas,
those of Maxwell are ours for sm_52, both without padding; those of SPIR-V are the instructions of functions without labels. Instructions
executed are lane instructions per pixel or vertex of the PTX machine and the Maxwell machine, on the scene that is known.

examples, corpus: what is known is the scene: bindings, values of constants, samplers, the launch. The corpus is every fifth pixel shader
by name that runs on a default scene, COUNT (50) of them.
cuda: the same shader in CUDA C++ without any guard (unguarded_cuda.py) by CUDA_BIN/nvcc, against the PTX for a host of which everything
is known but the values of constants; both by CUDA_BIN/ptxas. Once with the accuracy that Direct3D requires: denormals are flushed,
divisions are good for all numbers, square roots are exact, and shaders without refactoringAllowed divide exactly and contract nothing. And once with
--use_fast_math, whose divisions are wrong for denominators from 2^126 on.
"""
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import unguarded_cuda

ELEMENTS = 9216
SM = "75"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def is_padding(instruction):
    return instruction == "NOP" or re.fullmatch(r"BRA `?\(?[.\w]+\)?", instruction)


class Bench:
    def __init__(self, texlate, judges, folder, ptxas=None):
        self.texlate, self.judges, self.folder = texlate, judges, Path(folder)
        self.ptxas = ptxas or f"{judges}/ptxas"

    def translate(self, shader, to, *options):
        out = self.folder / "out"
        done = run(self.texlate, "translate", shader, "--lenient", "--to", to, "-o", out, *options)
        return out.read_text() if done.returncode == 0 else None

    def machine_instructions(self, ptx):
        source, cubin = self.folder / "a.ptx", self.folder / "a.cubin"
        source.write_text(ptx)
        done = run(self.ptxas, "-arch", "sm_" + SM, source, "-o", cubin)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        listing = run(f"{self.judges}/nvdisasm", "-c", cubin).stdout
        found = [m.group(1).strip() for m in re.finditer(r"/\*[0-9a-f]{4,}\*/\s+(.*?);", listing)]
        while found and is_padding(found[-1]):
            found.pop()
        return len(found)

    def counts(self, shader, *options):
        """Of PTX, Maxwell, SPIR-V."""
        ptx = self.translate(shader, "ptx", "--sm", SM, *options)
        maxwell = self.translate(shader, "maxwell", *options)
        spirv = self.translate(shader, "spirv-text", *options)
        if None in (ptx, maxwell, spirv):
            return None
        sass = [line for line in maxwell.split("\n") if line.endswith(";") and not re.search(r"\bNOP;", line)]
        body = spirv[spirv.index("OpFunction ") :]
        operations = [line for line in body.split("\n") if re.search(r"\bOp[A-Z]", line) and "OpLabel" not in line]
        return [self.machine_instructions(ptx), len(sass), len(operations)]

    def executed(self, shader, *options):
        """Per element of PTX and Maxwell, which must draw the same; None: they do not run."""
        done = run(self.texlate, "diff", shader, "--lenient", "--via", "ptx,maxwell", "--absolute", "0.0001", *options)
        found = [int(n) for n in re.findall(r"(\d+) lane instructions", done.stdout)]
        elements = re.search(r"(\d+) of (\d+) differ", done.stdout)
        if len(found) != 2 or not elements:
            return None
        return [round(n / int(elements.group(2))) for n in found]

    def row(self, shader, scene):
        general, known = self.counts(shader), self.counts(shader, "--known", scene)
        if general is None or known is None:
            return None
        a = self.executed(shader, "--scene", scene)
        b = self.executed(shader, "--scene", scene, "--known", scene)
        if a is None or b is None:
            return None
        return [*zip(general, known), *zip(a, b)]


def print_table(rows, each):
    print("| shader | PTX after ptxas | Maxwell | SPIR-V | executed, PTX | executed, Maxwell |\n|---|---|---|---|---|---|")
    if each:
        for name, row in rows:
            print(f"| `{name}` | " + " | ".join(f"{a} -> {b}" for a, b in row) + " |")
    means = []
    for column in range(5):
        ratios = [row[column][1] / row[column][0] for _, row in rows]
        means.append(f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    print(f"| {len(rows)} shaders, geometric mean | " + " | ".join(means) + " |")


def known_of(text):
    """Known state for IR text: everything but the values of constants."""
    known = {"launch": {"elements": ELEMENTS, "helper_lanes": False}}
    compared = set(re.findall(r"tex\.\w+ (t\d+) s\d+ [^\n;]*compare\(", text))
    comparing = set(re.findall(r"tex\.\w+ t\d+ (s\d+) [^\n;]*compare\(", text))
    for line in text.split("\n"):
        words = line.split()
        if words[:1] == ["resource"]:
            name, dimension, kind = words[1], words[2], words[3] if len(words) > 3 else ""
            if dimension == "raw_buffer":
                known[name] = {"bytes": 65536}
            elif "buffer" in dimension:
                known[name] = {"elements": 4096}
            else:
                known[name] = {"size": [256, 256, 64][: 3 if dimension == "texture3d" else 2]}
                if dimension.startswith("texture1d"):
                    known[name]["size"] = [256]
                if "array" in dimension:
                    known[name]["slices"] = 4
                samples = re.search(r"samples\((\d+)\)", line)
                known[name].update({"samples": int(samples.group(1))} if samples else {"mips": 9})
            if dimension not in ("raw_buffer", "structured_buffer"):
                known[name]["format"] = {"uint": "r32g32b32a32_uint", "sint": "r32g32b32a32_sint"}.get(kind, "r8g8b8a8_unorm")
                if name in compared:
                    known[name]["format"] = "r32_float"
        elif words[:1] == ["sampler"]:
            known[words[1]] = {"filter": "trilinear", "address": "wrap"}
            if words[1] in comparing:
                known[words[1]] = {"filter": "linear", "address": "clamp", "comparison": "less_equal"}
        elif words[:1] == ["constant_buffer"]:
            rows = re.search(r"rows\((\d+)\)", line)
            known[words[1]] = {"rows": int(rows.group(1))} if rows else {"rows": 4096}
    return {"known": known}


def accurate_flags(text):
    exact = "\nrefactoring_allowed" not in text
    return ["-ftz=true", "-prec-sqrt=true"] + (["-prec-div=true", "-fmad=false"] if exact else ["-prec-div=false"])


def compare_with_cuda(bench, shaders, cuda):
    rows = []

    def of_cuda(source, flags):
        cu, ptx = bench.folder / "a.cu", bench.folder / "cuda.ptx"
        cu.write_text(source)
        done = run(f"{cuda}/nvcc", "-ptx", "-w", f"-arch=sm_{SM}", *flags, f"-DELEMENTS={ELEMENTS}u", "-o", ptx, cu)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return bench.machine_instructions(ptx.read_text())

    for shader in shaders:
        text = bench.translate(shader, "ir")
        try:
            source = unguarded_cuda.cuda_of(text) if text else None
        except unguarded_cuda.Refused:
            continue
        if source is None:
            continue
        state = bench.folder / "known.json"
        state.write_text(json.dumps(known_of(text)))
        general = bench.machine_instructions(bench.translate(shader, "ptx", "--sm", SM))
        known = bench.machine_instructions(bench.translate(shader, "ptx", "--sm", SM, "--known", state))
        accurate, fast = of_cuda(source, accurate_flags(text)), of_cuda(source, ["--use_fast_math"])
        rows.append((general, known, accurate, fast))
        print(f"{shader.stem}: general {general}, known {known}, CUDA {accurate}, fast {fast}", file=sys.stderr, flush=True)
    print("| our code | CUDA without guards | geometric mean of ratios | ratio of totals | above 1 |\n|---|---|---|---|---|")
    for ours, name in ((0, "for any host"), (1, "everything known but values of constants")):
        for theirs, flags in ((2, "Direct3D's accuracy"), (3, "--use_fast_math")):
            ratios = [row[ours] / row[theirs] for row in rows]
            total = sum(row[ours] for row in rows) / sum(row[theirs] for row in rows)
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"| {name} | {flags} | {mean:.3f} | {total:.3f} | {sum(r > 1 for r in ratios)} of {len(rows)} |")


def main():
    texlate, judges, what, folder = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as work:
        if what == "examples":
            bench = Bench(texlate, judges, work)
            scenes = sorted((Path(folder) / "scenes").glob("*.json"))
            rows = [(s.stem, bench.row(Path(folder) / f"{s.stem}.asm", s)) for s in scenes if (Path(folder) / f"{s.stem}.asm").exists()]
            print_table([(name, row) for name, row in rows if row], True)
        elif what == "corpus":
            bench = Bench(texlate, judges, work)
            count = int(sys.argv[5]) if len(sys.argv) > 5 else 50
            scene = Path(work) / "scene.json"
            scene.write_text('{"viewport": [16, 16]}')
            shaders, rows = sorted(Path(folder).glob("*_ps_*.asm")), []
            for shader in (s for first in range(3) for s in shaders[first::3]):
                row = bench.row(shader, scene)
                if row:
                    rows.append((shader.stem, row))
                    print(shader.stem, row, file=sys.stderr, flush=True)
                if len(rows) == count:
                    break
            print_table(rows, False)
        elif what == "cuda":
            cuda = sys.argv[5] if len(sys.argv) > 5 else "/usr/local/cuda/bin"
            bench = Bench(texlate, judges, work, f"{cuda}/ptxas")
            pattern = sys.argv[6] if len(sys.argv) > 6 else "*_ps_*.asm"
            compare_with_cuda(bench, sorted(Path(folder).glob(pattern)), cuda)
        else:
            raise SystemExit(__doc__)


main()
