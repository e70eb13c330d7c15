// Chromium without a window, driven through its DevTools protocol over a pipe: no port, no package.
// https://chromedevtools.github.io/devtools-protocol/
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const kPatience = 60000;  // milliseconds for one answer of the page

export class Browser {
  static async start(program) {
    const self = new Browser();
    self.profile = mkdtempSync(join(tmpdir(), "texlate-browser-"));
    self.process = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
      "--allow-file-access-from-files", "--remote-debugging-pipe", `--user-data-dir=${self.profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    self.waiting = new Map();
    self.listeners = [];
    self.number = 0;
    let text = "";
    self.process.stdio[4].setEncoding("utf8").on("data", piece => {
      text += piece;
      for (let end; (end = text.indexOf("\0")) >= 0; text = text.slice(end + 1)) self.receive(JSON.parse(text.slice(0, end)));
    });
    return self;
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return this.listeners.forEach(listener => listener(message));
    this.waiting.delete(message.id);
    if (message.error) waiting.fail(new Error(message.error.message));
    else waiting.done(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.number;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }

  // A page of its own, `width` x `height` CSS pixels.
  async page(address, width, height, theme = "light") {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ["Page", "Runtime", "Network"]) await page.send(domain + ".enable");
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
    await page.send("Page.navigate", { url: address });
    await page.until("document.readyState === 'complete'");
    return page;
  }

  async stop() {
    await this.send("Browser.close").catch(() => {});
    if (this.process.exitCode === null) await new Promise(done => this.process.once("exit", done));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Page {
  constructor(browser, session, target) {
    this.browser = browser;
    this.session = session;
    this.target = target;
    this.requests = [];  // addresses that the page asked the network for
    this.exceptions = [];
    browser.listeners.push(({ sessionId, method, params }) => {
      if (sessionId !== session) return;
      if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
      if (method === "Runtime.exceptionThrown") this.exceptions.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    });
  }

  send(method, params) { return this.browser.send(method, params, this.session); }
  close() { return this.browser.send("Target.closeTarget", { targetId: this.target }); }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description || exceptionDetails.text}`);
    return result.value;
  }

  // Waits until the expression is true, asked once a frame.
  async until(expression) {
    const found = await this.evaluate(`new Promise(done => {
      const began = performance.now();
      const look = () => {
        let good = false;
        try { good = Boolean(${expression}); } catch { good = false; }
        if (good || performance.now() - began > ${kPatience}) done(good);
        else setTimeout(look, 16);
      };
      look();
    })`);
    if (!found) throw new Error(`this did not become true: ${expression}`);
  }

  async key(key, modifiers = 0) {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const codes = { Tab: 9, Enter: 13, Escape: 27, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, " ": 32 };
    const common = { key, modifiers, windowsVirtualKeyCode: codes[key] || key.toUpperCase().charCodeAt(0), code: key === " " ? "Space" : key };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...common });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }

  // Pastes, as Ctrl+V does.
  async paste(text) {
    await this.browser.send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    await this.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "v", code: "KeyV", windowsVirtualKeyCode: 86, modifiers: 2, commands: ["paste"] });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key: "v", code: "KeyV", windowsVirtualKeyCode: 86, modifiers: 2 });
  }

  // The middle of the first element of a selector, or a place in it, in parts of its size.
  async placeOf(selector, x = 0.5, y = 0.5) {
    return this.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return {x: box.x + box.width * ${x}, y: box.y + box.height * ${y}};
    })()`);
  }
  async click(selector, x, y) {
    const place = await this.placeOf(selector, x, y);
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
      await this.send("Input.dispatchMouseEvent", { type, ...place, button: type === "mouseMoved" ? "none" : "left", clickCount: type === "mouseMoved" ? 0 : 1 });
  }
  async drop(file, selector) {
    const place = await this.placeOf(selector);
    for (const type of ["dragEnter", "dragOver", "drop"])
      await this.send("Input.dispatchDragEvent", { type, ...place, data: { items: [], files: [file], dragOperationsMask: 1 } });
  }

  async screenshot(path) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(path, Buffer.from(data, "base64"));
  }
}
