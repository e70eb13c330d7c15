// Style and scripts of the page that `texlate view` writes.

#include <string_view>

#include "tools/texlate/view.h"

namespace texlate::cli {

std::string_view view_style() {
  return R"css(
:root {
  color-scheme: light;
  --page: #f4f5f7; --pane: #ffffff; --text: #1d2330; --faint: #7b8496; --line: #dde1e8;
  --word: #0b5cad; --note: #6c7a5a; --hot: #fff1c2; --pin: #ffe08a; --gap: #c2410c; --gap-text: #ffffff; --button: #e6e9ef;
}
:root[data-theme="dark"] {
  color-scheme: dark;
  --page: #14171d; --pane: #1b2029; --text: #d9dee8; --faint: #7f8a9e; --line: #2c3442;
  --word: #7db7ff; --note: #93a678; --hot: #3a3520; --pin: #5a4d1a; --gap: #fb923c; --gap-text: #1b1206; --button: #2a3240;
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--page); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; padding: 8px 12px; border-bottom: 1px solid var(--line); }
h1 { font-size: 16px; margin: 0; }
header span { color: var(--faint); }
nav { margin-left: auto; display: flex; flex-wrap: wrap; gap: 6px; }
button { font: inherit; font-size: 13px; color: var(--text); background: transparent; border: 1px solid var(--line); border-radius: 6px; padding: 2px 9px; cursor: pointer; }
button[aria-pressed="true"] { background: var(--button); }
button:focus-visible { outline: 2px solid var(--word); }
main { flex: 1 1 0; min-height: 0; display: flex; gap: 8px; padding: 8px 12px; overflow-x: auto; }
.pane { flex: 1 0 280px; min-width: 0; display: flex; flex-direction: column; background: var(--pane); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.pane[hidden] { display: none; }
h2 { font-size: 13px; margin: 0; padding: 6px 10px; border-bottom: 1px solid var(--line); }
h2 small { color: var(--faint); font-weight: normal; }
.code { flex: 1; overflow: auto; padding: 4px 0; position: relative; }
.l { display: flex; width: max-content; min-width: 100%; font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; padding-right: 10px; }
.l code { font: inherit; white-space: pre; }
s { flex: none; text-decoration: none; width: 42px; padding-right: 10px; text-align: right; color: var(--faint); font: 11px/18px ui-monospace, "DejaVu Sans Mono", monospace; user-select: none; }
u { flex: none; text-decoration: none; width: 20px; margin-right: 6px; text-align: center; border-radius: 8px; font: 10px/16px system-ui, sans-serif; height: 16px; margin-top: 1px; }
u[title] { background: var(--gap); color: var(--gap-text); }
b { color: var(--word); font-weight: 600; }
i { color: var(--note); font-style: normal; }
[data-l] { cursor: pointer; }
.hot { background: var(--hot); }
.pin { background: var(--pin); }
#gaps { flex: 0 0 300px; }
.gap { display: flex; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); }
.gap p { margin: 0; font-size: 13px; }
.gap small { color: var(--faint); }
.gap em { font-style: normal; font-size: 11px; border: 1px solid var(--line); border-radius: 5px; padding: 0 4px; }
.none, .failure { margin: 8px 12px; color: var(--faint); }
.failure { color: var(--gap); white-space: pre-wrap; }
#pictures { flex: 0 0 216px; }
.pictures { overflow: auto; padding: 10px; display: flex; flex-wrap: wrap; gap: 10px; align-content: flex-start; }
figure { margin: 0; }
figure img { display: block; width: 180px; image-rendering: pixelated; border: 1px solid var(--line); }
figcaption { font-size: 12px; color: var(--faint); }
.pictures p { flex-basis: 100%; margin: 0; font-size: 13px; }
footer { padding: 4px 12px 8px; color: var(--faint); font-size: 12px; }
@media print { nav, footer { display: none; } main { display: block; } .pane { break-inside: avoid; } .code { overflow: visible; } }
)css";
}

std::string_view view_script() {
  return R"js('use strict';
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const wish = new URLSearchParams(location.search).get('theme');
  root.dataset.theme = wish || (dark.matches ? 'dark' : 'light');
  document.getElementById('theme').onclick = () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  };

  const linked = new Map();
  for (const one of document.querySelectorAll('[data-l]')) {
    const line = one.dataset.l;
    if (!linked.has(line)) linked.set(line, []);
    linked.get(line).push(one);
  }
  const lines = [...linked.keys()].sort((a, b) => a - b);
  const mark = (line, name, on) => {
    for (const one of linked.get(line) || []) one.classList.toggle(name, on);
  };

  let hot = null, pin = null;
  const point = line => {
    if (hot !== null) mark(hot, 'hot', false);
    hot = line;
    if (hot !== null) mark(hot, 'hot', true);
  };
  // Every other pane shows its first line that belongs to the one that was chosen.
  const show = (line, from) => {
    const done = new Set();
    for (const one of linked.get(line) || []) {
      const box = one.closest('.code');
      if (done.has(box)) continue;
      done.add(box);
      if (from && box.contains(from)) continue;
      if (one.offsetTop < box.scrollTop || one.offsetTop + one.offsetHeight > box.scrollTop + box.clientHeight)
        box.scrollTop = one.offsetTop - box.clientHeight / 3;
    }
  };
  const choose = (line, from) => {
    if (pin !== null) mark(pin, 'pin', false);
    pin = line === pin ? null : line;
    if (pin !== null) {
      mark(pin, 'pin', true);
      show(pin, from);
    }
    history.replaceState(null, '', pin === null ? location.pathname + location.search : '#L' + pin);
  };

  const line_of = event => {
    const one = event.target.closest && event.target.closest('[data-l]');
    return one ? one.dataset.l : null;
  };
  document.addEventListener('mouseover', event => point(line_of(event)));
  document.addEventListener('click', event => {
    const line = line_of(event);
    if (line !== null && String(getSelection()) === '') choose(line, event.target);
  });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && pin !== null) choose(pin);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || pin === null) return;
    const next = lines[lines.indexOf(pin) + step];
    if (next !== undefined) choose(next);
    event.preventDefault();
  });
  for (const button of document.querySelectorAll('[data-pane]')) {
    button.onclick = () => {
      const pane = document.getElementById(button.dataset.pane);
      pane.hidden = !pane.hidden;
      button.setAttribute('aria-pressed', String(!pane.hidden));
      if (pin !== null) show(pin);
    };
  }
  const wanted = location.hash.match(/^#L(\d+)$/);
  if (wanted && linked.has(wanted[1])) choose(wanted[1]);
})();
)js";
}

}  // namespace texlate::cli
