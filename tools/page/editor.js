// The shader as a text to edit: CodeMirror 5, which makes elements of the visible lines only (a text field makes them of all lines, and a paste of
// 3,000 then stops the page). Only the playground has it.
CodeMirror.defineMode('shader', () => ({
  token(stream) {
    let end = 0;
    for (const [name, text] of partsOf(stream.string)) {
      end += text.length;
      if (end <= stream.pos) continue;
      stream.pos = end;
      return name;
    }
  },
}));

class Editor extends Lines {
  constructor(box, pane, changed) {
    super(box, pane);
    this.changed = changed;
    this.code = CodeMirror(box, {
      mode: 'shader',
      inputStyle: 'contenteditable',  // the other one copies what is selected into a text field
      screenReaderLabel: 'Shader assembly',
      lineNumbers: true,
      gutters: ['CodeMirror-linenumbers', 'guards'],
      extraKeys: {Tab: false, 'Shift-Tab': false, Esc: 'clearSearch'},  // Tab leaves the editor
    });
    this.scroller = this.code.getScrollerElement();
    this.text = '';
    this.problems = new Map();
    this.shown = {marks: null, problems: null, resized: false};
    this.guards = new Map();  // handle of a line: the guards that are marked there
    this.tinted = {};         // class: handles of its lines
    this.notes = [];          // of diagnostics
    new ResizeObserver(() => { this.shown.resized = true; this.render(); }).observe(box);
    this.code.on('changes', (code, changes) => { if (changes[0].origin !== 'setValue') this.edited(); });
    box.addEventListener('keyup', event => {
      if (!event.isComposing && /^(Arrow|Page)/.test(event.key)) keep(this.code.getCursor().line + 1, this);
    });
    this.listenToInputMethod(this.code.getInputField());
  }
  // A change of what is shown would end a composition, and its text would be lost: CodeMirror reads it 80 ms after its end.
  // It also resets its input 20 ms after the focus has come, which ends a composition by moving the focus, and so on.
  listenToInputMethod(field) {
    let timer = 0;
    this.composing = false;
    const input = this.code.display.input, reset = input.reset;
    input.reset = typing => { if (!this.composing) reset.call(input, typing); };
    field.addEventListener('compositionstart', () => {
      clearTimeout(timer);
      this.composing = true;
    });
    field.addEventListener('compositionend', () => {
      timer = setTimeout(() => {
        this.composing = false;
        this.render();
      }, 150);
    });
    field.setAttribute('role', 'textbox');
    field.setAttribute('aria-multiline', 'true');
  }

  set(text, from, problems) {
    if (text !== this.text) {
      this.text = text;
      this.code.setValue(text);
      this.code.clearHistory();
    }
    this.setLines(text, from);
    this.problems = problems;
    this.render();
  }
  edited() {
    this.text = this.code.getValue();
    this.setLines(this.text, null);
    this.problems = new Map();
    this.render();
    this.changed(this.text);
  }
  choose(line) { keep(line, this); }
  guardsAt(row) { return this.guards.get(this.code.getLineHandle(row)) || []; }

  render() {
    if (this.composing) return;
    this.code.operation(() => {
      if (this.shown.resized) this.code.refresh();
      if (this.shown.marks !== this.marks) this.showMarks();
      if (this.shown.problems !== this.problems) this.showProblems();
      this.shown = {marks: this.marks, problems: this.problems, resized: false};
      for (const name of ['hot', 'pin']) this.tint(name, [linked[name] - 1]);
    });
  }
  // Gives these rows, and no others, the class.
  tint(name, rows) {
    const change = (action, handles) => {
      for (const handle of handles) for (const where of ['wrap', 'gutter']) this.code[action](handle, where, name);
    };
    const before = this.tinted[name] || [], now = rows.map(row => this.code.getLineHandle(row)).filter(Boolean);
    change('removeLineClass', before.filter(one => !now.includes(one)));
    change('addLineClass', now.filter(one => !before.includes(one)));
    this.tinted[name] = now;
  }
  // They move with their lines while the text is edited.
  showMarks() {
    this.guards.clear();
    this.code.clearGutter('guards');
    for (const [line, guards] of this.marks) {
      const handle = this.code.getLineHandle(line - 1);
      if (!handle) continue;
      this.guards.set(handle, guards);
      this.code.setGutterMarker(handle, 'guards', element('u', {className: 'mark', title: titleOfMark(guards)}));
    }
  }
  showProblems() {
    for (const one of this.notes) one.clear();
    this.notes = [];
    for (const [row, list] of this.problems) for (const one of list) this.showProblem(row, one);
    this.tint('bad', [...this.problems].filter(([, list]) => list.some(one => one.severity === 'error')).map(([row]) => row));
  }
  // A wave under the place, and the message behind the line.
  showProblem(row, one) {
    const length = (this.code.getLine(row) || '').length;
    if (one.column) {
      const begin = Math.min(one.column, length) - 1, end = begin + Math.max(1, one.length);
      this.notes.push(this.code.markText({line: row, ch: begin}, {line: row, ch: end}, {className: 'wave'}));
    }
    const widget = element('em', {className: one.severity, textContent: one.message});
    this.notes.push(this.code.setBookmark({line: row, ch: length}, {widget, insertLeft: true, handleMouseEvents: true}));
  }
}
