// Lines of text in a pane, linked with the lines of other panes by the source line that they come from.
const kRow = 18;  // pixels
const listings = [];
const linked = {hot: 0, pin: 0};  // source lines; 0: none

// Results, control columns (--:-:1:-:2) and predicates (@%p1) come before the mnemonic.
const kMnemonic = /^(\s*(?:[^;/=]*? = |(?:\S*:\S*:\S+\s+)?(?:@\S+\s+)?))([A-Za-z_][\w.]*)/;
// The parts of a line as [element, text]: the mnemonic is b, a comment i.
const partsOf = line => {
  let at = line.search(/\/\/|(^|\s); /);
  if (/^\s*;/.test(line)) at = 0;
  const code = at < 0 ? line : line.slice(0, at);
  const [whole, before, word] = code.match(kMnemonic) || ['', '', ''];
  const parts = [['', before], ['b', word], ['', code.slice(whole.length)], ['i', line.slice(code.length)]];
  return parts.filter(([, text]) => text);
};

// A listing or the editor: each has set, render and choose of its own, and scrolls in `scroller`.
class Lines {
  constructor(box, pane) {
    this.pane = pane;  // its id
    this.box = box;
    this.scroller = box;
    this.lines = [];
    this.from = null;
    this.marks = new Map();  // source line: its guards
    box.addEventListener('mousemove', event => point(this.sourceAt(event)));
    box.addEventListener('mouseleave', () => point(0));
    box.addEventListener('click', event => this.clicked(event));
    listings.push(this);
  }

  // `from`: the source line of each line, or nothing where the text is the source itself.
  setLines(text, from) {
    this.lines = text.split('\n');
    if (this.lines.length > 1 && this.lines[this.lines.length - 1] === '') this.lines.pop();
    this.from = from || null;
    this.first = null;
  }
  mark(marks) {
    this.marks = marks;
    this.render();
  }
  guardsAt(row) { return this.marks.get(this.source(row)) || []; }
  source(row) { return this.from ? this.from[row] || 0 : row + 1; }
  rowAt(event) {
    const row = Math.floor((event.clientY - this.box.getBoundingClientRect().top + this.scroller.scrollTop) / kRow);
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
    if (event.target.classList.contains('mark')) explain(this, this.source(row), this.guardsAt(row), event);
    else this.choose(this.source(row));
  }
  show(row) {
    if (row < 0 || !this.box.clientHeight) return;
    const top = row * kRow;
    if (top < this.scroller.scrollTop || top + kRow > this.scroller.scrollTop + this.box.clientHeight)
      this.scroller.scrollTop = Math.max(0, top - this.box.clientHeight / 3);
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
