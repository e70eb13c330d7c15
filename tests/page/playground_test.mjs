// The playground in a browser, used as people use it: node playground_test.mjs PLAYGROUND.html TEXLATE OUT
// OUT gets the screenshots. TEXLATE_PAGE_TIMES=1: long tasks are faults. Exit status 1 if anything is not as it should be, 77 if there is no playground or no browser.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [playground, texlate, out] = process.argv.slice(2);
const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const skip = why => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
if (!existsSync(playground)) skip(`there is no ${playground} (make playground)`);
if (!program) skip("there is no Chromium");
const address = pathToFileURL(resolve(playground)).href;
mkdirSync(out, { recursive: true });
// On a machine that does nothing else, tasks of more than 100 ms are faults; on a busy one they say nothing.
const mustBeFast = process.env.TEXLATE_PAGE_TIMES === "1";
let failed = 0;
const holds = (name, good, found) => {
  console.log(`${good ? "ok    " : "FAILED"} ${name}${found === undefined ? "" : `: ${found}`}`);
  if (!good) ++failed;
};

// Nothing is being answered, waits to be sent, or waits for a pause. CodeMirror 5 reads what was typed a while later.
const editor = "panes.get('source').listing";
const idle = `!machines.pending && !queue.length && !timers.translate && !timers.run && !${editor}.composing && !${editor}.code.display.input.readDOMTimeout`;
const settled = page => page.until(`state.translation && ${idle}`);
// The answer to what was just done.
const quiet = page => page.until(idle);
const kControl = 2, kShift = 8;
const intoEditor = page => page.evaluate("document.querySelector('#source [contenteditable]').focus()");
const replaceText = async (page, text) => {
  await intoEditor(page);
  await page.key("a", kControl);
  await page.paste(text);
  await quiet(page);
};
const status = page => page.evaluate("$('status').textContent");

const kPanes = ["ir", "ptx-ir", "ptx", "maxwell-ir", "maxwell", "spirv-text-ir", "spirv-text", "guards", "scene", "pictures", "trace"];
const kSmall = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0.5,0.25,1.0,1.0)\nret\n";

const kSlow = "ps_5_0\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, l(0)\nloop\niadd r0.x, r0.x, l(1)\nige r0.y, r0.x, l(1000000000)\nbreakc_nz r0.y\nendloop\nmov o0.xyzw, r0.xxxx\nret\n";

const openFirstExample = async page => {
  await page.evaluate("$('examples').selectedIndex = 0, $('examples').onchange()");
  await page.until("state.title === data.examples[0].name && state.run && state.run.pictures");
  await quiet(page);
};

const opens = async page => {
  await settled(page);
  await page.until("state.run && state.run.pictures");
  const verdicts = await page.evaluate("state.run.verdicts.map(one => one.text)");
  holds("the first example runs on three routes that agree", verdicts.length === 2 && verdicts.every(text => / 0 of \d+ differ/.test(text)), verdicts.join("; "));
  holds("the page has its editor's license", await page.evaluate("document.body.textContent.includes('Marijn Haverbeke') && document.body.textContent.includes('Permission is hereby granted')"));
  holds("nothing asks the network", page.requests.every(url => /^(file|data|blob):/.test(url)), `${page.requests.length} requests`);
};

const showsEveryTarget = async page => {
  for (const pane of kPanes) {
    const shown = await page.evaluate(`!panes.get('${pane}').section.hidden`);
    if (!shown) await page.click(`[data-pane="${pane}"]`);
    const lines = await page.evaluate(`(panes.get('${pane}').listing ? panes.get('${pane}').listing.lines.length : panes.get('${pane}').body.children.length)`);
    holds(`pane ${pane} shows something`, lines > 0, lines);
    await page.screenshot(`${out}/pane-${pane}.png`);
    if (!["ptx", "pictures"].includes(pane)) await page.click(`[data-pane="${pane}"]`);
  }
};

const showsAnError = async page => {
  await replaceText(page, kSmall.replace("mov o0", "movv o0"));
  await page.until("state.diagnostics.length");
  const found = await page.evaluate("({line: state.diagnostics[0].line, status: $('status').textContent, wave: document.querySelectorAll('#source .wave').length})");
  holds("an error is shown at its place", found.line === 3 && found.wave === 1 && found.status.includes("line 3"), found.status);
  await page.screenshot(`${out}/error.png`);
  await replaceText(page, kSmall);
  holds("the error goes when the text is right", await page.evaluate("state.diagnostics.length === 0 && !document.querySelector('#source .wave')"));
};

