#!/usr/bin/env python3
"""Compares the translations of this build with those of the other presets' builds, byte by byte (by digests).

    same_bytes.py DIGESTS [FILE...]

DIGESTS is the program `digests` of this build. Without FILE: every shader in the repository, and every fifth of
../shared/corpus if it is there (all with TEXLATE_EXHAUSTIVE=1). Builds that this machine does not have or cannot run, and builds that are older than the
sources, are named as skipped. Exit status 77: there was nothing to compare with. A build that must not be skipped is named in
TEXLATE_MUST_COMPARE ("windows arm64").
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = {".asm", ".dxbc", ".ir", ".bin", ".dxso"}
FOLDERS = ["shaders", "tests/cases", "tests/stages", "tests/golden", "tests/fuzz/frontend/seeds", "tests/fuzz/frontend/container_seeds"]
SOURCES = {".cpp", ".c", ".h", ".inc"}
# The preset, its program, and what runs it here.
BUILDS = [
    ("clang", "build/clang/bin/digests", []),
    ("checked", "build/checked/bin/digests", []),  # clang, too, with sanitizers and the verifier
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
        theirs = sorted(p for p in corpus.rglob("*") if p.suffix in {".asm", ".dxbc"} and p.is_file())
        found += theirs if os.environ.get("TEXLATE_EXHAUSTIVE") else theirs[::5]
    else:
        print("skipped: ../shared/corpus is not there")
    return sorted(os.path.relpath(p, SOURCE) for p in found)


def run(command, listing):
    done = subprocess.run(command + [listing], cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        return None, f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
    return done.stdout.decode().splitlines(), None


def newest_source():
    """When the last source of the library was changed."""
    folders = ["frontend", "ir", "backend", "library", "include"]
    return max(p.stat().st_mtime for folder in folders for p in (SOURCE / folder).rglob("*") if p.suffix in SOURCES)


def why_not(program, runner, newest):
    """Why a build is not compared; None: it is."""
    if not (SOURCE / program).exists():
        return f"there is no {program}"
    if (SOURCE / program).stat().st_mtime < newest:
        return f"{program} is older than the sources"
    if runner and "/" not in runner[0] and shutil.which(runner[0]) is None:
        return f"there is no {runner[0]} to run it"
    return None


def compare(preset, expected, found, problem):
    """Prints how a build's digests differ from these. True: they do not."""
    if found is None:
        print(f"FAILED: {preset}: {problem}")
        return False
    differ = [(a, b) for a, b in zip(expected, found) if a != b]
    if not differ and len(found) == len(expected):
        print(f"equal: {preset}: all {len(found)} lines")
        return True
    print(f"FAILED: {preset}: {len(differ)} of {len(expected)} lines differ, and it printed {len(found)}")
    for a, b in differ[:10]:
        print(f"  here:    {a}\n  {preset + ':':8} {b}")
    return False


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    files = sys.argv[2:] or shaders()
    must = os.environ.get("TEXLATE_MUST_COMPARE", "").split()
    newest = newest_source()
    reasons = {preset: why_not(program, runner, newest) for preset, program, runner in BUILDS}
    with tempfile.NamedTemporaryFile("w", suffix=".txt", dir=SOURCE / "build") as listing:
        listing.write("\n".join(name.replace(os.sep, "/") for name in files) + "\n")
        listing.flush()
        name = os.path.relpath(listing.name, SOURCE)
        expected, problem = run([sys.argv[1]], name)
        if expected is None:
            sys.exit(f"{sys.argv[1]}: {problem}")
        print(f"{len(files)} shaders, {len(expected)} lines of digests")
        # Each build is one thread; together they take as long as the slowest emulator.
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = {
                preset: pool.submit(run, runner + [str(SOURCE / program)], name)
                for preset, program, runner in BUILDS
                if reasons[preset] is None
            }
            equal = [compare(preset, expected, *done.result()) for preset, done in runs.items()]
    for preset, reason in reasons.items():
        if reason is not None:
            print(f"skipped: {preset}: {reason}")
    unknown = [preset for preset in must if reasons.get(preset, "there is no such build") is not None]
    if unknown or not all(equal):
        sys.exit(f"FAILED: not compared: {' '.join(unknown)}" if unknown else 1)
    if not equal:
        sys.exit(77)


main()
