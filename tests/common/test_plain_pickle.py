"""Pickles of plain values are read; whatever else a pickle holds is refused by name and never run."""

import collections
import datetime
import json
import os
import pickle
import random
import struct
import threading
import time
from typing import Any

import pytest

from helm.common.caching.plain_pickle import MAX_DEPTH, PickleError, load_plain

SCALARS: list = [
    None, True, False, 0, 1, 255, 256, 65535, 65536, -1, 2**31, -(2**31), 2**63, -(2**200), 0.5, -0.0, 1e300, float("inf"),
    "", "a", "é" * 300, "\ud800", "x" * 70_000, "two\nlines",
]  # fmt: skip


def make_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(6 if depth < 4 else 3)
    if kind < 3:
        return rng.choice(SCALARS)
    items = [make_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind == 3:
        return {f"key{rng.randrange(9)}": item for item in items}
    return items


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("dumps", [pickle.dumps, pickle._dumps])  # type: ignore[attr-defined]
def test_plain_values_are_read(protocol: int, dumps: Any) -> None:
    rng = random.Random(protocol)
    for _ in range(150):
        value = make_value(rng)
        found = load_plain(dumps(value, protocol))
        assert json.dumps(found) == json.dumps(value)


def test_tuples_become_lists_and_shared_parts_are_unfolded() -> None:
    part = {"a": (1, (2, 3, 4, 5), ())}
    assert load_plain(pickle.dumps([part, part], 5)) == [{"a": [1, [2, 3, 4, 5], []]}] * 2


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("touch /tmp/evil-was-here",)


class Plain:
    pass


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "value, named",
    [
        (Evil(), "object of posix.system"),
        (Plain(), "object"),
        (threading.Event, "object of threading.Event"),
        (eval, "object"),
        (datetime.date(2020, 1, 1), "object of datetime.date"),
        (collections.OrderedDict(a=1), "object of collections.OrderedDict"),
        (collections.defaultdict(int), "object of collections.defaultdict"),
        (1j, "object"),
        (b"bytes", "bytes|object"),
        (bytearray(b"x"), "bytes|object"),
        ({1, 2}, "a set|object"),
        (frozenset([1]), "a set|object"),
        ({1: 2}, "a key that is not a text but a int"),
        ({("a",): 2}, "a key that is not a text but a tuple"),
    ],
)
def test_everything_else_is_refused_by_name(value: Any, named: str, protocol: int) -> None:
    with pytest.raises(PickleError, match=named):
        load_plain(pickle.dumps({"x": [value]}, protocol))
    assert not os.path.exists("/tmp/evil-was-here")


@pytest.mark.parametrize(
    "data, message",
    [
        (b"cos\nsystem\n(S'echo'\ntR.", "object of os.system"),
        (b"\x80\x04cos\nsystem\n\x8c\x02ls\x85R.", "object of os.system"),
        (b"(S'ls'\nios\nsystem\n.", "instruction 'STRING'"),
        (b"\x80\x04(\x8c\x02lsios\nsystem\n.", "object of os.system"),
        (b"\x80\x04\x8c\x02os\x8c\x06system\x93.", "object of os.system"),
        (b"\x80\x04\x82\x01.", "EXT1"),
        (b"\x80\x04Pid\n.", "outside"),
        (b"\x80\x04\x8c\x01aQ.", "outside"),
        (b"\x80\x04}\x8c\x01ab.", "object"),
        (b"\x80\x05\x97.", "bytes"),
        (b"\x80\x00I1\n.", "protocol 0"),
        (b"\x80\x06N.", "protocol 6"),
        (b"", "cut off"),
        (b"\x80", "damaged"),
        (b".", "ends too early"),
        (b"\x80\x04NN.", "ends too early"),
        (b"\x80\x04(N.", "ends too early"),
        (b"\x80\x04e.", "cut off, or a value is missing"),
        (b"\x80\x04N\x85\x86.", "values are missing"),
        (b"\x80\x04h\x07.", "damaged"),
        (b"\x80\x04j\xff\xff\xff\x7f.", "damaged"),
        (b"\x80\x04N(N.e", "ends too early"),
        (b"\x80\x04N(Ne.", "not a list"),
        (b"\x80\x04](NNu.", "not a dict"),
        (b"\x80\x04}(\x8c\x01au.", "not a dict"),
        (b"\x80\x04X\xff\xff\xff\x7fabc.", "ends within a value of 2147483647 bytes"),
        (b"\x80\x04\x8d" + b"\xff" * 8 + b"abc.", "ends within a value"),
        (b"\x80\x04\x8c\xffabc.", "ends within a text"),
        (b"\x80\x04\x8b\xff\xff\xff\xff.", "damaged"),
        (b"\x80\x04\x8c\x01\xff.", "damaged"),
        (b"\x80\x04\xfe.", "instruction b'.xfe'"),
        (b"garbage", "holds the instruction|damaged"),
    ],
)
def test_hostile_and_damaged_pickles_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(PickleError, match=message):
        load_plain(data)


def test_a_memo_of_any_index_costs_nothing() -> None:
    started = time.monotonic()
    assert load_plain(b"\x80\x04Nr" + struct.pack("<I", 2**32 - 1) + b".") is None
    assert time.monotonic() - started < 1


def test_values_that_contain_themselves_are_refused() -> None:
    value: list = []
    value.append(value)
    with pytest.raises(PickleError, match="contains itself"):
        load_plain(pickle.dumps(value, 5))
    table: dict = {}
    table["self"] = table
    with pytest.raises(PickleError, match="contains itself"):
        load_plain(pickle.dumps(table, 5))


def test_deep_values_are_refused_and_do_not_end_the_process() -> None:
    assert load_plain(b"\x80\x04" + b"]" * MAX_DEPTH + b"a" * (MAX_DEPTH - 1) + b".")
    with pytest.raises(PickleError, match="within each other"):
        load_plain(b"\x80\x04" + b"]" * 1_000_000 + b"a" * 999_999 + b".")


def test_small_pickles_of_huge_values_are_refused_quickly() -> None:
    value: Any = "ha" * 50
    for _ in range(60):
        value = [value, value]
    data = pickle.dumps(value, 5)
    assert len(data) < 1000
    started = time.monotonic()
    with pytest.raises(PickleError, match="a hundred times its size"):
        load_plain(data)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("seed", range(30))
def test_random_damage_never_gives_another_error(seed: int) -> None:
    rng = random.Random(seed)
    good = pickle.dumps({"completions": [{"text": "a b", "tokens": [1, 2.5, None, ("x",)]}] * 3}, 2 + seed % 4)
    for _ in range(200):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            json.dumps(load_plain(bytes(data[: rng.randrange(1, len(data) + 1)])))
        except PickleError:
            pass
