"""Writes a pixel shader as CUDA C++ without any guard: what a CUDA programmer writes who knows that every slot is bound, that every
row exists and that every address is inside. The input is texlate's IR text (`texlate translate --to ir`), before anything is legalized.

Planes of inputs and outputs, one thread for each pixel and quads of lanes are as in docs/launch_abi.md. What CUDA C++ has no expression
for is refused: comparisons, immediate offsets of samples, doubles.
"""
import re

COMPONENTS = "xyzw"
TEXTURES = {"texture1d": 1, "texture2d": 2, "texture3d": 3, "texturecube": 3, "texture1darray": 1, "texture2darray": 2,
            "texture2dms": 2}

HEAD = """
typedef unsigned u32;
static __device__ __forceinline__ float F(u32 w) { return __uint_as_float(w); }
static __device__ __forceinline__ u32 U(float f) { return __float_as_uint(f); }
static __device__ __forceinline__ float ddx(float v) {
  float other = __shfl_xor_sync(0xffffffffu, v, 1);
  return threadIdx.x & 1 ? v - other : other - v;
}
static __device__ __forceinline__ float ddy(float v) {
  float other = __shfl_xor_sync(0xffffffffu, v, 2);
  return threadIdx.x & 2 ? v - other : other - v;
}
"""

# "f": operands and result are floats; "u", "i": integers; "p": predicates; results behind the colon.
FLOAT = {
    "fadd": "({0}) + ({1})", "fmul": "({0}) * ({1})", "ffma": "fmaf({0}, {1}, {2})", "fdiv": "({0}) / ({1})", "fneg": "-({0})",
    "fabs": "fabsf({0})", "fsat": "__saturatef({0})", "fmin": "fminf({0}, {1})", "fmax": "fmaxf({0}, {1})", "fsqrt": "sqrtf({0})",
    "frsq": "rsqrtf({0})", "frcp": "1.0f / ({0})", "fexp2": "exp2f({0})", "flog2": "log2f({0})", "fsin": "__sinf({0})",
    "fcos": "__cosf({0})", "ffloor": "floorf({0})", "fceil": "ceilf({0})", "ftrunc": "truncf({0})", "frint": "rintf({0})",
    "ffrac": "({0}) - floorf({0})",
}
# Not contracted, and divided exactly.
PRECISE = {"fadd": "__fadd_rn({0}, {1})", "fmul": "__fmul_rn({0}, {1})", "fdiv": "__fdiv_rn({0}, {1})"}
COMPARE = {"flt": "<", "fge": ">=", "feq": "==", "fne": "!=", "ilt": "<", "ige": ">=", "ieq": "==", "ine": "!=", "ult": "<", "uge": ">="}
INTEGER = {
    "iadd": "{0} + {1}", "isub": "{0} - {1}", "imul": "{0} * {1}", "imad": "{0} * {1} + {2}", "ineg": "0u - {0}", "not": "~{0}",
    "and": "{0} & {1}", "or": "{0} | {1}", "xor": "{0} ^ {1}", "shl": "{0} << {1}", "shr.u32": "{0} >> {1}",
    "shr.s32": "u32(int({0}) >> {1})", "umin": "min({0}, {1})", "umax": "max({0}, {1})", "imin": "u32(min(int({0}), int({1})))",
    "imax": "u32(max(int({0}), int({1})))", "udiv": "{0} / {1}", "urem": "{0} % {1}", "popcount": "u32(__popc({0}))",
}


class Refused(Exception):
    pass


class Lines(list):
    """Tells a writer which line it is at."""

    def __init__(self, writer, lines):
        super().__init__(lines)
        self.writer = writer

    def __iter__(self):
        for i, line in enumerate(super().__iter__()):
            self.writer.at = i
            yield line


