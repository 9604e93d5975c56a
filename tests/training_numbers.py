"""For training_script_command_test.sh: how far apart, and exit status 1 where that is too far.

    training_numbers.py check OURS THEIRS           JSON of trace and of train.py --check: 1e-5 and 1e-4
    training_numbers.py runs OURS THEIRS            curves, validations, looks, weights, moments and kept steps of two runs
    training_numbers.py weights ONE OTHER LIMIT     of two runs' last weights
"""
import json
import struct
import sys
from pathlib import Path

import numpy as np

KINDS = {"F32": "<f4", "I16": "<i2"}


def tensors(path):
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8:8 + length]), content[8 + length:]
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], KINDS[entry["dtype"]]).astype(np.float64)
            for name, entry in header.items() if name != "__metadata__"}


def near(what, one, other, limit):
    one, other = (np.array(each, dtype=np.float64) for each in (one, other))
    assert one.shape == other.shape, (what, one.shape, other.shape)
    assert (np.isnan(one) == np.isnan(other)).all(), what
    apart = float(np.nanmax(np.abs(one - other))) if one.size and not np.isnan(one).all() else 0.0
    if not apart <= limit:
        print(f"{what}: {apart:.2g}, at most {limit:g}")
        sys.exit(1)
    return apart


def records(folders):
    return [json.loads((Path(folder) / "training.json").read_text()) for folder in folders]


def last(folders, kind):
    return [tensors(Path(folder) / record["files"][kind]) for folder, record in zip(folders, records(folders))]


def near_tensors(what, pair, limit):
    """But for the biases of keys, which no score depends on: their gradient is the noise of rounding, and Adam follows it."""
    assert pair[0].keys() == pair[1].keys(), (what, pair[0].keys() ^ pair[1].keys())
    for name in pair[0]:
        if name.endswith("in_proj_bias"):
            for each in pair:
                each[name] = each[name].reshape(3, -1)[[0, 2]].ravel()
    return max(near(f"{what} {name}", pair[0][name], pair[1][name], limit) for name in pair[0])


what, one, other = sys.argv[1:4]
if what == "check":
    ours, theirs = (json.loads(Path(path).read_text()) for path in (one, other))
    found = [near("loss", ours["loss"], theirs["loss"], 1e-5), near("gradient", ours["gradient_norm"], theirs["gradient_norm"], 1e-4)]
elif what == "weights":
    found = [near_tensors("weights", last((one, other), "weights"), float(sys.argv[4]))]
else:
    folders = one, other
    ours, theirs = records(folders)
    a, b = ours["curves"], theirs["curves"]
    found = [near("loss", a["loss"], b["loss"], 1e-4), near("rate", a["learning_rate"], b["learning_rate"], 1e-7),
             near("norm", a["gradient_norm"], b["gradient_norm"], 1e-3)]
    for key in ("step", "loss", "nll", "token_accuracy", "exact_match"):
        found.append(near("validation " + key, *([point[key] for point in each["validations"]] for each in (a, b)), 1e-4))
    for key in a["diagnosis"]:
        found.append(near("looks " + key, a["diagnosis"][key], b["diagnosis"][key], 1e-3))
    for key in ("step", "position", "schedule", "live", "options", "kept", "validation"):
        same = [{k: v for k, v in each[key].items() if "loss" not in k and k != "threads" and k != "steps"}
                if isinstance(each[key], dict) else each[key] for each in (ours, theirs)]
        assert same[0] == same[1], (key, *same)
    found.append(near_tensors("weights", last(folders, "weights"), 1e-4))
    found.append(near_tensors("kept weights", [tensors(Path(folder) / "weights.safetensors") for folder in folders], 1e-4))
    ours, theirs = last(folders, "optimizer")
    found.append(near_tensors("moments", [{name: each[name] for name in each if not name.startswith("start.")}
                                          for each in (ours, theirs)], 1e-3))
    kept = [tensors(Path(folder) / "history/0.safetensors") for folder in folders]
    assert all((kept[0][name] == kept[1][name]).all() for name in ("units", "weights")), "the first kept step"
print(f"{max(found):.2g}")
