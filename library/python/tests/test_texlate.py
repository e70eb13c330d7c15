"""Tests of the module against the shared library and the program that TEXLATE_LIBRARY and TEXLATE_PROGRAM name."""

import ctypes
import shutil
import struct
import subprocess
import threading
from pathlib import Path

import pytest

import texlate
from texlate import _library

ROOT = Path(__file__).resolve().parents[3]
LD_EDGES = ROOT / "shaders" / "ld_edges.asm"
GRADIENT = (
    "ps_5_0\ndcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\n"
    "mul o0.xy, v0.xyxx, l(0.125, 0.25, 0, 0)\nmov o0.zw, l(0,0,0,1.0)\nret\n"
)


def test_translates_text_bytes_and_paths_alike():
    text = LD_EDGES.read_text()
    results = [texlate.translate(shader).data for shader in (text, text.encode(), LD_EDGES, bytearray(text.encode()))]
    assert all(result == results[0] for result in results)
    assert struct.unpack_from("<I", results[0])[0] == 0x07230203


def test_every_target_has_data_and_a_suffix():
    names = [target.name for target in texlate.targets()]
    assert {"ptx", "spirv", "maxwell", "cubin", "dksh", "ir", "asm", "dxbc"} <= set(names)
    for target in texlate.targets():
        result = texlate.translate(LD_EDGES, target.name)
        assert bytes(result) == result.data and result.data
        assert target.suffix.startswith(".")


def test_a_container_comes_back_as_text():
    container = texlate.translate(LD_EDGES, "dxbc").data
    assert container[:4] == b"DXBC"
    assert "ld_aoffimmi_indexable(-8,0,0)" in texlate.translate(container, "asm").text


def test_reflection_and_explanations_are_dictionaries():
    result = texlate.translate(LD_EDGES, "ptx", reflect=True, explain=True, entry="shade")
    assert result.reflection["entry"] == "shade"
    assert result.explanations and all("line" in one or "location" in one or one for one in result.explanations)
    assert texlate.translate(LD_EDGES, "ptx").reflection is None


def test_options_reach_the_library():
    bindings = [texlate.Binding("t0", set=2, binding=7)]
    result = texlate.translate(
        LD_EDGES, "spirv-text", spirv=texlate.SpirvOptions(bindings=bindings, strict_bindings=True, version=(1, 5))
    )
    assert "; Version: 1.5" in result.text
    assert "DescriptorSet 2" in result.text and "Binding 7" in result.text
    assert ".target sm_86" in texlate.translate(LD_EDGES, "ptx", sm=86).text


def test_what_the_host_says_of_its_bindings_reaches_the_library():
    typed = """cs_5_0
dcl_constantbuffer cb0[2], immediateIndexed
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_thread_group 1, 1, 1
store_uav_typed u1.xyzw, l(0,0,0,0), cb0[1].xyzw
ret
"""
    result = texlate.translate(typed, "ptx", reflect=True, uav_formats={1: 28})
    assert result.reflection["resources"][0]["format"]["bits"] == 8
    known = texlate.Known(
        resources=[texlate.KnownResource("u1", width=4, height=4)],
        constants=[texlate.KnownConstants("cb0", words=[1, 2, 3, 4], first_row=1)],
        samplers=[texlate.KnownSampler("s0")],
    )
    relied = texlate.translate(typed, "ptx", reflect=True, known=known).reflection["relies_on"]
    assert {"register": "u1", "fact": "bound", "value": 1} in relied
    assert {"register": "cb0", "row": 1, "mask": 15, "words": [1, 2, 3, 4]} in relied
    with pytest.raises(texlate.ArgumentError, match="is 0: not 1 to 16384"):
        texlate.translate(typed, "ptx", known=texlate.Known(resources=[texlate.KnownResource("u1", width=0, height=1)]))


def test_interfaces_and_hull_shaders():
    linked = """ps_5_0
dcl_function_body fb0
dcl_function_table ft0 = {fb0}
dcl_interface fp0[1][1] = {ft0}
dcl_output o0.xyzw
fcall fp0[0][0]
ret
label fb0
mov o0.xyzw, l(1,1,1,1)
ret
"""
    with pytest.raises(texlate.ShaderError, match="needs a class instance"):
        texlate.translate(linked, "ptx")
    assert texlate.translate(linked, "ptx", classes=[texlate.ClassInstance(0, 0)]).data
    surface = ROOT / "shaders" / "surface"
    hull = texlate.Program(surface / "surface_hs.asm")
    assert texlate.translate(surface / "surface_ds.asm", "dksh", hull=hull).data[:4] == b"DKSH"
    with pytest.raises(texlate.ArgumentError, match="is given, but this is a pixel shader"):
        texlate.translate(GRADIENT, "dksh", hull=hull)


def test_an_error_has_its_place_in_the_text():
    with pytest.raises(texlate.ShaderError) as caught:
        texlate.translate("ps_5_0\ndcl_temps 1\n  frob r0.x\nret\n")
    error = caught.value
    assert (error.line, error.column) == (3, 3)
    assert error.diagnostics[0].severity == "error" and error.diagnostics[0].length == 4
    assert "unknown instruction 'frob'" in str(error)


def test_an_error_has_its_byte_in_a_container():
    container = bytearray(texlate.translate(GRADIENT, "dxbc").data)
    with pytest.raises(texlate.ShaderError):
        texlate.translate(bytes(container[:40]))
    container[4] ^= 1
    assert any("digest" in one.message for one in texlate.translate(bytes(container)).diagnostics)
    with pytest.raises(texlate.ShaderError):
        texlate.translate(bytes(container), digest="require")
    assert texlate.translate(bytes(container), digest="ignore").diagnostics == []


