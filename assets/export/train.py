"""Trains the model of this folder on one processor or many graphics cards, as Glassformer would on a laptop.

    python3 train.py --workers 8 --steps 20000 --keep-every 500 --out run    eight processes of this machine
    python3 train.py --resume run --steps 40000                              goes on where that ended
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

HERE = Path(__file__).resolve().parent


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


def settled(options, plan):
    """Options that were left out, and a sentence about those that cannot be."""
    if bool(options.out) == bool(options.resume):
        sys.exit("train.py: name a new folder by --out, or by --resume one to go on in")
    if options.resume:
        options.out = options.resume
        try:
            record = json.loads((options.resume / "training.json").read_text(encoding="utf-8"))
            same = record["data"]["fingerprint"] == plan["record"]["data"]["fingerprint"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            sys.exit(f"train.py: {options.resume} holds no run to go on with ({type(error).__name__}: {error})")
        if record.get("later"):
            sys.exit(f"train.py: {options.resume} has changes planned for steps to come; go on with glassformer train --resume")
        if not same:
            sys.exit(f"train.py: {options.resume} learned from other pairs than those of this folder")
        options.steps = options.steps or record["options"]["steps"]
        if options.steps <= record["step"]:
            sys.exit(f"train.py: {options.resume} is at step {record['step']}; ask for more by --steps")
    elif options.out.exists() and (not options.out.is_dir() or any(options.out.iterdir())):
        sys.exit(f"train.py: {options.out} is there already; choose another folder, or go on by --resume {options.out}")
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
    parser.add_argument("--resume", type=Path, help="folder of a run to go on in")
    parser.add_argument("--mixed", action="store_true", help="products in bfloat16; norms, softmax, loss and Adam in float32")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--smoothing", type=float, default=0.1, help="of the labels, for --check (default 0.1)")
    options = parser.parse_args()
    if options.check:
        return check(options.smoothing)
    plan = json.loads((HERE / "plan.json").read_text(encoding="utf-8"))
    env, cards = os.environ, torch.cuda.device_count()
    theirs = "torchrun" if "RANK" in env else "srun" if int(env.get("SLURM_NTASKS", 1)) > 1 and "SLURM_PROCID" in env else ""
    if theirs and options.workers:
        sys.exit(f"train.py: {theirs} starts the processes; leave out --workers")
    settled(options, plan)
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
        sys.exit("train.py: stopped; --resume goes on from the last save")
