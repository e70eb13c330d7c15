// What happens when.
const say = (text, bad) => {
  $('status').textContent = text;
  $('status').classList.toggle('bad', Boolean(bad));
};

const kPanes = [['source', 'Assembly'], ['ir', 'IR'], ['ptx-ir', 'IR for PTX'], ['ptx', 'PTX'], ['maxwell-ir', 'IR for Maxwell'], ['maxwell', 'Maxwell'],
  ['spirv-text-ir', 'IR for SPIR-V'], ['spirv-text', 'SPIR-V']];
const paneTargets = () => data.targets || kTargets;

const paneShown = (id, shown) => {
  if (id === 'pictures' && shown) runSoon();
  if (id === 'guards') markGuards();
};

const showTranslation = () => {
  const page = state.translation;
  $('title').textContent = state.title;
  document.title = `${state.title} - texlate`;
  $('summary').textContent = page ? page.summary : '';
  const source = panes.get('source');
  const problems = new Map();
  for (const one of state.diagnostics) {
    if (!one.line) continue;
    const row = one.line - 1;
    if (!problems.has(row)) problems.set(row, []);
    problems.get(row).push(one);
  }
  source.listing.set(state.text, null, problems);
  source.note.textContent = `${source.listing.lines.length} lines`;
  for (const [id] of kPanes.slice(1)) {
    const pane = panes.get(id);
    if (!pane) continue;
    const shown = page && page.panes.find(one => one.id === id);
    pane.failure.replaceChildren(...(shown && shown.failure || []).filter(one => one.severity === 'error').map(one => {
      const text = element('p', {className: 'failure', textContent: (one.line ? `line ${one.line}: ` : '') + one.message});
      if (one.line) text.onclick = () => keep(one.line, null);
      return text;
    }));
    pane.listing.set(shown ? shown.text : '', shown ? shown.lines : []);
    pane.note.textContent = shown && !shown.failure ? `${pane.listing.lines.length} lines` : '';
  }
  // Beside the text: the first place that is wrong.
  const first = state.diagnostics.find(one => one.severity === 'error') || state.diagnostics[0];
  if (first) {
    const more = state.diagnostics.length > 1 ? ` (and ${state.diagnostics.length - 1} more)` : '';
    const place = first.line ? `line ${first.line}, column ${first.column}: ` : first.offset !== undefined ? `byte 0x${first.offset.toString(16)}: ` : '';
    say(`${first.severity}: ${place}${first.message}${more}`, first.severity === 'error');
  }
  markGuards();
};

// What will be asked for after a pause; a later wish of the same kind replaces it. 0: nothing.
const timers = {translate: 0, run: 0};
const later = (name, delay, act) => {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(() => {
    timers[name] = 0;
    act();
  }, delay);
};
const translateSoon = delay => later('translate', delay === undefined ? 120 : delay, translate);
const translate = async () => {
  const answer = await ask({do: 'translate', targets: paneTargets()});
  if (!answer) return;
  state.diagnostics = answer.diagnostics || [];
  if (state.container) {
    // From now on the listing is the shader, and can be edited.
    state.container = null;
    if (answer.good) state.text = answer.text;
  }
  // What the other panes show is then the last good translation.
  document.body.classList.toggle('stale', !answer.good);
  if (answer.error) {
    say(answer.error, true);
    return;
  }
  if (answer.good) {
    state.translation = answer;
    say(`Translated in ${Math.round(answer.milliseconds)} ms`);
  }
  showTranslation();
  showScene();
  if (answer.good) runSoon();
};
const runSoon = () => {
  if (!machines.available || panes.get('pictures').section.hidden) return;
  later('run', 60, run);
};
const run = async () => {
  if (!state.translation || state.translation.is_ir) return;
  const answer = await ask({do: 'run', via: data.via || ['ir', 'ptx', 'maxwell'], budget: 1 << 28});
  if (!answer) return;
  state.scene_diagnostics = answer.scene_diagnostics || [];
  state.run = answer;
  showPictures();
  showScene();
};
const sceneChanged = () => later('run', 200, run);

const take = (name, text) => {
  state.title = name;
  state.text = text;
  state.container = null;
  state.trace = null;
  spot.x = -1;
  showTrace();
  showTranslation();
  translateSoon(0);
};
const takeFile = async file => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const head = String.fromCharCode(...bytes.subarray(0, 4));
  if (head === '\x89PNG') return say('Scenes on this page have generated textures: a picture cannot be bound', true);
  state.scene = '{}';
  if (head !== 'DXBC') return take(file.name, new TextDecoder().decode(bytes));
  take(file.name, '');
  state.container = bytes;
};

