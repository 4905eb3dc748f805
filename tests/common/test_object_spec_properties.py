"""Parsing and printing run entries are inverse."""

import json
import random
import re

import pytest

from helm.common.object_spec import ObjectSpec, parse_object_spec, render_object_spec
from vectors_support import load_vectors

TEXT = "abzAZ019._-+/@: =#%$!?'\"\\{}[]()\tµ漢é٣∞"
NUMBERS = [0, -1, 7, 10**20, 0.0, -0.0, 0.1, 1e300, -2.5e-9, float("inf"), float("-inf"), float("nan")]


def draw_text(rng: random.Random, letters: str = TEXT, shortest: int = 0) -> str:
    return "".join(rng.choice(letters) for _ in range(rng.randint(shortest, 8)))


@pytest.mark.parametrize("seed", range(30))
def test_a_printed_spec_is_read_back(seed):
    rng = random.Random(seed)
    for _ in range(50):
        keys = [draw_text(rng, TEXT.replace("=", "")) for _ in range(rng.randint(0, 4))]
        args = {key: rng.choice([rng.choice(NUMBERS), draw_text(rng), "x" + draw_text(rng)]) for key in keys}
        spec = ObjectSpec(draw_text(rng, TEXT.replace(":", "")), args)
        try:
            entry = render_object_spec(spec)
        except ValueError:
            assert any(isinstance(value, str) for value in args.values())  # such as "1", which is read as a number
            continue
        assert repr(parse_object_spec(entry)) == repr(spec)


@pytest.mark.parametrize("seed", range(30))
def test_what_was_read_is_printed_and_read_alike(seed):
    rng = random.Random(seed)
    num_read = 0
    for _ in range(200):
        entry = draw_text(rng, "abc:=,1.e-_ ") + rng.choice(["", ":"]) + draw_text(rng, "a=,1.e-_ n")
        try:
            spec = parse_object_spec(entry)
        except ValueError:
            continue
        num_read += 1
        assert repr(parse_object_spec(render_object_spec(spec))) == repr(spec)
    assert num_read > 20


def test_values_that_are_json_are_printed_and_read_back():
    rng = random.Random(7)
    num_printed = 0
    for _ in range(500):
        value = rng.choice([draw_text(rng), {draw_text(rng): [draw_text(rng), 1]}, [draw_text(rng), 2.5, None]])
        args = {"a": 1, "b": json.dumps(value, ensure_ascii=rng.random() < 0.5), "c": "d"}
        spec = ObjectSpec("n", dict(rng.sample(sorted(args.items()), 3)))
        try:
            entry = render_object_spec(spec)
        except ValueError:
            assert ",a=" in json.dumps(value) or re.search(r",[\w.-]*=", args["b"]), args["b"]  # as HELM reads it
            continue
        num_printed += 1
        assert repr(parse_object_spec(entry)) == repr(spec)
    assert num_printed > 400


def test_every_entry_in_the_vectors_is_printed_and_read_alike():
    num_read = 0
    for name in ("object_spec", "run_entries"):
        for entry in _texts(load_vectors(f"helm-core/{name}.json")):
            try:
                spec = parse_object_spec(entry)
            except ValueError:
                continue
            assert repr(parse_object_spec(render_object_spec(spec))) == repr(spec)
            num_read += 1
    assert num_read


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


@pytest.mark.parametrize("value", [True, None, [1], "1", "nan", "a,b"])
def test_what_no_entry_can_hold_is_refused(value):
    with pytest.raises(ValueError, match="no run entry can hold k="):
        render_object_spec(ObjectSpec("n", {"k": value}))
