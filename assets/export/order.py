"""Batches as Glassformer makes them, pair by pair: those of an epoch follow from the seed.

Python's and numpy's generators draw other numbers than C++'s std::mt19937_64 behind a std::seed_seq, so both are here.
"""
import numpy as np

ONES, SIZE, MIDDLE = 0xFFFFFFFF, 312, 156


def spread(words, count):
    """std::seed_seq: `count` words of 32 bits out of a few."""
    table, few = [0x8B8B8B8B] * count, len(words)
    shift = 11 if count >= 623 else 7 if count >= 68 else 5 if count >= 39 else 3 if count >= 7 else (count - 1) // 2
    p = (count - shift) // 2
    q, rounds = p + shift, max(few + 1, count)
    for k in range(rounds + count):
        here, near, far = k % count, (k + p) % count, (k + q) % count
        if k < rounds:
            mixed = table[here] ^ table[near] ^ table[k - 1 if 0 < k < count else (k - 1) % count]
            first = 1664525 * (mixed ^ mixed >> 27) & ONES
            second = first + (few if k == 0 else here + (words[k - 1] if k <= few else 0)) & ONES
            table[near], table[far] = table[near] + first & ONES, table[far] + second & ONES
        else:
            mixed = table[here] + table[near] + table[(k - 1) % count] & ONES
            first = 1566083941 * (mixed ^ mixed >> 27) & ONES
            second = first - here & ONES
            table[near], table[far] = table[near] ^ first, table[far] ^ second
        table[here] = second
    return table


class Random:
    """std::mt19937_64: its next numbers, many at a time."""

    def __init__(self, words):
        low_first = np.array(spread(words, 2 * SIZE), np.uint64).reshape(SIZE, 2)
        self.state, self.ready = low_first[:, 0] | low_first[:, 1] << np.uint64(32), np.zeros(0, np.uint64)

    def refill(self):
        u, s = np.uint64, self.state
        for part in (slice(0, MIDDLE), slice(MIDDLE, SIZE)):  # the second half needs the new first one
            following = np.roll(s, -1)[part]
            y = s[part] & u(0xFFFFFFFF80000000) | following & u(0x7FFFFFFF)
            s[part] = np.roll(s, -MIDDLE)[part] ^ y >> u(1) ^ (y & u(1)) * u(0xB5026F5AA96619E9)
        z = s ^ s >> u(29) & u(0x5555555555555555)
        z ^= z << u(17) & u(0x71D67FFFEDA60000)
        z ^= z << u(37) & u(0xFFF7EEE000000000)
        return z ^ z >> u(43)

    def below(self, limits):  # a number below each
        while len(self.ready) < len(limits):
            self.ready = np.concatenate([self.ready] + [self.refill() for _ in range(1 + len(limits) // SIZE)])
        drawn, self.ready = self.ready[:len(limits)], self.ready[len(limits):]
        return (drawn >> np.uint64(11)) % np.asarray(limits, np.uint64)

    def shuffle(self, values):
        ends = range(len(values) - 1, 0, -1)
        for i, k in zip(ends, self.below([end + 1 for end in ends]).tolist()):
            values[i], values[k] = values[k], values[i]


def epoch_batches(lengths, batch_tokens, seed, epoch):
    """Lists of indices of `lengths`: sorted by about the length, cut at `batch_tokens`, in any order."""
    random = Random([seed & ONES, seed >> 32, epoch & ONES, 0x62617463])
    order = list(range(len(lengths)))
    random.shuffle(order)
    lengths, order = np.asarray(lengths, np.uint64), np.asarray(order)
    places = lengths[order] * (np.uint64(1024) + random.below([513] * len(order)))
    batches, tokens = [], 0
    for pair in order[np.argsort(places, kind="stable")].tolist():
        if not batches or tokens + int(lengths[pair]) > batch_tokens:
            batches.append([])
            tokens = 0
        batches[-1].append(pair)
        tokens += int(lengths[pair])
    random.shuffle(batches)
    return batches
