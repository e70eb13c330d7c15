"""The shared library through ctypes: its structures and functions as texlate.h declares them."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from ctypes import POINTER, c_char_p, c_float, c_int, c_size_t, c_uint32, c_void_p
from pathlib import Path
from typing import Any, Iterator, Optional

from ._errors import ArgumentError, InternalError

_NATIVE = Path(__file__).resolve().parent / "_native"
_NAMES = {
    "win32": ("texlate.dll", "libtexlate.dll"),
    "darwin": ("libtexlate.dylib",),
}.get(sys.platform, ("libtexlate.so", "libtexlate.so.0"))

OK, INPUT, ARGUMENT, MEMORY, INTERNAL = range(5)


class _Structure(ctypes.Structure):
    """ctypes itself stores as many bits of a number as fit, and says nothing."""

    def __init__(self, *args: Any, **members: Any):
        super().__init__()
        for (name, *_), value in zip(self._fields_, args):
            setattr(self, name, value)
        for name, value in members.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        stored = getattr(self, name)
        if isinstance(value, int) and isinstance(stored, int) and stored != value:
            raise ArgumentError(f"{name} is {value}, which does not fit")


class _Versioned(_Structure):
    """A structure that begins with its size."""

    def __init__(self, *args: Any, **members: Any):
        super().__init__(*args, **members)
        self.struct_size = ctypes.sizeof(self)


class DiagnosticStructure(ctypes.Structure):
    _fields_ = [
        ("severity", c_int),
        ("line", c_uint32),
        ("column", c_uint32),
        ("length", c_uint32),
        ("offset", c_uint32),
        ("message", c_void_p),
        ("message_length", c_size_t),
    ]


class ParseOptions(_Versioned):
    _fields_ = [
        ("struct_size", c_size_t),
        ("allocator", c_void_p),
        ("callback", c_void_p),
        ("callback_user", c_void_p),
        ("digest", c_int),
        ("reserved", c_uint32),
        ("lenient", c_int),
    ]


class TargetInfo(_Versioned):
    _fields_ = [
        ("struct_size", c_size_t),
        ("name", c_char_p),
        ("title", c_char_p),
        ("suffix", c_char_p),
        ("reflection", c_int),
        ("takes_sm", c_int),
        ("takes_uav_formats", c_int),
    ]


class SpirvBinding(_Structure):
    _fields_ = [
        ("register_class", c_int),
        ("space", c_uint32),
        ("first", c_uint32),
        ("count", c_uint32),
        ("set", c_uint32),
        ("binding", c_uint32),
        ("passing", c_int),
        ("size", c_uint32),
        ("array_size", c_uint32),
        ("element", c_uint32),
        ("has_element_offset", c_int),
        ("element_offset_at", c_uint32),
    ]


class SpirvCombined(_Structure):
    _fields_ = [
        ("texture_space", c_uint32),
        ("texture", c_uint32),
        ("sampler_space", c_uint32),
        ("sampler", c_uint32),
        ("set", c_uint32),
        ("binding", c_uint32),
    ]


class SpirvOptionsStructure(_Versioned):
    # The members behind `single_sample_images` are not passed: an older structure is a valid one.
    _fields_ = [
        ("struct_size", c_size_t),
        ("robustness", c_int),
        ("version", c_uint32),
        ("bindings", POINTER(SpirvBinding)),
        ("binding_count", c_size_t),
        ("combined", POINTER(SpirvCombined)),
        ("combined_count", c_size_t),
        ("debug", c_int),
        ("source_name", c_char_p),
        ("optimize", c_int),
        ("validate", c_int),
        ("float_controls", c_int),
        ("preserve_specials", c_int),
        ("binding_stride", c_size_t),
        ("combined_stride", c_size_t),
        ("strict_bindings", c_int),
        ("point_size", c_int),
        ("dual_source_blending", c_int),
        ("single_sample_images", c_int),
    ]


class PtxOptions(_Versioned):
    _fields_ = [
        ("struct_size", c_size_t),
        ("all_mapped", c_int),
        ("max_threads", c_uint32),
        ("max_registers", c_uint32),
        ("function", c_int),
        ("debug", c_int),
        ("source_name", c_char_p),
        ("source", c_char_p),
        ("native_compare", c_int),
    ]


class UavFormatStructure(_Structure):
    _fields_ = [
        ("uav", c_uint32),
        ("components", c_uint32),
        ("bits", c_uint32),
        ("kind", c_int),
        ("format", c_int),
    ]


class ClassInstanceStructure(_Structure):
    _fields_ = [
        ("slot", c_uint32),
        ("table", c_uint32),
        ("constant_buffer", c_uint32),
        ("constant_offset", c_uint32),
        ("texture", c_uint32),
        ("sampler", c_uint32),
    ]


class StaticSampler(_Structure):
    _fields_ = [
        ("filter", c_uint32),
        ("address_u", c_uint32),
        ("address_v", c_uint32),
        ("address_w", c_uint32),
        ("mip_lod_bias", c_float),
        ("max_anisotropy", c_uint32),
        ("comparison", c_uint32),
        ("border_color", c_uint32),
        ("min_lod", c_float),
        ("max_lod", c_float),
        ("shader_register", c_uint32),
        ("space", c_uint32),
        ("visibility", c_uint32),
    ]


class KnownResourceStructure(_Structure):
    _fields_ = [
        ("register_class", c_int),
        ("space", c_uint32),
        ("first", c_uint32),
        ("count", c_uint32),
        ("known", c_uint32),
        ("bound", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("depth", c_uint32),
        ("slices", c_uint32),
        ("mips", c_uint32),
        ("samples", c_uint32),
        ("components", c_uint32),
        ("unorm_bits", c_uint32),
        ("format", c_int),
        ("specialize", c_uint32),
    ]


class KnownSamplerStructure(_Structure):
    _fields_ = [
        ("state", StaticSampler),
        ("count", c_uint32),
        ("has_border", c_uint32),
        ("border", c_float * 4),
    ]


class KnownConstantsStructure(_Structure):
    _fields_ = [
        ("space", c_uint32),
        ("first", c_uint32),
        ("count", c_uint32),
        ("rows", c_uint32),
        ("words", POINTER(c_uint32)),
        ("first_row", c_uint32),
        ("row_count", c_uint32),
        ("specialize", c_uint32),
    ]


class KnownStateStructure(_Versioned):
    _fields_ = [
        ("struct_size", c_size_t),
        ("resources", POINTER(KnownResourceStructure)),
        ("resource_count", c_size_t),
        ("resource_stride", c_size_t),
        ("samplers", POINTER(KnownSamplerStructure)),
        ("sampler_count", c_size_t),
        ("sampler_stride", c_size_t),
        ("constants", POINTER(KnownConstantsStructure)),
        ("constant_count", c_size_t),
        ("constant_stride", c_size_t),
        ("launch", c_uint32),
        ("elements", c_uint32),
        ("helper_lanes", c_uint32),
        ("early_depth", c_uint32),
    ]


class TranslateOptions(_Versioned):
    _fields_ = [
        ("struct_size", c_size_t),
        ("target", c_char_p),
        ("sm", c_uint32),
        ("entry", c_char_p),
        ("explain", c_int),
        ("uav_formats", POINTER(UavFormatStructure)),
        ("uav_format_count", c_size_t),
        ("rounded_literals", c_int),
        ("spirv", POINTER(SpirvOptionsStructure)),
        ("reflect", c_int),
        ("classes", POINTER(ClassInstanceStructure)),
        ("class_count", c_size_t),
        ("callback", c_void_p),
        ("callback_user", c_void_p),
        ("uav_format_stride", c_size_t),
        ("class_stride", c_size_t),
        ("after_pass", c_void_p),
        ("after_pass_user", c_void_p),
        ("ptx", POINTER(PtxOptions)),
        ("context", c_void_p),
        ("known", POINTER(KnownStateStructure)),
        ("fixed_function", c_void_p),
        ("hull", c_void_p),
        ("kernel", c_void_p),
    ]


def text_of(name: str, value: str) -> bytes:
    """A text for C, which ends at the first zero."""
    if not isinstance(value, str) or "\0" in value:
        raise ArgumentError(f"{name} is {value!r}, not a text without the character 0")
    return value.encode()


STRUCTURES = {  # by their names in texlate.h, for the test that compares them with a C compiler's
    "texlate_diagnostic": DiagnosticStructure,
    "texlate_parse_options": ParseOptions,
    "texlate_target_info": TargetInfo,
    "texlate_spirv_binding": SpirvBinding,
    "texlate_spirv_combined": SpirvCombined,
    "texlate_spirv_options": SpirvOptionsStructure,
    "texlate_ptx_options": PtxOptions,
    "texlate_uav_format": UavFormatStructure,
    "texlate_class_instance": ClassInstanceStructure,
    "texlate_static_sampler": StaticSampler,
    "texlate_known_resource": KnownResourceStructure,
    "texlate_known_sampler": KnownSamplerStructure,
    "texlate_known_constants": KnownConstantsStructure,
    "texlate_known_state": KnownStateStructure,
    "texlate_translate_options": TranslateOptions,
}

_SIZE = POINTER(c_size_t)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "texlate_version": (c_char_p, []),
    "texlate_argument_error": (c_char_p, []),
    "texlate_parse": (c_int, [c_char_p, c_size_t, POINTER(ParseOptions), POINTER(c_void_p)]),
    "texlate_program_free": (None, [c_void_p]),
    "texlate_program_diagnostic_count": (c_size_t, [c_void_p]),
    "texlate_program_diagnostic": (c_int, [c_void_p, c_size_t, POINTER(DiagnosticStructure)]),
    "texlate_target_count": (c_uint32, []),
    "texlate_target_get_info": (c_int, [c_uint32, POINTER(TargetInfo)]),
    "texlate_translate": (c_int, [c_void_p, POINTER(TranslateOptions), POINTER(c_void_p)]),
    "texlate_output_free": (None, [c_void_p]),
    "texlate_output_data": (c_void_p, [c_void_p, _SIZE]),
    "texlate_output_reflection": (c_void_p, [c_void_p, _SIZE]),
    "texlate_output_explanation_json": (c_void_p, [c_void_p, _SIZE]),
    "texlate_output_diagnostic_count": (c_size_t, [c_void_p]),
    "texlate_output_diagnostic": (c_int, [c_void_p, c_size_t, POINTER(DiagnosticStructure)]),
    "texlate_check": (c_int, [c_void_p, POINTER(c_void_p)]),
    "texlate_info": (c_int, [c_void_p, c_int, POINTER(c_void_p)]),
}


def _candidates() -> Iterator[Path]:
    if named := os.environ.get("TEXLATE_LIBRARY"):
        yield Path(named)
        return
    for name in _NAMES:
        yield _NATIVE / name
    for name in _NAMES:
        yield Path(name)  # as the system finds libraries


def _load() -> tuple[ctypes.CDLL, Path]:
    # Libraries that the wheel brings along, so that the loader need not find them.
    for dependency in sorted(_NATIVE.glob("deps/*")):
        ctypes.CDLL(str(dependency), mode=ctypes.RTLD_GLOBAL)
    reasons = []
    for path in _candidates():
        if path.parent == _NATIVE and not path.exists():
            continue
        try:
            return ctypes.CDLL(str(path)), path
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        "the shared library of texlate was not found; TEXLATE_LIBRARY can name it: " + "; ".join(reasons)
    )


_library, _path = _load()
for _name, (_result, _arguments) in _FUNCTIONS.items():
    _function = getattr(_library, _name)
    _function.restype, _function.argtypes = _result, _arguments


def function(name: str) -> Any:
    """A function of texlate.h."""
    return getattr(_library, name)


def require_good(status: int) -> None:
    """Raises what a status of the C interface means, except TEXLATE_ERROR_INPUT."""
    if status == ARGUMENT:
        raise ArgumentError(function("texlate_argument_error")().decode("utf-8", "replace"))
    if status == MEMORY:
        raise MemoryError("texlate ran out of memory")
    if status == INTERNAL:
        raise InternalError("a defect in texlate: please report the shader")


def version() -> str:
    """The version of the library: "0.3.0"."""
    text: bytes = function("texlate_version")()
    return text.decode("ascii")


def library_path() -> Path:
    """The shared library in use; a bare name if the system found it."""
    return _path


def program_path() -> Path:
    """The program `texlate`: that of the wheel, $TEXLATE_PROGRAM, or the one in PATH."""
    if named := os.environ.get("TEXLATE_PROGRAM"):
        return Path(named)
    suffix = ".exe" if sys.platform == "win32" else ""
    bundled = _NATIVE / ("texlate" + suffix)
    if bundled.exists():
        return bundled
    found = shutil.which("texlate")
    if found is None:
        raise FileNotFoundError("the program texlate was not found; TEXLATE_PROGRAM can name it")
    return Path(found)


def program_environment() -> Optional[dict[str, str]]:
    """The environment for the program, which finds the libraries of the wheel by it."""
    folder = _NATIVE / "deps"
    if not folder.is_dir() or sys.platform == "win32":
        return None
    environment = dict(os.environ)
    others = environment.get("LD_LIBRARY_PATH")
    environment["LD_LIBRARY_PATH"] = f"{folder}:{others}" if others else str(folder)
    return environment
