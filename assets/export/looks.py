"""What Glassformer's Diagnosis shows of a run: looks at each part, now and then, kept with the curves.

A part is an embedding, a layer or the output. Gradients and updates are those of the step; heads and hidden units are
those of the weights after it, on the same few pairs each time, dropout off.
"""
import math

import torch

from run import short

MOST = 400


def wanted(diagnosis, step, validate_every):
    return step & (step - 1) == 0 or step % (validate_every * (diagnosis or {"stride": 1})["stride"]) == 0


def held_out_wanted(step):  # 25, 50, 100, 200 ...
    return step % 25 == 0 and (step // 25) & (step // 25 - 1) == 0


def part_sums(tensors, parts):
    sums = [0.0] * (1 + max(parts.values()))
    for name, tensor in tensors.items():
        sums[parts[name]] += tensor.double().square().sum().item()
    return sums


def part_norms(named, parts):
    return [short(math.sqrt(total)) for total in part_sums({name: p.grad for name, p in named.items()}, parts)]


def update_ratios(before, named, parts):
    moved = part_sums({name: p.detach() - before[name] for name, p in named.items()}, parts)
    return [short(math.sqrt(change / size)) if size else None for change, size in zip(moved, part_sums(before, parts))]


def head_spread(weights, hidden, real):
    """Entropy and saturation of each head: weights (B, H, L, K); real (B, L) rows count that may see two keys or more."""
    weights, seen = weights.double(), (~hidden).sum(-1).expand(weights.shape[0], 1, weights.shape[2])
    total = weights.sum(-1)
    rows = (real[:, None] & (seen >= 2)).expand_as(total) & (total > 0)
    entropy = (-torch.xlogy(weights, weights).sum(-1) / total + total.log()) / seen.clamp(min=2).log()
    count = rows.sum((0, 2))
    sums = (torch.where(rows, entropy, 0.0).sum((0, 2)).clamp(min=0), (rows & (weights.amax(-1) > 0.99 * total)).sum((0, 2)))
    return [[short(min(1.0, a / n)) if n else None for a, n in zip(each.tolist(), count.tolist())] for each in sums]


@torch.no_grad()
def add(curves, step, norms, ratios, model, batch, validate_every):
    source, target_in = batch
    c, caught, hooks = model.c, {}, []
    stacks = [("encoder", layer) for layer in model.encoder.layers] + [("decoder", layer) for layer in model.decoder.layers]
    real = {"encoder": source != c.pad_id, "decoder": target_in != c.pad_id}
    real["decoder"][:, 0] = True

    def catch(key, pick):
        return lambda module, inputs: caught.__setitem__(key, pick(inputs))

    attentions = [(stack, layer.self_attn) for stack, layer in stacks]
    attentions += [("decoder", layer.multihead_attn) for layer in model.decoder.layers]
    for _, module in attentions:
        hooks += [module.register_forward_pre_hook(catch((module, "hidden"), lambda inputs: inputs[2])),
                  module.dropout.register_forward_pre_hook(catch((module, "weights"), lambda inputs: inputs[0]))]
    for _, layer in stacks:
        hooks.append(layer.linear2.register_forward_pre_hook(catch(layer, lambda inputs: inputs[0])))
    model.eval()
    model(source, target_in)
    for hook in hooks:
        hook.remove()

    entropy, saturation, silent = [], [], []
    for stack, module in attentions:
        found = head_spread(caught[module, "weights"], caught[module, "hidden"], real[stack])
        entropy, saturation = entropy + found[0], saturation + found[1]
    for stack, layer in stacks:
        if c.feed_forward == "plain":  # a gated unit is as busy below 0 as above
            silent.append(short((~(caught[layer][real[stack]] > 0).any(0)).double().mean().item()))
    columns = {"steps": step, "gradient_norms": norms, "update_ratios": ratios, "entropy": entropy, "saturation": saturation,
               "silent_units": silent}
    diagnosis = curves.setdefault("diagnosis", {"stride": 1, **{name: [] for name in columns}})
    for name, value in columns.items():
        diagnosis[name].append(value)
    while len(diagnosis["steps"]) > MOST:  # every other of those beside the validations goes
        diagnosis["stride"] *= 2
        kept = [wanted(diagnosis, step, validate_every) for step in diagnosis["steps"]]
        for name in columns:
            diagnosis[name] = [value for value, keep in zip(diagnosis[name], kept) if keep]
