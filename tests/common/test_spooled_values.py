"""Values that are kept in a file without a name."""

import json
import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from helm.common.codec import dump_json, iterate_json, to_json_single_line
from helm.common.packed_list import PackedList, PackedStore
from helm.common.spooled_values import SpooledList, SpooledValues, ValuePacker, joined


@dataclass(frozen=True)
class Point:
    name: str
    data: Any = None
    next: "Point | None" = None


@dataclass(frozen=True)
class NearPoint(Point):
    """Has an attribute beyond its fields."""

    def __post_init__(self):
        self.__dict__["kept"] = (self.name, [self.data])


@dataclass(slots=True)
class Slotted:
    items: list[Any] = field(default_factory=list)


class Text(str):
    """A text of a class of its own."""


def deep(depth):
    value: Any = "end"
    for _ in range(depth):
        value = [value]
    return value


VALUES = [
    None, True, 3, 2**90, -0.0, float("inf"), "é\ud800", b"\x00", [], {}, (), [1, [2, {"a": [3]}]], (1, (2, "x"), [(3,)]),
    {1: "one", None: 2, "k": {"nested": [1.5, None]}}, {(1, 2): "a key that is no text"}, {"a", "set"}, Text("x"),
    Point("a", {"b": [1, (2, 3)]}, Point("c")), [Point("a"), {"p": Point("b", (1,))}], Slotted([Point("a"), 1, {"x": ()}]),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_values_come_back_as_they_were(value, tmp_path):
    values = SpooledValues(str(tmp_path))
    values[0] = value
    found = values[0]
    assert (found, type(found), repr(found)) == (value, type(value), repr(value))
    assert os.listdir(tmp_path) == []


def test_an_object_keeps_its_class_and_all_its_attributes():
    packer = ValuePacker()
    found = packer.unpack(packer.pack(NearPoint("n", 5)))
    assert type(found) is NearPoint and vars(found) == vars(NearPoint("n", 5)) and list(vars(found))[-1] == "kept"


@pytest.mark.parametrize("kept", [Point("n", 1), NearPoint("n", 1)], ids=["of the class", "of one derived from it"])
def test_objects_of_kept_classes_are_the_same_ones_again(kept):
    packer = ValuePacker((Point,))
    assert all(found is kept for found, _ in packer.unpack(packer.pack([(kept, "a"), (kept, "b")])))
    assert packer.unpack(packer.pack({"point": kept}))["point"] is kept


def test_what_is_nested_too_deeply_is_kept():
    value = deep(100_000)
    packer = ValuePacker()
    assert packer.unpack(packer.pack(value)) is value
    while value != "end":  # so that it does not end the interpreter when it is freed
        (value,) = value


def test_an_object_that_many_values_share_is_one_object():
    shared, packer = Point("shared"), ValuePacker()
    packed = [packer.pack(Point(str(number), next=shared)) for number in range(4)]
    found = [packer.unpack(data) for data in packed]
    assert all(point.next == shared for point in found) and all(point.next is shared for point in found[1:])
    packed = [packer.pack(Point(str(number), next=Point("own"))) for number in range(4)]
    found = [packer.unpack(data) for data in packed]
    assert len({id(point.next) for point in found}) == 4


def test_equal_lists_and_texts_of_an_object_are_not_confused_with_references():
    packer = ValuePacker()
    value = Point("a", [(-1, 0), (-2, 5), (0, "x")], Point("b", {"t": (-1, 7)}))
    assert packer.unpack(packer.pack(value)) == value


def test_values_may_come_in_any_order_and_be_missing(tmp_path):
    values = SpooledValues(str(tmp_path))
    values[5] = "five"
    values[2] = "two"
    values[2] = "second"
    assert len(values) == 2 and values[2] == "second" and values.get(3) is None and values.get(99) is None
    assert [number in values for number in (-1, 2, 3, 5, 6)] == [False, True, False, True, False]
    with pytest.raises(KeyError):
        values[3]


def test_a_full_disk_keeps_values_in_memory(tmp_path, monkeypatch):
    values = SpooledValues(str(tmp_path))
    values[0] = [0]

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PackedStore, "add", fail)
    values[1] = [1]
    assert (values[0], values[1], len(values)) == ([0], [1], 2)


def test_packed_lists_stay_packed(tmp_path):
    store = PackedStore(str(tmp_path))
    values = SpooledValues(str(tmp_path))
    values[0] = Point("a", PackedList([{"kind": "x"}], store))
    assert type(values[0].data) is PackedList and list(values[0].data) == [{"kind": "x"}]


def test_a_spooled_list_is_written_as_a_list(tmp_path):
    items = [Point(str(number), {"n": [number]}) for number in range(700)]
    spooled = SpooledList(str(tmp_path))
    for item in items:
        spooled.append(item)
    assert (len(spooled), spooled[-1], spooled[3:5], list(spooled)) == (700, items[-1], items[3:5], items)
    with pytest.raises(IndexError):
        spooled[700]
    assert "".join(iterate_json(spooled)) == dump_json(items) == dump_json(spooled)
    holder = Point("h", spooled)
    assert "".join(iterate_json(holder)) == dump_json(Point("h", items))
    assert json.loads(to_json_single_line(spooled)) == json.loads(dump_json(items))


def test_items_may_be_built_of_what_is_kept(tmp_path):
    spooled = SpooledList(str(tmp_path), build=lambda row: Point(*row))
    spooled.append(("a", 1))
    assert list(spooled) == [Point("a", 1)] and spooled[0] == Point("a", 1)


def test_joined_sequences(tmp_path):
    spooled = SpooledList(str(tmp_path))
    for number in range(3):
        spooled.append(number)
    first = [7]
    assert list(joined(first, [8])) == [7, 8]
    assert joined([], spooled) is spooled and joined(spooled, []) is spooled
    together = joined(joined([7, 8], spooled), [9])
    assert (list(together), len(together), together[2], together[-1], together[1:4]) == (
        [7, 8, 0, 1, 2, 9], 6, 0, 9, [8, 0, 1],
    )  # fmt: skip
    assert "".join(iterate_json(together)) == dump_json([7, 8, 0, 1, 2, 9])
    with pytest.raises(IndexError):
        together[6]
