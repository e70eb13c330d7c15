"""Shaders: reading, checking, describing and translating them."""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

from . import _library as lib
from ._errors import ArgumentError, Diagnostic, InternalError, ShaderError
from ._known import ClassInstance, Known, array_of, uav_formats_to_c
from ._spirv import SpirvOptions

Source = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]"]

_SEVERITIES = ("note", "warning", "error")
_DIGESTS = {"warn": 0, "require": 1, "ignore": 2}
_NO_OFFSET = 0xFFFFFFFF


@dataclass(frozen=True)
class Target:
    """What a shader can be translated to."""

    name: str
    title: str
    suffix: str
    has_reflection: bool
    takes_sm: bool
    takes_uav_formats: bool


@dataclass(frozen=True)
class Translation:
    """The result of a translation."""

    target: str
    data: bytes
    diagnostics: list[Diagnostic]
    reflection: Optional[dict[str, Any]]
    """What the host must bind; None unless `reflect` was given and the target has a reflection."""
    explanations: list[dict[str, Any]]
    """One dictionary for each guard (docs/explain.md); empty unless `explain` was given."""

    @property
    def text(self) -> str:
        """The translation as text, for targets that are text."""
        return self.data.decode("utf-8")

    def __bytes__(self) -> bytes:
        return self.data


def targets() -> list[Target]:
    """Everything that `translate` takes as `target`."""
    found = []
    for index in range(lib.function("texlate_target_count")()):
        info = lib.TargetInfo()
        lib.require_good(lib.function("texlate_target_get_info")(index, ctypes.byref(info)))
        found.append(
            Target(
                info.name.decode(),
                info.title.decode(),
                info.suffix.decode(),
                bool(info.reflection),
                bool(info.takes_sm),
                bool(info.takes_uav_formats),
            )
        )
    return found


def source_bytes(source: Source) -> bytes:
    """The bytes of a shader: text is encoded, a path is read."""
    if isinstance(source, str):
        return source.encode("utf-8", "surrogateescape")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if isinstance(source, os.PathLike):
        with open(source, "rb") as file:
            return file.read()
    raise ArgumentError(f"a shader is bytes, text or a path, not {type(source).__name__}")


def _diagnostics(handle: Any, count: str, get: str) -> list[Diagnostic]:
    found = []
    entry = lib.DiagnosticStructure()
    for index in range(lib.function(count)(handle)):
        if lib.function(get)(handle, index, ctypes.byref(entry)):
            message = ctypes.string_at(entry.message, entry.message_length).decode("utf-8", "replace")
            offset = None if entry.offset == _NO_OFFSET else entry.offset
            found.append(
                Diagnostic(_SEVERITIES[entry.severity], message, entry.line, entry.column, entry.length, offset)
            )
    return found


