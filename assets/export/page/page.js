// The page: a sentence is typed, the model of this folder translates it here, and all heads are shown.
//
// encoder.onnx reads the sentence once, decoder.onnx writes a word at a time and keeps its keys and values; both give the
// weights of their attention (settings.json says how they are driven). text.js has the ids, heads.js draws.
import {Side} from "./text.js";

const at = (id) => document.getElementById(id);
const json = async (name) => {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing (${answer.status}).`);
  return answer.json();
};

async function libraries() {
  try {
    const [ort, {Tokenizer}] = await Promise.all([
      import("./node_modules/onnxruntime-web/dist/ort.wasm.min.mjs"),
      import("./node_modules/@huggingface/tokenizers/dist/tokenizers.min.mjs")]);
    ort.env.wasm.numThreads = 1;  // several need headers that a plain server does not send
    return {ort, Tokenizer};
  } catch {
    throw new Error("The libraries are missing: run npm install in this folder, then npm start.");
  }
}

const {ort, Tokenizer, page, settings, source, target, encoder, decoder} = await load().catch((error) => {
  at("state").textContent = error.message;
  at("state").className = "problem";
  throw error;
});

async function load() {
  const [{ort, Tokenizer}, page, settings] = await Promise.all([libraries(), json("page.json"), json("settings.json")]);
  const side = async ({file, kind}) => new Side(Tokenizer, await json(file), kind, settings);
  const open = (name) => ort.InferenceSession.create(name, {executionProviders: ["wasm"]});
  const [source, target] = await Promise.all([side(page.source), side(page.target)]);
  return {ort, Tokenizer, page, settings, source, target, encoder: await open("encoder.onnx"), decoder: await open("decoder.onnx")};
}

const whole = (numbers, shape) => new ort.Tensor("int64", BigInt64Array.from(numbers, BigInt), shape);
const starting = (values, from, to) => Object.fromEntries(
    Object.entries(values).filter(([name]) => name.startsWith(from)).map(([name, value]) => [to + name.slice(from.length), value]));

// Before the first word there are no keys and values.
function empty() {
  const none = () => new ort.Tensor("float32", new Float32Array(0), [1, settings.heads, 0, settings.head_width]);
  const cache = {};
  for (let layer = 0; layer < settings.decoder_layers; ++layer)
    cache[`past_key.${layer}`] = none(), cache[`past_value.${layer}`] = none();
  return cache;
}

// The likeliest word.
function best(logits) {
  let found = -1;
  for (let id = 0; id < logits.length; ++id)
    if (!settings.forbidden_ids.includes(id) && (found < 0 || logits[id] > logits[found])) found = id;
  return found;
}

// Of a value (1, heads, rows, columns): the rows of each head, filled up with 0 to `columns`.
function headsOf(value, columns) {
  const [, heads, rows, width] = value.dims;
  return Array.from({length: heads}, (_, head) => {
    const wide = new Float32Array(rows * columns);
    for (let row = 0; row < rows; ++row)
      wide.set(value.data.subarray((head * rows + row) * width, (head * rows + row + 1) * width), row * columns);
    return wide;
  });
}

// Row upon row: the heads of all steps.
const stacked = (steps) => steps[0].map((_, head) => {
  const all = new Float32Array(steps.length * steps[0][head].length);
  steps.forEach((step, i) => all.set(step[head], i * step[head].length));
  return all;
});

// Greedily: the ids that are written, fewer than `most`, and each attention's weights [layer][head].
async function translate(ids, most = settings.max_length) {
  const source_lengths = whole([ids.length], [1]);
  const read = await encoder.run({source_ids: whole(ids, [1, ids.length]), source_lengths});
  const written = [], steps = [];
  let cache = empty();
  while (written.length + 1 < most && written.at(-1) !== settings.eos_id) {
    const target_ids = whole([written.at(-1) ?? settings.start_id], [1, 1]);
    const step = await decoder.run({target_ids, source_lengths, ...starting(read, "cross_", "cross_"), ...cache});
    written.push(best(step.logits.data));
    cache = starting(step, "present_", "past_");
    steps.push(starting(step, "decoder.", ""));
  }
  const layers = (count, heads) => Array.from({length: count}, (_, layer) => heads(layer));
  const decoded = (kind, columns) => layers(settings.decoder_layers, (layer) =>
      stacked(steps.map((step) => headsOf(step[`layers.${layer}.${kind}.weights`], columns))));
  return {
    written,
    encoder: layers(settings.encoder_layers, (layer) => headsOf(read[`encoder.layers.${layer}.self_attn.weights`], ids.length)),
    decoder: decoded("self_attn", written.length),
    cross: decoded("cross_attn", ids.length),
  };
}

function aboutUnknown(words) {
  if (!words.length) return "";
  const named = words.slice(0, 3).map((word) => `“${word}”`), more = words.length - named.length;
  if (more) named.push(`${more} more`);
  const names = [named.slice(0, -1).join(", "), named.at(-1)].filter(Boolean).join(" and ");
  return `${names} ${words.length === 1 ? "is" : "are"} not among the ${settings.source_vocab} pieces this model knows, ` +
         "nor made of them: it reads <unk> where one is missing.";
}

function say(translation, state, problem = false) {
  at("translation").textContent = translation;
  at("state").textContent = state;
  at("state").className = problem ? "problem" : "";
}

function clear(state, problem) {
  say("", state, problem);
  at("heads").replaceChildren();
  at("notes").textContent = "";
  globalThis.shown = undefined;
}

async function show(typed) {
  const text = source.readable(typed), pieces = source.pieces(text), specials = settings.source_bos + settings.source_eos;
  const takes = settings.max_length - specials;
  if (!pieces.length) return clear("Type a sentence.");
  if (pieces.length > takes) return clear(`The sentence has ${pieces.length} tokens, the model takes ${takes}; shorten it.`, true);
  const begins = settings.source_bos ? [settings.bos_id] : [], ends = settings.source_eos ? [settings.eos_id] : [];
  const began = performance.now();
  const result = await translate([...begins, ...pieces.map((piece) => piece.id), ...ends]);
  const seconds = (performance.now() - began) / 1000;
  const names = (ids) => ids.map((id) => source.names[id]);
  const read = [...names(begins), ...pieces.map((piece) => piece.text), ...names(ends)];
  const written = result.written.map((id) => target.piece(id)), given = [target.piece(settings.start_id), ...written.slice(0, -1)];
  const group = (title, rows, columns, heads, writes) => ({title, rows, columns, heads, writes});
  globalThis.shown = {
    written, unit: 1, typed, seconds, translation: target.decode(result.written), ids: result.written,
    groups: [group("Encoder self-attention", read, read, result.encoder, false),
             group("Masked self-attention", given, given, result.decoder, true),
             group("Cross-attention", given, read, result.cross, true)],
  };
  say(shown.translation, `${seconds.toFixed(3)} s in this browser, ${read.length} tokens read, ${written.length} written`);
  at("notes").textContent = [text === typed ? "" : `Read as “${text}”.`, aboutUnknown(source.unknownWords(pieces)), ...page.notes].join(" ").trim();
  showHeads(at("heads"), shown);
}

// One sentence after another, the last one that was asked for at the end.
let wanted = null, working = false;
async function ask(typed) {
  wanted = typed;
  if (working) return;
  working = true;
  at("result").setAttribute("aria-busy", "true");
  try {
    while (wanted !== null) {
      const next = wanted;
      wanted = null;
      await show(next);
    }
  } catch (error) {
    clear(`The model did not run: ${error.message}`, true);
  }
  working = false;
  at("result").setAttribute("aria-busy", "false");
}

document.title = page.title;
at("title").textContent = page.title;
at("description").textContent = page.description;
at("sentence").value = page.example;
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(at("sentence").value);
});
at("go").disabled = false;
await translate([settings.eos_id], 3).catch(() => {});  // the first run makes ready what all others use
await ask(page.example);
