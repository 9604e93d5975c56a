"""One process's part of a training: its share of every batch, and on the first process what is kept of the run."""
import contextlib
import json
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils.rnn import pad_sequence

import looks
import run
from load import greedy, load, read_safetensors
from model import Norm
from order import epoch_batches

HERE = Path(__file__).resolve().parent


def rate(schedule, step):
    """The learning rate of a step, from 1 on."""
    s, warmup, total = step - schedule["from"], schedule["warmup"], schedule["total_steps"]
    if schedule["kind"] == "noam":
        return schedule["factor"] * schedule["d_model"] ** -0.5 * min(s ** -0.5, s * warmup ** -1.5)
    if schedule["kind"] == "constant":
        return schedule["peak"]
    if s <= warmup:
        return schedule["peak"] * s / warmup
    done = min(1, (s - warmup) / max(1, total - warmup)) if s < total else 1
    return schedule["peak"] * (1 - done if schedule["kind"] == "linear" else 0.5 * (1 + math.cos(math.pi * done)))


class Pairs:
    """Sentence pairs as ids: of "training" or "validation"."""

    def __init__(self, tensors, part, c):
        self.c = c
        self.source, self.target = (
            tensors[f"{part}.{side}"].long().split(tensors[f"{part}.{side}_lengths"].tolist()) for side in ("source", "target"))
        added = c.source_bos + c.source_eos
        self.lengths = [len(source) + added + len(target) + 1 for source, target in zip(self.source, self.target)]

    def batch(self, indices):
        """source (B, S), target_in and target_out (B, T), padded."""
        c, ids = self.c, lambda *ids: torch.tensor(ids, dtype=torch.long)
        begin, end = ids(*[c.bos_id] * c.source_bos), ids(*[c.eos_id] * c.source_eos)
        first = ids(getattr(c, "start_id", c.bos_id))
        rows = ([torch.cat((begin, self.source[i], end)) for i in indices],
                [torch.cat((first, self.target[i])) for i in indices],
                [torch.cat((self.target[i], ids(c.eos_id))) for i in indices])
        return [pad_sequence(row, batch_first=True, padding_value=c.pad_id) for row in rows]


def summed_loss(logits, target_out, pad, smoothing):
    return F.cross_entropy(logits.float().flatten(0, 1), target_out.flatten(), ignore_index=pad, reduction="sum",
                           label_smoothing=smoothing)


def gradient_norm(parameters):  # L2, of all together
    return math.sqrt(torch.stack([p.grad.double().square().sum() for p in parameters]).sum().item())


