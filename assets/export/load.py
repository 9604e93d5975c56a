"""The model of this folder at work, by model.py.

    python3 load.py --batch batch.safetensors --out logits.safetensors    ids in; logits and the loss out
    echo "a sentence" | python3 load.py --translate                       text in and out, a line each (greedy search)

A batch holds source (B, S), target_in and target_out (B, T), ids of I32 or I64, padded with pad_id at the end.
--folder names another folder of a model. Needs torch and numpy; --translate needs sentencepiece where the model has it.
"""
import argparse
import json
import re
import struct
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

from model import Transformer

TYPES = {"F32": "<f4", "I16": "<i2", "I32": "<i4", "I64": "<i8"}


def read_safetensors(path):
    content = Path(path).read_bytes()
    start = 8 + struct.unpack("<Q", content[:8])[0]
    return {name: torch.from_numpy(np.frombuffer(content[start:][slice(*entry["data_offsets"])], TYPES[entry["dtype"]])
                                   .reshape(entry["shape"]).copy())
            for name, entry in json.loads(content[8:start]).items() if name != "__metadata__"}


def write_safetensors(path, tensors):  # by name, of F32 or I16
    header, arrays, end = {}, {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in tensors.items()}, 0
    for name, array in arrays.items():
        kind = next(kind for kind, numbers in TYPES.items() if array.dtype == np.dtype(numbers))
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": (end, end := end + array.nbytes)}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.tobytes())


def load(folder):
    """The model, its dropout off; every weight of the file is one of the model's, and the other way round."""
    model = Transformer(SimpleNamespace(**json.loads((folder / "config.json").read_text(encoding="utf-8"))))
    run = folder / "weights.safetensors"  # as Glassformer names those that it can open
    model.load_state_dict(read_safetensors(run if run.exists() else folder / "model.safetensors"), strict=True)
    return model.eval()


class Tokenizer:
    """Of one side: "source" or "target"."""

    def __init__(self, folder, side, c):
        about = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))[side]
        self.c, self.kind, self.split = c, about["kind"], about.get("split")
        ending = {"sentencepiece": "model", "pieces": "model", "words": "vocab", "characters": "vocab"}.get(self.kind)
        if ending is None:
            sys.exit(f"load.py: its text is cut by a tokenizer of the kind {self.kind}, which load.py does not read; "
                     "--batch takes ids")
        name = "shared" if (folder / f"shared.{ending}").exists() else side
        if ending == "model":
            try:
                import sentencepiece
            except ImportError:
                sys.exit("load.py: --translate needs sentencepiece (python3-sentencepiece) for this model; --batch does not")
            self.model = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{name}.model"))
        if self.kind != "sentencepiece":  # ids are the lines of a list
            lines = folder / f"{name}.{'pieces' if self.kind == 'pieces' else 'vocab'}"
            self.tokens = lines.read_text(encoding="utf-8").removesuffix("\n").split("\n")
            special = (c.pad_id, c.unk_id, c.bos_id, c.eos_id)
            self.ids = {token: i for i, token in reversed(list(enumerate(self.tokens))) if i not in special}

    def encode(self, text):
        text = unicodedata.normalize("NFC", text.strip())
        if self.kind == "sentencepiece":
            return self.model.encode(" ".join(text.split()))
        if self.kind == "pieces":
            sign = re.match(r">>\S+<<|", text).group()  # of the language, as in >>fr<<
            tokens = [sign] * bool(sign) + self.model.encode(text[len(sign):], out_type=str)
        elif self.kind == "words":
            tokens = re.findall(r"\w+|[^\w\s]+", text) if self.split == "punctuation" else text.split()
        else:
            tokens = text
        return [self.ids.get(token, self.c.unk_id) for token in tokens]

    def decode(self, ids):
        ids = [i for i in ids if i not in (self.c.pad_id, self.c.bos_id, self.c.eos_id)]
        if self.kind == "sentencepiece":
            return self.model.decode(ids)
        tokens = ["⁇" if i == self.c.unk_id else self.tokens[i] for i in ids]
        if self.kind == "pieces":
            return self.model.decode_pieces(tokens).replace("▁", " ").strip()
        return ("" if self.kind == "characters" else " ").join(tokens)


@torch.no_grad()
def greedy(model, ids):
    """The likeliest word after each other, until eos or max_length."""
    c = model.c
    source = [c.bos_id] * c.source_bos + ids + [c.eos_id] * c.source_eos
    if len(source) > c.max_length:
        sys.exit(f"load.py: the sentence has {len(source)} tokens, the model takes {c.max_length}")
    device = model.target_embedding.weight.device
    memory, padding = model.encode(torch.tensor([source], device=device))
    written = [getattr(c, "start_id", c.bos_id)]
    while len(written) < c.max_length and (len(written) == 1 or written[-1] != c.eos_id):
        logits = model.decode(torch.tensor([written], device=device), memory, padding)[0, -1]
        logits[list(c.forbidden_ids)] = -torch.inf
        written.append(int(logits.argmax()))
    return written[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--batch", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--smoothing", type=float, default=0.1, help="of the loss's labels (default 0.1)")
    parser.add_argument("--translate", action="store_true")
    options = parser.parse_args()
    if options.translate == bool(options.batch) or bool(options.batch) != bool(options.out):
        parser.error("give --batch and --out, or --translate")
    model = load(options.folder)
    if options.translate:
        source, target = (Tokenizer(options.folder, side, model.c) for side in ("source", "target"))
        for line in sys.stdin:
            print(target.decode(greedy(model, source.encode(line))), flush=True)
        return
    batch = {name: ids.long() for name, ids in read_safetensors(options.batch).items()}
    with torch.no_grad():
        logits = model(batch["source"], batch["target_in"])
    loss = F.cross_entropy(logits.flatten(0, 1), batch["target_out"].flatten(), ignore_index=model.c.pad_id,
                           label_smoothing=options.smoothing)
    write_safetensors(options.out, {"logits": logits})
    print(json.dumps({"strict": True, "loss": loss.item()}))


if __name__ == "__main__":
    main()
