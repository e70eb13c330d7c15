#!/usr/bin/env python3
"""Small inputs that once found a mistake, read in place from ../shared/repro and repro3: each with its expected result.

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
SHARED = ROOT.parent / "shared"


class Program:
    """The program under test."""

    def __init__(self, path):
        self.path = path
        # Without a Vulkan device the route is left out; `diff` then ends with status 2.
        vulkan = self.run("diff", ROOT / "shaders" / "ld_edges.asm", "--via", "vulkan,ir")[0] != 2
        self.routes = "ir,ptx,maxwell" + (",vulkan" if vulkan else "")
        self.missing = set() if vulkan else {"vulkan"}

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


def routes_agree(routes=None, undefined=None, schedules=4, scene=None, absolute=None):
    """All routes say the same; or everything is undefined, for that reason. The scene is the file's own or one next to it."""

    def judge(program, file):
        path = file.with_name(scene) if scene else file.with_suffix(".json")
        via = ",".join(route for route in (routes or program.routes).split(",") if route not in program.missing)
        status, output, errors = program.run("diff", file, "--via", via, "--schedules", schedules,
                                             *(["--scene", path] if scene or path.exists() else []),
                                             *(["--absolute", absolute] if absolute else []))
        text = output.decode() + errors
        if undefined is not None and status == 2 and undefined in text:
            return ""
        return "" if undefined is None and status == 0 else f"status {status}: {text}"

    return judge


def accepted(*messages):
    """`check` accepts the file, and says these things."""

    def judge(program, file):
        status, _, errors = program.run("check", file)
        missing = [message for message in messages if message not in errors]
        return f"status {status}, without {missing}: {errors}" if status != 0 or missing else ""

    return judge


def kernel_run(piece, status=0):
    """`run` of a PTX kernel ends with this status and says this."""

    def judge(program, file):
        scene = file.with_suffix(".json")
        done, output, errors = program.run("run", file, *(["--scene", scene] if scene.exists() else []))
        text = output.decode() + errors
        return "" if done == status and piece in text else f"status {done}: {text[:400]}"

    return judge


def scene_needs_its_own_names(program, file):
    """A slot is called as in the shader's text; another name is an error."""
    for name, expected in (("T0", 0), ("t1", 1)):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as scene:
            scene.write(f'{{"textures": {{"{name}": {{"generate": "gradient"}}}}}}')
            scene.flush()
            status, _, errors = program.run("run", file, "--scene", scene.name)
        if status != expected:
            return f"{name}: status {status}: {errors}"
    return ""


