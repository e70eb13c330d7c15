#!/usr/bin/env python3
"""The code that a GPU's compiler makes of texlate's SPIR-V, and of vkd3d-shader's (docs/performance.md, "Code for a GPU").

usage: gpu_code.py TEXLATE GPU_CODE SHADER...      or @FILE, which lists shaders
       gpu_code.py ... --against TEXLATE           compares with another build of texlate

TEXLATE and GPU_CODE are the built programs; GPU_CODE is built with -DTEXLATE_BUILD_BENCHMARKS=ON. The Vulkan driver is the one that
VK_ICD_FILENAMES names. Mesa's RADV needs no GPU:
  VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/radeon_icd.x86_64.json RADV_FORCE_FAMILY=navi21 MESA_SHADER_CACHE_DISABLE=1

Pixel, vertex and compute shaders that both translate, each in a pipeline with another stage that writes or reads all that it reads or
writes. Prints totals by folder and the worst shaders; --json FILE writes the statistics of all.
"""
import argparse
import hashlib
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from spirv_interface import INPUT, OUTPUT, Module

SCALARS = {"f": "float", "i": "int", "u": "uint"}
VECTORS = {"f": "vec", "i": "ivec", "u": "uvec"}
FIGURES = ("Instructions", "Code size", "VGPRs", "Latency")
WORST = 10


def glsl_type(components, letter):
    return SCALARS[letter] if components == 1 else f"{VECTORS[letter]}{components}"


def partner_of(module):
    """GLSL of the other stage of a pipeline: its suffix and its text; None for compute shaders."""
    declarations, statements = [], []
    is_pixel = module.stage == "pixel"
    for location, component, count, letter in module.variables_of(INPUT if is_pixel else OUTPUT):
        name, factor = f"v{location}_{component}", location + component + 2  # distinct, so that nothing is merged
        kind, flat = glsl_type(count, letter), "" if letter == "f" else "flat "
        declarations.append(f"layout(location={location},component={component}) {flat}{'out' if is_pixel else 'in'} {kind} {name};")
        lanes = "xyzw"[:count]
        if is_pixel:
            statements.append(f"{name} = {kind}({'a' if letter == 'f' else 'b'}.{lanes} * {factor});")
        else:
            statements.append(f"result.{lanes} += {glsl_type(count, 'f')}({name}) * {factor};")
    if is_pixel:
        head = ["layout(location=0) in vec4 a;", "layout(location=1) in ivec4 b;"]
        return "vert", "\n".join(["#version 450", *head, *declarations, "void main() { gl_Position = a;", *statements, "}\n"])
    head = ["layout(location=0) out vec4 target;"]
    body = ["void main() { vec4 result = vec4(0);", *statements, "target = result; }\n"]
    return "frag", "\n".join(["#version 450", *head, *declarations, *body])


def compiled_partner(module, folder):
    if module.stage == "compute":
        return "-"
    suffix, text = partner_of(module)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.{suffix}"
    compiled = path.with_suffix(path.suffix + ".spv")
    if not compiled.exists():
        path.write_text(text)
        subprocess.run(["glslangValidator", "-V", path, "-o", compiled], check=True, stdout=subprocess.DEVNULL)
    return str(compiled)


def job_of(path, folder):
    """A line for the program gpu_code; None for stages that it does not compile."""
    module = Module(path)
    if module.stage is None:
        return None
    targets, attributes = "-", "-"
    if module.stage == "pixel":
        letters = {location: letter for location, _, _, letter in module.variables_of(OUTPUT)}
        targets = "".join(letters.get(i, "f") for i in range(max(letters, default=-1) + 1)) or "-"
        attributes = "0,f;1,i"  # of the partner
    elif module.stage == "vertex":
        targets = "f"
        attributes = ";".join(f"{location},{letter}" for location, _, _, letter in module.variables_of(INPUT)) or "-"
    bindings = ";".join(f"{s},{b},{kind},{count}" for (s, b), (kind, count) in sorted(module.descriptors().items())) or "-"
    return " ".join([module.stage, str(path), compiled_partner(module, folder), targets, bindings, attributes])


def translated(command, output):
    subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return output if output.exists() and output.stat().st_size > 20 else None


def translate_both(texlate, against, shader, number, folder):
    ours, theirs, container = folder / f"ours{number}.spv", folder / f"theirs{number}.spv", folder / f"{number}.dxbc"
    if not translated([texlate, "translate", shader, "--to", "spirv", "-o", ours], ours):
        return None
    if against:
        other = translated([against, "translate", shader, "--to", "spirv", "-o", theirs], theirs)
        return (ours, theirs) if other else None
    if not translated([texlate, "translate", shader, "--to", "dxbc", "-o", container], container):
        return None
    if not translated(["vkd3d-compiler", "-x", "dxbc-tpf", "-b", "spirv-binary", "-o", theirs, container], theirs):
        return None
    return ours, theirs


def statistics(gpu_code, jobs):
    """{module: {name: number}} of those that compile."""
    run = subprocess.run([gpu_code], input="".join(job + "\n" for job in jobs), capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    found = {}
    for line in run.stdout.splitlines():
        module, _, rest = line.partition(" ")
        if rest.startswith("failed"):
            print(line, file=sys.stderr)
            continue
        found[module] = {name: int(number) for name, number in re.findall(r"([A-Z][^=]*)=(\d+)", rest)}
    return found


def ratio(pairs, figure):
    ours, theirs = (sum(pair[i][figure] for pair in pairs) for i in (0, 1))
    logs = [math.log(max(1, a[figure]) / max(1, b[figure])) for a, b in pairs]
    return f"{ours:>9,} {theirs:>9,}   {ours / max(1, theirs):.3f}   {math.exp(sum(logs) / len(logs)):.3f}"


def print_tables(results):
    folders = {}
    for shader, pair in results.items():
        folders.setdefault(Path(shader).parent.name, []).append(pair)
    folders["all"] = list(results.values())
    for figure in FIGURES:
        print(f"\n{figure:28} shaders   texlate     other   total  geometric mean")
        for folder, pairs in folders.items():
            print(f"{folder[:28]:28} {len(pairs):7} {ratio(pairs, figure)}")
    more = sorted(results, key=lambda s: results[s][1]["Instructions"] - results[s][0]["Instructions"])
    print("\nmost instructions more")
    for shader in more[:WORST]:
        ours, theirs = results[shader]
        print(f"{ours['Instructions']:7} {theirs['Instructions']:7}  {shader}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texlate")
    parser.add_argument("gpu_code")
    parser.add_argument("shaders", nargs="+")
    parser.add_argument("--against")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    shaders = []
    for name in arguments.shaders:
        shaders += Path(name[1:]).read_text().splitlines() if name.startswith("@") else [name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        modules, jobs = {}, []
        for number, shader in enumerate(shaders):
            both = translate_both(arguments.texlate, arguments.against, shader, number, folder)
            lines = [job_of(path, folder) for path in both] if both else [None]
            if None not in lines:
                modules[shader] = both
                jobs += lines
        found = statistics(arguments.gpu_code, jobs)
    results = {s: tuple(found[str(m)] for m in both) for s, both in modules.items() if all(str(m) in found for m in both)}
    if not results:
        sys.exit("nothing to compare")
    print_tables(results)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
