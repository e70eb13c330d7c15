// Runs the page's service (tools/page/service.cpp): a fresh instance for each request, with standard input and output and no files (WASI
// preview 1).
'use strict';
let ready = null;

const unpack = async text => {
  const bytes = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
};

const kBadFile = 8, kNoEntry = 44, kSeekPipe = 70;
class Exit { constructor(status) { this.status = status; } }

const answerOf = async request => {
  const module = await ready;
  const input = new TextEncoder().encode(JSON.stringify(request));
  let read = 0, memory = null;
  const output = [];
  const view = () => new DataView(memory.buffer);
  const vectors = function* (at, count) {
    for (let i = 0; i < count; ++i) yield [view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)];
  };
  const known = {
    args_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
    args_get: () => 0,
    environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
    environ_get: () => 0,
    clock_time_get: (clock, precision, at) => { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
    random_get: (at, size) => { new Uint8Array(memory.buffer, at, size).fill(7); return 0; },  // the same every time
    proc_exit: status => { throw new Exit(status); },
    fd_read: (file, at, count, size) => {
      if (file !== 0) return kBadFile;
      let total = 0;
      for (const [begin, length] of vectors(at, count)) {
        const piece = input.subarray(read, read + length);
        new Uint8Array(memory.buffer, begin, piece.length).set(piece);
        read += piece.length;
        total += piece.length;
      }
      view().setUint32(size, total, true);
      return 0;
    },
    fd_write: (file, at, count, size) => {
      let total = 0;
      for (const [begin, length] of vectors(at, count)) {
        if (file === 1) output.push(new Uint8Array(memory.buffer, begin, length).slice());
        total += length;
      }
      view().setUint32(size, total, true);
      return 0;
    },
    fd_fdstat_get: (file, at) => {
      if (file > 2) return kBadFile;
      new Uint8Array(memory.buffer, at, 24).fill(0);
      view().setUint8(at, 2);  // a character device
      view().setBigUint64(at + 8, 0x1fffffffn, true);
      return 0;
    },
    fd_seek: () => kSeekPipe,
    fd_close: () => 0,
    fd_prestat_get: () => kBadFile,
    path_open: () => kNoEntry,
    path_filestat_get: () => kNoEntry,
  };
  const imports = {wasi_snapshot_preview1: new Proxy(known, {get: (all, name) => all[name] || (() => kBadFile)})};
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.memory;
  try {
    instance.exports._start();
  } catch (stop) {
    if (!(stop instanceof Exit)) throw stop;
  }
  let size = 0;
  for (const piece of output) size += piece.length;
  const all = new Uint8Array(size);
  size = 0;
  for (const piece of output) { all.set(piece, size); size += piece.length; }
  return JSON.parse(new TextDecoder().decode(all));
};

onmessage = async ({data}) => {
  if (data.packed) {
    ready = unpack(data.packed);
    ready.then(module => postMessage({module}), () => {});
    return;
  }
  if (data.module) {
    ready = Promise.resolve(data.module);
    return;
  }
  const began = performance.now();
  try {
    const answer = await answerOf(data.request);
    answer.milliseconds = performance.now() - began;
    postMessage({id: data.id, answer});
  } catch (error) {
    postMessage({id: data.id, trap: String(error.message || error)});
  }
};
