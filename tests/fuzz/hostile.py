#!/usr/bin/env python3
"""Shaders made to hurt: one thing of each very large. Each goes through every target, and must end with a translation
or an error within the limits: 5 s of processor time and 1 GiB of memory.

    tests/fuzz/hostile.py build/bin/texlate [--scale 1.0] [--only NAME]

Prints the slowest and largest, and every run that broke a limit or died. Exit status 1 where one did.
"""
import argparse
import resource
import subprocess
import sys
import tempfile
import time

TARGETS = ["asm", "dxbc", "ir", "ptx", "spirv"]
SECONDS = 5
BYTES = 1 << 30

COMPUTE = "cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.xyz\n"
GROUP = "dcl_thread_group 1, 1, 1\n"
START = "mov r0.xyzw, vThreadID.xyzx\n"
END = "store_raw u0.x, l(0), r0.x\nret \n"


def compute(body, temps=2, declarations=""):
    return f"{COMPUTE}{declarations}dcl_temps {temps}\n{GROUP}{START}{body}{END}"


def nested(opener, inside, closer):
    return lambda n: compute(opener * n + inside + closer * n)


def wide(n):
    """Many registers alive over many exits of one loop."""
    start = "".join(f"mov r{i}.xyzw, vThreadID.xyzx\n" for i in range(n))
    turn = "".join(f"iadd r{i}.xyzw, r{i * 11 % n}.xyzw, l(1, 2, 3, 4)\nbreakc_nz r{i * 13 % n}.x\n" for i in range(n))
    return compute(start + "loop \n" + turn + "endloop \n", temps=max(n, 2))


def subroutines(n):
    calls = "".join(f"call l{i}\n" for i in range(n))
    bodies = "".join(f"label l{i}\niadd r0.x, r0.x, l(1)\nret \n" for i in range(n))
    return compute(calls) + bodies


def call_tree(n):
    """Each calls the next twice: 2^n instructions if nothing stopped it."""
    bodies = "".join(f"label l{i}\ncall l{i + 1}\ncall l{i + 1}\nret \n" for i in range(n))
    return compute("call l0\n") + bodies + f"label l{n}\niadd r0.x, r0.x, l(1)\nret \n"


def ranges(n):
    declared = "".join(f"dcl_resource_texture2d (float,float,float,float) T{i}[{i}:{i}], space=0\n" for i in range(n))
    used = "".join(f"ld r0.xyzw, l(0, 0, 0, 0), T{i}[{i}].xyzw\nadd r1.xyzw, r1.xyzw, r0.xyzw\n" for i in range(n))
    return f"ps_5_1\n{declared}dcl_output o0.xyzw\ndcl_temps 2\nmov r1.xyzw, l(0, 0, 0, 0)\n{used}mov o0.xyzw, r1.xyzw\nret \n"


def arrays(n):
    declared = "".join(f"dcl_indexableTemp x{i}[4], 4\n" for i in range(n))
    used = "".join(f"mov x{i}[r0.x + 0].x, l(1)\nmov r0.x, x{i}[r0.x + 1].x\n" for i in range(n))
    return compute(used, declarations=declared)


def table(n):
    rows = ",\n".join(f"{{ {i}, 0, 0, 1.0}}" for i in range(n))
    return (f"ps_5_0\ndcl_immediateConstantBuffer {{ {rows} }}\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\n"
            "dcl_temps 1\nmov r0.x, v0.x\nmov o0.xyzw, icb[r0.x + 0].xyzw\nret \n")


SHAPES = {
    "straight line": (lambda n: compute("mad r0.xy, r0.xyxx, r0.yxyy, r0.xyxx\n" * n), 20000),
    "ifs in a row": (lambda n: compute("if_nz r0.x\niadd r0.xy, r0.xyxx, l(1, 2, 0, 0)\nendif \n" * n), 10000),
    "ifs in one another": (nested("if_nz r0.x\n", "iadd r0.x, r0.x, l(1)\n", "endif \n"), 20000),
    "loops in one another": (nested("loop \n", "breakc_nz r0.x\n", "endloop \n"), 20000),
    "switches in one another": (nested("switch r0.x\ncase l(0)\n", "mov r0.x, l(1)\n", "break \nendswitch \n"), 20000),
    "labels of a switch": (lambda n: compute("switch r0.x\n" + "".join(f"case l({i})\n" for i in range(n)) +
                                             "mov r0.x, l(1)\nbreak \nendswitch \n"), 40000),
    "arms of a switch": (lambda n: compute("switch r0.x\n" + "".join(f"case l({i})\nmov r1.x, l({i})\nbreak \n"
                                                                    for i in range(n)) + "endswitch \n"), 10000),
    "exits of a loop": (lambda n: compute("loop \n" + "iadd r0.x, r0.x, l(3)\nbreakc_nz r0.x\n" * n + "endloop \n"), 33000),
    "registers over exits": (wide, 256),
    "subroutines": (subroutines, 20000),
    "a tree of calls": (call_tree, 30),
    "recursion": (lambda n: compute("call l0\n") + "label l0\ncall l1\nret \nlabel l1\ncall l0\nret \n", 1),
    "resources": (ranges, 10000),
    "arrays": (arrays, 1000),
    "rows of a table": (table, 100000),
    "temporaries": (lambda n: compute("", temps=n), 4294967295),
    "rows of an array": (lambda n: compute("mov x0[r0.x + 0].x, l(1)\nmov r0.x, x0[r0.x + 5].x\n",
                                           declarations=f"dcl_indexableTemp x0[{n}], 4\n"), 4294967295),
    "threads": (lambda n: f"cs_5_0\ndcl_thread_group {n}, {n}, {n}\nret \n", 1048576),
    "one line": (lambda n: "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, " + "-|" * n + "r0.x\nret \n", 500000),
    "indices in one another": (lambda n: "ps_5_0\ndcl_output o0.x\nmov o0.x, " + "x0[" * n + "0" + "].x + 0" * (n - 1) +
                               "].x\nret \n", 20000),
    "comments": (lambda n: "/*" * n + "\nps_5_0\nret \n", 300000),
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def run(program, target, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    status = subprocess.run([program, "translate", "--to", target, path, "-o", "/dev/null"], preexec_fn=limit,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return status, seconds, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--scale", type=float, default=1.0, help="of the counts")
    parser.add_argument("--only", help="shapes whose name holds this")
    arguments = parser.parse_args()
    bad = 0
    worst = (0.0, "")
    runs = 0
    for name, (make, count) in SHAPES.items():
        if arguments.only and arguments.only not in name:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".asm") as file:
            file.write(make(max(1, int(count * arguments.scale))))
            file.flush()
            for target in TARGETS:
                status, seconds, _ = run(arguments.program, target, file.name)
                runs += 1
                worst = max(worst, (seconds, f"{name} to {target}"))
                if status not in (0, 1) or seconds > SECONDS:
                    bad += 1
                    print(f"{name} to {target}: exit status {status} after {seconds:.2f} s")
    print(f"{runs} runs, {bad} beyond the limits; the slowest: {worst[1]}, {worst[0]:.2f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
