// node page.js PROGRAM MODEL FOLDER SCRATCH: an exported page in headless Chromium against the program. Sentences are
// typed; the translation is that of `translate`, and every weight that of `trace` to 1e-4. Heads are opened by a click and
// read by the mouse and the keys. Prints {"sentences", "weights", "seconds"}: the largest difference, and the median of a
// sentence's seconds. Ends with status 1 where something is otherwise.
"use strict";
const path = require("path");
const { execFileSync } = require("child_process");
const { served, open } = require("./browser.js");
const { packed, write, read } = require("../onnx/tensors.js");

const [program, model, folder, scratch] = process.argv.slice(2);
const sentences = ["the tired girl sees a red car", "The cat drank the milk.", "the tired girl does not like the red car",
  "the small dog sleeps", "I zorg the ж cat", "the kind girl gives a book to the boy"];
const check = (holds, what) => { if (!holds) throw new Error(what); };

// The largest difference of a weight from the program's own, of every head of the sentence.
function weights(shown, line) {
  const [batch, traced] = ["batch.safetensors", "trace.safetensors"].map((name) => path.join(scratch, name));
  const start = require(path.join(folder, "settings.json")).start_id;
  write(batch, { source: packed([line.source_ids]), target_in: packed([[start, ...line.ids.slice(0, -1)]]), target_out: packed([line.ids]) });
  execFileSync(program, ["trace", "--model", model, "--batch", batch, "--out", traced]);
  const value = read(traced);
  let worst = 0;
  shown.groups.forEach(({ heads }, group) => heads.forEach((layer, index) => {
    const name = ["encoder.layers.N.self_attn", "decoder.layers.N.self_attn", "decoder.layers.N.cross_attn"][group];
    const wanted = value(`${name.replace("N", index)}.weights`).data, found = layer.flat();
    check(found.length === wanted.length, `${found.length} weights of ${name}, not ${wanted.length}`);
    found.forEach((weight, i) => { worst = Math.max(worst, Math.abs(weight - wanted[i])); });  // NaN stays
  }));
  return worst;
}

async function looked_at(page) {
  check(await page.evaluate("document.querySelectorAll('nav button').length") === 24, "not all heads are there");
  await page.evaluate("document.querySelector('nav button').click()");
  check(await page.evaluate("document.querySelector('#heads section h2').textContent") === "Encoder self-attention, layer 1, head 1", "a click opens no head");
  const said = () => page.evaluate("document.querySelector('.said').textContent");
  const place = JSON.parse(await page.evaluate("(() => { const cell = document.querySelector('[data-at=\"1,2\"]'); cell.scrollIntoView(); const { x, y } = cell.getBoundingClientRect(); return JSON.stringify({ x: x + 5, y: y + 5 }); })()"));
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...place });
  check(/^\S+: 0\.\d{3} of its attention is on \S+$/.test(await said()), `the mouse reads ${await said()}`);
  await page.evaluate("document.querySelector('[data-at=\"0,0\"]').focus()");
  const before = await said();
  await page.key("ArrowRight");
  check(await said() !== before && await page.evaluate("document.activeElement.dataset.at") === "0,1", "the keys do not move");
}

async function main() {
  const { address, stop } = await served(folder);
  const page = await open(address, scratch);
  await page.until("globalThis.shown?.translation");
  const typed = (text) => page.until(`globalThis.shown?.typed === ${JSON.stringify(text)} && document.getElementById("result").ariaBusy === "false"`);
  const report = { sentences: 0, weights: 0, seconds: 0 }, seconds = [];
  for (const sentence of sentences) {
    await page.evaluate("document.getElementById('sentence').select()");
    await page.send("Input.insertText", { text: sentence });
    await page.key("Enter", "\r");
    await typed(sentence);
    const shown = JSON.parse(await page.evaluate("JSON.stringify(shown, (key, value) => value instanceof Float32Array ? [...value] : value)"));
    const line = JSON.parse(execFileSync(program, ["translate", "--json", "--model", model], { input: sentence + "\n" }));
    check(await page.evaluate("document.getElementById('translation').textContent") === line.translation, `${sentence}: ${shown.translation}, not ${line.translation}`);
    check(String(shown.ids) === String(line.ids), `${sentence}: other ids`);
    report.weights = Math.max(report.weights, weights(shown, line));
    seconds.push(shown.seconds);
    ++report.sentences;
    if (sentence.includes("ж")) {
      check((await page.evaluate("document.getElementById('notes').textContent")).includes("“ж” is not among the 4000 pieces"), "the unknown word is not named");
      check(shown.groups[0].rows.includes("ж"), "the unknown word is not as typed");
    }
  }
  await looked_at(page);
  await page.evaluate("document.getElementById('sentence').select()");
  await page.send("Input.insertText", { text: "the ".repeat(70) });
  await page.key("Enter", "\r");
  await page.until("document.getElementById('state').textContent === 'The sentence has 70 tokens, the model takes 63; shorten it.'", 10);
  report.seconds = seconds.sort((a, b) => a - b)[seconds.length >> 1];
  check(!page.errors.length, `the console says: ${page.errors}`);
  console.log(JSON.stringify(report));
  check(report.weights <= 1e-4, `a weight differs by ${report.weights}`);
  await page.close();
  stop();
  process.exit(0);
}
main().catch((error) => { console.error(error.stack); process.exit(1); });