class Writer:
    def __init__(self, text):
        self.lines = Lines(self, [line.split(";")[0].strip() for line in text.split("\n")])
        self.at = 0  # the current line
        self.types = {}
        self.out = []
        self.parameters = ["const float* __restrict__ inputs", "float* __restrict__ outputs"]
        self.tables = []
        self.outputs = []
        self.ends = []
        self.dimension = {}
        self.strides = {}

    def value(self, text, kind):
        """An operand as a float ("f"), an unsigned integer ("u") or a predicate ("p")."""
        text = text.strip()
        if text.startswith("%"):
            name = "v" + text[1:]
            return f"F({name})" if kind == "f" else name
        if text in ("true", "false"):
            return text
        if kind == "p":
            return "true" if text == "1" else "false"
        number = re.fullmatch(r"-?[0-9.]+(e[-+]?\d+)?f", text)
        if number:
            return f"({text})" if kind == "f" else f"U({text})"
        if re.fullmatch(r"-?\d+", text):
            return f"F({int(text) & 0xffffffff}u)" if kind == "f" else f"{int(text) & 0xffffffff}u"
        if re.fullmatch(r"0x[0-9a-f]+", text):
            return f"F({text}u)" if kind == "f" else f"{text}u"
        raise Refused(f"the operand {text}")

    @staticmethod
    def split(text):
        return [part for part in re.split(r",\s*(?![^()]*\))", text) if part != ""]

    def define(self, name, kind, expression):
        self.types[name] = kind
        self.out.append(f"v{name} = {expression};")

    def run(self):
        code = False
        for line in self.lines:
            if not line:
                continue
            if line == "code {":
                code = True
            elif line == "}":
                code = False
            elif code:
                self.instruction(line)
            else:
                self.declaration(line)
        declarations = [f"u32 v{name} = 0;" if kind == "u" else f"bool v{name} = false;" for name, kind in self.types.items()]
        body = "\n  ".join(["const u32 element = blockIdx.x * blockDim.x + threadIdx.x;"] + declarations
                           + [f"float o{p} = 0;" for p in self.outputs] + ["bool live = true;"] + self.out)
        stores = "\n  ".join(f"if (live) outputs[ELEMENTS * {plane} + element] = o{plane};" for plane in self.outputs)
        tables = "\n".join(self.tables)
        return (f"{HEAD}\n{tables}\nextern \"C\" __global__ void __launch_bounds__(256) shader({', '.join(self.parameters)}) {{\n  {body}\n"
                f"finish:\n  {stores}\n}}\n")

    def declaration(self, line):
        words = line.split()
        if words[0] == "module" and words[1] != "pixel":
            raise Refused("another stage")
        if words[0] == "resource":
            name, dimension = words[1], words[2]
            if "[" in name or "registers" in line:
                raise Refused("ranges of registers")
            self.dimension[name] = dimension
            if dimension in ("structured_buffer", "raw_buffer"):
                self.parameters.append(f"const u32* __restrict__ {name}")
                self.strides[name] = int(re.search(r"stride\((\d+)\)", line).group(1)) if "stride(" in line else 0
            elif dimension in TEXTURES or dimension == "buffer":
                self.parameters.append(f"cudaTextureObject_t {name}")
            else:
                raise Refused(dimension)
        elif words[0] == "constant_buffer":
            self.parameters.append(f"const uint4* __restrict__ {words[1]}")
        elif words[0] == "output":
            found = re.match(r"output o(\d+)\.([xyzw]+)", line)
            if not found:
                raise Refused("an output without a number")
            self.outputs += [4 * int(found.group(1)) + COMPONENTS.index(c) for c in found.group(2)]
        elif words[0] == "table":
            self.tables.append(f"static __device__ const u32 {words[1]}[][4] = {{")
        elif words[0] == "row":
            row = ", ".join(self.row_word(w) for w in line[4:].split(","))
            if self.tables[-1].endswith("}};"):
                self.tables[-1] = self.tables[-1][:-2] + ","
            self.tables[-1] += "{" + row + "}};"
        elif words[0] in ("uav", "local"):
            raise Refused(words[0])

    @staticmethod
    def row_word(text):
        import struct
        text = text.strip()
        if text.endswith("f") and not text.startswith("0x"):
            return hex(struct.unpack("<I", struct.pack("<f", float(text[:-1])))[0])
        return hex(int(text, 0) & 0xffffffff)

    def results(self, text):
        span = re.fullmatch(r"%(\d+)\.\.%(\d+)", text)
        if span:
            return [str(n) for n in range(int(span.group(1)), int(span.group(2)) + 1)]
        return [part.strip()[1:] for part in text.split(",")]

    def yields(self, line):
        found = re.search(r"(?:yields|init)\((.*)\)", line)
        return self.split(found.group(1)) if found else []

    def assign(self, names, values):
        """All at once."""
        if not names:
            return
        temporary = "; ".join(f"const u32 t{i} = {self.value(v, 'u')}" for i, v in enumerate(values))
        self.out.append("{ " + temporary + "; " + " ".join(f"v{n} = t{i};" for i, n in enumerate(names)) + " }")

    def instruction(self, line):
        names, rest = [], line
        if " = " in line and line.startswith("%"):
            left, rest = line.split(" = ", 1)
            names = self.results(left)
        op, _, tail = rest.partition(" ")
        if op in ("if", "else", "endif", "loop", "endloop", "break", "continue", "return"):
            return self.control(op, names, rest)
        if op in ("switch", "case", "default", "endswitch"):
            raise Refused(op)
        base, _, kind = op.partition(".")
        if kind in ("f64", "b64") or op in ("dtof", "pack.b64"):
            raise Refused("doubles")
        precise = tail.startswith("[precise] ")
        tail = tail.removeprefix("[precise] ")
        operands = self.split(tail)
        if precise and base in PRECISE and kind == "f32":
            return self.define(names[0], "u", "U(" + PRECISE[base].format(*[self.value(o, "f") for o in operands]) + ")")
        if base in FLOAT and kind == "f32":
            return self.define(names[0], "u", "U(" + FLOAT[base].format(*[self.value(o, "f") for o in operands]) + ")")
        if base in COMPARE:
            cast = "f" if base[0] == "f" else "u"
            a, b = (self.value(o, cast) for o in operands)
            if kind == "s32":
                a, b = f"int({a})", f"int({b})"
            return self.define(names[0], "p", f"{a} {COMPARE[base]} {b}")
        if op in INTEGER or base in INTEGER:
            form = INTEGER.get(op) or INTEGER[base]
            if kind == "b1":
                return self.define(names[0], "p", "!" + self.value(operands[0], "p"))
            return self.define(names[0], "u", form.format(*[self.value(o, "u") for o in operands]))
        handler = getattr(self, "op_" + op.replace(".", "_"), None)
        if handler is None:
            raise Refused(op)
        handler(names, tail, operands)

    # Control flow: values leave a construct through the results of its end.
    def control(self, op, names, rest):
        if op == "if":
            end = self.find_end()
            for name in end:
                self.types[name] = "u"
            self.ends.append(("if", end))
            self.out.append(f"if ({self.value(rest.split(' ', 1)[1], 'p')}) {{")
        elif op == "else":
            if "yields" in rest:
                self.assign(self.ends[-1][1], self.yields(rest))
            self.out.append("} else {")
        elif op == "endif":
            if "yields" in rest:
                self.assign(self.ends[-1][1], self.yields(rest))
            self.ends.pop()
            self.out.append("}")
        elif op == "loop":
            end = self.find_end()
            for name in end + names:
                self.types[name] = "u"
            self.ends.append(("loop", end, names))
            self.assign(names, self.yields(rest))
            self.out.append("for (;;) {")
        elif op == "endloop":
            _, _, carried = self.ends.pop()
            self.assign(carried, self.yields(rest))
            self.out.append("}")
        elif op in ("break", "continue"):
            loop = next(e for e in reversed(self.ends) if e[0] == "loop")
            self.assign(loop[1] if op == "break" else loop[2], self.yields(rest))
            self.out.append(op + ";")
        elif op == "return":
            self.out.append("goto finish;")

    def find_end(self):
        """The results of the end of the construct that begins at the current line."""
        depth, at = 0, self.at
        while True:
            line = self.lines[at]
            body = line.split(" = ", 1)[1] if line.startswith("%") and " = " in line else line
            word = body.split(" ")[0]
            depth += word in ("if", "loop", "switch")
            depth -= word in ("endif", "endloop", "endswitch")
            if depth == 0:
                return self.results(line.split(" = ", 1)[0]) if line.startswith("%") else []
            at += 1

    def op_select_b32(self, names, tail, o):
        self.define(names[0], "u", f"{self.value(o[0], 'p')} ? {self.value(o[1], 'u')} : {self.value(o[2], 'u')}")

    def op_mask(self, names, tail, o):
        self.define(names[0], "u", f"{self.value(o[0], 'p')} ? 0xffffffffu : 0u")

    def op_and_b1(self, names, tail, o):
        self.define(names[0], "p", f"{self.value(o[0], 'p')} && {self.value(o[1], 'p')}")

    def op_or_b1(self, names, tail, o):
        self.define(names[0], "p", f"{self.value(o[0], 'p')} || {self.value(o[1], 'p')}")

    def op_ftoi_s32(self, names, tail, o):
        self.define(names[0], "u", f"u32(int({self.value(o[0], 'f')}))")

    def op_ftou_u32(self, names, tail, o):
        self.define(names[0], "u", f"u32({self.value(o[0], 'f')})")

    def op_itof_s32(self, names, tail, o):
        self.define(names[0], "u", f"U(float(int({self.value(o[0], 'u')})))")

    def op_utof_u32(self, names, tail, o):
        self.define(names[0], "u", f"U(float({self.value(o[0], 'u')}))")

    def op_bfi(self, names, tail, o):
        width, first, bits, into = (self.value(x, "u") for x in o)
        mask = f"(((1u << ({width})) - 1u) << ({first}))"
        self.define(names[0], "u", f"((({bits}) << ({first})) & {mask}) | (({into}) & ~{mask})")

    def op_bfe_u32(self, names, tail, o):
        width, first, bits = (self.value(x, "u") for x in o)
        self.define(names[0], "u", f"(({bits}) >> ({first})) & ((1u << ({width})) - 1u)")

    def op_discard(self, names, tail, o):
        self.out.append(f"if ({self.value(o[0], 'p')}) live = false;")

    def op_input(self, names, tail, o):
        found = re.fullmatch(r"v(\d+)\.([xyzw])", tail.strip())
        if not found:
            raise Refused("an indexed input")
        plane = 4 * int(found.group(1)) + COMPONENTS.index(found.group(2))
        self.define(names[0], "u", f"U(__ldg(inputs + (ELEMENTS * {plane} + element)))")

    def op_output(self, names, tail, o):
        found = re.fullmatch(r"o(\d+)\.([xyzw]), (.*)", tail.strip())
        if not found:
            raise Refused("an indexed output")
        self.out.append(f"o{4 * int(found.group(1)) + COMPONENTS.index(found.group(2))} = {self.value(found.group(3), 'f')};")

    def op_cb_load(self, names, tail, o):
        found = re.fullmatch(r"(cb\d+)\[(.*)\]", tail.strip())
        if not found:
            raise Refused("a constant buffer of a range")
        self.words(names, f"__ldg({found.group(1)} + {self.value(found.group(2), 'u')})")

    def words(self, names, expression, convert="{}"):
        self.out.append("{ const auto w = " + expression + ";")
        for name, component in zip(names, COMPONENTS):
            self.define(name, "u", convert.format("w." + component))
        self.out.append("}")

    def op_table_load(self, names, tail, o):
        found = re.fullmatch(r"(table\d+)\[(.*)\]", tail.strip())
        for i, name in enumerate(names):
            self.define(name, "u", f"{found.group(1)}[{self.value(found.group(2), 'u')}][{i}]")

    @staticmethod
    def slot(tail, name):
        found = re.search(rf"(?<![a-z]){name}\(([^()]*)\)", tail)
        return [x.strip() for x in found.group(1).split(",")] if found else None

    def texel(self, tail):
        kind = re.match(r"t\d+ (?:s\d+ )?\S+ (\w+)", tail).group(1)
        if kind not in ("float", "uint", "sint", "unorm", "snorm"):
            raise Refused("texels of " + kind)
        return {"uint": ("uint4", "{}"), "sint": ("int4", "u32({})")}.get(kind, ("float4", "U({})"))

    def texture(self, tail):
        name = tail.split()[0]
        dimension = self.dimension[name]
        if any(self.slot(tail, s) for s in ("compare", "offset")) or " offset" in tail or "index(" in tail:
            raise Refused("a comparison, an offset or an index")
        return name, dimension

    def op_tex_fetch(self, names, tail, o):
        name, dimension = self.texture(tail)
        kind, convert = self.texel(tail)
        at = [self.value(c, "u") for c in self.slot(tail, "coord")]
        level, layer, sample = self.slot(tail, "level"), self.slot(tail, "layer"), self.slot(tail, "sample")
        if level and level[0] != "0":
            raise Refused("a fetch from another mip")
        center = [f"float(int({a})) + 0.5f" for a in at]
        if dimension == "buffer":
            call = f"tex1Dfetch<{kind}>({name}, int({at[0]}))"
        elif dimension == "texture1d":
            call = f"tex1D<{kind}>({name}, {center[0]})"
        elif dimension == "texture2d":
            call = f"tex2D<{kind}>({name}, {', '.join(center)})"
        elif dimension == "texture3d":
            call = f"tex3D<{kind}>({name}, {', '.join(center)})"
        elif dimension == "texture2dms":  # samples are layers, as in docs/launch_abi.md
            call = f"tex2DLayered<{kind}>({name}, {', '.join(center)}, int({self.value(sample[0], 'u')}))"
        elif dimension == "texture2darray":
            call = f"tex2DLayered<{kind}>({name}, {', '.join(center)}, int({self.value(layer[0], 'u')}))"
        else:
            raise Refused("a fetch from " + dimension)
        self.words(names, call, convert)

    def op_tex_sample(self, names, tail, o):
        name, dimension = self.texture(tail)
        if dimension == "texturecubearray" or dimension == "texture2dms":
            raise Refused(dimension)
        kind, convert = self.texel(tail)
        at = [self.value(c, "f") for c in self.slot(tail, "coord")]
        layer = self.slot(tail, "layer")
        is_array = dimension.endswith("array")
        function = {"texture1d": "tex1D", "texture2d": "tex2D", "texture3d": "tex3D", "texturecube": "texCubemap",
                    "texture1darray": "tex1DLayered", "texture2darray": "tex2DLayered"}[dimension]
        place = ", ".join(at) + (f", int(rintf({self.value(layer[0], 'f')}))" if is_array else "")
        level = self.slot(tail, "level")
        if "level_zero" in tail:
            level = ["0"]
        if level:
            return self.words(names, f"{function}Lod<{kind}>({name}, {place}, {self.value(level[0], 'f')})", convert)
        x, y = self.slot(tail, "ddx"), self.slot(tail, "ddy")
        scale = ""
        bias = self.slot(tail, "bias")
        if bias:
            scale = f" * exp2f({self.value(bias[0], 'f')})"
        dx = [self.value(c, "f") for c in x] if x else [f"ddx({a}){scale}" for a in at]
        dy = [self.value(c, "f") for c in y] if y else [f"ddy({a}){scale}" for a in at]
        vector = {"texture1d": "float", "texture1darray": "float", "texture2d": "float2", "texture2darray": "float2"}.get(dimension, "float4")
        if vector == "float":
            gradients = f"{dx[0]}, {dy[0]}"
        else:
            pad = ["0.0f"] if vector == "float4" else []
            gradients = f"make_{vector}({', '.join(dx + pad)}), make_{vector}({', '.join(dy + pad)})"
        self.words(names, f"{function}Grad<{kind}>({name}, {place}, {gradients})", convert)

    def op_tex_gather(self, names, tail, o):
        name, dimension = self.texture(tail)
        if dimension != "texture2d":
            raise Refused("a gather from " + dimension)
        kind, convert = self.texel(tail)
        at = [self.value(c, "f") for c in self.slot(tail, "coord")]
        component = self.slot(tail, "component")
        self.words(names, f"tex2Dgather<{kind}>({name}, {', '.join(at)}, {component[0] if component else 0})", convert)

    def op_buf_load(self, names, tail, o):
        name = tail.split()[0]
        if name not in self.strides:
            raise Refused("this buffer")
        at, offset = self.slot(tail, "coord"), self.slot(tail, "byte_offset")
        place = self.value(at[0], "u")
        place = f"{place} * {self.strides[name] // 4}u" if offset else f"{place} / 4u"
        if offset:
            place += f" + {self.value(offset[0], 'u')} / 4u"
        for i, result in enumerate(names):
            self.define(result, "u", f"__ldg({name} + ({place} + {i}u))")

    def op_ddx_coarse(self, names, tail, o):
        self.define(names[0], "u", f"U(ddx({self.value(o[0], 'f')}))")

    def op_ddy_coarse(self, names, tail, o):
        self.define(names[0], "u", f"U(ddy({self.value(o[0], 'f')}))")


def cuda_of(text):
    return Writer(text).run()
