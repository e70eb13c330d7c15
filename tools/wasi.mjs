// Runs a WASI program: node wasi.mjs PROGRAM.wasm [ARGUMENT...]. It sees the current folder and the one above.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...words] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...words], env: process.env, preopens: { ".": ".", "..": ".." } });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exit(wasi.start(instance));
