"""The folder that a training leaves, as Glassformer writes its own: a model that opens, and all that it takes to go on.

A save writes new files beside the old, and training.json, which names them, last: a kill at any moment leaves one whole state.
"""
import json
import os
import shutil

import numpy as np
import torch

from load import read_safetensors, write_safetensors


def short(number):  # a float32's own digits; null: it is not finite
    return float(str(np.float32(number))) if np.isfinite(number) else None


def write_text(path, text):
    part = path.with_name(path.name + ".part")
    with open(part, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def write_tensors(path, tensors):
    part = path.with_name(path.name + ".part")
    write_safetensors(part, tensors)
    os.replace(part, path)


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
    """A new one, with what never changes: configuration and tokenizers."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(script / name, folder / name)


def save(folder, record, held_out, weights, moments, start, *, keep_step, new_best):
    """`weights` by name, in the order of the history; `moments`: m.NAME and v.NAME; `start`: those the run began with,
    until one is validated. `keep_step`: for the slider. `new_best`: they are those that translate from now on."""
    step, files = record["step"], record["files"]
    before = {name for name in files.values() if name}
    files["weights"], files["optimizer"] = (f"last-{step}.{kind}.safetensors" for kind in ("weights", "optimizer"))
    files["best"] = f"best-{step}.weights.safetensors" if new_best else ""
    if (folder / ".glassformer").exists():  # the program went on here, and lists what is its own
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


def read(folder):
    """training.json, held-out.json, the weights and the moments of the last save; what was kept of later steps goes."""
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    held_out, files = folder / "held-out.json", record["files"]
    for kept in (folder / "history").glob("*.safetensors"):
        if kept.stem.isdigit() and int(kept.stem) > record["step"]:
            kept.unlink()
    if files["best"] and (folder / files["best"]).exists():  # a save was cut short
        os.replace(folder / files["best"], folder / "weights.safetensors")
    return (record, json.loads(held_out.read_text(encoding="utf-8")) if held_out.exists() else [],
            read_safetensors(folder / files["weights"]), read_safetensors(folder / files["optimizer"]))
