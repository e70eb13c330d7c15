"""Running shaders on scenes, without a GPU."""

from __future__ import annotations

import array
import json
import os
import struct
import subprocess
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

from ._errors import Diagnostic, RunError
from ._library import program_environment, program_path
from ._shader import Source, source_bytes

try:
    import numpy
except ImportError:  # arrays of the standard library then
    numpy = None  # type: ignore[assignment]

Words = Any  # numpy.ndarray, or array.array


@dataclass(frozen=True)
class Picture:
    """What a pixel shader drew: rows from top to bottom, RGBA, 8 bits each."""

    width: int
    height: int
    data: bytes

    def array(self) -> Words:
        """As an array of height x width x 4 bytes (numpy), or as bytes in an array.array."""
        if numpy is not None:
            return numpy.frombuffer(self.data, numpy.uint8).reshape(self.height, self.width, 4)
        return array.array("B", self.data)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a PNG file."""
        rows = b"".join(
            b"\0" + self.data[4 * self.width * y : 4 * self.width * (y + 1)] for y in range(self.height)
        )

        def chunk(kind: bytes, content: bytes) -> bytes:
            return (
                struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
            )

        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        Path(path).write_bytes(
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b"")
        )


def _words(values: list[int]) -> Words:
    if numpy is not None:
        return numpy.array(values, numpy.uint32)
    return array.array("I", values)


def as_floats(words: Words) -> Words:
    """The same bits as 32-bit floats."""
    if numpy is not None:
        return words.view(numpy.float32)
    floats = array.array("f")
    floats.frombytes(words.tobytes())
    return floats


@dataclass(frozen=True)
class Run:
    """What a shader wrote.

    `outputs` has a component of an output for each pixel or vertex ("o0.x"), `uavs` the words of each unordered
    access view ("u0"), as unsigned 32-bit integers; floats() gives them as floats. Pixels are ordered quad by quad:
    pixel_plane() puts them in rows.
    """

    outputs: dict[str, Words]
    uavs: dict[str, Words]
    written: Optional[Words]
    """For each pixel or vertex, 1 if its outputs were written; 0 for discarded pixels. None for compute shaders."""
    undefined: int
    """Not 0 if a result depends on something that Direct3D leaves undefined."""
    width: int
    height: int
    diagnostics: list[Diagnostic]

    def floats(self, name: str) -> Words:
        """An output or a view as floats."""
        return as_floats(self.outputs[name] if name in self.outputs else self.uavs[name])

    def _row_order(self) -> list[int]:
        quads = (self.width + 1) // 2
        return [
            4 * ((y // 2) * quads + x // 2) + 2 * (y % 2) + x % 2
            for y in range(self.height)
            for x in range(self.width)
        ]

    def pixel_plane(self, name: str) -> Words:
        """A component of an output as floats, row by row: height x width (numpy), or one array."""
        words = self.outputs[name]
        order = self._row_order()
        if numpy is not None:
            return words[numpy.array(order)].view(numpy.float32).reshape(self.height, self.width)
        return as_floats(array.array("I", [words[i] for i in order]))

    def picture(self, target: int = 0) -> Picture:
        """Render target `target` as 8-bit colors: NaN is 0, components that are not written are 0, alpha 1."""
        planes = []
        for component in "xyzw":
            name = f"o{target}.{component}"
            if name in self.outputs:
                planes.append([_byte(value) for value in _flat(self.pixel_plane(name))])
            else:
                planes.append([255 if component == "w" else 0] * (self.width * self.height))
        data = bytes(value for pixel in zip(*planes) for value in pixel)
        return Picture(self.width, self.height, data)


def _flat(plane: Words) -> Any:
    return plane.ravel().tolist() if numpy is not None else plane


def _byte(value: float) -> int:
    return int(min(max(value, 0.0), 1.0) * 255.0 + 0.5) if value == value else 0


def _diagnostics(text: str) -> list[Diagnostic]:
    found = []
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if isinstance(entry, dict) and "message" in entry:
            found.append(
                Diagnostic(
                    entry.get("severity", "error"),
                    entry["message"],
                    entry.get("line", 0),
                    entry.get("column", 0),
                    entry.get("length", 0),
                    entry.get("offset"),
                )
            )
        elif line.strip():
            found.append(Diagnostic("error", line.strip()))
    return found


def run(
    source: Source,
    scene: Union[None, dict[str, Any], str, "os.PathLike[str]"] = None,
    *,
    via: str = "ir",
    lenient: bool = False,
    budget: Optional[int] = None,
    timeout: Optional[float] = None,
) -> Run:
    """Runs a vertex, pixel or compute shader on a scene.

    `scene` is a dictionary as in docs/scene.md, or the path of such a JSON file; file names in it are relative to the
    current folder, or to that of the file. `via` is the route: "ir" (the reference), "ptx", "maxwell", "dksh" ...
    Raises RunError, with the messages, if the shader or the scene is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="texlate-") as folder:
        shader, out = Path(folder) / "shader", Path(folder) / "out.json"
        shader.write_bytes(source_bytes(source))
        words = [str(program_path()), "run", str(shader), "--diagnostics=json", "--via", via, "-o", str(out)]
        if lenient:
            words.append("--lenient")
        if budget is not None:
            words += ["--budget", str(budget)]
        settings: dict[str, Any] = {}
        text = b""
        if isinstance(scene, dict):
            # From standard input, so that file names in it are relative to the current folder.
            settings = scene
            text = json.dumps(scene).encode()
            words += ["--scene", "-"]
        elif scene is not None:
            settings = json.loads(Path(scene).read_text())
            words += ["--scene", str(scene)]
        done = subprocess.run(
            words, input=text, capture_output=True, timeout=timeout, env=program_environment(), check=False
        )
        diagnostics = _diagnostics(done.stderr.decode("utf-8", "replace"))
        if not out.exists():
            errors = "\n".join(str(one) for one in diagnostics if one.severity == "error")
            raise RunError(errors or f"texlate ended with status {done.returncode}", diagnostics, done.returncode)
        result = json.loads(out.read_text())
    written = result.get("written")
    width, height = settings.get("viewport", (64, 64))
    return Run(
        outputs={name: _words(values) for name, values in (result.get("outputs") or {}).items()},
        uavs={name: _words(values) for name, values in (result.get("uavs") or {}).items()},
        written=None if written is None else _words(written),
        undefined=result.get("undefined", 0),
        width=width,
        height=height,
        diagnostics=diagnostics,
    )
