// The state of the page, and the links that carry it.
const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);

const element = (tag, properties = {}, ...children) => {
  const one = Object.assign(document.createElement(tag), properties);
  one.append(...children);
  return one;
};

const state = {
  title: data.title || 'shader.asm',
  text: data.translation ? data.translation.text : data.text || '',
  scene: data.scene || '{}',
  container: null,  // bytes that were dropped, until their listing is there
  translation: data.translation || null,
  run: data.run || null,
  trace: null,
  diagnostics: [],
  scene_diagnostics: [],
};

const bytesToBase64 = bytes => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
};
const base64ToBytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

// #s=...: title, text and scene as JSON, deflated, in the alphabet of RFC 4648, section 5.
const packLink = async () => {
  const json = JSON.stringify({n: state.title, t: state.text, s: state.scene});
  const packed = await through(new TextEncoder().encode(json), new CompressionStream('deflate-raw'));
  return '#s=' + bytesToBase64(packed).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};
const unpackLink = async hash => {
  if (!hash.startsWith('#s=')) return false;
  const packed = base64ToBytes(hash.slice(3).replace(/-/g, '+').replace(/_/g, '/'));
  const json = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw'))));
  if (typeof json.t !== 'string') return false;
  state.title = String(json.n || 'shader.asm');
  state.text = json.t;
  state.scene = typeof json.s === 'string' ? json.s : '{}';
  return true;
};
