#!/usr/bin/env python3
"""Makes a wheel of the module with the shared library and the program of a build inside.

    make_wheel.py --build build/package --out build/wheels

A wheel is a zip file (PEP 427), so nothing but Python and binutils is needed. The build may be for another system: the tag names
the one whose format the library has. On Linux it also names the oldest glibc that the two files run with (PEP 600). What else they
need is put next to them, except what every Linux system has.
"""

import argparse
import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The libraries of PEP 600 that texlate can need.
ON_EVERY_SYSTEM = re.compile(r"(linux-vdso|ld-linux|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)[-.]")
EPOCH = (2020, 1, 1, 0, 0, 0)  # equal inputs give equal wheels


def output_of(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def system_of(file: Path) -> "tuple[str, str]":
    """The system and the processor for which the file is, as tags of wheels spell them."""
    head = file.read_bytes()[:4096]
    if head[:4] == b"\x7fELF":
        machine = int.from_bytes(head[18:20], "little")
        processors = {0x3E: "x86_64", 0xB7: "aarch64", 0x03: "i686"}
        if machine in processors:
            return "linux", processors[machine]
    elif head[:2] == b"MZ":
        at = int.from_bytes(head[0x3C:0x40], "little")
        if head[at : at + 6] == b"PE\0\0\x64\x86":
            return "windows", "amd64"
    elif head[:4] == b"\xcf\xfa\xed\xfe":
        return "macos", "arm64" if int.from_bytes(head[4:8], "little") == 0x100000C else "x86_64"
    sys.exit(f"{file} is for a system for which there are no wheels")


def dependencies(file: Path) -> "dict[str, Path]":
    """The libraries that the file needs and not every Linux system has."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "-d", str(file)))
    if all(ON_EVERY_SYSTEM.match(name) for name in needed):
        return {}
    found = {}
    for line in output_of("ldd", str(file)).splitlines():  # with what these need
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if match and not ON_EVERY_SYSTEM.match(match[1]):
            if match[2] == "not":
                sys.exit(f"{file} needs {match[1]}, which is not on this system")
            found[match[1]] = Path(match[2])
    return found


def glibc_of(file: Path) -> "tuple[int, int]":
    """The newest version of glibc that the file asks for."""
    versions = re.findall(r"\bGLIBC_(\d+)\.(\d+)", output_of("readelf", "-V", "--wide", str(file)))
    return max(((int(major), int(minor)) for major, minor in versions), default=(2, 17))


def version() -> str:
    match = re.search(r"project\(texlate VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    if match is None:
        sys.exit("CMakeLists.txt names no version")
    return match[1]


class Wheel:
    """The files of a wheel and their record."""

    def __init__(self, path: Path, info: str):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.info = info
        self.record: "list[tuple[str, str, int]]" = []

    def add(self, name: str, data: bytes, executable: bool = False) -> None:
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append((name, "sha256=" + digest, len(data)))

    def close(self) -> None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows(self.record)
        writer.writerow((self.info + "/RECORD", "", ""))
        entry = zipfile.ZipInfo(self.info + "/RECORD", EPOCH)
        entry.external_attr = 0o100644 << 16
        self.zip.writestr(entry, text.getvalue())
        self.zip.close()


def make(library: Path, program: Path, out: Path) -> Path:
    system, processor = system_of(library)
    library_name = {"windows": "texlate.dll", "macos": "libtexlate.dylib"}.get(system, "libtexlate.so")
    natives = {library_name: library, "texlate.exe" if system == "windows" else "texlate": program}
    bundled: "dict[str, Path]" = {}
    if system == "windows":
        platform = f"win_{processor}"
    elif system == "macos":
        platform = f"macosx_13_0_{processor}"
    else:
        for file in (library, program):
            bundled.update(dependencies(file))
        major, minor = max(glibc_of(file) for file in [*natives.values(), *bundled.values()])
        platform = f"manylinux_{major}_{minor}_{processor}"
    # Symbols stay: a stack trace without names helps nobody, and they are not debug information.
    tag = f"py3-none-{platform}"
    info = f"texlate-{version()}.dist-info"
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"texlate-{version()}-{tag}.whl"
    wheel = Wheel(path, info)
    for source in sorted((HERE / "texlate").glob("*")):
        if source.suffix == ".py" or source.name == "py.typed":
            wheel.add(f"texlate/{source.name}", source.read_bytes())
    for name, file in natives.items():
        wheel.add(f"texlate/_native/{name}", file.read_bytes(), executable=True)
    for name, file in sorted(bundled.items()):
        wheel.add(f"texlate/_native/deps/{name}", file.read_bytes(), executable=True)
    readme = (HERE / "README.md").read_text()
    wheel.add(
        f"{info}/METADATA",
        (
            f"Metadata-Version: 2.1\nName: texlate\nVersion: {version()}\n"
            "Summary: Direct3D shader-model 4.0-5.1 programs to SPIR-V, PTX and Maxwell machine code\n"
            "Requires-Python: >=3.8\nProvides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"
            "Description-Content-Type: text/markdown\nLicense-File: LICENSE\n\n" + readme
        ).encode(),
    )
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: texlate\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\ntexlate = texlate._program:main\n")
    wheel.add(f"{info}/top_level.txt", b"texlate\n")
    wheel.close()
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="the build folder")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the wheel")
    arguments = parser.parse_args()
    programs = [arguments.build / "bin" / name for name in ("texlate", "texlate.exe")]
    libraries = [arguments.build / name for name in ("libtexlate.so", "bin/texlate.dll", "libtexlate.dylib")]
    program = next((file for file in programs if file.exists()), None)
    library = next((file for file in libraries if file.exists()), None)
    if program is None or library is None:
        sys.exit(f"{arguments.build} has no {'program' if program is None else 'shared library'}")
    print(make(Path(os.path.realpath(library)), program, arguments.out))


if __name__ == "__main__":
    main()
