#!/usr/bin/env python3
"""Tokens a second of torch's GRU on the work of `benchmark --what recurrent` (one vector): 64 pairs of 24 words,
width 128, 100 words; encoder, decoder, loss and backward pass. python3-torch; arguments: threads, seconds."""
import statistics
import sys
import time

import torch

THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else 2
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 5
WIDTH, PAIRS, LENGTH, WORDS = 128, 64, 24, 100
torch.set_num_threads(THREADS)
torch.manual_seed(1)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.source = torch.nn.Embedding(WORDS, WIDTH)
        self.target = torch.nn.Embedding(WORDS, WIDTH)
        self.encoder = torch.nn.GRU(WIDTH, WIDTH)
        self.decoder = torch.nn.GRU(WIDTH, WIDTH)
        self.output = torch.nn.Linear(WIDTH, WORDS)

    def forward(self, source, target):
        state = self.encoder(self.source(source))[1]
        return self.output(self.decoder(self.target(target), state)[0])


def main():
    model = Model()
    source, target, wanted = (torch.randint(4, WORDS, (LENGTH, PAIRS)) for _ in range(3))
    times, start = [], time.perf_counter()
    while time.perf_counter() - start < SECONDS or len(times) < 3:
        before = time.perf_counter()
        model.zero_grad()
        torch.nn.functional.cross_entropy(model(source, target).flatten(0, 1), wanted.flatten()).backward()
        times.append(time.perf_counter() - before)
    print(f"torch {torch.__version__}: {2 * LENGTH * PAIRS / statistics.median(times):.0f} tokens/s")


main()
