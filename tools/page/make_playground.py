#!/usr/bin/env python3
"""Puts the service as WebAssembly, the examples and the editor into the page: make_playground.py PAGE.html SERVICE.wasm SHADERS CODEMIRROR OUT.html"""
import base64
import gzip
import json
import pathlib
import re
import sys

page_file, service, shaders, codemirror, out = map(pathlib.Path, sys.argv[1:])
here = pathlib.Path(__file__).parent


def scene_of(path):
    """The scene, with a generated texture in the place of each picture, which would be a file."""
    text = path.read_text() if path.exists() else "{}"
    return re.sub(r'"(png|raw)": ("[^"]*"|\[[^]]*\])', '"generate": "checker"', text)


def editor():
    """CodeMirror with its license and its search, and what the page makes of it."""
    scripts = ["lib/codemirror.js", "addon/dialog/dialog.js", "addon/search/searchcursor.js", "addon/search/search.js"]
    styles = ["lib/codemirror.css", "addon/dialog/dialog.css"]
    missing = [name for name in scripts + styles if not (codemirror / name).exists()]
    if missing:
        sys.exit(f"make_playground.py: {codemirror} has no {', '.join(missing)}. It must be CodeMirror 5: Debian's libjs-codemirror (tools/setup.sh playground)")
    joined = lambda names, own: "".join((codemirror / name).read_text() + "\n" for name in names) + (here / own).read_text()
    license = (here / "codemirror_license.txt").read_text()
    return f"<style>\n{joined(styles, 'editor.css')}</style>\n<script>\n/* CodeMirror\n\n{license}*/\n{joined(scripts, 'editor.js')}</script>"


examples = [{"name": shader.name, "text": shader.read_text(), "scene": scene_of(shaders / "scenes" / (shader.stem + ".json"))}
            for shader in sorted(shaders.glob("*.asm"))]
# The first is what the page opens with.
examples.sort(key=lambda example: example["name"] != "ld_edges.asm")
data = json.dumps({"title": "playground", "examples": examples}).replace("<", "\\u003c")
machines = base64.b64encode(gzip.compress(service.read_bytes(), 9, mtime=0)).decode()
page = page_file.read_text()
for mark, text in [("TITLE", "playground"), ("MACHINES", machines), ("EDITOR", editor()), ("DATA", data)]:
    page = page.replace(f"@{mark}@", text)
out.write_text(page)
size = len(gzip.compress(page.encode(), 9))
print(f"{out}: {len(page):,} bytes, {size:,} compressed (the service: {service.stat().st_size:,} bytes)")
