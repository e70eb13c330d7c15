#!/usr/bin/env python3
"""Compares the translations of this build with those of the other presets' builds, byte by byte (by digests).

    same_bytes.py DIGESTS [FILE...]

DIGESTS is the program `digests` of this build. Without FILE: every shader in the repository, and those of
../shared/corpus if it is there. Builds that this machine does not have, and builds that it cannot run, are named
as skipped. Exit status 77: there was nothing to compare with. A build that must not be skipped is named in
TEXLATE_MUST_COMPARE ("windows arm64").
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = {".asm", ".dxbc", ".ir", ".bin", ".dxso"}
FOLDERS = ["shaders", "tests/cases", "tests/stages", "tests/fuzz/frontend/seeds", "tests/fuzz/frontend/container_seeds"]
# The preset, its program, and what runs it here.
BUILDS = [
    ("clang", "build/clang/bin/digests", []),
    ("i386", "build/i386/bin/digests", []),
    ("windows", "build/windows/bin/digests.exe", ["tools/wine.sh"]),
    ("arm64", "build/arm64/bin/digests", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
    ("wasm", "build/wasm/bin/digests.wasm", ["tools/wasi.sh"]),
]


def shaders():
    found = []
    for folder in FOLDERS:
        found += [p for p in (SOURCE / folder).rglob("*") if p.suffix in SUFFIXES]
    corpus = SOURCE.parent / "shared" / "corpus"
    if corpus.is_dir():
        # Relative, so that every system finds it: the tests run in the root of the repository.
        found += [p for p in corpus.rglob("*") if p.suffix in {".asm", ".dxbc"} and p.is_file()]
    else:
        print("skipped: ../shared/corpus is not there")
    return sorted(os.path.relpath(p, SOURCE) for p in found)


def run(command, listing):
    done = subprocess.run(command + [listing], cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        return None, f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
    return done.stdout.decode().splitlines(), None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    files = sys.argv[2:] or shaders()
    must = os.environ.get("TEXLATE_MUST_COMPARE", "").split()
    failed, compared = False, 0
    with tempfile.NamedTemporaryFile("w", suffix=".txt", dir=SOURCE / "build") as listing:
        listing.write("\n".join(name.replace(os.sep, "/") for name in files) + "\n")
        listing.flush()
        name = os.path.relpath(listing.name, SOURCE)
        expected, problem = run([sys.argv[1]], name)
        if expected is None:
            sys.exit(f"{sys.argv[1]}: {problem}")
        print(f"{len(files)} shaders, {len(expected)} lines of digests")
        for preset, program, runner in BUILDS:
            why = None
            if not (SOURCE / program).exists():
                why = f"there is no {program} (make {preset})"
            elif runner and "/" not in runner[0] and shutil.which(runner[0]) is None:
                why = f"there is no {runner[0]} to run it"
            if why is not None:
                print(f"skipped: {preset}: {why}")
                failed |= preset in must
                continue
            found, problem = run(runner + [str(SOURCE / program)], name)
            if found is None:
                print(f"FAILED: {preset}: {problem}")
                failed = True
                continue
            compared += 1
            differ = [(a, b) for a, b in zip(expected, found) if a != b]
            if differ or len(found) != len(expected):
                failed = True
                print(f"FAILED: {preset}: {len(differ)} of {len(expected)} lines differ, and it printed {len(found)}")
                for a, b in differ[:10]:
                    print(f"  here:    {a}\n  {preset + ':':8} {b}")
            else:
                print(f"equal: {preset}: all {len(found)} lines")
    if failed:
        sys.exit(1)
    if compared == 0:
        sys.exit(77)


main()
