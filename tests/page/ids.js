// node ids.js FOLDER TRANSLATIONS: the text.js of an exported page, with its tokenizer library, against lines of
// `translate --json`: ids and pieces of the source, and the text of the ids that were written. Prints {"sentences", "ids",
// "pieces", "texts"}: how many there are, and how many agree. Ends with status 1 where one does not.
"use strict";
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");

const [folder, translations] = process.argv.slice(2);
const json = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
const module_of = (name) => import(pathToFileURL(path.join(folder, name)));

async function main() {
  const { Side } = await module_of("text.js");
  const { Tokenizer } = await module_of("node_modules/@huggingface/tokenizers/dist/tokenizers.mjs");
  const page = json("page.json"), settings = json("settings.json");
  const side = ({ file, kind }) => new Side(Tokenizer, json(file), kind, settings);
  const source = side(page.source), target = side(page.target);
  const report = { sentences: 0, ids: 0, pieces: 0, texts: 0 }, apart = [];
  for (const text of fs.readFileSync(translations, "utf8").split("\n")) {
    if (!text) continue;
    const line = JSON.parse(text);
    ++report.sentences;
    const pieces = source.pieces(source.readable(line.source));
    const ids = pieces.map((piece) => piece.id), takes = settings.max_length - settings.source_bos - settings.source_eos;
    const whole = [...(settings.source_bos ? [settings.bos_id] : []), ...ids, ...(settings.source_eos ? [settings.eos_id] : [])];
    const translated = ids.length > 0 && ids.length <= takes;
    const equal = {
      ids: translated ? String(whole) === String(line.source_ids) : line.source_ids.length === 0,
      pieces: JSON.stringify(pieces.map((piece) => piece.text)) === JSON.stringify(line.pieces),
      texts: target.decode(line.ids) === line.translation,
    };
    for (const key of Object.keys(equal)) report[key] += equal[key];
    if (!Object.values(equal).every(Boolean))
      apart.push({ source: line.source, ours: line.source_ids, page: whole, pieces: line.pieces, theirs: pieces.map((piece) => piece.text), text: line.translation, decoded: target.decode(line.ids) });
  }
  console.log(JSON.stringify(report));
  for (const each of apart.slice(0, 5)) console.error(JSON.stringify(each));
  if (apart.length || !report.sentences) process.exit(1);
}
main().catch((error) => { console.error(error.stack); process.exit(1); });