// Typing, undoing, searching, and marks that stay at their lines.
const edits = async page => {
  await replaceText(page, kSmall);
  await replaceText(page, kSmall.replace("0.5", "0.75").replaceAll("\n", "\r\n"));
  holds("a text with CR LF is taken", await page.evaluate("state.text.includes('0.75') && !state.text.includes('\\r') && state.diagnostics.length === 0"));
  await page.key("z", kControl);
  await quiet(page);
  holds("Ctrl+Z takes a paste back", await page.evaluate("state.text") === kSmall);
  await intoEditor(page);
  await page.key("Home", kControl);
  for (const key of ["/", "/", " ", "a", "Enter"]) await page.key(key);
  await quiet(page);
  holds("what is typed is translated", await page.evaluate("state.text") === "// a\n" + kSmall && await page.evaluate("state.translation.text.startsWith('// a')"));
  const text = await page.evaluate("state.text"), focused = [];
  for (const modifiers of [0, kShift]) {
    await page.key("Tab", modifiers);
    focused.push(await page.evaluate("document.activeElement.getAttribute('aria-label')"));
  }
  holds("Tab leaves the editor and comes back", focused[0] !== "Shader assembly" && focused[1] === "Shader assembly" && await page.evaluate("state.text") === text, focused[0]);
  await page.key("ArrowDown");
  holds("the caret links its line", await page.evaluate("linked.pin === 3 && document.querySelector('#source .pin > pre').textContent.startsWith('dcl_output')"));
  await page.key("Home", kControl);
  await quiet(page);
  for (const [n, composed] of ["\u65e5", "\u65e5\u672c", "\u65e5\u672c\u8a9e"].entries()) {
    await page.send("Input.imeSetComposition", { text: composed, selectionStart: composed.length, selectionEnd: composed.length });
    await page.evaluate(`say('long '.repeat(${n % 2 ? 0 : 100}))`);  // which makes the editor lower
    await page.until(`${editor}.composing && ${editor}.shown.resized`);
  }
  await page.send("Input.insertText", { text: "\u65e5\u672c" });
  await page.until("state.text !== " + JSON.stringify(text));
  await quiet(page);
  const begin = await page.evaluate("state.text.slice(0, 8)");
  holds("an input method composes", begin.startsWith("\u65e5\u672c//"), JSON.stringify(begin));
  await page.key("f", kControl);
  for (const key of ["r", "e", "t"]) await page.key(key);
  await page.screenshot(`${out}/search.png`);
  await page.key("Enter");
  holds("Ctrl+F finds text", await page.evaluate("panes.get('source').listing.code.getSelection() === 'ret'"));
  await page.key("Escape");

  await openFirstExample(page);
  await intoEditor(page);
  await page.key("Home", kControl);
  for (const key of [...Array(6).fill("ArrowDown"), "x", "Enter"]) await page.key(key);
  await quiet(page);
  await page.click("#source .mark");
  const guards = await page.evaluate("[...$('pop').querySelectorAll('p')].map(one => one.textContent)");
  holds("a mark stays at its line and is explained", guards.length > 1 && guards[0].startsWith("Line 15:") && await page.evaluate("state.diagnostics.length > 0"), guards[0]);
  await page.screenshot(`${out}/guards.png`);
  await page.key("Escape");
};

const takesAContainer = async page => {
  const file = resolve(out, "blur3x3.dxbc");
  execFileSync(texlate, ["assemble", "shaders/blur3x3.asm", "-o", file]);
  await page.drop(file, "#source");
  await page.until("state.title === 'blur3x3.dxbc' && state.translation.was_container");
  await quiet(page);
  holds("a dropped container becomes its listing", await page.evaluate("state.text.includes('ld_aoffimmi_indexable')"));
  await page.screenshot(`${out}/container.png`);
  writeFileSync(resolve(out, "broken.dxbc"), Buffer.from("DXBC0123456789abcdef0123456789abcdef"));
  await page.drop(resolve(out, "broken.dxbc"), "#source");
  await page.until("state.title === 'broken.dxbc'");
  await quiet(page);
  holds("a broken container is refused with its place", /^error: .*(byte|container)/.test(await status(page)), await status(page));
};