const makePage = () => {
  for (const [id, title] of kPanes) {
    const target = targetOf(id);
    if (kTargets.includes(target) && !paneTargets().includes(target)) continue;
    const pane = makePane(id, id === 'source' && state.translation && state.translation.is_ir ? 'IR text' : title, 'code');
    if (id === 'source' && machines.available) {
      pane.listing = new Editor(pane.body, id, text => {
        state.text = text;
        say('');
        translateSoon();
      });
      continue;
    }
    pane.failure = element('div');
    pane.body.before(pane.failure);
    pane.listing = new Listing(pane.body, id);
  }
  makePane('guards', 'Guards', 'list');
  makeScene();
  makePane('pictures', 'Pictures', 'pictures');
  new ResizeObserver(() => state.run && showCross()).observe(panes.get('pictures').body);
  makeTrace();
  const first = paneTargets()[0];
  const wide = innerWidth >= 1800;
  for (const [id, one] of panes) one.weight = id === 'pictures' ? 0.7 : id === 'scene' || id === 'trace' ? 0.8 : 1;
  for (const id of ['source', ...(wide ? ['ir', 'guards'] : []), first, 'pictures']) panes.get(id).section.hidden = false;
  layOut();
};

const isTyped = one => one.isContentEditable || /^(TEXTAREA|INPUT|SELECT)$/.test(one.tagName);
const listen = () => {
  $('theme').onclick = () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  };
  $('stop').onclick = () => giveUp('Stopped.');
  $('open').onclick = () => $('file').click();
  $('file').onchange = () => $('file').files.length && takeFile($('file').files[0]);
  $('link').onclick = async () => {
    const hash = await packLink();
    history.replaceState(null, '', hash);
    const copied = navigator.clipboard && await navigator.clipboard.writeText(location.href).then(() => true, () => false);
    say(`The address has the shader and its scene, ${hash.length} characters${copied ? ', and is copied' : ''}`);
  };
  let inside = 0;
  // Caught before the editor has them: it would insert the file.
  const onFiles = (type, act) => addEventListener(type, event => {
    if (!machines.available || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    act(event);
  }, {capture: true});
  onFiles('dragenter', () => { $('drop').hidden = ++inside === 0; });
  onFiles('dragleave', () => { $('drop').hidden = --inside <= 0; });
  onFiles('dragover', () => {});
  onFiles('drop', event => {
    inside = 0;
    $('drop').hidden = true;
    takeFile(event.dataTransfer.files[0]);
  });
  addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      if (!$('pop').hidden) $('pop').hidden = true;
      else if (linked.pin) keep(0, null);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!step || !linked.pin || isTyped(document.activeElement)) return;
    const next = nextLine(step);
    if (next) keep(next, null);
    event.preventDefault();
  });
  addEventListener('click', event => { if (!event.target.closest('#pop, .mark')) $('pop').hidden = true; });
  addEventListener('hashchange', openLink);
  addEventListener('resize', () => { if (state.run) showCross(); });
};
// The next line of the source from which something comes.
const nextLine = step => {
  const panesNow = state.translation ? state.translation.panes : [];
  let best = 0;
  for (const pane of panesNow) {
    for (const line of pane.lines) {
      if (line && (line - linked.pin) * step > 0 && (!best || (line - best) * step < 0)) best = line;
    }
  }
  return best;
};

const openLink = async () => {
  const wanted = location.hash.match(/^#L(\d+)$/);
  if (wanted) return keep(Number(wanted[1]), null);
  if (!machines.available || !location.hash.startsWith('#s=')) return;
  try {
    if (await unpackLink(location.hash)) take(state.title, state.text);
  } catch {
    say('This link is damaged: the shader cannot be read', true);
  }
};

const start = async () => {
  const wish = new URLSearchParams(location.search).get('theme');
  document.documentElement.dataset.theme = wish || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  document.documentElement.classList.toggle('dead', !machines.available);
  makePage();
  listen();
  const examples = $('examples');
  for (const one of data.examples || []) examples.append(element('option', {textContent: one.name}));
  if (!(data.examples || []).length) examples.parentNode.hidden = true;
  examples.onchange = () => {
    const one = data.examples[examples.selectedIndex];
    state.scene = one.scene || '{}';
    take(one.name, one.text);
  };
  if (machines.available && location.hash.startsWith('#s=')) return openLink();
  if (!state.text && (data.examples || []).length) return examples.onchange();
  state.diagnostics = data.diagnostics || [];
  if (data.traces && data.traces.length) state.trace = data.traces[0];
  if (state.trace) {
    [spot.x, spot.y] = state.trace.at;
    showPane('trace', true);
  }
  showTranslation();
  showScene();
  showPictures();
  showTrace();
  if (machines.available && !state.translation) translateSoon(0);
  openLink();
};
document.addEventListener('DOMContentLoaded', start);  // when the editor is there, too
