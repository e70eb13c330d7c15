#!/usr/bin/env python3
"""Hostile shaders, each with one very large property. Each goes through every target, and must end with a translation
or an error within the limits: 5 s of processor time and 1 GiB of memory. With --inputs, a folder's *.asm instead.

    tests/fuzz/hostile.py build/bin/texlate [--scale 1.0] [--only NAME] [--inputs FOLDER] [--seconds 5]

Prints the slowest and largest, and every run that broke a limit or died. Exit status 1 where one did.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

TARGETS = ["asm", "dxbc", "ir", "ptx", "maxwell", "spirv"]
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


def alive(n, statement):
    """60 registers alive over n statements, which name three of them each: "{0} {1} {2}"."""
    start = "".join(f"mov r{i}.xyzw, vThreadID.xyzx\n" for i in range(60))
    body = "".join(statement.format(i * 7 % 60, i * 11 % 60, i * 13 % 60) for i in range(n))
    end = "".join(f"store_raw u0.xyzw, l({16 * i}), r{i}.xyzw\n" for i in range(60))
    return start, body, end


def alive_over_ifs(n):
    start, body, end = alive(n, "if_nz r{0}.x\niadd r{0}.xyzw, r{1}.xyzw, r{2}.xyzw\nendif \n")
    return compute(start + body + end, temps=60)


def alive_over_exits(n):
    start, body, end = alive(n, "iadd r{0}.xyzw, r{1}.xyzw, l(1, 2, 3, 4)\nbreakc_nz r{2}.x\n")
    return compute(start + "loop \n" + body + "endloop \n" + end, temps=60)


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


def pairs(n):
    """Each resource with a sampler of its own."""
    samplers = "".join(f"dcl_sampler S{i}[{i}:{i}], mode_default, space=0\n" for i in range(n))
    textures = "".join(f"dcl_resource_texture2d (float,float,float,float) T{i}[{i}:{i}], space=0\n" for i in range(n))
    used = "".join(f"sample r0.xyzw, v0.xyxx, T{i}[{i}].xyzw, S{i * 7 % n}[{i * 7 % n}]\nadd r1.xyzw, r1.xyzw, r0.xyzw\n"
                   for i in range(n))
    return (f"ps_5_1\n{samplers}{textures}dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n"
            f"mov r1.xyzw, l(0, 0, 0, 0)\n{used}mov o0.xyzw, r1.xyzw\nret \n")


def views(n):
    declared = "".join(f"dcl_uav_typed_texture2d (float,float,float,float) U{i}[{i}:{i}], space=0\n" for i in range(n))
    used = "".join(f"store_uav_typed U{i}[{i}].xyzw, l(0, 0, 0, 0), l(0, 0, 0, 0)\n" for i in range(n))
    return f"cs_5_1\n{declared}dcl_temps 1\n{GROUP}{used}ret \n"


def constant_buffers(n):
    declared = "".join(f"dcl_constantbuffer CB{i}[{i}:{i}][4], immediateIndexed, space=0\n" for i in range(n))
    used = "".join(f"add r0.xyzw, r0.xyzw, CB{i}[{i}][1].xyzw\n" for i in range(n))
    return (f"ps_5_1\n{declared}dcl_output o0.xyzw\ndcl_temps 1\nmov r0.xyzw, l(0, 0, 0, 0)\n{used}"
            "mov o0.xyzw, r0.xyzw\nret \n")


def falling_through(n):
    arms = "".join(f"case l({i})\niadd r1.x, r1.x, l({i})\n" for i in range(n))
    return compute(f"mov r1.x, l(0)\nswitch r0.x\n{arms}break \nendswitch \nmov r0.x, r1.x\n")


def hull(control_points, instances, phases=1):
    """A hull shader of so many control points and fork phases."""
    phase = (f"hs_fork_phase \ndcl_hs_fork_phase_instance_count {instances}\ndcl_input vForkInstanceID\n"
             "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
             "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_temps 1\ndcl_indexrange o0.x 3\n"
             "mov r0.x, vForkInstanceID\nmov o[r0.x + 0].x, l(1.0)\nret \n")
    return (f"hs_5_0\nhs_decls \ndcl_input_control_point_count {control_points}\n"
            f"dcl_output_control_point_count {control_points}\ndcl_tessellator_domain domain_tri\n"
            "dcl_tessellator_partitioning partitioning_integer\n"
            "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase \n"
            f"dcl_input vOutputControlPointID\ndcl_input v[{control_points}][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n"
            f"mov r0.x, vOutputControlPointID\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nret \n{phase * phases}")


def emissions(n):
    """A geometry shader that emits all of 128 words, between ifs."""
    outputs = "".join(f"dcl_output o{i}.xyzw\n" for i in range(32))
    vertex = "if_nz r0.x\nmov o3.x, r0.x\nendif \nemit_stream m0\n"
    return ("gs_5_0\ndcl_input vPrim\ndcl_temps 1\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\n"
            f"{outputs}dcl_maxout 8\nmov r0.x, vPrim\n{vertex * n}ret \n")


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
                                                                    for i in range(n)) + "endswitch \nmov r0.x, r1.x\n"), 10000),
    "labels of a long switch": (lambda n: compute("switch r0.x\n" + "".join(f"case l({i})\n" for i in range(n)) +
                                                  "mov r0.x, l(1)\nbreak \nendswitch \n"), 1000000),
    "cases that fall through": (falling_through, 10000),
    "loops in a row": (lambda n: compute("loop \niadd r0.xy, r0.xyxx, l(1, 2, 3, 4)\nige r1.x, r0.x, l(10)\n"
                                         "breakc_nz r1.x\nendloop \n" * n), 20000),
    "registers over ifs": (alive_over_ifs, 10000),
    "registers over many exits": (alive_over_exits, 4000),
    "exits of a loop": (lambda n: compute("loop \n" + "iadd r0.x, r0.x, l(3)\nbreakc_nz r0.x\n" * n + "endloop \n"), 33000),
    "registers over exits": (wide, 256),
    "subroutines": (subroutines, 20000),
    "a tree of calls": (call_tree, 30),
    "recursion": (lambda n: compute("call l0\n") + "label l0\ncall l1\nret \nlabel l1\ncall l0\nret \n", 1),
    "calls of one subroutine": (lambda n: compute("call l0\n" * n) + "label l0\n" + "iadd r0.x, r0.x, l(1)\n" * n +
                                "ret \n", 3000),
    "resources": (ranges, 10000),
    "resources and samplers": (pairs, 10000),
    "unordered access views": (views, 10000),
    "constant buffers": (constant_buffers, 10000),
    "small group-shared arrays": (lambda n: compute("".join(f"store_raw g{i}.x, l(0), r0.x\n" for i in range(n)),
                                                    declarations="".join(f"dcl_tgsm_raw g{i}, 4\n" for i in range(n))), 4096),
    "group-shared arrays": (lambda n: compute("".join(f"store_raw g{i}.x, l(0), l(1)\n" for i in range(n)),
                                              declarations="".join(f"dcl_tgsm_raw g{i}, 32768\n" for i in range(n))), 3000),
    "control points": (lambda n: hull(n, 3), 2147483648),
    "instances of a phase": (lambda n: hull(3, n), 4294967295),
    "phases": (lambda n: hull(3, 3, n), 5000),
    "emissions of large vertices": (emissions, 512),
    "emissions": (emissions, 40000),
    "arrays": (arrays, 1000),
    "rows of a table": (table, 4096),
    "temporaries": (lambda n: compute("", temps=n), 4294967295),
    "rows of an array": (lambda n: compute("mov x0[r0.x + 0].x, l(1)\nmov r0.x, x0[r0.x + 5].x\n",
                                           declarations=f"dcl_indexableTemp x0[{n}], 4\n"), 4294967295),
    "threads": (lambda n: f"cs_5_0\ndcl_thread_group {n}, {n}, {n}\nret \n", 1048576),
    "one line": (lambda n: "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, " + "-|" * n + "r0.x\nret \n", 500000),
    "indices in one another": (lambda n: "ps_5_0\ndcl_output o0.x\nmov o0.x, " + "x0[" * n + "0" + "].x + 0" * (n - 1) +
                               "].x\nret \n", 20000),
    "comments": (lambda n: "/*" * n + "\nps_5_0\nret \n", 300000),
}

# Not even one is allowed.
WRONG = {"recursion", "one line", "indices in one another"}


def limit(seconds):
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def run(program, target, path, most):
    """Exit status and seconds of processor time, which ends after `most`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run([program, "translate", "--to", target, path, "-o", "/dev/null"], preexec_fn=lambda: limit(most),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def refused_shapes(program, only, seconds):
    """Shapes that are refused whatever their size: they would test only the message."""
    for name, (make, _) in SHAPES.items():
        if only not in name or name in WRONG:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".asm") as file:
            file.write(make(1))
            file.flush()
            if run(program, "ir", file.name, seconds)[0] != 0:
                yield name


