#!/usr/bin/env python3
"""Small inputs that once found a mistake, read in place from ../shared/repro: each with its expected result.

    tests/corpus/reproductions.py build/bin/texlate [--only NAME]

Prints a line for each whose result differs. Exit status 1 if one does, or if a file has no expectation; 77 if the
folder is missing.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT.parent / "shared" / "repro"


class Program:
    """The program under test."""

    def __init__(self, path):
        self.path = path
        # Without a Vulkan device the route is left out; `diff` then ends with status 2.
        vulkan = self.run("diff", ROOT / "shaders" / "ld_edges.asm", "--via", "vulkan,ir")[0] != 2
        self.routes = "ir,ptx,maxwell" + (",vulkan" if vulkan else "")

    def run(self, *arguments):
        """Exit status, standard output as bytes, standard error as text."""
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")


# The expectation for a file: a function (program, file) -> complaint, "" for none.


def refused(*messages):
    """`check` and every translation end with these errors."""

    def judge(program, file):
        for arguments in (["check", file], ["translate", "--to", "ir", file], ["translate", "--to", "spirv", file],
                          ["translate", "--to", "ptx", file]):
            status, _, errors = program.run(*arguments)
            missing = [message for message in messages if f"error: {message}" not in errors]
            if status != 1 or missing:
                return f"{arguments[0]}: status {status}, without {missing}"
        return ""

    return judge


def valid_spirv(program, file):
    for robustness in ("driver", "shader"):
        status, _, errors = program.run("translate", "--to", "spirv", "--validate", "--robustness", robustness, file,
                                        "-o", "/dev/null")
        if status != 0:
            return errors
    return ""


def routes_agree(routes=None, undefined=None, schedules=4):
    """All routes say the same; or everything is undefined, for that reason."""

    def judge(program, file):
        scene = file.with_suffix(".json")
        via = ",".join(route for route in (routes or program.routes).split(",") if route in program.routes)
        status, output, errors = program.run("diff", file, "--via", via, "--schedules", schedules,
                                             *(["--scene", scene] if scene.exists() else []))
        text = output.decode() + errors
        if undefined is not None and status == 2 and undefined in text:
            return ""
        return "" if undefined is None and status == 0 else f"status {status}: {text}"

    return judge


def code_of(container):
    """The tokens of a container's program."""
    data = pathlib.Path(container).read_bytes()
    at = max(data.find(b"SHDR"), data.find(b"SHEX"))
    return data[at + 8:at + 8 + int.from_bytes(data[at + 4:at + 8], "little")] if at >= 0 else b""


def listing_reads_back(program, file):
    """A listing assembles to the same tokens."""
    with tempfile.TemporaryDirectory() as folder:
        listing, direct, again = (pathlib.Path(folder, name) for name in ("listing.asm", "direct.dxbc", "again.dxbc"))
        for source, target, to in ((file, listing, "asm"), (file, direct, "dxbc"), (listing, again, "dxbc")):
            status, _, errors = program.run("translate", "--to", to, source, "-o", target)
            if status != 0:
                return errors
        same = code_of(direct) == code_of(again) != b""
    return "" if same else "the listing assembles to another program"


def prints(to, *pieces, count=1):
    """The translation holds these pieces, `count` times each."""

    def judge(program, file):
        status, output, errors = program.run("translate", "--to", to, file)
        if status != 0:
            return errors
        wrong = [piece for piece in pieces if output.count(piece.encode()) != count]
        return f"--to {to} without {wrong}" if wrong else ""

    return judge


def disassembles(piece):
    """As fxc would print the container."""

    def judge(program, file):
        with tempfile.NamedTemporaryFile(suffix=".dxbc") as container:
            program.run("translate", "--to", "dxbc", file, "-o", container.name)
            status, output, errors = program.run("disassemble", container.name)
        return "" if status == 0 and piece in output.decode() else errors + output.decode()

    return judge


def push_constants_overlap(program, file):
    status, _, errors = program.run("translate", "--to", "spirv", "--binding-map", file.with_suffix(".json"), file,
                                    "-o", "/dev/null")
    expected = "cb0 (bytes 0 to 63) and cb1 (bytes 16 to 31) overlap in the push constants"
    return "" if status == 1 and expected in errors else f"status {status}: {errors}"


