#!/usr/bin/env python3
"""Puts the service as WebAssembly, and the examples, into the page: make_playground.py PAGE.html SERVICE.wasm SHADERS OUT.html"""
import base64
import gzip
import json
import pathlib
import re
import sys

page_file, service, shaders, out = map(pathlib.Path, sys.argv[1:])


def scene_of(path):
    """The scene, with a generated texture in the place of each picture, which would be a file."""
    text = path.read_text() if path.exists() else "{}"
    return re.sub(r'"(png|raw)": ("[^"]*"|\[[^]]*\])', '"generate": "checker"', text)


examples = [{"name": shader.name, "text": shader.read_text(), "scene": scene_of(shaders / "scenes" / (shader.stem + ".json"))}
            for shader in sorted(shaders.glob("*.asm"))]
# The first is what the page opens with.
examples.sort(key=lambda example: example["name"] != "ld_edges.asm")
data = json.dumps({"title": "playground", "examples": examples}).replace("<", "\\u003c")
machines = base64.b64encode(gzip.compress(service.read_bytes(), 9, mtime=0)).decode()
page = page_file.read_text().replace("@TITLE@", "playground").replace("@MACHINES@", machines).replace("@DATA@", data)
out.write_text(page)
size = len(gzip.compress(page.encode(), 9))
print(f"{out}: {len(page):,} bytes, {size:,} compressed (the service: {service.stat().st_size:,} bytes)")
