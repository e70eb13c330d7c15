"""Known state (docs/known_state.md), formats of views and class instances: what the host says about its bindings."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence

from . import _library as lib
from ._errors import ArgumentError
from ._spirv import register_of

ALL_REGISTERS = 0xFFFFFFFF
SNORM = 0xFFFFFFFF


@dataclass
class ClassInstance:
    """What is bound to an interface slot: an instance of a class, and where its data starts."""

    slot: int  # of fp#, plus the index into its array
    table: int  # the number of ft#
    constant_buffer: int = 0
    constant_offset: int = 0
    texture: int = 0
    sampler: int = 0

    def to_c(self) -> lib.ClassInstanceStructure:
        return lib.ClassInstanceStructure(
            self.slot, self.table, self.constant_buffer, self.constant_offset, self.texture, self.sampler
        )


@dataclass
class KnownResource:
    """What is known of `count` views from `register` on ("t0", "u1"). None is not known; `bound=False`: nothing is bound."""

    register: str
    count: int = 1
    space: int = 0
    bound: bool = True
    width: Optional[int] = None  # or the number of elements, structures or bytes of a buffer
    height: Optional[int] = None
    depth: Optional[int] = None
    slices: Optional[int] = None
    mips: Optional[int] = None
    samples: Optional[int] = None
    components: Optional[int] = None  # 1 red, 2 green, 4 blue, 8 alpha, or-ed
    unorm_bits: Optional[int] = None  # 0: another format; SNORM
    format: Optional[int] = None  # of a typed u#: the number of its DXGI_FORMAT
    specialize: bool = False

    def to_c(self) -> lib.KnownResourceStructure:
        register_class, first = register_of(self.register)
        made = lib.KnownResourceStructure(
            register_class=register_class,
            space=self.space,
            first=first,
            count=self.count,
            known=1,
            bound=1 if self.bound else 0,
            specialize=1 if self.specialize else 0,
        )
        names = ("width", "height", "depth", "slices", "mips", "samples", "components", "unorm_bits", "format")
        for bit, name in enumerate(names, start=1):
            value = getattr(self, name)
            if value is not None:
                made.known |= 1 << bit
                setattr(made, name, value)
        return made


@dataclass
class KnownSampler:
    """The state of `count` samplers from `register` on, with the numbers of D3D12_STATIC_SAMPLER_DESC."""

    register: str
    filter: int = 0x15
    address: Sequence[int] = (1, 1, 1)
    count: int = 1
    space: int = 0
    bias: float = 0.0
    max_anisotropy: int = 1
    comparison: int = 1
    lod: Sequence[float] = (0.0, 1000.0)
    border: Sequence[float] = (0.0, 0.0, 0.0, 0.0)

    def to_c(self) -> lib.KnownSamplerStructure:
        register_class, first = register_of(self.register)
        if register_class != 1:
            raise ArgumentError(f"'{self.register}' is not a sampler such as s0")
        state = lib.StaticSampler(
            self.filter, *self.address, self.bias, self.max_anisotropy, self.comparison, 0, *self.lod, first, self.space, 0
        )
        return lib.KnownSamplerStructure(state, self.count, 1, (ctypes.c_float * 4)(*self.border))


@dataclass
class KnownConstants:
    """Constant buffers from `register` on: how many rows are bound at least, and values from `first_row` on, as words."""

    register: str
    rows: int = 0
    words: Sequence[int] = ()  # four for each row
    first_row: int = 0
    count: int = 1
    space: int = 0
    specialize: bool = False

    def to_c(self) -> lib.KnownConstantsStructure:
        register_class, first = register_of(self.register)
        if register_class != 0 or len(self.words) % 4 != 0:
            raise ArgumentError(f"'{self.register}' is not a constant buffer such as cb0, with four words for each row")
        if any(not 0 <= word <= 0xFFFFFFFF for word in self.words):
            raise ArgumentError(f"words of '{self.register}' are not unsigned integers of 32 bits")
        words = (ctypes.c_uint32 * len(self.words))(*self.words) if self.words else None
        return lib.KnownConstantsStructure(
            self.space, first, self.count, self.rows, words, self.first_row, len(self.words) // 4, 1 if self.specialize else 0
        )


@dataclass
class Known:
    """Everything that the host knows. What it says must hold whenever the code runs."""

    resources: Sequence[KnownResource] = field(default_factory=list)
    samplers: Sequence[KnownSampler] = field(default_factory=list)
    constants: Sequence[KnownConstants] = field(default_factory=list)
    elements: Optional[int] = None
    helper_lanes: Optional[bool] = None
    early_depth: Optional[bool] = None

    def to_c(self) -> lib.KnownStateStructure:
        made = lib.KnownStateStructure()
        for name, structure in (
            ("resource", lib.KnownResourceStructure),
            ("sampler", lib.KnownSamplerStructure),
            ("constant", lib.KnownConstantsStructure),
        ):
            given = getattr(self, "constants" if name == "constant" else name + "s")
            entries = array_of(structure, [one.to_c() for one in given])
            setattr(made, "constants" if name == "constant" else name + "s", entries)
            setattr(made, name + "_count", len(given))
            setattr(made, name + "_stride", ctypes.sizeof(structure))
        for bit, name in enumerate(("elements", "helper_lanes", "early_depth")):
            value = getattr(self, name)
            if value is not None:
                made.launch |= 1 << bit
                setattr(made, name, int(value))
        return made


def array_of(structure: Any, entries: Sequence[Any]) -> Any:
    """A C array; None if it is empty."""
    return (structure * len(entries))(*entries) if entries else None


def uav_formats_to_c(formats: Mapping[int, int]) -> list[lib.UavFormatStructure]:
    """Numbers of typed u# and of their DXGI_FORMAT."""
    return [lib.UavFormatStructure(uav=uav, format=number) for uav, number in formats.items()]
