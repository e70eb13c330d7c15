// The pictures of the routes, and the pixel that is followed.
const spot = {x: -1, y: -1};

const showCross = () => {
  for (const cross of document.querySelectorAll('.cross')) {
    const image = cross.parentNode.querySelector('img');
    const scale = image.clientWidth / state.run.width;
    cross.hidden = spot.x < 0;
    cross.style.cssText = `left:${spot.x * scale}px;top:${spot.y * scale}px;width:${Math.ceil(scale)}px;height:${Math.ceil(scale)}px`;
  }
};
const choosePixel = (x, y) => {
  spot.x = Math.max(0, Math.min(state.run.width - 1, x));
  spot.y = Math.max(0, Math.min(state.run.height - 1, y));
  showCross();
  traceAt([spot.x, spot.y]);
};

const pictureFigure = picture => {
  const image = element('img', {alt: `${picture.label}, ${picture.width} x ${picture.height}`, src: 'data:image/png;base64,' + picture.png});
  const shot = element('div', {className: 'shot', tabIndex: 0}, image, element('div', {className: 'cross', hidden: true}));
  const traced = state.translation && state.translation.stage === 'pixel';
  if (traced) {
    shot.setAttribute('aria-label', `${picture.label}: arrow keys choose a pixel, Enter traces it`);
    shot.onclick = event => {
      const box = image.getBoundingClientRect();
      choosePixel(Math.floor((event.clientX - box.left) * state.run.width / box.width), Math.floor((event.clientY - box.top) * state.run.height / box.height));
    };
    shot.onkeydown = event => {
      const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Enter: [0, 0]};
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      if (spot.x < 0) [spot.x, spot.y] = [state.run.width >> 1, state.run.height >> 1];
      choosePixel(spot.x + step[0], spot.y + step[1]);
    };
  }
  return element('figure', {}, shot, element('figcaption', {textContent: picture.label}));
};

const showPictures = () => {
  const pane = panes.get('pictures');
  if (!pane) return;
  const run = state.run;
  if (!run) return pane.body.replaceChildren(element('p', {className: 'faint', textContent: machines.available ? '' : 'No route ran this shader.'}));
  const parts = [];
  for (const one of run.verdicts || []) parts.push(element('p', {className: 'verdict ' + (one.good ? 'good' : 'bad'), textContent: one.text}));
  for (const one of (run.diagnostics || []).filter(one => one.severity === 'error')) parts.push(element('p', {className: 'verdict bad', textContent: (one.line ? `line ${one.line}: ` : '') + one.message}));
  if (run.error) parts.push(element('p', {className: 'verdict bad', textContent: run.error}));
  if (run.scene_diagnostics && run.scene_diagnostics.length) parts.push(element('p', {className: 'verdict bad', textContent: 'The scene is wrong: ' + run.scene_diagnostics[0].message}));
  parts.push(...(run.pictures || []).map(pictureFigure));
  if (run.pictures && run.pictures.length && state.translation.stage === 'pixel') parts.push(element('p', {className: 'verdict faint', textContent: 'Click a pixel to see what it does, line by line.'}));
  pane.note.textContent = run.width && state.translation.stage === 'pixel' ? `${run.width} x ${run.height}` : '';
  pane.body.replaceChildren(...parts);
  showCross();
};
