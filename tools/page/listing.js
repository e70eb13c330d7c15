// A text of any length of which only the visible lines are elements. Lines are linked by the source line that they come from.
const kRow = 18;
const listings = [];
const linked = {hot: 0, pin: 0};  // source lines; 0: none

const escapeHtml = text => text.replace(/[&<>]/g, c => c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;');
// Results, control columns (--:-:1:-:2) and predicates (@%p1) come before the mnemonic.
const kMnemonic = /^(\s*(?:[^;/=]*? = |(?:\S*:\S*:\S+\s+)?(?:@\S+\s+)?))([A-Za-z_][\w.]*)/;
const markUp = line => {
  let at = line.search(/\/\/|(^|\s); /);
  if (/^\s*;/.test(line)) at = 0;
  const code = at < 0 ? line : line.slice(0, at);
  const comment = at < 0 ? '' : `<i>${escapeHtml(line.slice(at))}</i>`;
  const word = code.match(kMnemonic);
  if (!word) return escapeHtml(code) + comment;
  return `${escapeHtml(word[1])}<b>${escapeHtml(word[2])}</b>${escapeHtml(code.slice(word[0].length))}${comment}`;
};

const characterWidth = (() => {
  let width = 0;
  return () => {
    if (width) return width;
    const probe = element('div', {className: 'l', style: 'position:absolute;visibility:hidden'}, element('code', {textContent: 'x'.repeat(100)}));
    document.body.append(probe);
    width = probe.firstChild.getBoundingClientRect().width / 100;
    probe.remove();
    return width;
  };
})();

class Listing {
  constructor(box, pane) {
    this.pane = pane;  // its id
    this.box = box;
    box.tabIndex = 0;
    this.space = element('div', {className: 'space'});
    this.rows = element('div', {className: 'rows'});
    this.space.append(this.rows);
    box.append(this.space);
    this.lines = [];
    this.from = [];
    this.marks = new Map();     // source line: its guards
    this.problems = new Map();  // row: its diagnostics
    let waiting = false;
    box.addEventListener('scroll', () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.render(); });
    });
    new ResizeObserver(() => this.render()).observe(box);
    box.addEventListener('mousemove', event => point(this.sourceAt(event)));
    box.addEventListener('mouseleave', () => point(0));
    box.addEventListener('click', event => this.clicked(event));
    listings.push(this);
  }

  // `from`: the source line of each line, or nothing where the text is the source itself.
  set(text, from) {
    this.lines = text.split('\n');
    if (this.lines.length > 1 && this.lines[this.lines.length - 1] === '') this.lines.pop();
    this.from = from || null;
    this.first = null;
    let longest = 0;
    for (const line of this.lines) longest = Math.max(longest, line.length);
    this.longest = longest;
    this.space.style.height = this.lines.length * kRow + 24 + 'px';
    this.space.style.width = Math.ceil((longest + 4) * characterWidth()) + 64 + 'px';
    this.render();
  }
  source(row) { return this.from ? this.from[row] || 0 : row + 1; }
  rowAt(event) {
    const row = Math.floor((event.clientY - this.space.getBoundingClientRect().top) / kRow);
    return row >= 0 && row < this.lines.length ? row : -1;
  }
  sourceAt(event) {
    const row = this.rowAt(event);
    return row < 0 ? 0 : this.source(row);
  }
  // The first row of each source line.
  firstRow(line) {
    if (!this.from) return line - 1 < this.lines.length ? line - 1 : -1;
    if (!this.first) {
      this.first = new Map();
      this.from.forEach((source, row) => { if (source && !this.first.has(source)) this.first.set(source, row); });
    }
    return this.first.has(line) ? this.first.get(line) : -1;
  }
  clicked(event) {
    const row = this.rowAt(event);
    if (row < 0) return;
    const line = this.source(row);
    if (event.target.classList.contains('mark')) return explain(this, line, event);
    if (event.target.classList.contains('edit')) return keep(line, this);
    if (String(getSelection()) === '') keep(line === linked.pin ? 0 : line, this);
  }
  render() {
    if (!this.box.clientHeight) return;
    const begin = Math.max(0, Math.floor(this.box.scrollTop / kRow) - 10);
    const end = Math.min(this.lines.length, begin + Math.ceil(this.box.clientHeight / kRow) + 20);
    let html = '';
    for (let row = begin; row < end; ++row) html += this.rowHtml(row);
    this.rows.style.top = begin * kRow + 'px';
    this.rows.innerHTML = html;
  }
  rowHtml(row) {
    const source = this.source(row);
    const problems = this.problems.get(row) || [];
    const classes = ['l'];
    if (source && source === linked.hot) classes.push('hot');
    if (source && source === linked.pin) classes.push('pin');
    if (problems.some(one => one.severity === 'error')) classes.push('bad');
    const guards = source && this.firstRow(source) === row && this.marks.get(source);
    const mark = guards ? `<u class="mark" title="${guards.length} ${guards.length === 1 ? 'guard' : 'guards'}: click"></u>` : '<u></u>';
    let extra = '';
    for (const one of problems) extra += this.problemHtml(row, one);
    return `<div class="${classes.join(' ')}" data-n="${row + 1}" data-l="${source}"><s>${row + 1}</s>${mark}<code>${markUp(this.lines[row])}</code>${extra}</div>`;
  }
  problemHtml(row, one) {
    let wave = '';
    if (one.column) {
      const before = this.lines[row].slice(0, one.column - 1);
      const column = [...before].reduce((at, c) => c === '\t' ? at + 4 - at % 4 : at + 1, 0);
      wave = `<span class="wave" style="left:${64 + column * characterWidth()}px;width:${Math.max(1, one.length) * characterWidth()}px"></span>`;
    }
    return `${wave}<em class="${one.severity}">${escapeHtml(one.message)}</em>`;
  }
  show(row) {
    if (row < 0 || !this.box.clientHeight) return;
    const top = row * kRow;
    if (top < this.box.scrollTop || top + kRow > this.box.scrollTop + this.box.clientHeight)
      this.box.scrollTop = Math.max(0, top - this.box.clientHeight / 3);
  }
}

