#!/usr/bin/env python3
"""Measures what ptxas leaves between instructions: the least number of issue cycles from a producer to the next
instruction that reads or rewrites its result, by kind of instruction, and what it issues in pairs.

    tests/corpus/mine_latencies.py [--jobs N] [--raw] [--check docs/reference/maxwell.md] FILE...

FILE is a PTX file, which is compiled with build/judges/bin/ptxas for sm_52 (half.ptx: sm_53), or a cubin. nvdisasm
(--print-life-ranges) says which registers and predicates an instruction reads and writes, so nothing of this project
takes part: neither the tables of the code generator nor those of the simulator. For a pair nvdisasm prints these
ranges once, so it reads a copy in which every stall of 0 is 1; distances are those of the original control words.

The output has one row a line, separated by tabs: what is passed on, class of the producer, class of the consumer,
least cycles, samples, samples at that least. --check compares with the table of the reference: no row may be below it,
and none may be missing there; the status is then 1. --raw does not group instructions, and shows an example of each row.

Distances are followed inside a basic block, and only where no instruction after the producer, up to the consumer,
waits for a scoreboard, because a wait takes unknown time. An instruction and its reader with opposite guards do not
count: lanes that write do not read.
"""
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JUDGES = os.path.join(ROOT, "build", "judges", "bin")

FIXED = set("""FADD FADD32I FMUL FMUL32I FFMA FFMA32I FMNMX FSET FSETP FCMP FCHK FSWZADD
IADD IADD32I IADD3 ISCADD ISCADD32I LEA IMNMX ISET ISETP ICMP XMAD SHL SHR SHF LOP LOP32I LOP3 BFE BFI PRMT SEL
MOV MOV32I PSETP PSET CSETP CSET P2R R2P VOTE CS2R VMNMX VABSDIFF VADD VSHR VSHL VSET VSETP VMAD RRO NOP""".split())
CLASSES = {
    "special": "MUFU F2F F2I I2F I2I FLO POPC",
    "double": "DADD DMUL DFMA DMNMX DSET DSETP",
    "multiply": "IMUL IMUL32I IMAD IMAD32I IMADSP",
    "shuffle": "SHFL",
    "shared": "LDS STS ATOMS",
    "constant": "LDC",
    "generic": "LD ST",
    "global": "LDG STG LDL STL ATOM RED CCTL",
    "texture": "TEX TEXS TLD TLDS TLD4 TLD4S TXD TXQ TMML",
    "surface": "SULD SUST SUATOM SURED",
    "half": "HADD2 HMUL2 HFMA2 HSET2 HSETP2",
}
CLASS_OF = {name: key for key, names in CLASSES.items() for name in names.split()}
# "control" takes a condition code or a guard; what it does with registers is not followed.
CONTROL = set("BRA SSY PBK PCNT SYNC BRK CONT EXIT CAL PRET RET BRX JCAL JMP JMX RAM SAM KIL BPT IDE".split())


def class_of(name):
    if name == "RRO":
        return name
    if name in FIXED:
        return "fixed"
    if name in CONTROL:
        return "control"
    return CLASS_OF.get(name, "other")


def text_sections(data):
    """(name, offset, size) of every .text section of an ELF file of 64 bits."""
    shoff, = struct.unpack_from("<Q", data, 0x28)
    shentsize, shnum, shstrndx = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * shentsize) for i in range(shnum)]
    strings = headers[shstrndx][4]
    out = []
    for header in headers:
        name = data[strings + header[0]:data.index(b"\0", strings + header[0])].decode()
        if name.startswith(".text."):
            out.append((name, header[4], header[5]))
    return out


def control_slots(data, offset, size):
    """The 21 bits of every instruction, by its address."""
    slots = {}
    for group in range(0, size - size % 32, 32):
        word, = struct.unpack_from("<Q", data, offset + group)
        for k in range(3):
            slots[group + 8 + 8 * k] = word >> (21 * k) & 0x1FFFFF
    return slots


def without_pairs(data, sections):
    out = bytearray(data)
    for _, offset, size in sections:
        for group in range(0, size - size % 32, 32):
            word, = struct.unpack_from("<Q", out, offset + group)
            for k in range(3):
                if word >> (21 * k) & 0xF == 0:
                    word |= 1 << (21 * k)
            struct.pack_into("<Q", out, offset + group, word)
    return bytes(out)


