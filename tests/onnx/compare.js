// node compare.js PROGRAM MODEL FOLDER TRANSLATIONS SCRATCH: an exported FOLDER in onnxruntime against the MODEL it
// was made of. TRANSLATIONS are lines of `translate --json`. Prints {"sentences", "equal", "logits", "of_row",
// "weights", "seconds"}: how many are, how many come out with equal ids (and so with equal text); the largest
// difference of a logit from `trace`, and beside the largest of its row, word by word with the cache and all at once;
// of a head's weight; and seconds a sentence, word by word.
// Ends with status 1 where ids differ, or a number by more than 1e-5 (a logit: beside the largest of its row, since so
// much is lost in any sum of floats).
"use strict";
const fs = require("fs");
const path = require("path");
const { execFileSync } = require("child_process");
const ort = require("onnxruntime-node");
const { packed, write, read } = require("./tensors.js");

const [program, model, folder, translations, scratch] = process.argv.slice(2);
const settings = JSON.parse(fs.readFileSync(path.join(folder, "settings.json"), "utf8"));
const lines = fs.readFileSync(translations, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const whole = (ids, shape) => new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), shape);

function best(logits) {
  let found = -1;
  for (let id = 0; id < logits.length; ++id)
    if (!settings.forbidden_ids.includes(id) && (found < 0 || logits[id] > logits[found])) found = id;
  return found;
}

const pasts = (sentences) => Object.fromEntries(Array.from({ length: settings.decoder_layers }, (_, layer) =>
  ["key", "value"].map((part) => [`past_${part}.${layer}`,
    new ort.Tensor("float32", new Float32Array(0), [sentences, settings.heads, 0, settings.head_width])])).flat());

const renamed = (values, from, to) => Object.fromEntries(
  Object.entries(values).filter(([name]) => name.startsWith(from)).map(([name, value]) => [to + name.slice(from.length), value]));

// One sentence, greedily: its ids and the rows of logits.
async function translate(encoder, decoder, source) {
  const source_lengths = whole([source.length], [1]);
  const read = await encoder.run({ source_ids: whole(source, [1, source.length]), source_lengths });
  let cache = pasts(1);
  const ids = [], logits = [];
  while (ids.length + 1 < settings.max_length && ids[ids.length - 1] !== settings.eos_id) {
    const target_ids = whole([ids.length ? ids[ids.length - 1] : settings.start_id], [1, 1]);
    const step = await decoder.run({ target_ids, source_lengths, ...renamed(read, "cross_", "cross_"), ...cache });
    logits.push(step.logits.data);
    ids.push(best(step.logits.data));
    cache = renamed(step, "present_", "past_");
  }
  return { ids, logits };
}

// What two rows differ by at most: as it is, and beside the largest number of `wanted` (at least 1). NaN shows.
function apart(found, wanted) {
  let most = 0, size = 1;
  for (let i = 0; i < wanted.length; ++i) {
    const difference = Math.abs(found[i] - wanted[i]);
    if (!(difference <= most)) most = difference;
    size = Math.max(size, Math.abs(wanted[i]));
  }
  return [most, most / size];
}
const larger = (a, b) => a.map((value, i) => (b[i] <= value ? value : b[i]));

// The same of a value (B, .., rows, columns): its real rows and columns, which `lengths` tells of each sentence.
function largest(found, wanted, lengths) {
  const [rows, columns] = wanted.shape.slice(-2), blocks = wanted.data.length / rows / columns;
  if (String(found.dims) !== String(wanted.shape)) throw new Error(`shape ${found.dims}, not ${wanted.shape}`);
  let worst = [0, 0];
  for (let block = 0; block < blocks; ++block) {
    const [real, wide] = lengths[Math.floor((block * lengths.length) / blocks)];
    for (let row = 0; row < real; ++row) {
      const at = (block * rows + row) * columns;
      worst = larger(worst, apart(found.data.subarray(at, at + wide), wanted.data.subarray(at, at + wide)));
    }
  }
  return worst;
}

