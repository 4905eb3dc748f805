"""Writes `reducers.json`: what the reducers of inspect_ai make of some values. Run it where inspect_ai is installed."""

import json
import random

import inspect_ai
from inspect_ai.scorer import Score, at_least, max_score, mean_score, mode_score, pass_at, pass_k


def apply(reducer, values):
    return reducer([Score(value=value) for value in values]).value


def make_cases():
    rng = random.Random(17)
    yield from ([1], [0], [1, 0], [0, 1], [1, 1, 0], [0, 0, 1], [0.5, 1, 0.25], [0.5, 0.5, 1, 1])
    for count in range(3, 9):
        for _ in range(4):
            yield [float(rng.random() < 0.5) for _ in range(count)]
        yield [rng.choice([0.0, 0.25, 0.5, 1.0]) for _ in range(count)]


def record(values):
    found = {"values": values}
    for name, reducer in (("mean", mean_score), ("max", max_score), ("mode", mode_score)):
        found[name] = apply(reducer(), values)
    for k in sorted({1, 2, 3, len(values)}):
        if k <= len(values):
            for name, counting in (("pass@", pass_at), ("pass^", pass_k), ("at_least_", at_least)):
                found[f"{name}{k}"] = apply(counting(k), values)
    return found


cases = ",\n  ".join(json.dumps(record(values)) for values in make_cases())
print(f'{{\n "source": "inspect_ai",\n "version": "{inspect_ai.__version__}",\n "cases": [\n  {cases}\n ]\n}}')
