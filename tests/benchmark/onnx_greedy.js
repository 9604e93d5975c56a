// node onnx_greedy.js FOLDER [THREADS] [SECONDS]: tokens a second of greedy decoding by onnxruntime, of what
// `export --to onnx` wrote into FOLDER, for one sentence and for 32, each of as many tokens as
// `benchmark --what greedy --model MODEL` writes with this program: no early end, the encoder included. Only the time in
// onnxruntime counts, not that of choosing words here. Needs `npm install --ignore-scripts onnxruntime-node` in a folder
// above this file's.
"use strict";
const fs = require("fs");
const path = require("path");
const ort = require("onnxruntime-node");

const [folder, threads = "2", seconds = "5"] = process.argv.slice(2);
const settings = JSON.parse(fs.readFileSync(path.join(folder, "settings.json"), "utf8"));
const kFirstWord = 4, kLength = Math.min(24, settings.max_length - 1);
const kWords = Math.min(settings.source_vocab, settings.target_vocab) - kFirstWord;
const whole = (ids, shape) => new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), shape);
const renamed = (values, from, to) => Object.fromEntries(
  Object.entries(values).filter(([name]) => name.startsWith(from)).map(([name, value]) => [to + name.slice(from.length), value]));
const pasts = (sentences) => Object.fromEntries(Array.from({ length: settings.decoder_layers }, (_, layer) =>
  ["key", "value"].map((part) => [`past_${part}.${layer}`,
    new ort.Tensor("float32", new Float32Array(0), [sentences, settings.heads, 0, settings.head_width])])).flat());

function best(logits, first, words) {
  let found = kFirstWord;
  for (let id = kFirstWord; id < words; ++id) if (logits[first + id] > logits[first + found]) found = id;
  return found;
}

async function main() {
  const options = { intraOpNumThreads: Number(threads), interOpNumThreads: 1 };
  const open = (name) => ort.InferenceSession.create(path.join(folder, name), options);
  const [encoder, decoder] = [await open("encoder.onnx"), await open("decoder.onnx")];
  const result = {};
  for (const sentences of [1, 32]) {
    const source = Array.from({ length: sentences * kLength }, (_, i) => kFirstWord + ((i * 7919) % kWords));
    const source_lengths = whole(Array(sentences).fill(kLength), [sentences]), times = [];
    const start = process.hrtime.bigint();
    while (times.length < 3 || Number(process.hrtime.bigint() - start) < 1e9 * Number(seconds)) {
      let spent = 0n;
      const timed = async (session, inputs) => {
        const before = process.hrtime.bigint();
        const outputs = await session.run(inputs);
        spent += process.hrtime.bigint() - before;
        return outputs;
      };
      const read = await timed(encoder, { source_ids: whole(source, [sentences, kLength]), source_lengths });
      let cache = pasts(sentences), last = Array(sentences).fill(settings.start_id);
      for (let step = 0; step < kLength; ++step) {
        const next = await timed(decoder, { target_ids: whole(last, [sentences, 1]), source_lengths, ...renamed(read, "cross_", "cross_"), ...cache });
        const words = next.logits.data.length / sentences;
        last = last.map((_, i) => best(next.logits.data, i * words, words));
        cache = renamed(next, "present_", "past_");
      }
      times.push(Number(spent) / 1e9);
    }
    times.sort((a, b) => a - b);
    result[`batch_${sentences}`] = { tokens_per_s: (sentences * kLength) / times[times.length >> 1] };
  }
  console.log(JSON.stringify(result));
}
main();
