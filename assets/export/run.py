"""The folder that a training leaves, as Glassformer writes its own: a model that opens, and all that it takes to resume it.

A save writes new files beside the old, and training.json, which names them, last: a kill at any moment leaves one whole state.
"""
import fcntl
import json
import os
import shutil
import sys

import numpy as np
import torch

from load import read_safetensors, write_safetensors


def short(number):  # a float32's own digits; null: it is not finite
    return float(str(np.float32(number))) if np.isfinite(number) else None


def replace(path, write):
    """Whole or as it was: on the disk beside the old one before it takes the old one's name."""
    part = path.with_name(path.name + ".part")
    write(part)
    with open(part, "r+b") as file:
        os.fsync(file.fileno())
    os.replace(part, path)


def write_text(path, text):
    replace(path, lambda part: part.write_text(text, encoding="utf-8"))


def write_tensors(path, tensors):
    replace(path, lambda part: write_safetensors(part, tensors))


def lock(folder):
    """Held until this process ends, and the one that Glassformer holds; false: somebody else holds it."""
    try:
        fcntl.flock(os.open(folder, os.O_RDONLY | os.O_DIRECTORY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        pass
    return True


def in_16_bits(tensors):
    """All numbers one after another as whole multiples, -32767 to 32767, of one unit a row."""
    weights, units = [], []
    for tensor in tensors:
        rows = tensor.detach().float().cpu().reshape(-1, tensor.shape[-1]).numpy()
        unit = np.abs(rows).max(1) / np.float32(32767)
        times = np.divide(np.float32(1), unit, out=np.zeros_like(unit), where=unit >= np.finfo(np.float32).tiny)
        exact = rows * times[:, None]
        weights.append(np.trunc(exact + np.copysign(np.float32(0.5), exact)).astype(np.int16).ravel())
        units.append(unit)
    return {"units": torch.from_numpy(np.concatenate(units)), "weights": torch.from_numpy(np.concatenate(weights))}


def begin_folder(folder, script, names):
    """What never changes: configuration and tokenizers."""
    for name in names:
        shutil.copyfile(script / name, folder / name)


def save(folder, record, held_out, weights, moments, start, *, keep_step, new_best):
    """`weights` by name, in the order of the history; `moments`: m.NAME and v.NAME; `start`: those the run began with,
    until one is validated. `keep_step`: for the slider. `new_best`: they are those that translate from now on."""
    step, files = record["step"], record["files"]
    before = {name for name in files.values() if name}
    files["weights"], files["optimizer"] = (f"last-{step}.{kind}.safetensors" for kind in ("weights", "optimizer"))
    files["best"] = f"best-{step}.weights.safetensors" if new_best else ""
    if (folder / ".glassformer").exists():  # Glassformer resumed it, and lists what is its own
        with open(folder / ".glassformer", "a", encoding="utf-8") as file:
            file.writelines(f"+ {name}\n" for name in [*files.values(), f"history/{step}.safetensors"] if name)
    write_tensors(folder / files["weights"], weights)
    write_tensors(folder / files["optimizer"], {**moments, **{"start." + name: start[name] for name in start}})
    if new_best:
        write_tensors(folder / files["best"], weights)
    if keep_step:
        (folder / "history").mkdir(exist_ok=True)
        write_tensors(folder / "history" / f"{step}.safetensors", in_16_bits(weights.values()))
    write_text(folder / "held-out.json", json.dumps(held_out) + "\n")
    write_text(folder / "training.json", json.dumps(record) + "\n")
    if new_best:
        os.replace(folder / files["best"], folder / "weights.safetensors")
    for name in before - set(files.values()):
        (folder / name).unlink(missing_ok=True)


def read_record(folder):
    """training.json; refused where it names files of other folders, which a save would remove."""
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    if any(not isinstance(name, str) or "/" in name or name.startswith(".") for name in record["files"].values()):
        sys.exit(f"train.py: {folder}/training.json: its files should be named as they lie beside it, "
                 "found a name that leads elsewhere")
    return record


def repair(folder):
    """What a save that was cut short left to do; what was kept of steps after the last save goes."""
    record = read_record(folder)
    for kept in (folder / "history").glob("*.safetensors"):
        if kept.stem.isdigit() and int(kept.stem) > record["step"]:
            kept.unlink()
    best = record["files"]["best"]
    if best and (folder / best).exists():
        os.replace(folder / best, folder / "weights.safetensors")


def read(folder):
    """training.json, held-out.json, the weights and the moments of the last save."""
    record, held_out = read_record(folder), folder / "held-out.json"
    files = record["files"]
    return (record, json.loads(held_out.read_text(encoding="utf-8")) if held_out.exists() else [],
            read_safetensors(folder / files["weights"]), read_safetensors(folder / files["optimizer"]))
