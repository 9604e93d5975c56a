// Text to the ids that a model reads, and ids to text, as Glassformer does it.

const blanks = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/gu;
const invisible = /[\0-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
const wordStart = "▁", unknownText = "⁇";
const standIns = {"\u{10F581}": "▁", "\u{10F585}": "▅", "\u{10F03C}": "<"};  // of signs that sentencepiece keeps for itself
const plain = (text) => text.replace(/[\u{10F581}\u{10F585}\u{10F03C}]/gu, (sign) => standIns[sign]);

// A letter and its mark as one sign, where Unicode has one; but those of scripts that are in Unicode since 2024 stay two.
const young = /[\u{105C0}-\u{105FF}\u{11380}-\u{113FF}\u{16100}-\u{1613F}\u{16D40}-\u{16D7F}]/u;
function composed(text) {
  const signs = [];
  for (const sign of text) {
    const last = signs.at(-1) ?? "", joined = (last + sign).normalize("NFC");
    const settled = last.normalize("NFC") === last && sign.normalize("NFC") === sign;
    const inOrder = joined.normalize("NFD") === last.normalize("NFD") + sign.normalize("NFD");
    if (last && [...joined].length === 1 && settled && inOrder && !young.test(joined)) signs[signs.length - 1] = joined;
    else signs.push(sign);
  }
  return signs.join("");
}

export const cleaned = (text) => composed(
    text.toWellFormed().replace(blanks, " ").replace(invisible, "").replace(/ +/g, " ").replace(/^ | $/g, ""));

// One side of a model. `Tokenizer` is the class of @huggingface/tokenizers, `json` the side's tokenizer.json, `kind` as in
// page.json, `settings` those of settings.json.
export class Side {
  constructor(Tokenizer, json, kind, settings) {
    this.kind = kind;
    this.sentencepiece = kind === "bpe" || kind === "unigram";
    this.names = {[settings.pad_id]: "<pad>", [settings.eos_id]: "<eos>", [settings.bos_id]: "<bos>", [settings.unk_id]: "<unk>"};
    this.unknown = settings.unk_id;
    this.silent = [settings.pad_id, settings.bos_id, settings.eos_id];
    this.tokenizer = new Tokenizer(json, {unk_token: json.model.unk_token});
    this.tokens = [];
    for (const [token, id] of this.tokenizer.get_vocab()) this.tokens[id] = token;
    this.known = new Set(this.tokens);
  }

  // What a piece reads: without the mark of a word's beginning, or of its inside.
  piece(id) {
    const token = this.tokens[id] ?? "";
    if (this.names[id]) return this.names[id];
    if (this.kind === "wordpiece") return token.replace(/^ /, "");
    return this.sentencepiece ? plain(token.replaceAll(wordStart, "")) || wordStart : token;
  }

  // [{id, text, begins, unknown}]: an unknown one has the text as typed.
  pieces(typed, text = cleaned(typed)) {
    if (!text) return [];
    const ids = this.tokenizer.encode(text).ids;
    const parts = this.sentencepiece ? [...this.tokenizer.normalizer(text)] : this.kind === "char" ? [...text] : text.split(" ");
    let at = 0, blank = true;
    return ids.map((id) => {
      const unknown = id === this.unknown, token = this.tokens[id];
      let piece = unknown ? "" : this.piece(id), begins = this.kind === "word" || token[0] === wordStart;
      if (this.sentencepiece && unknown) {
        while (at < parts.length && !this.known.has(parts[at])) piece += parts[at++];
        piece = plain(piece);
        begins = false;
      } else if (this.sentencepiece) {
        at += [...token].length;
      } else if (this.kind === "wordpiece") {
        begins = unknown || token[0] !== " ";
        if (begins) at += 1;
        if (unknown) piece = parts[at - 1];
      } else {
        piece = parts[at++];
        if (this.kind === "char") begins = blank && piece !== " ";
        blank = piece === " ";
      }
      return {id, text: piece, begins, unknown};
    });
  }

  // The text with its first letter small, or all of them, where more of it is known so.
  readable(text) {
    const seen = (each) => this.kind === "char" ? each.toWellFormed() : cleaned(each);  // characters are asked for as typed
    const missing = (each) => this.pieces(each, seen(each)).filter((piece) => piece.unknown).length;
    const first = [...text][0] ?? "";
    let best = text;
    for (const other of [first.toLowerCase() + text.slice(first.length), text.toLowerCase()])
      if (missing(best) && missing(other) < missing(best)) best = other;
    return best;
  }

  decode(ids) {
    const said = ids.filter((id) => !this.silent.includes(id));
    if (this.kind === "word") return said.map((id) => this.written(id)).join(" ");
    if (this.kind === "char") return said.map((id) => this.written(id)).join("");
    let text = "", run = "";
    if (this.kind === "wordpiece") {
      for (const id of said) text += (id === this.unknown || this.tokens[id][0] !== " ") && text ? " " + this.written(id) : this.written(id);
      return text;
    }
    const flush = () => {
      if (text && run[0] === wordStart) text += " ";
      text += run.replace(/^▁+/u, "").replaceAll(wordStart, " ");
      run = "";
    };
    for (const id of said) {
      if (id !== this.unknown) {
        run += this.tokens[id];
        continue;
      }
      flush();
      text += unknownText;
    }
    flush();
    return plain(text);
  }
  written(id) { return id === this.unknown ? unknownText : this.piece(id); }

  // The words with a piece that is not in the vocabulary, each once. A sign counts as a word.
  unknownWords(pieces) {
    const found = new Set();
    let word = "", missing = false;
    const finish = () => {
      if (missing) found.add(word);
      word = "", missing = false;
    };
    for (const {text, begins, unknown} of pieces) {
      const shown = text.replace(/^▁/u, ""), sign = !/[\p{L}\p{M}\p{N}]/u.test(shown);
      if (begins || sign) finish();
      word += shown, missing ||= unknown;
      if (sign) finish();
    }
    finish();
    return [...found];
  }
}