// The text field over a listing: it has the caret, the listing has the colors.
class Editor extends Listing {
  constructor(box, pane, changed) {
    super(box, pane);
    this.field = element('textarea', {className: 'edit', spellcheck: false, wrap: 'off', autocapitalize: 'off', autocomplete: 'off'});
    this.field.setAttribute('aria-label', 'Shader assembly');
    this.space.append(this.field);
    this.box.tabIndex = -1;
    this.field.addEventListener('input', () => {
      this.problems = new Map();
      this.show_text(this.field.value);
      changed(this.field.value);
    });
    this.field.addEventListener('keyup', event => {
      if (event.key.startsWith('Arrow') || event.key.startsWith('Page'))
        keep(this.field.value.slice(0, this.field.selectionStart).split('\n').length, this);
    });
  }
  show_text(text) {
    super.set(text, null);
    // A line without an end is a line to type in.
    this.field.style.height = (text.split('\n').length + 1) * kRow + 'px';
    this.field.style.width = `calc(max(100%, ${(this.longest + 4) * characterWidth() + 64}px) - 64px)`;
  }
  set(text) {
    if (this.field.value !== text) this.field.value = text;
    this.show_text(text);
  }
}

const renderAll = () => { for (const one of listings) one.render(); };
const point = line => {
  if (line === linked.hot) return;
  linked.hot = line;
  renderAll();
};
// Every other pane shows its first line that belongs to the one that was chosen.
const keep = (line, from) => {
  linked.pin = line;
  if (line) for (const one of listings) if (one !== from) one.show(one.firstRow(line));
  renderAll();
  markStep(line);
  if (!location.hash.startsWith('#s=')) history.replaceState(null, '', line ? '#L' + line : location.pathname + location.search);
};
