"""Lists that take little memory while nobody reads them."""

import json
import os
import pickle
import sys
from dataclasses import dataclass, field

import pytest

from helm.common.codec import dump_json, iterate_json, to_json_single_line
from helm.common.packed_list import PackedList, PackedStore

ITEMS = [{"n": number, "text": "é\ud800" * 50, "x": None, "y": [1.5, True], "deep": {"a": {}}} for number in range(40)]


@dataclass
class Holder:
    name: str
    items: list = field(default_factory=list)


@pytest.mark.parametrize("items", [ITEMS, [], [1, "a", None]], ids=["events", "none", "scalars"])
def test_a_packed_list_reads_and_writes_like_the_list(items):
    packed = PackedList(items)
    assert list(packed) == items and packed == items and len(packed) == len(items) and bool(packed) == bool(items)
    assert packed[1:3] == items[1:3] and pickle.loads(pickle.dumps(packed)) == packed
    assert dump_json(Holder("a", packed)) == dump_json(Holder("a", items))
    assert "".join(iterate_json(Holder("a", packed))) == "".join(iterate_json(Holder("a", items)))
    assert to_json_single_line(Holder("a", packed)) == to_json_single_line(Holder("a", items))


def test_it_is_small_and_nothing_writes_it_as_empty():
    packed = PackedList(ITEMS)
    assert sys.getsizeof(packed._data) < len(json.dumps(ITEMS)) / 10
    assert packed[-1] == ITEMS[-1] and packed != ITEMS[:-1]
    with pytest.raises(TypeError):
        json.dumps(packed)


def test_in_a_store_it_takes_no_memory_and_leaves_no_file(tmp_path):
    store = PackedStore(str(tmp_path))
    lists = [ITEMS, [], [1]]
    packed = [PackedList(items, store) for items in lists]
    assert [list(one) for one in packed] == lists and not os.listdir(tmp_path)
    assert all(not isinstance(one._data, bytes) for one in packed)
    assert pickle.loads(pickle.dumps(packed[0])) == ITEMS
    assert dump_json(Holder("a", packed[0])) == dump_json(Holder("a", ITEMS))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_what_a_full_disk_does_not_take_stays_in_memory(tmp_path):
    store = PackedStore(str(tmp_path))
    store._file = open("/dev/full", "r+b", buffering=0)
    packed = PackedList(ITEMS, store)
    assert isinstance(packed._data, bytes) and packed == ITEMS
    missing = PackedList(ITEMS, PackedStore(str(tmp_path / "missing")))
    assert isinstance(missing._data, bytes) and missing == ITEMS