class Training:
    def __init__(self, options, plan, rank, world, device):
        self.options, self.plan, self.rank, self.world, self.device = options, plan, rank, world, device
        self.record, self.held_out, self.start = json.loads(json.dumps(plan["record"])), plan["held_out"], {}
        self.model = load(HERE)
        self.c = self.model.c
        named = dict(self.model.named_parameters())
        self.named = {name: named[name] for name in plan["parameters"]}
        self.adam = torch.optim.Adam(self.named.values(), betas=plan["adam"]["betas"], eps=plan["adam"]["eps"])
        self.take_folder()
        if options.resume:
            self.record, self.held_out, weights, moments = run.read(options.out)
            self.model.load_state_dict(weights)
            self.start = {name[6:]: moments[name] for name in moments if name.startswith("start.")}
        else:
            self.start = {name: p.detach().clone() for name, p in self.named.items()}
        self.model.to(device)
        for module in self.model.modules():
            if isinstance(module, torch.nn.Dropout) and module.p == self.c.dropout:
                module.p = self.record["live"]["dropout"]  # which the program may have changed on the way
        if options.resume:
            done = torch.tensor(float(self.record["step"] - self.record["moments_from"]))
            for name, p in self.named.items():
                self.adam.state[p] = {"step": done.clone(), "exp_avg": moments["m." + name].to(device),
                                      "exp_avg_sq": moments["v." + name].to(device)}
        for norm in (module for module in self.model.modules() if isinstance(module, Norm)):
            norm.register_forward_pre_hook(lambda module, x: (x[0].float(),))  # where autocast left 16 bits
        self.together = self.model  # with the gradients of all processes: called, never its .module
        if world > 1:
            self.together = DistributedDataParallel(self.model, device_ids=[device.index] if device.type == "cuda" else None)
        tensors = read_safetensors(HERE / "pairs.safetensors")
        self.pairs, self.validation = Pairs(tensors, "training", self.c), Pairs(tensors, "validation", self.c)
        self.plan_epoch()

    def take_folder(self):
        """The first process locks and repairs it before any reads it."""
        free, out = True, self.options.out
        if self.rank == 0:
            out.mkdir(parents=True, exist_ok=True)
            free = run.lock(out)
            if free and self.options.resume:
                run.repair(out)
        if self.sums(not free) != [0]:  # which all processes wait for
            self.stop(f"{out}: a run is being trained and saved there at this moment, in a window or by a command; "
                      "end that one first, or choose another folder")

    def plan_epoch(self):
        options, epoch = self.record["options"], self.record["position"]["epoch"]
        self.batches = epoch_batches(self.pairs.lengths, options["batch_tokens"], options["seed"], epoch)

    def autocast(self):
        return torch.autocast(self.device.type, torch.bfloat16) if self.options.mixed else contextlib.nullcontext()

    def sums(self, *numbers):  # of all processes
        total = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        if self.world > 1:
            dist.all_reduce(total)
        return total.tolist()

    def step(self):
        """Loss, gradient, clipping, Adam: one batch of all processes together."""
        begin, record, live, position = time.monotonic(), self.record, self.record["live"], self.record["position"]
        step, indices = record["step"] + 1, self.batches[position["batch"]]
        words = sum(len(self.pairs.target[i]) + 1 for i in indices)
        part = indices[self.rank::self.world]
        source, target_in, target_out = (ids.to(self.device) for ids in self.pairs.batch(part or indices[:1]))
        if not part:  # fewer sentences than processes: this one counts nothing
            target_out = torch.full_like(target_out, self.c.pad_id)
        torch.manual_seed(((record["options"]["seed"] * 1000003 + step) * self.world + self.rank) % 2**63)
        self.model.train()
        self.adam.zero_grad()
        with self.autocast():
            logits = self.together(source, target_in)
        loss = summed_loss(logits, target_out, self.c.pad_id, live["smoothing"]) / words
        (loss * self.world).backward()  # the processes' gradients are averaged
        self.hold_still()
        norm, pace = gradient_norm(self.named.values()), rate(record["schedule"], step) * live["rate_scale"]
        (loss,) = self.sums(loss.item())
        if not (math.isfinite(loss) and math.isfinite(norm)):
            self.stop(f"step {step}: the loss or its gradient is not finite; {self.options.out} holds step {self.saved}")
        look = self.rank == 0 and looks.wanted(record["curves"].get("diagnosis"), step, self.plan["validate_every"])
        before = {name: p.detach().clone() for name, p in self.named.items()} if look else {}
        norms = looks.part_norms(self.named, self.plan["parts"]) if look else []
        scale = min(1.0, live["clip"] / (norm + 1e-6)) if live["clip"] > 0 else 1.0
        for p in self.named.values():
            p.grad.mul_(scale)
        self.adam.param_groups[0]["lr"] = pace
        self.adam.step()
        record["step"], position["batch"] = step, position["batch"] + 1
        if position["batch"] == len(self.batches):
            position["epoch"], position["batch"] = position["epoch"] + 1, 0
            self.plan_epoch()
        seconds = time.monotonic() - begin
        record["seconds"] += seconds
        speed = sum(self.pairs.lengths[i] for i in indices) / max(seconds, 1e-9)
        for name, value in (("loss", loss), ("learning_rate", pace), ("gradient_norm", norm)):
            record["curves"][name].append(run.short(value))
        record["curves"]["tokens_per_s"].append(round(min(speed, 2e9)))
        if look:
            ratios = looks.update_ratios(before, self.named, self.plan["parts"])
            looks.add(record["curves"], step, norms, ratios, self.model, self.look_batch(), self.plan["validate_every"])

    def hold_still(self):
        options, names = self.record["options"], ("source_embedding.weight", "target_embedding.weight")
        tables = [name for name in names if name in self.named]
        for name in tables:
            if name.split("_")[0] in options["freeze"] or (options["freeze"] and len(tables) == 1):
                self.named[name].grad.zero_()
            if options["zero_pad"]:
                self.named[name].grad[self.c.pad_id] = 0

    def look_batch(self):
        pairs = self.validation if self.validation.lengths else self.pairs
        source, target_in, _ = pairs.batch(range(self.plan["look_pairs"]))
        return source.to(self.device), target_in.to(self.device)

    @torch.no_grad()
    def validate(self):
        """The loss of the held-out pairs; true: the weights translate from now on."""
        record, validation, pairs = self.record, self.record["validation"], self.validation
        step = record["step"]
        self.model.eval()
        point = {"nll": None, "token_accuracy": None, "exact_match": None}
        order = sorted(range(len(pairs.lengths)), key=lambda i: -pairs.lengths[i])
        sums = [0.0] * 5
        for at in range(self.rank * 64, len(order), self.world * 64):
            source, target_in, target_out = (ids.to(self.device) for ids in pairs.batch(order[at:at + 64]))
            logits, real = self.model(source, target_in), target_out != self.c.pad_id
            right = (logits.argmax(-1) == target_out) & real
            found = (summed_loss(logits, target_out, self.c.pad_id, record["live"]["smoothing"]),
                     summed_loss(logits, target_out, self.c.pad_id, 0), right.sum(), real.sum(), (right == real).all(1).sum())
            sums = [a + b.item() for a, b in zip(sums, found)]
        loss, nll, right, words, exact = self.sums(*sums)
        if order:
            point = {"nll": nll / words, "token_accuracy": right / words, "exact_match": exact / len(order)}
            loss /= words
        else:
            loss = float(np.mean(record["curves"]["loss"][-self.plan["validate_every"]:]))
        best = validation["best_loss"] is None or loss < validation["best_loss"]
        record["curves"]["validations"].append({"step": step, "loss": loss, "best": best, **point})
        kept = best or record["options"]["keep"] == "last"
        validation.update(last_step=step, without_improvement=0 if best else validation["without_improvement"] + 1,
                          kept_is_validated=validation["kept_is_validated"] or kept)
        if best:
            validation["best_loss"] = loss
        if kept:
            record["kept"], self.start = {"step": step, "validation_loss": loss}, {}
        return kept

    def translate(self):  # the held-out sentences
        self.model.eval()
        for sentence, ids in zip(self.held_out, self.plan["held_out_ids"]):
            attempts = [attempt for attempt in sentence["attempts"] if attempt["step"] < self.record["step"]]
            sentence["attempts"] = attempts + [{"step": self.record["step"], "ids": greedy(self.model, ids)}]

    def save(self, new_best, keep_step):
        step = self.saved = self.record["step"]
        if self.rank == 0:
            if not self.record["validation"]["kept_is_validated"] or self.record["options"]["keep"] == "last":
                new_best = True
                if self.record["kept"]["step"] != step:
                    self.record["kept"] = {"step": step, "validation_loss": None}
            moments = {}
            for name, p in self.named.items():
                state = self.adam.state.get(p) or {"exp_avg": torch.zeros_like(p), "exp_avg_sq": torch.zeros_like(p)}
                moments["m." + name], moments["v." + name] = state["exp_avg"], state["exp_avg_sq"]
            run.save(self.options.out, self.record, self.held_out, self.named, moments, self.start,
                     keep_step=keep_step, new_best=new_best)

    def stop(self, why):
        if self.rank == 0:
            print("train.py: " + why, file=sys.stderr, flush=True)
        if self.world > 1:
            dist.barrier()
            dist.destroy_process_group()
        sys.exit(1)

    def go(self):
        record, options, every = self.record, self.record["options"], self.plan["validate_every"]
        last = options["steps"] = self.options.steps
        options["epochs"] = 0
        self.saved = record["step"]
        if not self.options.resume:
            if self.rank == 0:
                run.begin_folder(self.options.out, HERE, self.plan["files"])
                self.translate()
            self.save(True, True)
        schedule = record["schedule"]
        end = schedule["from"] + schedule["total_steps"]
        if self.rank == 0 and schedule["kind"] in ("linear", "cosine") and last > end:
            print(f"note: the schedule's learning rate is 0 from step {end} on", file=sys.stderr, flush=True)
        while record["step"] < last:
            self.step()
            step, over = record["step"], record["step"] == last
            due = step % every == 0
            kept = self.validate() if due or over else False
            patient = options["patience"] == 0 or record["validation"]["without_improvement"] < options["patience"]
            over = over or not patient
            keep_step = step % self.options.keep_every == 0 or over
            if self.rank == 0 and (due or over or looks.held_out_wanted(step)):
                self.translate()
            if due or keep_step:
                self.save(kept, keep_step)
                if self.rank == 0:
                    curves = record["curves"]
                    held_out = f", held out {curves['validations'][-1]['loss']:.4f}" if due or over else ""
                    print(f"step {step}: loss {curves['loss'][-1]:.4f}{held_out}, {curves['tokens_per_s'][-1]} tokens/s",
                          file=sys.stderr, flush=True)
            if over:
                break