# lavapipe filters and divides within Vulkan's tolerances, not exactly as the executors do.
EXACT = routes_agree("ir,ptx,maxwell")
EVERYWHERE = routes_agree()

EXPECTED = {
    "asm_literals.asm": [listing_reads_back, prints("asm", "l(9.469697e-05, 1e-07, 0.93842745, 1.000000)")],
    "cb_wrap.asm": [EVERYWHERE],
    "cubesmall.asm": [EXACT],
    "div.asm": [EXACT],
    "divergent_else.asm": [routes_agree(undefined="divergent_quad")],
    "divergent_sample.asm": [EVERYWHERE],
    "early.asm": [EXACT],
    "glc.asm": [prints("spirv-text", *(f"OpDecorate %u{i} Coherent" for i in range(4))),
                routes_agree(undefined="race")],
    "gs_inst.asm": [refused("4294967295 instances: Direct3D allows 1 to 32")],
    "gs_maxout_huge.asm": [refused("dcl_maxout 4294967295: a geometry program may emit 1 to 1024 vertices")],
    "gs_osg5.asm": [prints("dxbc", "OSG5"), valid_spirv],
    "hang.asm": [EXACT],
    "hs_no_input.asm": [valid_spirv],
    "hs_opstore_type.dxbc": [refused("rendertarget_array_index is not an output of a hs fork or join phase")],
    "inject_ok.dxbc": [listing_reads_back],
    "ld_relative_resource.asm": [refused("t takes 1 index in shader model 4.0, found 2")],
    "loop.asm": [refused("unknown instruction 'ret_early'")],
    "nonuniform_constant_index.asm": [valid_spirv, EXACT],
    "operand_mode3_source.dxbc": [refused("operand 3 of mul (cb0[0]) has no components")],
    "operand_swizzle_mode_dest.dxbc": [refused("operand 1 of mov (o7) has no components")],
    "ostencilref_index.dxbc": [refused("oStencilRef cannot have an index, in dcl_output")],
    "ps_sync.asm": [refused("a ps program has no thread group: sync allows only _uglobal")],
    "ptx_dup_o4.dxbc": [refused("o1 is declared twice, in dcl_output")],
    "push_constants_overlap.asm": [push_constants_overlap],
    "raw_surf.asm": [EVERYWHERE],
    "sampler_nonuniform_ps.asm": [valid_spirv, routes_agree("ir,ptx,maxwell", undefined="descriptor_index")],
    "sb.asm": [EVERYWHERE],
    "sc.asm": [EVERYWHERE],
    "semantic_newline.dxbc": [listing_reads_back],
    # Its threads take numbers from a counter: the results depend on their order.
    "spd.asm": [routes_agree(undefined="race")],
    "stencil.asm": [EVERYWHERE],
    "tie.asm": [disassembles("l(18.851563,0.007813,0.500000,1.000000)"), listing_reads_back],
    "uint_sample_c.dxbc": [refused("sample_c_lz compares depth values, but t0 holds integers")],
    "used_mask.asm": [prints("asm", " xy w\n", " x zw\n"), listing_reads_back],
    "v_index_undeclared_cs.asm": [refused("v is indexed without dcl_indexrange")],
    "vector7.dxbc": [refused("o2 is declared without a write mask, in dcl_output")],
    "zero_derivative.asm": [EXACT],
}
# Scenes belong to the shader of that name; tests/fuzz/hostile.py generates its own shapes.
NO_SHADERS = {"README.md", "hostile.py", "shapes.py"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="files whose name holds this")
    arguments = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"skipped: {FOLDER} is not here")
        return 77
    program = Program(arguments.program)
    bad = runs = 0
    for file in sorted(FOLDER.iterdir()):
        if arguments.only not in file.name or file.suffix == ".json" or file.name in NO_SHADERS:
            continue
        if file.name not in EXPECTED:
            bad += 1
            print(f"{file.name}: nothing is expected of it")
        for judge in EXPECTED.get(file.name, []):
            runs += 1
            complaint = judge(program, file)
            if complaint:
                bad += 1
                print(f"{file.name}: {complaint.strip()}")
    print(f"{runs} expectations, {bad} not met; routes {program.routes}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