def test_what_a_target_cannot_express_names_the_instruction():
    status = """ps_5_0
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 2
ld_s_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.x, l(0,0,0,0), t0.xyzw
mov o0.xyzw, r1.xxxx
ret
"""
    with pytest.raises(texlate.ShaderError, match="residency feedback before sm_60") as caught:
        texlate.translate(status, "ptx", sm=50)
    assert caught.value.diagnostics[0].line == 5


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: texlate.translate(GRADIENT, "spriv"), "no target 'spriv'"),
        (lambda: texlate.translate(GRADIENT, digest="maybe"), "digest is 'maybe'"),
        (lambda: texlate.translate(12), "not int"),
        (lambda: texlate.translate(GRADIENT, "ptx", function=True, max_threads=64), "max_threads is 64"),
        (lambda: texlate.translate(GRADIENT, spirv=texlate.SpirvOptions(robustness="none")), "robustness"),
        (lambda: texlate.translate(GRADIENT, spirv=texlate.SpirvOptions(bindings=[texlate.Binding("r0")])), "'r0'"),
        (lambda: texlate.translate(GRADIENT, spirv=texlate.SpirvOptions(bindings=[texlate.Binding("t0", set=-1)])), "set is -1"),
        (lambda: texlate.translate(GRADIENT, "ptx", sm=1 << 32), "sm is 4294967296"),
        (lambda: texlate.translate(GRADIENT, "ptx", entry="a\0b"), "entry is 'a"),
        (lambda: texlate.translate(GRADIENT, None), "target is None"),
        (lambda: texlate.KnownConstants("cb0", words=[0, 0, 0, -1]).to_c(), "words of 'cb0'"),
    ],
)
def test_wrong_arguments_are_named(call, text):
    with pytest.raises(texlate.ArgumentError, match=text):
        call()


def test_check_lists_what_is_wrong():
    assert texlate.check(GRADIENT) == []
    found = texlate.check("ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, r3.xyzw\nret\n")
    assert found and found[0].line == 3
    assert texlate.check(b"\x00\x01nonsense")[0].severity == "error"
    assert texlate.check(b"") and texlate.check("")


def test_info_is_a_dictionary():
    info = texlate.info(LD_EDGES)
    assert info["profile"] == "ps_5_0"
    assert [binding["kind"] for binding in info["bindings"]] == ["texture"]
    with pytest.raises(texlate.ShaderError):
        texlate.info("nothing")


def test_a_program_serves_many_threads():
    program = texlate.Program(LD_EDGES)
    expected = program.translate("ptx").data
    results = []
    threads = [threading.Thread(target=lambda: results.append(program.translate("ptx").data)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_a_run_gives_arrays():
    run = texlate.run(GRADIENT, {"viewport": [5, 3]})
    assert (run.width, run.height) == (5, 3)
    red = run.pixel_plane("o0.x")
    rows = red.tolist() if hasattr(red, "tolist") else red
    flat = [value for row in rows for value in row] if isinstance(rows[0], list) else list(rows)
    assert flat == [0.125 * (x + 0.5) for _ in range(3) for x in range(5)]
    picture = run.picture()
    assert picture.data[:4] == bytes([16, 32, 0, 255])
    assert len(picture.data) == 5 * 3 * 4


def test_a_picture_is_a_png_file(tmp_path):
    path = tmp_path / "out.png"
    texlate.run(GRADIENT, {"viewport": [4, 4]}).picture().save(path)
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (4, 4)


def test_routes_agree_and_views_are_arrays():
    shader = (
        "cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 8, 1, 1\n"
        "ishl r0.x, vThreadID.x, l(2)\nstore_raw u0.x, r0.x, vThreadID.x\nret\n"
    )
    scene = {"dispatch": [1, 1, 1], "uavs": {"u0": {"elements": 8}}}
    runs = [texlate.run(shader, scene, via=via) for via in ("ir", "ptx", "maxwell")]
    assert all(list(run.uavs["u0"]) == list(range(8)) for run in runs)
    assert runs[0].written is None and runs[0].undefined == 0
    assert runs[0].floats("u0")[0] == 0.0


def test_a_wrong_scene_is_an_error():
    with pytest.raises(texlate.RunError, match="unknown key 'viewprot'"):
        texlate.run(GRADIENT, {"viewprot": [4, 4]})
    with pytest.raises(texlate.RunError, match="8192"):
        texlate.run(GRADIENT, {"viewport": [65536, 65536]})
    with pytest.raises(texlate.RunError, match="frob"):
        texlate.run("ps_5_0\nfrob\n")


def test_a_scene_file_names_files_next_to_it():
    scene = ROOT / "shaders" / "scenes" / "ld_edges.json"
    assert texlate.run(LD_EDGES, scene).picture().width == 80


def test_versions_agree():
    program = subprocess.run([str(texlate.program_path()), "--version"], capture_output=True, text=True, check=True)
    assert program.stdout == f"texlate {texlate.version()}\n" == f"texlate {texlate.__version__}\n"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_structures_are_those_of_the_header(tmp_path):
    lines = []
    for name, structure in _library.STRUCTURES.items():
        for member, _ in structure._fields_:
            lines.append(f'  printf("{name} {member} %zu\\n", offsetof({name}, {member}));')
    source = tmp_path / "offsets.c"
    source.write_text(
        '#include <stdio.h>\n#include "texlate/texlate.h"\nint main(void) {\n' + "\n".join(lines) + "\n}\n"
    )
    program = tmp_path / "offsets"
    subprocess.run(["cc", "-I", str(ROOT / "include"), str(source), "-o", str(program)], check=True)
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        name, member, offset = line.split()
        assert getattr(_library.STRUCTURES[name], member).offset == int(offset), line
    assert ctypes.sizeof(_library.SpirvBinding) == 48
