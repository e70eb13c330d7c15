// The scene by controls. Its JSON is what counts: a control changes one key of it, and the JSON can be edited as well.
const kFormats = ['', 'r8g8b8a8_unorm', 'r8g8b8a8_unorm_srgb', 'r16g16b16a16_float', 'r32g32b32a32_float', 'r32_float', 'r16_unorm', 'r8_unorm', 'r10g10b10a2_unorm', 'r11g11b10_float',
  'r32g32b32a32_uint', 'r32g32b32a32_sint', 'r32_uint', 'r32_sint', 'r8g8b8a8_uint', 'bc1_unorm', 'bc3_unorm', 'bc7_unorm'];
const kPatterns = ['', 'checker', 'gradient', 'noise', 'mip-colored', 'zero'];
const kFilters = ['', 'point', 'linear', 'trilinear', 'anisotropic'];
const kAddresses = ['', 'wrap', 'mirror', 'clamp', 'border', 'mirror_once'];
const kComparisons = ['', 'never', 'less', 'equal', 'less_equal', 'greater', 'not_equal', 'greater_equal', 'always'];

// In a scene 3 and 3.0 differ, but not in JavaScript: numbers with a point or an exponent are kept as typed, as marked strings.
const kTyped = '@typed ';
const parseTyped = text => JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
  word => word[0] !== '"' && /[.eE]/.test(word) ? `"${kTyped}${word}"` : word));
const typedText = (value, space) => JSON.stringify(value, null, space).replace(new RegExp(`"${kTyped}([^"]*)"`, 'g'), '$1');

const sceneNow = () => {
  try {
    const scene = parseTyped(state.scene);
    return scene && typeof scene === 'object' && !Array.isArray(scene) ? scene : null;
  } catch {
    return null;  // comments are allowed in scenes, but not here; or it is wrong, and the machines say where
  }
};
const sceneText = scene => typedText(scene, 1).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (all, inner) => '[' + inner.replace(/\s*\n\s*/g, ' ') + ']');

// Sets the value at a path, or removes it; objects that become empty go, too.
const setIn = (object, [key, ...rest], value) => {
  if (rest.length) {
    if (!object[key] || typeof object[key] !== 'object') object[key] = {};
    setIn(object[key], rest, value);
    if (!Array.isArray(object[key]) && !Object.keys(object[key]).length) delete object[key];
  } else if (value === undefined) {
    delete object[key];
  } else {
    object[key] = value;
  }
};
const changeScene = (path, value) => {
  const scene = sceneNow();
  if (!scene) return say('The scene is not plain JSON: edit its text', true);
  setIn(scene, path, value);
  state.scene = sceneText(scene);
  showScene();
  sceneChanged();
};
const at = (object, path) => path.reduce((now, key) => now && typeof now === 'object' ? now[key] : undefined, object);

const choice = (path, words, scene, label) => {
  const one = element('select', {title: label});
  one.setAttribute('aria-label', label);
  for (const word of words) one.append(element('option', {value: word, textContent: word || `${label}: default`}));
  const now = at(scene, path);
  one.value = typeof now === 'string' && words.includes(now) ? now : '';
  one.onchange = () => changeScene(path, one.value || undefined);
  return one;
};
const numbers = (path, labels, scene, defaults) => {
  const now = at(scene, path);
  const single = labels.length === 1;
  const fields = labels.map((label, i) => {
    const one = element('input', {type: 'number', min: 0, title: label, placeholder: defaults[i] === undefined ? label : defaults[i]});
    one.setAttribute('aria-label', label);
    const value = single ? now : Array.isArray(now) ? now[i] : undefined;
    if (typeof value === 'number') one.value = value;
    return one;
  });
  for (const one of fields) {
    one.onchange = () => {
      const values = fields.map((field, i) => field.value === '' ? defaults[i] : Number(field.value));
      const given = fields.some(field => field.value !== '');
      changeScene(path, given ? single ? values[0] : values.filter(value => value !== undefined) : undefined);
    };
  }
  return fields;
};
const unbound = (path, scene) => {
  const box = element('input', {type: 'checkbox', checked: at(scene, path) === null});
  box.onchange = () => changeScene(path, box.checked ? null : undefined);
  return element('label', {}, box, ' unbound');
};

