// The panes: which are shown, how wide they are, and what separates them.
const panes = new Map();  // id: {section, title, note, weight}

const makePane = (id, title, className) => {
  const note = element('small');
  const body = element('div', {className});
  const section = element('section', {className: 'pane', id, hidden: true}, element('h2', {}, title, note), body);
  section.setAttribute('aria-label', title);
  const button = element('button', {textContent: title});
  button.dataset.pane = id;
  button.onclick = () => showPane(id, section.hidden);
  const split = element('div', {className: 'split', tabIndex: 0, hidden: true});
  split.setAttribute('role', 'separator');
  split.setAttribute('aria-orientation', 'vertical');
  split.setAttribute('aria-label', `Width of the pane before ${title}`);
  const pane = {id, section, body, note, button, split, weight: 1};
  makeSplit(pane);
  panes.set(id, pane);
  $('main').append(split, section);
  $('nav').append(button);
  return pane;
};

const visiblePanes = () => [...panes.values()].filter(one => !one.section.hidden);

const layOut = () => {
  const shown = visiblePanes();
  for (const one of panes.values()) {
    one.split.hidden = one.section.hidden || one === shown[0];
    one.section.style.flexGrow = one.weight;
    one.button.setAttribute('aria-pressed', String(!one.section.hidden));
  }
};

const showPane = (id, shown) => {
  const pane = panes.get(id);
  if (!pane || pane.section.hidden === !shown) return;
  pane.section.hidden = !shown;
  layOut();
  markGuards();
  for (const one of listings) {
    one.render();
    if (one.pane === id && linked.pin) one.show(one.firstRow(linked.pin));
  }
  paneShown(id, shown);
};

const moveSplit = (pane, by) => {
  const shown = visiblePanes();
  const before = shown[shown.indexOf(pane) - 1];
  if (!before) return;
  for (const one of shown) one.weight = one.section.getBoundingClientRect().width;
  const step = Math.max(180 - before.weight, Math.min(by, pane.weight - 180));
  before.weight += step;
  pane.weight -= step;
  layOut();
};

const makeSplit = pane => {
  let at = null;
  pane.split.onpointerdown = event => {
    at = event.clientX;
    pane.split.setPointerCapture(event.pointerId);
  };
  pane.split.onpointermove = event => {
    if (at === null) return;
    moveSplit(pane, event.clientX - at);
    at = event.clientX;
  };
  pane.split.onpointerup = pane.split.onpointercancel = () => { at = null; };
  pane.split.onkeydown = event => {
    const by = event.key === 'ArrowLeft' ? -24 : event.key === 'ArrowRight' ? 24 : 0;
    if (!by) return;
    moveSplit(pane, by);
    event.preventDefault();
    event.stopPropagation();
  };
};
