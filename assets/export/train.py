"""Trains the model of this folder on one processor or many graphics cards, as Glassformer would on a laptop.

    python3 train.py --workers 8 --steps 20000 --keep-every 500 --out run    eight processes of this machine
    python3 train.py --resume run --steps 40000    resumes it; linear and cosine schedules ended at the first --steps
    torchrun --nproc_per_node 8 train.py --out run, or srun python3 train.py --out run: theirs
    python3 train.py --check         loss and gradient norm of check.safetensors, dropout off; "glassformer trace" says the same

What it writes (run.py, looks.py) opens in Glassformer: weights, history, curves, held-out translations, Diagnosis.
Batches are those of Glassformer, pair by pair (order.py); every process takes its share of the sentences of each, so
that N compute what one does (learn.py). Dropout is PyTorch's. gloo connects processors, nccl graphics cards. Needs torch
and numpy.
"""
import argparse
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist

sys.dont_write_bytecode = True  # the folder holds what was exported, and no more
from learn import Training, gradient_norm, summed_loss  # noqa: E402
from load import load, read_safetensors  # noqa: E402
import run  # noqa: E402

HERE = Path(__file__).resolve().parent
USUAL = {"attention_dropout": -1, "source_bos": False, "forbidden_ids": [], "position_order": "interleaved",
         "position_divisor": "d", "length_penalty": "gnmt"}  # left out by Glassformer where they are so


def work(local, options, plan, rank, world, threads, meet):
    """One process. `meet`: where they find each other; `rank` is that of the first one here."""
    rank += local
    device = torch.device("cuda", local % torch.cuda.device_count()) if torch.cuda.is_available() else torch.device("cpu")
    if device.type == "cuda":
        torch.cuda.set_device(device)
    elif threads and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(threads)
    if world > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo", init_method=meet, rank=rank, world_size=world)
    Training(options, plan, rank, world, device).go()
    if world > 1:
        dist.barrier()
        dist.destroy_process_group()


def check(smoothing):
    model, batch = load(HERE), {name: ids.long() for name, ids in read_safetensors(HERE / "check.safetensors").items()}
    loss = summed_loss(model(batch["source"], batch["target_in"]), batch["target_out"], model.c.pad_id, smoothing)
    loss = loss / (batch["target_out"] != model.c.pad_id).sum()
    loss.backward()
    print(json.dumps({"loss": loss.item(), "gradient_norm": gradient_norm(list(model.parameters())), "smoothing": smoothing}))


def whole(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def check_resumed(options, plan):
    """Ends with a sentence where this script would not train that run as it was begun."""
    folder = options.resume
    try:
        record = run.read_record(folder)
        theirs, ours = (json.loads((at / "config.json").read_text(encoding="utf-8")) for at in (folder, HERE))
        step, used, fingerprint = record["step"], record["options"], record["data"]["fingerprint"]
        patience, waited = used["patience"], record["validation"]["without_improvement"]
        other = [key for key in sorted({*theirs, *ours} - {"dropout"})
                 if theirs.get(key, USUAL.get(key)) != ours.get(key, USUAL.get(key))]
        mistakes = [key for key, right in (("mask_future", True), ("zero_after_softmax", False), ("softmax_twice", False),
                                           ("extra_padding", 0)) if used.get(key, right) != right]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"train.py: {folder} holds no run to resume ({type(error).__name__}: {error})")
    if other:
        sys.exit(f"train.py: {folder} holds another model than this folder ({', '.join(other)})")
    if fingerprint != plan["record"]["data"]["fingerprint"]:
        sys.exit(f"train.py: {folder} learned from other pairs than those of this folder")
    for found, what in ((record.get("later"), "has changes planned for steps to come"),
                        (mistakes, f"learns with a mistake made on purpose ({', '.join(mistakes)})"),
                        (used.get("average", 1) > 1, "keeps the mean of several validations"),
                        (used.get("minutes", 0) > 0, "ends by minutes")):
        if found:
            sys.exit(f"train.py: {folder} {what}, which is not for train.py; resume it by glassformer train --resume")
    if 0 < patience <= waited:
        sys.exit(f"train.py: {folder} is at its end, {waited} validations without a better loss; glassformer train --resume "
                 "takes another --patience")
    options.steps = options.steps or used["steps"]
    if options.steps <= step:
        sys.exit(f"train.py: {folder} is at step {step}; ask for more by --steps")


