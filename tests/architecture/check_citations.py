#!/usr/bin/env python3
"""Every citation resolves.

    check_citations.py ROOT

`docs/reference/direct3d.md 1.3` names a file and the number of a section in it, `docs/NAME.md` a file. Specifications of others are not
part of the repository; specifications/NAME.txt beside this script lists the sections of each that are cited, with their titles. A citation
of another section is an error: look it up and add it. So is a section that nothing cites. Words behind the number that are the title of
another section are an error, too: `PTX ISA 9.7.10.4 tex`, where 9.7.10.4 is tld4. In docs/reference/direct3d.md, `[S 7.11]` is a citation
of Direct3D's specification, and in docs/reference/pipeline.md a number in parentheses is. Vulkan is cited by titles. Nothing may cite a document that a reader of the
repository does not have.
"""
import pathlib
import re
import sys

FOLDERS = ["backend", "frontend", "include", "ir", "library", "shaders", "sim", "tests", "tools", "docs"]
ENDINGS = {".asm", ".c", ".cpp", ".h", ".hpp", ".inc", ".md", ".py", ".sh", ".txt"}
NUMBER = r"(?<![\w.])\d+(?:\.\d+)+"
# A number and the word behind it, which may be the section's title. `9.7.13.1, .2` cites two.
ITEM = r"(?:\d+(?:\.\d+)+|\d+(?=[,;:)\s]|$)|(?<= )\.\d+)(?: (?!and |to )[A-Za-z_][\w.]*)?"
ITEMS = rf"{ITEM}(?:(?:, | and | to | - |; ){ITEM})*"
SPECIFICATIONS = {
    "d3d11.3": r"(?:D3D11\.3|[Ff]unctional specification),? (?:functional specification |chapters? )?",
    "ptx": r"PTX ISA,? (?:9\.0, sections? )?",
    "spirv": r"SPIR-V ",
}
# A version, not a section: SPIR-V 1.3, PTX ISA 9.0.
VERSION = {"d3d11.3": r"$.", "ptx": r"9\.0$", "spirv": r"1\.\d$"}


def sections_of(path):
    """{number: title} of a list of sections."""
    lines = path.read_text().splitlines()
    return dict(line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))


class Citations:
    def __init__(self, lists):
        self.sections = {name: sections_of(lists / f"{name}.txt") for name in SPECIFICATIONS}
        self.cited = {name: set() for name in SPECIFICATIONS}
        self.errors = []
        self.count = 0

    def cite(self, name, number, source, title=""):
        self.count += 1
        sections = self.sections[name]
        if number not in sections:
            self.errors.append(f"{source} cites {name} {number}, which {name}.txt does not have")
            return
        self.cited[name].add(number)
        titles = {title, title.partition(".")[0]} - {""}  # `ld.local` is in the section of ld
        others = [other for other, known in sections.items() if known in titles]
        if others and number not in others:
            self.errors.append(f"{source} cites {name} {number} {title}, but {number} is {sections[number]}")

    def read(self, name, text, source):
        """The citations of specification `name` in a text without line breaks."""
        for found in re.finditer(SPECIFICATIONS[name] + f"({ITEMS})", text):
            previous = ""
            for item in re.findall(ITEM, found[1]):
                number, _, title = item.partition(" ")
                if number.startswith("."):
                    number = previous.rpartition(".")[0] + number
                previous = number
                if not re.match(VERSION[name], number):
                    self.cite(name, number, source, title)

    def report_unused(self):
        for name, sections in self.sections.items():
            self.errors += [f"{name}.txt has {number}, which nothing cites" for number in sections if number not in self.cited[name]]


def headings_of(path):
    return set(re.findall(r"^#+ (\d+[a-z]?(?:\.\d+)*)", path.read_text(), re.M))


def check_documents(text, source, documents, citations):
    """Citations of documents of this project."""
    for document, number in re.findall(r"(docs/[a-z0-9_/-]+\.md)(?: (\d+[a-z]?(?:\.\d+)*))?", text):
        citations.count += 1
        if document not in documents:
            citations.errors.append(f"{source} cites {document}, which does not exist")
        elif number and document.startswith("docs/reference/") and number not in documents[document]:
            citations.errors.append(f"{source} cites {document} {number}, a section that does not exist")
    # Vulkan's sections have other numbers in each version of it.
    for number in re.findall(r"Vulkan (\d\d\.\d+|[2-9]\.\d+)", text):
        citations.errors.append(f"{source} cites Vulkan by number, {number}: cite the title of the section")
    for document in re.findall(r"[a-z_./]*facts/[a-z_0-9]+\.md", text):
        citations.errors.append(f"{source} cites {document}, which a reader of the repository does not have")


def main(root):
    here = pathlib.Path(__file__).parent
    citations = Citations(here / "specifications")
    documents = {str(path.relative_to(root)): headings_of(path) for path in (root / "docs").rglob("*.md")}
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in ENDINGS):
        source = str(path.relative_to(root))
        if source.startswith("tests/architecture/"):  # it has citations that must not resolve
            continue
        # A comment may break a citation across lines, so the lines are joined first.
        text = re.sub(r"\n *(?://+|#+)? *", " ", path.read_text(errors="replace"))
        check_documents(text, source, documents, citations)
        for name in SPECIFICATIONS:
            citations.read(name, text, source)
        if source == "docs/reference/direct3d.md":
            for inside in re.findall(r"\[S ([^\]]*)\]", text):
                for number in re.findall(NUMBER, inside):
                    citations.cite("d3d11.3", number, source)
        if source == "docs/reference/pipeline.md":
            for inside in re.findall(rf"\(({ITEMS})\)", text):
                for number in re.findall(NUMBER, inside):
                    citations.cite("d3d11.3", number, source)
    if (root / "tests/architecture/specifications") == here / "specifications":
        citations.report_unused()
    print("\n".join(citations.errors + [f"{citations.count} citations of {len(documents)} documents and of specifications checked"]))
    return 1 if citations.errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