class _Output:
    """An output of the library, freed at the end of a `with` block."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()

    def __enter__(self) -> "_Output":
        return self

    def __exit__(self, *_: object) -> None:
        lib.function("texlate_output_free")(self.handle)

    def bytes_of(self, getter: str) -> bytes:
        size = ctypes.c_size_t()
        data = lib.function(getter)(self.handle, ctypes.byref(size))
        return ctypes.string_at(data, size.value) if data else b""

    def json_of(self, getter: str) -> Any:
        text = self.bytes_of(getter)
        return json.loads(text) if text else None

    def diagnostics(self) -> list[Diagnostic]:
        return _diagnostics(self.handle, "texlate_output_diagnostic_count", "texlate_output_diagnostic")

    def require_good(self, status: int) -> None:
        if status == lib.INPUT:
            raise ShaderError(self.diagnostics())
        lib.require_good(status)


class Program:
    """A shader that was read.

    `digest`: what a wrong digest of a container is: "warn", "require" (an error) or "ignore". `lenient`: accept what
    Direct3D's drivers accept although it is wrong. Raises ShaderError if the shader cannot be read. A program may be used
    by several threads at once.
    """

    def __init__(self, source: Source, *, digest: str = "warn", lenient: bool = False):
        self._handle = ctypes.c_void_p()
        if digest not in _DIGESTS:
            raise ArgumentError(f"digest is '{digest}', not one of {', '.join(_DIGESTS)}")
        data = source_bytes(source)
        options = lib.ParseOptions(digest=_DIGESTS[digest], lenient=1 if lenient else 0)
        status = lib.function("texlate_parse")(data, len(data), ctypes.byref(options), ctypes.byref(self._handle))
        if self._handle:
            self.diagnostics = _diagnostics(
                self._handle, "texlate_program_diagnostic_count", "texlate_program_diagnostic"
            )
        if status == lib.INPUT:
            raise ShaderError(self.diagnostics)
        lib.require_good(status)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            lib.function("texlate_program_free")(handle)

    diagnostics: list[Diagnostic]
    """Warnings about the shader."""

    def translate(
        self,
        target: str = "spirv",
        *,
        sm: int = 0,
        entry: str = "main",
        explain: bool = False,
        reflect: bool = False,
        spirv: Optional[SpirvOptions] = None,
        debug: bool = False,
        source_name: Optional[str] = None,
        function: bool = False,
        all_mapped: bool = False,
        max_threads: int = 0,
        max_registers: int = 0,
        uav_formats: Optional[Mapping[int, int]] = None,
        classes: Sequence[ClassInstance] = (),
        known: Optional[Known] = None,
        hull: Optional["Program"] = None,
    ) -> Translation:
        """Translates to one of targets().

        `sm`, `function`, `all_mapped`, `max_threads` and `max_registers` are for PTX and Maxwell code. `debug` writes the
        source's lines, under the name `source_name`. `uav_formats` has the number of the DXGI_FORMAT of each typed u#,
        `classes` what is bound to interface slots, `known` what the host knows of its bindings (docs/known_state.md), and
        `hull` is the hull shader before a domain shader, which "dksh" needs. Raises ShaderError if the shader is wrong or the target cannot express it, and ArgumentError if
        an option is wrong.
        """
        ptx = lib.PtxOptions(
            all_mapped=1 if all_mapped else 0,
            max_threads=max_threads,
            max_registers=max_registers,
            function=1 if function else 0,
            debug=1 if debug else 0,
            source_name=lib.text_of("source_name", source_name) if source_name else None,
        )
        spirv_options = spirv if spirv is not None else SpirvOptions()
        spirv_structure = spirv_options.to_c(source_name)
        if debug:
            spirv_structure.debug = 1
        options = lib.TranslateOptions(
            target=lib.text_of("target", target),
            sm=sm,
            entry=lib.text_of("entry", entry),
            explain=1 if explain else 0,
            reflect=1 if reflect else 0,
            spirv=ctypes.pointer(spirv_structure),
            ptx=ctypes.pointer(ptx),
            uav_formats=array_of(lib.UavFormatStructure, uav_formats_to_c(uav_formats or {})),
            uav_format_count=len(uav_formats or {}),
            uav_format_stride=ctypes.sizeof(lib.UavFormatStructure),
            classes=array_of(lib.ClassInstanceStructure, [one.to_c() for one in classes]),
            class_count=len(classes),
            class_stride=ctypes.sizeof(lib.ClassInstanceStructure),
            known=ctypes.pointer(known.to_c()) if known is not None else None,
            hull=hull._handle if hull is not None else None,
        )
        with _Output() as output:
            status = lib.function("texlate_translate")(
                self._handle, ctypes.byref(options), ctypes.byref(output.handle)
            )
            output.require_good(status)
            return Translation(
                target,
                output.bytes_of("texlate_output_data"),
                self.diagnostics + output.diagnostics(),
                output.json_of("texlate_output_reflection"),
                output.json_of("texlate_output_explanation_json") or [],
            )

    def check(self) -> list[Diagnostic]:
        """Everything that Direct3D would refuse, and warnings; empty if the shader is good."""
        with _Output() as output:
            status = lib.function("texlate_check")(self._handle, ctypes.byref(output.handle))
            if status != lib.INPUT:
                lib.require_good(status)
            return self.diagnostics + output.diagnostics()

    def info(self) -> dict[str, Any]:
        """Profile, bindings, signatures, counts, and the names and types in a container, as docs/frontend.md says."""
        with _Output() as output:
            status = lib.function("texlate_info")(self._handle, 1, ctypes.byref(output.handle))
            output.require_good(status)
            described = output.json_of("texlate_output_data")
        if not isinstance(described, dict):
            raise InternalError("the summary is not a JSON object")
        return described


def translate(source: Source, target: str = "spirv", *, digest: str = "warn", lenient: bool = False, **options: Any) -> Translation:
    """Reads and translates a shader. `options` are those of Program.translate().

    >>> texlate.translate(open("a.dxbc", "rb").read(), target="spirv").data[:4]
    b'\\x03\\x02#\\x07'
    """
    return Program(source, digest=digest, lenient=lenient).translate(target, **options)


def check(source: Source, *, digest: str = "warn", lenient: bool = False) -> list[Diagnostic]:
    """The messages about a shader, without raising: an empty list means that it is good."""
    try:
        return Program(source, digest=digest, lenient=lenient).check()
    except ShaderError as error:
        return error.diagnostics


def info(source: Source, *, digest: str = "warn") -> dict[str, Any]:
    """What a shader is and needs, as a dictionary (docs/frontend.md)."""
    return Program(source, digest=digest).info()
