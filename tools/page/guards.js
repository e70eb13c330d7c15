// Guards that translations added: marked at their lines, explained on a click, and summed up in a pane.
const kTargets = ['ptx', 'maxwell', 'spirv-text'];
const kTitles = {ptx: 'PTX', maxwell: 'Maxwell', 'spirv-text': 'SPIR-V'};
const targetOf = pane => pane.endsWith('-ir') ? pane.slice(0, -3) : pane;
const isShown = target => [target, target + '-ir'].some(id => panes.has(id) && !panes.get(id).section.hidden);

const guardText = gap => [element('b', {textContent: gap.operation}), `: ${gap.done} `, element('small', {textContent: `(${gap.lack} ${gap.document})`})];

// A pane of a target has its own guards; the source has those of the targets that are shown.
const markGuards = () => {
  const gaps = state.translation ? state.translation.gaps || [] : [];
  const current = state.translation && state.translation.text === state.text;
  for (const one of listings) {
    if (one.pane === 'source' && !current) continue;  // what is marked stays at its line while the text is edited
    const own = targetOf(one.pane);
    const marks = new Map();
    for (const gap of gaps) {
      if (!gap.line || (kTargets.includes(own) ? gap.pane !== own : one.pane === 'ir' || !isShown(gap.pane))) continue;
      if (!marks.has(gap.line)) marks.set(gap.line, []);
      marks.get(gap.line).push(gap);
    }
    one.mark(marks);
  }
  listGuards(gaps);
};

const explain = (listing, line, guards, event) => {
  const list = guards.map(gap => element('p', {}, element('span', {className: 'tag', textContent: kTitles[gap.pane]}), ' ', ...guardText(gap)));
  $('pop').replaceChildren(element('p', {className: 'faint', textContent: `Line ${line}: what Direct3D defines here, and the target's document does not promise`}), ...list);
  $('pop').hidden = false;
  const size = $('pop').getBoundingClientRect();
  $('pop').style.left = Math.max(8, Math.min(event.clientX + 8, innerWidth - size.width - 8)) + 'px';
  $('pop').style.top = Math.max(8, Math.min(event.clientY + 12, innerHeight - size.height - 8)) + 'px';
  keep(line, listing);
};

const listGuards = gaps => {
  const pane = panes.get('guards');
  if (!pane || pane.section.hidden) return;
  const kinds = new Map();
  for (const gap of gaps) {
    if (!isShown(gap.pane)) continue;
    const key = [gap.pane, gap.operation, gap.done, gap.document].join('\n');
    if (!kinds.has(key)) kinds.set(key, {gap, lines: []});
    kinds.get(key).lines.push(gap.line);
  }
  const shown = kTargets.filter(isShown);
  const refused = state.translation ? state.translation.panes.filter(one => one.failure).map(one => one.id) : [];
  const parts = [];
  for (const target of shown) {
    const own = [...kinds.values()].filter(one => one.gap.pane === target);
    if (refused.includes(target)) parts.push(element('p', {className: 'faint', textContent: `${kTitles[target]} refuses this shader.`}));
    else if (!own.length && state.translation) parts.push(element('p', {className: 'faint', textContent: `${kTitles[target]} promises everything that this shader needs.`}));
    for (const {gap, lines} of own) {
      const numbers = element('span', {className: 'lines'});
      for (const line of lines.slice(0, 40)) {
        const go = element('button', {textContent: line});
        go.onclick = () => keep(line, null);
        numbers.append(go, ' ');
      }
      if (lines.length > 40) numbers.append(`and ${lines.length - 40} more`);
      parts.push(element('div', {className: 'guard'}, element('span', {className: 'tag', textContent: kTitles[target]}), ' ', ...guardText(gap), element('br'), lines.length === 1 ? 'line ' : 'lines ', numbers));
    }
  }
  if (!shown.length) parts.push(element('p', {className: 'faint', textContent: 'Show PTX, Maxwell or SPIR-V to see its guards.'}));
  pane.note.textContent = `${kinds.size} kinds`;
  pane.body.replaceChildren(...parts);
};