const slotControls = (slot, scene) => {
  const path = [slot.section, slot.name];
  const key = name => [...path, name];
  const row = element('div', {className: 'row'});
  if (slot.kind !== 'input') row.append(unbound(path, scene));
  if (at(scene, path) === null) return row;
  if (slot.kind === 'texture') {
    row.append(choice(key('generate'), kPatterns, scene, 'contents'), choice(key('format'), kFormats, scene, 'format'),
      ...numbers(key('size'), slot.dimension.startsWith('texture3d') ? ['width', 'height', 'depth'] : ['width', 'height'], scene, slot.dimension.startsWith('texture3d') ? [16, 16, 16] : [64, 64]),
      ...numbers(key('mips'), ['mips'], scene, []));
  } else if (slot.kind === 'buffer') {
    row.append(choice(key('generate'), ['', 'noise', 'zero'], scene, 'contents'), ...numbers(key('elements'), ['elements'], scene, []));
  } else if (slot.kind === 'sampler') {
    row.append(choice(key('filter'), kFilters, scene, 'filter'), choice(key('address'), kAddresses, scene, 'address'));
    if (slot.comparison) row.append(choice(key('comparison'), kComparisons, scene, 'comparison'));
  } else {
    const now = at(scene, path);
    const field = element('input', {type: 'text', size: 30, placeholder: slot.kind === 'constants' ? '[[1.0, 0.5, 0.0, 0.0]]' : '{"constant": [1.0, 0.0]}',
      value: now === undefined ? '' : typedText(now)});
    field.setAttribute('aria-label', slot.name);
    field.onchange = () => {
      if (field.value.trim() === '') return changeScene(path, undefined);
      try {
        changeScene(path, parseTyped(field.value));
      } catch {
        say(`${slot.name}: this is not JSON`, true);
      }
    };
    row.append(field);
  }
  return row;
};

const sizeControls = (stage, scene) => {
  if (stage === 'pixel') return ['Viewport', numbers(['viewport'], ['width', 'height'], scene, [64, 64])];
  if (stage === 'vertex') return ['Vertices', numbers(['vertices'], ['vertices'], scene, [64])];
  if (stage === 'compute') return ['Groups', numbers(['dispatch'], ['x', 'y', 'z'], scene, [2, 2, 1])];
  return ['Primitives', numbers(['primitives'], ['primitives'], scene, [16])];
};

const showScene = () => {
  const pane = panes.get('scene');
  if (!pane) return;
  const field = $('json');
  if (field.value !== state.scene && document.activeElement !== field) field.value = state.scene;
  field.readOnly = !machines.available;
  $('scene-problems').replaceChildren(...state.scene_diagnostics.map(one => {
    const text = (one.line ? `line ${one.line}, column ${one.column}: ` : '') + one.message;
    const go = element('p', {className: 'failure', textContent: text});
    if (one.line) go.onclick = () => selectIn(field, one);
    return go;
  }));
  const controls = $('controls');
  if (!machines.available || !state.translation) return controls.replaceChildren();
  const scene = sceneNow() || {};
  const [name, fields] = sizeControls(state.translation.stage, scene);
  const parts = [element('span', {textContent: name}), element('div', {className: 'row'}, ...fields)];
  for (const slot of state.translation.slots || []) {
    if (slot.kind === 'input' && slot.system_value && slot.system_value !== 'none') continue;
    const what = [slot.dimension, slot.type, slot.kind === 'constants' ? `${slot.rows} rows` : '', slot.semantic].filter(Boolean).join(', ');
    parts.push(element('span', {textContent: slot.name, title: what || slot.kind}), slotControls(slot, scene));
  }
  controls.replaceChildren(...parts);
};

const selectIn = (field, {line, column, length}) => {
  const before = field.value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(before + column - 1, before + column - 1 + Math.max(1, length));
};

const makeScene = () => {
  const pane = makePane('scene', 'Scene', 'list');
  const field = element('textarea', {id: 'json', spellcheck: false, value: state.scene});
  field.setAttribute('aria-label', 'The scene as JSON');
  field.oninput = () => {
    state.scene = field.value;
    sceneChanged();
  };
  field.onblur = showScene;
  pane.body.append(element('div', {id: 'controls', className: 'controls'}), element('p', {className: 'faint', textContent: 'As JSON, with everything that has no control (docs/scene.md):'}),
    field, element('div', {id: 'scene-problems'}));
};