def own_block_is_read(program, file):
    """The kernel runs with a parameter block of the host."""
    with tempfile.TemporaryDirectory() as folder:
        kernel, scene = pathlib.Path(folder, "own.ptx"), pathlib.Path(folder, "own.json")
        program.run("translate", file, "--to", "ptx", "-o", kernel)
        scene.write_text('{"uavs": {"u0": {"elements": 32}}, "kernel": {"block": [32], "arguments": {"texlate_params": ["u0", 128]}}}')
        status, output, errors = program.run("run", kernel, "--scene", scene)
    return "" if status == 0 and b"00000018 00000019" in output else output.decode() + errors


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
    "divergent_else.asm": [EVERYWHERE],
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
# Comparisons and filters in fixed point, whose weights may be a step off for each axis (docs/spirv.md).
KERNELS = "ir,ptx,maxwell,dksh"
STEP = 0.008
EXPECTED_3 = {
    **{f"attack/{name}.asm": [routes_agree(KERNELS, absolute=STEP)] for name in ("aniso_bias", "aniso_compare")},
    **{f"attack/{name}.asm": [routes_agree(KERNELS, scene="aniso_offset.json", absolute=STEP)]
       for name in ("aniso_bias_offset", "aniso_lod", "aniso_nooffset", "aniso_offset")},
    "attack/fold_double_denormal.asm": [EXACT],
    "attack/fold_rounding.asm": [EXACT],
    "attack/maxwell_predicate_spill.asm": [refused("operand 3 of umax is unsigned: it cannot be negated")],
    "attack/structured_index_wrap.asm": [EVERYWHERE],
    "attack/unwritten_output.asm": [EVERYWHERE],
    "driver/bad_digest.dxbc": [accepted("the container's digest is wrong")],
    "driver/depth_and_mask.asm": [EVERYWHERE],
    "driver/range_name.asm": [scene_needs_its_own_names],
    "driver/sqrt_denormal.asm": [EXACT],
    "driver/uav_read.asm": [valid_spirv],
    "heldout/atomic_order.asm": [routes_agree(undefined="race")],
    "heldout/atomic_order_cs.asm": [routes_agree(undefined="race")],
    "heldout/buffer_ld_51.asm": [EVERYWHERE],
    "heldout/buffer_ld_large.asm": [routes_agree(scene="buffer.json")],
    "heldout/cmp_snorm.asm": [routes_agree(KERNELS, scene="cmp.json", absolute=STEP)],
    "heldout/compact_style.asm": [accepted("mask on a source")],
    "heldout/cube_implicit_lod.asm": [routes_agree("ir,ptx,maxwell", scene="cube_scene.json")],
    "heldout/denormal.asm": [EXACT],
    "heldout/dksh_unbound_status.asm": [EXACT],
    "heldout/dksh_vertex_tail.asm": [routes_agree(KERNELS, scene="vertices33.json")],
    "heldout/lod_anisotropic.asm": [routes_agree(KERNELS, absolute=STEP),
                                    *(routes_agree(KERNELS, scene=f"lod_{scene}.json", absolute=STEP)
                                      for scene in ("bias", "clamp", "view"))],
    "heldout/min_precision.asm": [accepted(), listing_reads_back],
    # A driver may compute with a constant 0 as it likes (docs/spirv.md).
    "heldout/nan_mul_zero.asm": [routes_agree("ir,ptx,maxwell", scene="inf_in.json")],
    "heldout/nan_times_zero.asm": [routes_agree("ir,ptx,maxwell", scene="zero_in.json")],
    "heldout/pcf_fraction.asm": [routes_agree(KERNELS + ",vulkan", absolute=STEP)],
    "heldout/printf.asm": [prints("asm", 'printf "%0 is fine!", r0.z'), valid_spirv],
    "heldout/race_between_groups.asm": [routes_agree("ir,ptx,maxwell", undefined="race", scene="two_groups.json")],
    "heldout/renderdoc_plain.asm": [accepted()],
    "heldout/renderdoc_style.asm": [accepted(), prints("asm", "v1.xyxx, t0.xyzw, s0")],
    "heldout/samplepos_imm.asm": [prints("asm", "samplepos r0.xy, t0.xyxx, l(0)"), EXACT],
    "heldout/sgv_no_interpolation.asm": [accepted()],
    "heldout/sm1.asm": [refused("this shader model is not supported")],
    "heldout/sm3.asm": [refused("this shader model is not supported")],
    "heldout/structured_large.asm": [EVERYWHERE],
    "heldout/this_in_main.asm": [prints("asm", "mov r1.xy, this[0].yxyy")],
    "heldout/tie_decimals.asm": [disassembles("l(0.007813,18.851563,0.000000,0.500000)"), listing_reads_back],
    "heldout/uav_typed_large.asm": [EVERYWHERE],
    "heldout/zero_div.asm": [routes_agree("ir,ptx,maxwell", scene="zero_in.json")],
    "maxwell/compute_ubo7.asm": [routes_agree(KERNELS)],
    "maxwell/div4.asm": [EXACT],
    "maxwell/lod_dksh.asm": [routes_agree(KERNELS, undefined="lod_point")],
    "maxwell/rro_exp.asm": [EXACT],
    "maxwell/rro_nvdisasm.asm": [EXACT],
    "product/disc.asm": [prints("spirv-text", "OpDemoteToHelperInvocation\n")],
    "ptx/barrier20.ptx": [kernel_run("there is no barrier 20: they are 0 to 15", status=1)],
    "ptx/depth.asm": [EXACT],
    "ptx/dispatch.ptx": [kernel_run("0: 00000001 00000000")],
    "ptx/force_early.asm": [EXACT],
    "ptx/grad1d_cmp.ptx": [kernel_run("0: 3f800000 3f800000 3f800000 3f800000")],
    "ptx/grad_s32.ptx": [kernel_run("poison_store", status=1)],
    "ptx/nc.ptx": [kernel_run("poison_store", status=1)],
    "ptx/osrc.asm": [refused("operand 2 of mov must be a value, found o0")],
    "ptx/own_block.asm": [own_block_is_read],
    "ptx/rel.asm": [refused("t[...] has a computed number, which needs shader model 5.1")],
    "ptx/spin.ptx": [kernel_run("0: 00000001")],
    "ptx/suq_array_size.ptx": [kernel_run("0: 00000000 00000000 00000000 00000000")],
    "ptx/sustp.ptx": [kernel_run("component g becomes unpredictable", status=1)],
    "ptx/vote.ptx": [kernel_run("the lane is not in its own member mask", status=1)],
    "ptx/vreg.ptx": [kernel_run("0: 3f068687 3f050505 3e068687 3f800000")],
}
FOLDERS = {SHARED / "repro": EXPECTED, SHARED / "repro3": EXPECTED_3}
SHADERS = {".asm", ".dxbc", ".ptx"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="files whose name holds this")
    arguments = parser.parse_args()
    folders = [folder for folder in FOLDERS if folder.is_dir()]
    if not folders:
        print(f"skipped: no reproductions in {SHARED}")
        return 77
    program = Program(arguments.program)
    bad = runs = 0
    files = [(folder, str(file.relative_to(folder)), file) for folder in folders for file in sorted(folder.rglob("*"))]
    for folder, name, file in files:
        if arguments.only not in name or file.suffix not in SHADERS:
            continue
        if name not in FOLDERS[folder]:
            bad += 1
            print(f"{name}: nothing is expected of it")
        for judge in FOLDERS[folder].get(name, []):
            runs += 1
            complaint = judge(program, file)
            if complaint:
                bad += 1
                print(f"{name}: {complaint.strip()}")
    print(f"{runs} expectations, {bad} not met; routes {program.routes}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
