"""Long lists item by item: equal to parsing the whole, whatever the layout."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import RunFileError

VALUES: list = [
    {}, {"a": 1}, {"a": {"b": [1, {"c": []}]}}, [], [[1], {}], 1, -0.5, 1e300, None, True, "text", "two\nlines \u00e9 \U0001f600",
    {"text": "\n    }\n  ]", "more": "{[}]"}, float("inf"), [float("-inf")], 123456789012345678901234567890,
]  # fmt: skip


def make_list(seed: int) -> list:
    rng = random.Random(seed)
    return [rng.choice(VALUES) for _ in range(rng.randrange(6))]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("indent", [2, None, 4])
def test_items_equal_those_of_the_parsed_file(seed: int, indent: Any, tmp_path: Path) -> None:
    items = make_list(seed)
    path = tmp_path / "x.json"
    path.write_text(json.dumps(items, indent=indent))
    assert list(JsonItems(str(path))) == items
    whole = {"first": make_list(seed + 1), "states": items, "last": {"states": make_list(seed + 2)}}
    path.write_text(json.dumps(whole, indent=indent))
    found = JsonItems(str(path), "states")
    assert list(found) == items
    assert found.read_rest() == {**whole, "states": []}


def test_types_of_numbers_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[\n  {\n    "a": 1,\n    "b": 1.0\n  }\n]')
    (item,) = JsonItems(str(path))
    assert [type(value) for value in item.values()] == [int, float]


def test_nan_and_lone_surrogates_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[\n  {\n    "a": NaN,\n    "b": "\\ud800"\n  }\n]')
    (item,) = JsonItems(str(path))
    assert item["a"] != item["a"] and item["b"] == "\ud800"


@pytest.mark.parametrize("cut", [2, 10, 30, 45, 60])
def test_a_file_that_was_cut_off_says_where(cut: int, tmp_path: Path) -> None:
    text = json.dumps([{"name": "a", "value": 1}, {"name": "b", "value": 2}], indent=2)
    path = tmp_path / "x.json"
    path.write_text(text[:cut])
    with pytest.raises(RunFileError, match=str(path)):
        list(JsonItems(str(path)))


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "the file is empty"),
        ("{}", "the key 'states' is missing"),
        ("[]", "expected an object, got a list"),
        ('{"states": 3}', "expected a list 'states', got a number"),
        ('{\n  "states": [\n    {\n      "a": x\n    }\n  ]\n}', r"states\[0\]: not valid JSON at line 2"),
        ("\xff", "not valid JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(RunFileError, match=message):
        list(JsonItems(str(path), "states"))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "x.json"
    item = json.dumps([{"text": "x" * 1000, "numbers": list(range(100))}], indent=2)[1:-2]
    with open(path, "w") as file:
        file.write("[" + ",".join([item] * 5000) + "\n]")
    tracemalloc.start()
    try:
        assert sum(1 for _ in JsonItems(str(path))) == 5000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 10_000_000


def test_one_odd_item_among_many(tmp_path: Path) -> None:
    """Items are parsed many at once; NaN, which is no JSON, is read nevertheless, and an error names its item."""
    path = tmp_path / "x.json"
    items = [{"number": i, "text": "x" * 500} for i in range(1000)]
    path.write_text(json.dumps(items, indent=2).replace('"number": 700,', '"number": NaN,'))
    found = list(JsonItems(str(path)))
    assert [item["number"] for item in found if item["number"] == item["number"]] == [
        i for i in range(1000) if i != 700
    ]
    assert found[:700] == items[:700] and found[701:] == items[701:]
    path.write_text(json.dumps(items, indent=2).replace('"number": 700,', '"number": seven,'))
    with pytest.raises(RunFileError, match=r"\[700\]: not valid JSON at line 2"):
        list(JsonItems(str(path)))


@pytest.mark.parametrize("count", [1, 3, 2000])
def test_a_list_after_the_list_is_not_part_of_it(tmp_path, count):
    path = tmp_path / "a.json"
    value = {"head": 1, "items": [{"n": i} for i in range(count)], "others": [{"text": "x" * 200}] * 2000}
    path.write_text(json.dumps(value, indent=2))
    assert list(JsonItems(str(path), "items")) == value["items"]
    assert JsonItems(str(path), "items").read_rest() == {**value, "items": []}


def test_the_end_of_a_list_is_found_across_the_parts_that_are_searched(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    value = {"items": [{"n": i} for i in range(3000)], "rest": 1}
    path.write_text(json.dumps(value, indent=2))
    for size in (4096, 4099, 8191):
        monkeypatch.setattr("helm.results.run_files.json_items._RELEASE_BYTES", size)
        assert JsonItems(str(path), "items").read_rest() == {"items": [], "rest": 1}
    path.write_text(json.dumps(value, indent=2)[:-30])
    with pytest.raises(RunFileError, match="has no end"):
        JsonItems(str(path), "items").read_rest()