Instruction = collections.namedtuple("Instruction", "address guard text name reads writes")
LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+ )?\s*([A-Z][^;]*);.*?//\s*\|(.*)$")
LABEL = re.compile(r"^\.L_x?_?\d+:|^\.L_\w+:")
DIGITS = re.compile(r"^[\s/|#]*\|?[\s#\d|]*$")


def columns_of(rows):
    """Which register stands in which column: the numbers are printed vertically, one digit a line."""
    width = max(len(row) for row in rows)
    out = {}
    for at in range(width):
        digits = "".join(row[at] for row in rows if at < len(row) and row[at].isdigit())
        if digits:
            out[at] = int(digits)
    return out


def parse_listing(text):
    """{section: [[Instruction] of a basic block]}"""
    functions = {}
    blocks = None
    gpr = pred = None
    heading = []
    for line in text.splitlines():
        if ".section" in line and ".text." in line:
            name = re.search(r"\.section\s+(\.text\.[^,\s]+)", line).group(1)
            blocks = functions.setdefault(name, [[]])
        at = line.find("// |")
        if at >= 0 and "/*" not in line:
            row = line[at + 3:]
            if re.fullmatch(r"[|\s#\d]*", row) and re.search(r"\d", row):
                heading.append(row)
                first = heading[0].split("|")
                parts = [r.split("|") for r in heading]
                gpr = columns_of([p[1] for p in parts])
                pred = columns_of([p[2] for p in parts]) if len(parts[0]) > 3 else {}
            elif "GPR" in row:
                heading = []
                names = [part.strip() for part in row.split("|")]
                has_pred = "PRED" in names
        if blocks is None:
            continue
        if LABEL.match(line):
            blocks.append([])
        match = LINE.match(line)
        if not match:
            continue
        address, guard, code, ranges = match.groups()
        code = code.strip()
        parts = ranges.split("|")
        reads, writes = set(), set()
        for kind, columns, part in (("R", gpr, parts[0]), ("P", pred if has_pred else {}, parts[1] if len(parts) > 1 else "")):
            for column, number in (columns or {}).items():
                mark = part[column] if column < len(part) else " "
                if mark in "vx":
                    reads.add(f"{kind}{number}")
                if mark in "^x":
                    writes.add(f"{kind}{number}")
        name = re.split(r"[.\s]", code)[0]
        if re.search(r"\bRZ?\d*\.CC\b", code):
            writes.add("CC")
        if re.search(r"^\S*\.X(HI)?\b", code) or re.search(r",\s*CC\b|\bCC\.", code):
            reads.add("CC")
        guard_place = None
        if guard:
            guard_place = guard.strip().lstrip("@")
        blocks[-1].append(Instruction(int(address, 16), guard_place, code, name, reads, writes))
        if name in CONTROL:
            blocks.append([])
    return functions


