#!/usr/bin/env python3
"""No class has more than 60 methods.

    check_class_sizes.py FOLDER [--list]

Counts the declarations with a parameter list in each class, without those of classes inside it. With --list: prints the
largest classes. The rule keeps the parts of a program small enough to be read one at a time.
"""
import pathlib
import re
import sys

MOST = 60


def without_comments(text):
    pattern = r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda found: '""' if found[0][0] in "\"'" else " ", text, flags=re.S | re.M)


def end_of_block(text, start):
    """The index after the brace that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    return len(text)


def count_methods(body):
    """Of what is between the braces of a class."""
    count, start, i = 0, 0, 0
    while i < len(body):
        if body[i] not in ";{":
            i += 1
            continue
        # Up to here: a declaration. What is in angle brackets is no parameter list (std::function<void(int)>).
        head = re.sub(r"\b(public|protected|private)\s*:", " ", body[start:i])
        head = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head))
        i = end_of_block(body, i) if body[i] == "{" else i + 1
        is_initializer = body[i - 1] == "}" and re.match(r"\s*[;,{]", body[i:]) is not None
        if is_initializer and "(" not in head:
            continue  # an aggregate or a nested class: its own declaration goes on to the semicolon
        start = i
        before = head.split("(")[0]
        if "(" not in head or re.search(r"\b(using|friend|static_assert|class|struct|enum)\b|=(?!=)", before.replace("operator=", "")):
            continue
        count += 1
    return count


def classes_of(text):
    for found in re.finditer(r"\b(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?:\s+final)?(?:\s*:[^;{()]*)?\s*\{", text):
        if re.search(r"\benum\s*$", text[:found.start()]):
            continue
        start = found.end() - 1
        yield found[1], text[start + 1:end_of_block(text, start) - 1]


def main():
    folder = pathlib.Path(sys.argv[1])
    sizes = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        text = without_comments(path.read_text())
        sizes += [(count_methods(body), name, path.relative_to(folder)) for name, body in classes_of(text)]
    sizes.sort(key=lambda size: -size[0])
    if "--list" in sys.argv:
        for count, name, path in sizes[:20]:
            print(f"{count:4} {name} ({path})")
    too_large = [size for size in sizes if size[0] > MOST]
    for count, name, path in too_large:
        print(f"{folder / path}: class {name} has {count} methods; at most {MOST} are allowed")
    if not sizes:
        print(f"no class in {folder}")
    print(f"{len(sizes)} classes")
    sys.exit(1 if too_large or not sizes else 0)


main()
