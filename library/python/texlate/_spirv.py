"""Options of the SPIR-V target."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Optional, Sequence

from . import _library as lib
from ._errors import ArgumentError

_CLASSES = {"cb": 0, "s": 1, "t": 2, "u": 3}
_PASSINGS = {"descriptor": 0, "texel-buffer": 1, "push-constants": 2}
_ROBUSTNESS = {"driver": 0, "shader": 1}
UNSIZED_ARRAY = 0xFFFFFFFF


def register_of(name: str) -> tuple[int, int]:
    """The class and the number of "t3", "cb0", "u1", "s2" or "u1.counter"."""
    match = re.fullmatch(r"(cb|s|t|u)(\d+)(\.counter)?", name)
    if not match or (match[3] and match[1] != "u"):
        raise ArgumentError(f"'{name}' is not a register such as t0, cb1, s2, u3 or u3.counter")
    return (4 if match[3] else _CLASSES[match[1]]), int(match[2])


def _choice(table: dict[str, int], value: str, name: str) -> int:
    if value not in table:
        raise ArgumentError(f"{name} is '{value}', not one of {', '.join(table)}")
    return table[value]


@dataclass
class Binding:
    """Where `count` registers are bound, from `register` on; see texlate_spirv_binding in texlate.h."""

    register: str  # "t0", "cb0", "s0", "u0", "u0.counter"
    set: int = 0
    binding: int = 0  # push constants: offset in bytes
    count: int = 1
    space: int = 0
    passing: str = "descriptor"  # or "texel-buffer", "push-constants"
    size: int = 0  # push constants: bytes; 0: as declared
    array_size: int = 0  # UNSIZED_ARRAY: a run-time array
    element: int = 0
    element_offset_at: Optional[int] = None  # byte of the push constants

    def to_c(self) -> lib.SpirvBinding:
        register_class, first = register_of(self.register)
        return lib.SpirvBinding(
            register_class=register_class,
            space=self.space,
            first=first,
            count=self.count,
            set=self.set,
            binding=self.binding,
            passing=_choice(_PASSINGS, self.passing, "passing"),
            size=self.size,
            array_size=self.array_size,
            element=self.element,
            has_element_offset=0 if self.element_offset_at is None else 1,
            element_offset_at=self.element_offset_at or 0,
        )


@dataclass
class Combined:
    """A texture and a sampler in one descriptor."""

    texture: int
    sampler: int
    set: int = 0
    binding: int = 0
    texture_space: int = 0
    sampler_space: int = 0

    def to_c(self) -> lib.SpirvCombined:
        return lib.SpirvCombined(
            self.texture_space, self.texture, self.sampler_space, self.sampler, self.set, self.binding
        )


@dataclass
class SpirvOptions:
    """Options of the targets "spirv" and "spirv-text"; docs/spirv.md explains them."""

    robustness: str = "driver"  # who handles out-of-bounds accesses: "driver" or "shader"
    version: tuple[int, int] = (1, 3)
    bindings: Sequence[Binding] = ()
    combined: Sequence[Combined] = ()
    strict_bindings: bool = False
    debug: bool = False
    optimize: bool = False
    validate: bool = False
    float_controls: bool = False
    preserve_specials: bool = False
    point_size: bool = False
    dual_source_blending: bool = False
    single_sample_images: bool = False

    def to_c(self, source_name: Optional[str]) -> lib.SpirvOptionsStructure:
        made = lib.SpirvOptionsStructure()
        made.robustness = _choice(_ROBUSTNESS, self.robustness, "robustness")
        made.version = self.version[0] << 16 | self.version[1] << 8
        bindings = [one.to_c() for one in self.bindings]
        combined = [one.to_c() for one in self.combined]
        # ctypes keeps the arrays as long as the structure.
        made.bindings = (lib.SpirvBinding * len(bindings))(*bindings)
        made.binding_count = len(bindings)
        made.binding_stride = ctypes.sizeof(lib.SpirvBinding)
        made.combined = (lib.SpirvCombined * len(combined))(*combined)
        made.combined_count = len(combined)
        made.combined_stride = ctypes.sizeof(lib.SpirvCombined)
        made.source_name = lib.text_of("source_name", source_name) if source_name else None
        for name in (
            "strict_bindings",
            "debug",
            "optimize",
            "validate",
            "float_controls",
            "preserve_specials",
            "point_size",
            "dual_source_blending",
            "single_sample_images",
        ):
            setattr(made, name, 1 if getattr(self, name) else 0)
        return made