def tool(name, *arguments):
    run = subprocess.run([os.path.join(JUDGES, name), *arguments], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{name} {' '.join(arguments)}: {run.stderr[:300]}")
    return run.stdout


def read(path):
    """[(instruction, control bits)] of every basic block."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = path
        if path.endswith(".ptx"):
            cubin = os.path.join(folder, "a.cubin")
            tool("ptxas", "-arch", "sm_53" if os.path.basename(path) == "half.ptx" else "sm_52", path, "-o", cubin)
        with open(cubin, "rb") as file:
            data = file.read()
        sections = text_sections(data)
        slots = {name: control_slots(data, offset, size) for name, offset, size in sections}
        patched = os.path.join(folder, "b.cubin")
        with open(patched, "wb") as file:
            file.write(without_pairs(data, sections))
        listing = tool("nvdisasm", "-c", "-hex", "-plr", "-lrm", "narrow", patched)
    for name, blocks in parse_listing(listing).items():
        for block in blocks:
            yield [(i, slots[name][i.address]) for i in block if i.address in slots[name]]


# Producers whose result has a fixed latency; those of others are announced by scoreboards.
FOLLOWED = ("fixed", "RRO")


def opposite(x, y):
    return x is not None and y is not None and x != y and x.lstrip("!") == y.lstrip("!")


class Minima:
    def __init__(self, raw):
        self.group = (lambda name: name) if raw else class_of
        self.rows = {}  # key -> [least, samples, samples at the least, an example]
        self.pairs = collections.Counter()
        self.pair_reads = []
        self.pair_rewrites = []
        self.instructions = 0

    def add(self, kind, producer, consumer, cycles, where):
        row = self.rows.setdefault((kind, self.group(producer), self.group(consumer)), [cycles, 0, 0, where])
        row[1] += 1
        if cycles < row[0]:
            row[0], row[2], row[3] = cycles, 0, where
        row[2] += cycles == row[0]

    def pair(self, before, instruction, where):
        first = before[0]
        self.pairs[self.group(first.name), self.group(instruction.name)] += 1
        guard = {instruction.guard.lstrip("!")} if instruction.guard else set()
        if first.writes & (instruction.reads | guard) and not opposite(first.guard, instruction.guard):
            self.pair_reads.append(where)
        if first.writes & instruction.writes and not opposite(first.guard, instruction.guard):
            self.pair_rewrites.append((first.name, instruction.name, where))

    def block(self, block, path):
        now, waits = 0, 0
        written = {}  # place -> (cycle, producer, number of waits before)
        before = None
        for instruction, bits in block:
            self.instructions += 1
            if instruction.name == "DEPBAR" or bits >> 11 & 63:
                waits += 1
            where = f"{os.path.basename(path)} 0x{instruction.address:x} {instruction.text}"
            if before is not None and before[1] & 15 == 0:
                self.pair(before, instruction, where)
            guard = instruction.guard.lstrip("!") if instruction.guard else None

            def follow(place, kind):
                at, producer, count = written.get(place, (0, None, -1))
                if count == waits and class_of(producer.name) in FOLLOWED and \
                        not opposite(producer.guard, instruction.guard):
                    self.add(kind, producer.name, instruction.name, now - at, where)

            if class_of(instruction.name) != "control":
                for place in sorted(instruction.reads):
                    follow(place, {"P": "predicate", "C": "carry"}.get(place[0], "register"))
                for place in sorted(instruction.writes):
                    follow(place, {"P": "predicate rewritten", "C": "carry rewritten"}.get(place[0], "rewritten"))
            elif "CC" in instruction.reads:
                follow("CC", "carry")
            if guard:
                follow(guard, "guard")
            for place in instruction.writes:
                written[place] = (now, instruction, waits)
            before = (instruction, bits)
            now += bits & 15


# Every kind, producer and consumer must be a row; "any" stands for all classes without a row of their own.
TABLE = "### Least distances in ptxas's code"


def read_table(path):
    rows, inside = {}, False
    with open(path) as file:
        for line in file:
            inside = line.startswith(TABLE) or inside and not line.startswith("#")
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if inside and len(cells) == 6 and cells[3].isdigit():
                for consumer in cells[2].split(", "):
                    rows[cells[0], cells[1], consumer] = int(cells[3])
    return rows


def check(minima, table):
    faults = 0
    for (kind, producer, consumer), row in sorted(minima.rows.items()):
        least = table.get((kind, producer, consumer), table.get((kind, producer, "any")))
        if least is None or row[0] < least:
            faults += 1
            print(f"# {kind}, {producer} to {consumer}: {row[0]} cycles ({row[3]}), the table has {least}")
    for where in minima.pair_reads:
        faults += 1
        print(f"# the second of a pair reads what the first writes: {where}")
    for first, second, where in minima.pair_rewrites:
        if class_of(second) == "fixed":
            faults += 1
            print(f"# both of a pair write one register: {first}, {where}")
    return faults


def main(arguments):
    def option(name):
        if name not in arguments:
            return None
        at = arguments.index(name)
        value = arguments[at + 1]
        del arguments[at:at + 2]
        return value

    jobs, table = int(option("--jobs") or 2), option("--check")
    raw = "--raw" in arguments
    files = [a for a in arguments if a != "--raw"]
    minima = Minima(raw)
    with ThreadPoolExecutor(jobs) as pool:
        for path, blocks in zip(files, pool.map(lambda p: list(read(p)), files)):
            for block in blocks:
                minima.block(block, path)
    for key, row in sorted(minima.rows.items()):
        print("\t".join([*key, *(str(x) for x in (row if raw else row[:3]))]))
    for (first, second), count in sorted(minima.pairs.items()):
        print("\t".join(["pair", first, second, "0", str(count), str(count)]))
    print(f"# {len(files)} files, {minima.instructions} instructions, {sum(minima.pairs.values())} pairs; the second "
          f"reads a result of the first in {len(minima.pair_reads)}, and rewrites one in {len(minima.pair_rewrites)}")
    for where in minima.pair_reads[:10]:
        print("#", where)
    rewrites = collections.Counter((class_of(first), class_of(second)) for first, second, _ in minima.pair_rewrites)
    for (first, second), count in sorted(rewrites.items()):
        print(f"# rewritten in a pair: {first}, {second}: {count}")
    return 1 if table is not None and check(minima, read_table(table)) != 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