def settled(options, plan):
    """Options that were left out, and a sentence about those that cannot be."""
    if bool(options.out) == bool(options.resume):
        sys.exit("train.py: name a new folder by --out, or one to resume by --resume")
    if options.resume:
        options.out = options.resume
        check_resumed(options, plan)
    elif options.out.exists() and (not options.out.is_dir() or any(options.out.iterdir())):
        sys.exit(f"train.py: {options.out} is there already; choose another folder, or resume it by --resume {options.out}")
    if options.steps and not options.resume and plan["total_by_steps"]:
        plan["record"]["schedule"]["total_steps"] = options.steps
    options.steps = options.steps or plan["steps"]
    if not options.steps:
        sys.exit("train.py: say by --steps how long it is to learn")
    options.keep_every = options.keep_every or max(1, options.steps // 50)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=whole, help="processes on this machine (default: one a graphics card, else 1)")
    parser.add_argument("--steps", type=whole, help="the last one (default: as the run was planned)")
    parser.add_argument("--keep-every", type=whole, help="so many steps one is kept for the slider (default: 50 in all)")
    parser.add_argument("--out", type=Path, help="folder for the run")
    parser.add_argument("--resume", type=Path, help="folder of a run to resume")
    parser.add_argument("--mixed", action="store_true", help="products in bfloat16; norms, softmax, loss and Adam in float32")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--smoothing", type=float, default=0.1, help="of the labels, for --check (default 0.1)")
    options = parser.parse_args()
    if options.check:
        return check(options.smoothing)
    plan = json.loads((HERE / "plan.json").read_text(encoding="utf-8"))
    env = os.environ
    theirs = "torchrun" if "RANK" in env else "srun" if int(env.get("SLURM_NTASKS", 1)) > 1 and "SLURM_PROCID" in env else ""
    if theirs and options.workers:
        sys.exit(f"train.py: {theirs} starts the processes; leave out --workers")
    settled(options, plan)
    try:
        start(options, plan, theirs)
    except KeyboardInterrupt:
        saved = (options.out / "training.json").exists()
        sys.exit(f"train.py: stopped; --resume {options.out} resumes the last save" if saved else "train.py: stopped")


def start(options, plan, theirs):
    """The processes: those of torchrun or srun, or our own."""
    env, cards = os.environ, torch.cuda.device_count()
    if theirs:
        rank, world, local = (int(env[name]) for name in (("RANK", "WORLD_SIZE", "LOCAL_RANK") if theirs == "torchrun" else
                                                          ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID")))
        if theirs == "srun":  # the first node of "gpu[03-05,9]" is where they meet
            name, number = re.match(r"([^\[,]+)(?:\[([^\],-]+))?", env["SLURM_STEP_NODELIST"]).groups(default="")
            env.setdefault("MASTER_ADDR", name + number)
            env.setdefault("MASTER_PORT", str(20000 + int(env["SLURM_JOB_ID"]) % 20000))
        return work(local, options, plan, rank - local, world, 0, "env://?use_libuv=0")
    workers = options.workers or max(1, cards)
    if cards and workers > cards:
        sys.exit(f"train.py: {workers} workers need as many graphics cards, found {cards}")
    if workers == 1:
        return work(0, options, plan, 0, 1, 0, "")
    threads = max(1, (os.cpu_count() or 1) // workers)
    with tempfile.TemporaryDirectory() as folder:
        try:
            torch.multiprocessing.spawn(work, (options, plan, 0, workers, threads, f"file://{folder}/meet"), workers)
        except torch.multiprocessing.ProcessExitedException:  # it said why
            sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("train.py: stopped")
