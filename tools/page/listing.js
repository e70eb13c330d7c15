// A text of any length of which only the visible lines are elements.
const escapeHtml = text => text.replace(/[&<>]/g, c => c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;');
const markUp = line => partsOf(line).map(([tag, text]) => tag ? `<${tag}>${escapeHtml(text)}</${tag}>` : escapeHtml(text)).join('');

const titleOfMark = guards => `${guards.length} ${guards.length === 1 ? 'guard' : 'guards'}: click`;

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

class Listing extends Lines {
  constructor(box, pane) {
    super(box, pane);
    box.tabIndex = 0;
    this.space = element('div', {className: 'space'});
    this.rows = element('div', {className: 'rows'});
    this.space.append(this.rows);
    box.append(this.space);
    this.problems = new Map();
    let waiting = false;
    box.addEventListener('scroll', () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.render(); });
    });
    new ResizeObserver(() => this.render()).observe(box);
  }

  // `problems`: the diagnostics of each row.
  set(text, from, problems = new Map()) {
    this.setLines(text, from);
    this.problems = problems;
    let longest = 0;
    for (const line of this.lines) longest = Math.max(longest, line.length);
    this.space.style.height = this.lines.length * kRow + 24 + 'px';
    this.space.style.width = Math.ceil((longest + 4) * characterWidth()) + 64 + 'px';
    this.render();
  }
  choose(line) {
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
    const mark = guards ? `<u class="mark" title="${titleOfMark(guards)}"></u>` : '<u></u>';
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
}
