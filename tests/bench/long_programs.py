#!/usr/bin/env python3
"""The tables of long programs in docs/performance.md: memory, or how the work grows.

usage: long_programs.py TEXLATE [--growth] [--shape NAME] [--to TARGET] [--length INSTRUCTIONS] [--keep FOLDER]

Without --growth: the most that the process holds (MiB, ru_maxrss) and its processor time for each shape and target.
With --growth: machine instructions (callgrind) for a fourth, half and all of the length, and the exponent of the last doubling;
the default length is then 20,000 instructions. --keep writes the shaders there.
"""
import argparse
import math
import os
import re
import resource
import subprocess
import tempfile

TARGETS = ["spirv", "ptx", "maxwell", "dksh"]
HEAD = """ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[64], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 5
mov r0.xyzw, v0.xyzw
mov r1.xyzw, v0.yzwx
mov r2.xyzw, v0.zwxy
mov r3.xyzw, v0.wxyz
"""
TAIL = """add r0.xyzw, r0.xyzw, r1.xyzw
add r2.xyzw, r2.xyzw, r3.xyzw
add o0.xyzw, r0.xyzw, r2.xyzw
ret
"""


def straight(i):
    """Eight instructions, as in long_shader of pipeline_bench."""
    lines = []
    for n in range(8 * i, 8 * i + 8):
        to, source = n % 4, (7 * n + 1) % 4
        if n % 8 == 0:
            lines.append(f"sample r4.xyzw, r{to}.xyxx, t0.xyzw, s0")
        elif n % 8 == 1:
            lines.append(f"mad r{to}.xyzw, r4.xyzw, cb0[{n % 64}].xyzw, r{to}.xyzw")
        elif n % 8 == 5:
            lines.append(f"iadd r{to}.x, r{to}.x, l({77777 * n % 0x7fffffff})")
        else:
            lines.append(f"mad r{to}.xyzw, r{source}.wxyz, l({0.37 * n:.3f}, {1.37 * n:.3f}, 0.5, 2.0), r{to}.xyzw")
    return lines


def branches(i):
    return [f"lt r2.x, r0.x, l({i}.5)", "if_nz r2.x", "mad r0.xyzw, r1.xyzw, cb0[3].xyzw, r0.xyzw",
            "add r1.y, r0.x, r1.z", "endif"]


def loops(i):
    return ["mov r2.x, l(0)", "loop", f"ige r2.y, r2.x, l({i})", "breakc_nz r2.y",
            "mad r0.xyzw, r1.xyzw, cb0[3].xyzw, r0.xyzw", "add r1.y, r0.x, r1.z", "iadd r2.x, r2.x, l(1)", "endloop"]


def samples(_):
    return ["sample r2.xyzw, r0.xyxx, t0.xyzw, s0", "add r0.xyzw, r0.xyzw, r2.xyzw"]


SHAPES = {"straight": straight, "branches": branches, "loops": loops, "samples": samples}


def write_shader(shape, length, folder):
    body, i = [], 0
    while len(body) < length:
        body += SHAPES[shape](i)
        i += 1
    path = os.path.join(folder, f"{shape}_{length}.asm")
    with open(path, "w", encoding="ascii") as file:
        file.write(HEAD + "\n".join(body) + "\n" + TAIL)
    return path


def measure(texlate, shader, target):
    """MiB and seconds of the process."""
    child = subprocess.Popen([texlate, "translate", shader, "--to", target, "-o", os.devnull])
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{shader} to {target}: status {child.returncode}")
    return used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def count(texlate, shader, target, folder):
    """Millions of machine instructions; set and copied memory counts by words, as in translation/count.sh."""
    threshold = "glibc.cpu.x86_rep_{}_threshold=0x7fffffff"
    tunables = ":".join(threshold.format(name) for name in ("stosb", "movsb"))
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/profile", texlate, "translate", shader, "--to", target,
         "-o", os.devnull], env=dict(os.environ, GLIBC_TUNABLES=tunables), capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1)) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texlate")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--shape", choices=SHAPES, action="append")
    parser.add_argument("--to", choices=TARGETS, action="append")
    parser.add_argument("--length", type=int)
    parser.add_argument("--keep", metavar="FOLDER")
    options = parser.parse_args()
    # A child's maximum starts at what this process holds when it forks.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 64 * 1024
    length = options.length or (20000 if options.growth else 100000)
    if options.growth:
        print(f"| shape | target | {length // 4:,} | {length // 2:,} | {length:,} | exponent |\n|---|---|---|---|---|---|")
    else:
        print("| shape | target | MiB | seconds |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for shape in options.shape or SHAPES:
            lengths = [length // 4, length // 2, length] if options.growth else [length]
            shaders = [write_shader(shape, n, options.keep or folder) for n in lengths]
            for target in options.to or TARGETS:
                if options.growth:
                    counts = [count(options.texlate, shader, target, folder) for shader in shaders]
                    figures = [f"{c:,.0f}" for c in counts] + [f"{math.log2(counts[2] / counts[1]):.3f}"]
                else:
                    mib, seconds = measure(options.texlate, shaders[0], target)
                    figures = [f"{mib:.0f}", f"{seconds:.2f}"]
                print("| " + " | ".join([shape, target] + figures) + " |", flush=True)


if __name__ == "__main__":
    main()