const tracesAPixel = async page => {
  await openFirstExample(page);
  await page.click(".shot img", 0.02, 0.02);
  await page.until("state.trace && state.trace.lines");
  const found = await page.evaluate("({place: panes.get('trace').note.textContent, steps: document.querySelectorAll('.step').length, from: document.querySelectorAll('.step .from').length})");
  holds("a clicked pixel is traced", found.steps > 3 && found.from > 0, JSON.stringify(found));
  await page.screenshot(`${out}/trace.png`);
};

// A control of the scene changes the picture, and a slot can be unbound.
const changesTheScene = async page => {
  await page.evaluate("showPane('scene', true)");
  const before = await page.evaluate("state.run.pictures[0].png");
  await page.click('#controls input[type="checkbox"]');
  await quiet(page);
  const now = await page.evaluate("({scene: state.scene, png: state.run.pictures[0].png, good: state.run.verdicts.every(one => one.good)})");
  holds("unbinding a slot changes the picture, and the routes agree", /"t0": null/.test(now.scene) && now.png !== before && now.good);
  await page.screenshot(`${out}/scene.png`);
};

const carriesALink = async (browser, page) => {
  await page.click("#link");
  await page.until("location.hash.startsWith('#s=')");
  const [link, text] = await page.evaluate("[location.href, state.text]");
  const other = await browser.page(link, 1366, 768);
  await settled(other);
  holds("a link carries shader and scene", await other.evaluate("state.text") === text && await other.evaluate("state.scene.includes('null')"), `${link.length - address.length} characters`);
  await other.close();
};

// 3,000 lines: the page stays responsive while they are typed in, translated and shown.
const takesALongShader = async page => {
  const lines = ["ps_5_0", "dcl_globalFlags refactoringAllowed", "dcl_resource_texture2d (float,float,float,float) t0", "dcl_input_ps linear v0.xyzw", "dcl_output o0.xyzw", "dcl_temps 8"];
  while (lines.length < 2998) {
    const i = lines.length;
    lines.push(i % 5 === 0 ? `ftoi r${i % 8}.xyzw, v0.xyzw` : i % 5 === 1 ? `ld_indexable(texture2d)(float,float,float,float) r${i % 8}.xyzw, r${(i + 7) % 8}.xyzw, t0.xyzw`
      : `mad r${i % 8}.xyzw, r${(i + 3) % 8}.xyzw, v0.yxwz, r${(i + 5) % 8}.wzyx`);
  }
  lines.push("mov o0.xyzw, r0.xyzw", "ret");
  await page.evaluate(`window.tasks = []; new PerformanceObserver(list => { for (const one of list.getEntries()) window.tasks.push(Math.round(one.duration)); }).observe({entryTypes: ['longtask']})`);
  const step = async (name, action) => {
    await page.evaluate("window.tasks = []");
    await action();
    await quiet(page);
    const tasks = await page.evaluate("window.tasks");
    holds(`3,000 lines: ${name}${mustBeFast ? ": no task over 100 ms" : ""}`, !mustBeFast || tasks.every(one => one <= 100),
      `tasks over 50 ms: ${tasks.length ? tasks.join(", ") : "none"}`);
  };
  await page.evaluate("state.scene = '{}', state.trace = null, showTrace()");
  await step("pasting", () => replaceText(page, lines.join("\n") + "\n"));
  await page.until("state.translation.text.split('\\n').length >= 3000");
  await step("scrolling and pointing", async () => {
    for (let i = 0; i < 20; ++i) {
      await page.evaluate(`panes.get('ptx').listing.box.scrollTop = ${i} * 4000`);
      await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 300 + 20 * i, y: 300 });
    }
  });
  await step("a key", () => page.key("Enter"));
  await step("undoing key and paste", async () => {
    for (let i = 0; i < 2; ++i) await page.key("z", kControl);
    await page.until("state.translation.text.split('\\n').length < 1000");
  });
  await step("redoing the paste", async () => {
    await page.key("y", kControl);
    await page.until("state.translation.text.split('\\n').length >= 3000");
  });
  await step("another pane", () => page.click('[data-pane="spirv-text"]'));
  const found = await page.evaluate("({nodes: document.getElementsByTagName('*').length, lines: panes.get('ptx').listing.lines.length, status: $('status').textContent})");
  holds("3,000 lines: only what is visible is elements", found.nodes < 4000, JSON.stringify(found));
  await step("a trace", async () => {
    await page.click(".shot img");
    await page.until("state.trace && state.trace.lines");
  });
  await page.screenshot(`${out}/long.png`);
};