def texts(arguments):
    """Name and path of each input, while it is there."""
    if arguments.inputs:
        for path in sorted(arguments.inputs.glob("*.asm")):
            if arguments.only in path.name:
                yield path.name, path
        return
    for name, (make, count) in SHAPES.items():
        if arguments.only not in name:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".asm") as file:
            file.write(make(max(1, int(count * arguments.scale))))
            file.flush()
            yield name, file.name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--scale", type=float, default=1.0, help="of the counts")
    parser.add_argument("--only", default="", help="shapes whose name holds this")
    parser.add_argument("--inputs", type=pathlib.Path, help="a folder whose *.asm take the shapes' place")
    parser.add_argument("--seconds", type=int, default=5, help="of processor time for one translation")
    arguments = parser.parse_args()
    bad = runs = 0
    worst = (0.0, "")
    for name in () if arguments.inputs else refused_shapes(arguments.program, arguments.only, arguments.seconds):
        bad += 1
        print(f"{name}: even one is refused", flush=True)
    for name, path in texts(arguments):
        for target in TARGETS:
            status, seconds = run(arguments.program, target, path, arguments.seconds)
            runs += 1
            worst = max(worst, (seconds, f"{name} to {target}"))
            if status not in (0, 1) or seconds > arguments.seconds:
                bad += 1
                print(f"{name} to {target}: exit status {status} after {seconds:.2f} s", flush=True)
    print(f"{runs} runs, {bad} beyond the limits; the slowest: {worst[1]}, {worst[0]:.2f} s")
    return 1 if bad or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
