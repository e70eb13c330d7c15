"""texlate: Direct3D shader-model 4.0-5.1 programs to SPIR-V, PTX and Maxwell machine code.

    import texlate

    spirv = texlate.translate(open("water.dxbc", "rb").read(), target="spirv").data
    picture = texlate.run("water.asm", scene={"viewport": [320, 240]}).picture()

A shader is bytes (a DXBC container, a token stream, assembly text), a string (assembly text), or a path
(`pathlib.Path`). What is wrong with a shader is raised as `ShaderError`, with the places in the shader.

The module needs only the shared library and the program `texlate`, which its wheel contains. numpy is used for arrays
where it is installed.
"""

from ._library import library_path, program_path, version
from ._shader import (
    Program,
    Target,
    Translation,
    check,
    info,
    targets,
    translate,
)
from ._known import ALL_REGISTERS, ClassInstance, Known, KnownConstants, KnownResource, KnownSampler
from ._spirv import Binding, Combined, SpirvOptions
from ._run import Picture, Run, run
from ._errors import ArgumentError, Diagnostic, InternalError, RunError, ShaderError, TexlateError

__all__ = [
    "ALL_REGISTERS",
    "ArgumentError",
    "Binding",
    "ClassInstance",
    "Combined",
    "Diagnostic",
    "InternalError",
    "Known",
    "KnownConstants",
    "KnownResource",
    "KnownSampler",
    "Picture",
    "Program",
    "Run",
    "RunError",
    "ShaderError",
    "SpirvOptions",
    "Target",
    "TexlateError",
    "Translation",
    "check",
    "info",
    "library_path",
    "program_path",
    "run",
    "targets",
    "translate",
    "version",
]

__version__ = version()
