"""Messages about shaders, and the exceptions that carry them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence


@dataclass(frozen=True)
class Diagnostic:
    """A message and its place in the shader.

    `line` and `column` count from 1 and are 0 for messages without a place in text; `offset` is the byte of a
    container, or None.
    """

    severity: str  # "note", "warning" or "error"
    message: str
    line: int = 0
    column: int = 0
    length: int = 0
    offset: Optional[int] = None

    def __str__(self) -> str:
        place = ""
        if self.line:
            place = f"{self.line}:{self.column}: "
        elif self.offset is not None:
            place = f"byte {self.offset:#x}: "
        return f"{place}{self.severity}: {self.message}"


class TexlateError(Exception):
    """The base class of all exceptions of this module."""


class ShaderError(TexlateError):
    """The shader is wrong, or something in it is not supported.

    `diagnostics` has all messages; `line`, `column` and `offset` are those of the first error.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = list(diagnostics)
        errors = [one for one in self.diagnostics if one.severity == "error"]
        first = errors[0] if errors else Diagnostic("error", "the shader could not be read")
        self.line, self.column, self.offset = first.line, first.column, first.offset
        super().__init__("\n".join(str(one) for one in errors) or str(first))


class ArgumentError(TexlateError, ValueError):
    """An argument is wrong; the text names it."""


class RunError(TexlateError):
    """The program `texlate` could not run the shader; `diagnostics` has its messages, `status` its exit status."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = (), status: int = 1):
        self.diagnostics = list(diagnostics)
        self.status = status
        super().__init__(message)


class InternalError(TexlateError):
    """A defect in texlate."""
