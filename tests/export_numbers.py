"""For export_command_test.sh, in the folder of an export: makes a batch, and compares logits.

    export_numbers.py EXPORT batch BATCH             random sentences of several lengths, padded
    export_numbers.py EXPORT compare BATCH TRACE LOGITS     the worst difference at real words; exit status 1 above 1e-5,
                                                     or where a logit of the word is beyond 5, above 2e-6 of that:
                                                     PyTorch's floats are as far from its doubles
"""
import json
import struct
import sys
from pathlib import Path

import torch

folder, what, batch = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
sys.path.insert(0, str(folder))
from load import read_safetensors  # noqa: E402

c = json.loads((folder / "config.json").read_text())
if what == "batch":
    torch.manual_seed(5)
    first = c.get("start_id", c["bos_id"])
    rows = {"source": [], "target_in": [], "target_out": []}
    for source, target in ((9, 7), (1, 1), (4, 12), (12, 5)):
        target_ids = torch.randint(4, c["target_vocab"], (target,)).tolist()
        rows["source"].append([c["bos_id"]] * c["source_bos"] + torch.randint(4, c["source_vocab"], (source,)).tolist()
                              + [c["eos_id"]] * c["source_eos"])
        rows["target_in"].append([first] + target_ids)
        rows["target_out"].append(target_ids + [c["eos_id"]])
    header, data = {}, b""
    for name, ids in rows.items():
        longest = max(map(len, ids))
        padded = torch.tensor([row + [c["pad_id"]] * (longest - len(row)) for row in ids], dtype=torch.int32).numpy()
        header[name] = {"dtype": "I32", "shape": padded.shape, "data_offsets": [len(data), len(data) + padded.nbytes]}
        data += padded.tobytes()
    text = json.dumps(header).encode()
    Path(batch).write_bytes(struct.pack("<Q", len(text)) + text + data)
else:
    real = read_safetensors(batch)["target_out"] != c["pad_id"]
    ours, theirs = (read_safetensors(path)["logits"] for path in sys.argv[4:6])
    apart = (ours - theirs).abs()[real]
    print(f"{apart.max().item():.2g}")
    largest = theirs.abs()[real].amax(dim=-1, keepdim=True)
    sys.exit(not (apart <= (2e-6 * largest).clamp(min=1e-5)).all())