async function main() {
  const open = (name) => ort.InferenceSession.create(path.join(folder, name));
  const [encoder, decoder] = [await open("encoder.onnx"), await open("decoder.onnx")];
  const began = process.hrtime.bigint(), results = [];
  for (const { source_ids } of lines) results.push(await translate(encoder, decoder, source_ids));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9 / lines.length;

  // The program's own numbers, of all sentences as one batch.
  const source = packed(lines.map((line) => line.source_ids), settings.pad_id), outs = lines.map((line) => line.ids);
  const target = packed(outs.map((ids) => [settings.start_id, ...ids.slice(0, -1)]), settings.pad_id);
  const [batch, traced] = ["batch.safetensors", "trace.safetensors"].map((name) => path.join(scratch, name));
  write(batch, { source, target_in: target, target_out: packed(outs, settings.pad_id) });
  execFileSync(program, ["trace", "--model", model, "--batch", batch, "--out", traced]);
  const value = read(traced), wanted = value("logits"), [, steps, vocabulary] = wanted.shape;

  const report = { sentences: lines.length, equal: 0, logits: 0, of_row: 0, weights: 0, seconds };
  let worst = [0, 0];
  results.forEach(({ ids, logits }, i) => {
    if (String(ids) !== String(outs[i])) return;
    ++report.equal;
    logits.forEach((row, step) => {
      const at = (i * steps + step) * vocabulary;
      worst = larger(worst, apart(row, wanted.data.subarray(at, at + vocabulary)));
    });
  });

  // The same in two steps of many words each, for sentences of all lengths.
  const source_lengths = whole(lines.map((line) => line.source_ids.length), [lines.length]);
  const seen = await encoder.run({ source_ids: whole(source.ids, source.shape), source_lengths });
  const part = (from, to) => ({ target_ids: whole(lines.flatMap((_, i) =>
    target.ids.slice(i * steps + from, i * steps + to)), [lines.length, to - from]), source_lengths, ...renamed(seen, "cross_", "cross_") });
  const all = await decoder.run({ ...part(0, steps), ...pasts(lines.length) });
  const begun = await decoder.run({ ...part(0, 2), ...pasts(lines.length) });
  const ended = await decoder.run({ ...part(2, steps), ...renamed(begun, "present_", "past_") });
  const words = lines.map((line) => [line.source_ids.length, line.ids.length]);
  worst = larger(worst, largest(all.logits, wanted, words.map(([, t]) => [t, vocabulary])));
  worst = larger(worst, largest(seen.memory, value("memory"), words.map(([s]) => [s, settings.d_model])));
  for (let layer = 0; layer < settings.decoder_layers; ++layer)
    for (const name of [`present_key.${layer}`, `present_value.${layer}`])
      worst = larger(worst, largest(ended[name], { shape: all[name].dims, data: all[name].data },
        words.map(([, t]) => [t, settings.head_width])));
  let heads = 0;
  for (const [name, found] of Object.entries({ ...seen, ...all })) {
    if (!name.endsWith(".weights")) continue;
    const lengths = words.map(([s, t]) => name.startsWith("encoder") ? [s, s] : name.includes("cross") ? [t, s] : [t, t]);
    report.weights = larger([report.weights], largest(found, value(name), lengths))[0];
    heads += settings.heads;
  }
  if (heads !== (settings.attention ? settings.heads * (settings.encoder_layers + 2 * settings.decoder_layers) : 0))
    throw new Error(`weights of ${heads} heads`);
  [report.logits, report.of_row] = worst;
  console.log(JSON.stringify(report));
  if (report.equal < report.sentences || !(report.of_row <= 1e-5) || !(report.weights <= 1e-5)) process.exit(1);
}
main().catch((error) => { console.error(error.stack); process.exit(1); });
