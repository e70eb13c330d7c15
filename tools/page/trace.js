// One pixel, vertex or thread, line by line.
const traceAt = async place => {
  showPane('trace', true);
  const kept = (data.traces || []).find(one => one.at.every((value, i) => value === (place[i] || 0)));
  if (!machines.available) {
    state.trace = kept || {error: `This page has no machines. In a terminal: ${data.trace_command || 'texlate trace SHADER'} --pixel ${place.join(',')}`};
    return showTrace();
  }
  const answer = await ask({do: 'trace', at: place, guards: $('guarded').value});
  if (!answer) return;
  state.trace = answer;
  showTrace();
};

const stepOf = (line, index, lines, trace) => {
  const step = element('div', {className: 'step', tabIndex: -1});
  step.dataset.line = line.line;
  if (line.live === false) step.classList.add('off');
  step.append(element('span', {className: 'faint', textContent: String(line.line).padStart(4) + ' '}), (lines[line.line - 1] || '').trim());
  for (const access of line.accesses || []) step.append(element('div', {className: 'from', textContent: access}));
  for (const guard of line.guards || []) step.append(element('div', {className: 'guarded', textContent: guard}));
  for (const [register, values] of line.writes) step.append(element('div', {}, element('b', {textContent: register}), ' = ' + values));
  for (const [name, found] of [['NaN', trace.nan], ['INF', trace.infinity]]) {
    if (!found || found.index !== index) continue;
    step.classList.add('special');
    step.append(element('div', {className: 'failure', textContent: `the first ${name}: ${found.register}`}));
  }
  step.onclick = () => keep(line.line, null);
  return step;
};

const showTrace = () => {
  const trace = state.trace;
  const list = $('steps');
  panes.get('trace').note.textContent = trace && trace.place || '';
  if (!trace) return list.replaceChildren();
  const problems = [...(trace.diagnostics || []), ...(trace.scene_diagnostics || [])].filter(one => one.severity === 'error').map(one => one.message);
  if (trace.error) problems.push(trace.error);
  if (problems.length || !trace.lines) return list.replaceChildren(...problems.map(text => element('p', {className: 'failure', textContent: text})));
  const lines = state.text.split('\n');
  const parts = trace.lines.map((line, index) => stepOf(line, index, lines, trace));
  if (trace.left_out) parts.push(element('p', {className: 'faint', textContent: `${trace.left_out} more lines`}));
  if (trace.discarded) parts.push(element('p', {className: 'faint', textContent: 'The pixel is discarded.'}));
  if (trace.cut_off) parts.push(element('p', {className: 'failure', textContent: 'The run was cut off: too many instructions.'}));
  list.replaceChildren(...parts);
  for (const [id, found] of [['to-nan', trace.nan], ['to-infinity', trace.infinity]]) {
    $(id).disabled = !found;
    $(id).onclick = () => found && goToStep(found.index);
  }
};
const goToStep = index => {
  const step = $('steps').children[index];
  if (!step) return;
  step.scrollIntoView({block: 'nearest'});
  keep(Number(step.dataset.line), null);
};
const markStep = line => {
  const list = $('steps');
  if (!list) return;
  for (const step of list.querySelectorAll('.step')) step.classList.toggle('pin', line !== 0 && Number(step.dataset.line) === line);
};

const makeTrace = () => {
  const pane = makePane('trace', 'Trace', 'list');
  const place = element('input', {id: 'place', size: 9, placeholder: 'X,Y'});
  place.setAttribute('aria-label', 'The pixel X,Y, the vertex N or the thread X,Y,Z');
  const guarded = element('select', {id: 'guarded', title: 'The target whose guards are followed'});
  for (const word of ['ptx', 'maxwell', 'none']) guarded.append(element('option', {textContent: word, value: word}));
  const go = element('button', {textContent: 'Trace', onclick: () => {
    const numbers = (place.value || '0,0').split(',').map(Number);
    if (numbers.some(one => !Number.isInteger(one) || one < 0)) return say('A pixel is X,Y, a vertex N, a thread X,Y,Z', true);
    if (state.run && state.translation.stage === 'pixel') [spot.x, spot.y] = numbers;
    if (state.run) showCross();
    traceAt(numbers);
  }});
  const bar = element('p', {className: 'row'}, place, ' ', go, ' ', element('label', {}, 'guards ', guarded), ' ',
    element('button', {id: 'to-nan', textContent: 'to NaN', disabled: true}), ' ', element('button', {id: 'to-infinity', textContent: 'to INF', disabled: true}));
  pane.body.append(bar, element('div', {id: 'steps'}));
};
