// A page in headless Chromium, over the pipe of its DevTools protocol.
"use strict";
const fs = require("fs");
const path = require("path");
const { spawn } = require("child_process");

// `npm start` of an exported folder: its address, once it serves.
function served(folder) {
  const server = spawn("npm", ["start"], { cwd: folder, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => { try { process.kill(-server.pid); } catch { /* it has ended */ } };
  process.on("exit", stop);
  return new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (bytes) => {
      said += bytes;
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) resolve({ address: found[0], stop });
    });
    server.on("exit", () => reject(new Error(`npm start ended: ${said}`)));
  });
}

// {send(method, parameters), evaluate(expression), close()} of one tab. What the page writes on its console as an error is
// in `errors`.
async function open(address, scratch, { width = 1280, height = 900, dark = false } = {}) {
  const profile = fs.mkdtempSync(path.join(scratch, "chromium-"));
  const browser = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--remote-debugging-pipe", `--user-data-dir=${profile}`, `--window-size=${width},${height}`],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  process.on("exit", () => browser.kill("SIGKILL"));
  const waiting = new Map(), errors = [];
  let last = 0, rest = "", session;
  const note = ({ method, params }) => {
    if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") errors.push(params.args.map((arg) => arg.value).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(`${params.entry.text} ${params.entry.url ?? ""}`);
  };
  browser.stdio[4].on("data", (bytes) => {
    const parts = (rest + bytes).split("\0");
    rest = parts.pop();
    for (const message of parts.map((part) => JSON.parse(part))) {
      if (!waiting.has(message.id)) { note(message); continue; }
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  });
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    browser.stdio[3].write(JSON.stringify({ id: last, method, params, sessionId: session }) + "\0");
  });
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  ({ sessionId: session } = await send("Target.attachToTarget", { targetId, flatten: true }));
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`);
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
  await send("Page.navigate", { url: address });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const until = async (expression, seconds = 60) => {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise((done) => setTimeout(done, 20)))
      if (await evaluate(expression)) return;
    throw new Error(`not within ${seconds} s: ${expression}; ${await evaluate("document.body?.innerText")}; ${errors}`);
  };
  const key = async (name, text) => {
    await send("Input.dispatchKeyEvent", { type: "keyDown", key: name, code: name, text, windowsVirtualKeyCode: { Enter: 13, ArrowRight: 39, ArrowDown: 40 }[name] });
    await send("Input.dispatchKeyEvent", { type: "keyUp", key: name, code: name });
  };
  return { send, evaluate, until, key, errors, close: () => send("Browser.close") };
}
module.exports = { served, open };