// Whatever is put in, the page answers and goes on.
const survives = async page => {
  await replaceText(page, kSmall);
  const starts = await page.evaluate("machines.starts");
  await page.evaluate(`state.scene = '{"viewport": [65536, 65536]}', run()`);
  await quiet(page);
  const scene = await page.evaluate("JSON.stringify({error: state.run.error, diagnostics: state.run.diagnostics, scene: state.run.scene_diagnostics})");
  holds("a scene of 64k x 64k is refused in words", /error|more memory|at most|too/.test(scene), scene);
  await page.evaluate(`state.scene = '{}', take('slow.asm', ${JSON.stringify(kSlow)})`);
  await page.until("machines.pending && machines.pending.request.do === 'run' && performance.now() - machines.pending.since > 450");
  await page.evaluate(`take('small.asm', ${JSON.stringify(kSmall)})`);
  await quiet(page);
  holds("a slow request gives way to the next one", await page.evaluate("state.translation.text.length < 100"), await status(page));
  await page.evaluate(`state.scene = '{}', take('large.asm', ${JSON.stringify(kSmall)}.replace('ret', 'mov o0.x, o0.x // ' + 'x'.repeat(60) + '\\n').repeat(1) + 'mov r0.x, r1.x\\n'.repeat(700000))`);
  await quiet(page);
  holds("a text of 10 MB is answered", (await status(page)) !== "", await status(page));
  await page.evaluate(`take('small.asm', ${JSON.stringify(kSmall)})`);
  await quiet(page);
  await page.until("state.run && state.run.verdicts && state.translation.text.length < 1000");
  holds("the page is alive afterwards", await page.evaluate("state.translation.good && state.run.verdicts.every(one => one.good)"), `the worker was started ${await page.evaluate("machines.starts")} times (${starts} before)`);
};

// Tab reaches everything; Enter, Space and arrows work.
const worksByKeys = async page => {
  await settled(page);
  await page.evaluate("document.activeElement && document.activeElement.blur()");
  const reached = [];
  for (let i = 0; i < 60; ++i) {
    await page.key("Tab");
    reached.push(await page.evaluate("(() => { const e = document.activeElement; return e.dataset.pane || e.id || e.getAttribute('aria-label') || e.tagName; })()"));
    if (reached.at(-1) === "maxwell") break;
  }
  await page.key("Enter");
  holds("Tab and Enter open a pane", await page.evaluate("!panes.get('maxwell').section.hidden"), reached.length + " steps");
  await page.evaluate("document.querySelector('#pictures .shot').focus()");
  for (const key of ["ArrowRight", "ArrowDown", "Enter"]) await page.key(key);
  await page.until("state.trace && state.trace.lines");
  holds("arrows and Enter trace a pixel", true, await page.evaluate("panes.get('trace').note.textContent"));
  await page.evaluate("document.activeElement.blur()");
  await page.evaluate("keep(8, null)");
  await page.key("ArrowDown");
  holds("arrows go to the next line", await page.evaluate("linked.pin") > 8);
  await page.key("Escape");
  holds("Escape lets go", await page.evaluate("linked.pin") === 0);
  await page.screenshot(`${out}/keyboard.png`);
};

const browser = await Browser.start(program);
try {
  const began = Date.now();
  const page = await browser.page(address, 1366, 768, "light");
  await opens(page);
  console.log(`       the first pictures are there after ${Date.now() - began} ms`);
  await page.screenshot(`${out}/light-1366.png`);
  await showsEveryTarget(page);
  await showsAnError(page);
  await edits(page);
  await takesAContainer(page);
  await tracesAPixel(page);
  await changesTheScene(page);
  await carriesALink(browser, page);
  await takesALongShader(page);
  await survives(page);
  holds("no script failed", page.exceptions.length === 0, page.exceptions.join("; "));
  await page.close();
  const wide = await browser.page(address, 1920, 1080, "dark");
  await opens(wide);
  await wide.screenshot(`${out}/dark-1920.png`);
  await worksByKeys(wide);
  holds("no script failed (wide)", wide.exceptions.length === 0, wide.exceptions.join("; "));
} catch (error) {
  holds("the test ran to its end", false, error.stack);
} finally {
  await browser.stop();
}
process.exit(failed ? 1 : 0);
