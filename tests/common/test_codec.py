"""Dataclasses to JSON and back: the layout of every file of a run."""

import json
import random
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

import pytest

from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.codec import (
    asdict_without_nones,
    dump_json,
    from_json,
    from_jsonl,
    iterate_json,
    quote,
    structure,
    to_json,
    to_json_single_line,
    to_jsonl,
)
from helm.common.episode_request import EpisodeRequest, EpisodeResult
from helm.common.evaluate_request import EvaluateRequest, EvaluateResult, Timing
from helm.common.object_spec import ObjectSpec, get_class_by_name
from helm.common.request import Request
from vectors_support import vector_cases


def build(value: Any) -> Any:
    """Vectors give objects as `{"$class": path, field: value}`."""
    if isinstance(value, dict):
        if "$class" in value:
            fields = {key: build(item) for key, item in value.items() if key != "$class"}
            return get_class_by_name(value["$class"])(**fields)
        if "$float" in value:
            return float(value["$float"])
        return {key: build(item) for key, item in value.items()}
    return [build(item) for item in value] if isinstance(value, list) else value


def test_vector_serialization():
    for case in vector_cases("helm-core/serialization.json"):
        value, expected = build(case["object"]), case["asdict_json"]
        assert json.dumps(asdict_without_nones(value), indent=2) == expected
        assert dump_json(value) == expected
        assert "".join(iterate_json(value, block=1)) == expected
        assert to_json(value) == (expected if case["to_json"] == "same" else case["to_json"])
        assert to_json_single_line(value) == case["to_json_single_line"]


def test_vector_serialization_reads_back_what_was_written():
    for case in vector_cases("helm-core/serialization.json"):
        value = build(case["object"])
        back = from_json(case["asdict_json"], type(value))
        assert dump_json(back) == case["asdict_json"]


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list)
    data: dict[str, Any] | None = None
    value: Any = None


def random_value(rng: random.Random, depth: int) -> Any:
    text = "".join(rng.choice('ab"\\\n\t\x00\x1f\x7f é☃😀/') for _ in range(rng.randrange(6)))
    leaves = [None, True, False, 0, -1, 10**20, 0.1, 1e-9, 1e22, -0.0, float("inf"), text]
    if depth == 0:
        return rng.choice(leaves)
    kind = rng.randrange(5)
    if kind == 0:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 1:
        return {f"{text}{i}": random_value(rng, depth - 1) for i in range(rng.randrange(4))}
    if kind == 2:
        return Node(
            text,
            [Node("x")] * rng.randrange(3),
            {"k": None} if rng.random() < 0.5 else None,
            random_value(rng, depth - 1),
        )
    if kind == 3:
        return {2: "int key", None: "none key", True: "bool key", 0.5: "float key"}
    return rng.choice(leaves)


@pytest.mark.parametrize("seed", range(40))
def test_fast_writer_equals_the_standard_library(seed):
    node = Node("root", value=random_value(random.Random(seed), 4))
    assert dump_json(node) == json.dumps(asdict_without_nones(node), indent=2)
    assert "".join(iterate_json([node] * 5, block=2)) == json.dumps([asdict_without_nones(node)] * 5, indent=2)


def test_numbers_that_are_equal_but_of_different_type_are_not_mixed_up():
    stats = [Stat(MetricName("x", "test"), 1, 1, 1), Stat(MetricName("x", "test"), 1, 1.0, 1.0)]
    assert dump_json(stats) == json.dumps([asdict_without_nones(stat) for stat in stats], indent=2)


def test_what_is_not_json_is_refused():
    with pytest.raises(TypeError, match="not JSON serializable"):
        dump_json(Node("x", value={1, 2}))


def test_requests_of_all_kinds_come_back_as_their_own_kind():
    instance = Instance(Input(text="q"), [], split="test", id="id0")
    requests = [
        (Request(model="a/b", prompt="p"), None),
        (EvaluateRequest("gmm", "jacobian", [1.5]), EvaluateResult(True, [2.0], [Timing("evaluate", 5)])),
        (EpisodeRequest("benchmark://x/y", ObjectSpec("a.B", {"n": 1})), EpisodeResult(True, ["dce"], [0.5])),
    ]
    for request, result in requests:
        state = new_request_state(instance, request, result=result)
        back = from_json(dump_json(state), RequestState)
        assert back.request == request and back.result == result
        assert ('"kind"' in dump_json(state)) == (not isinstance(request, Request))


def test_errors_name_the_place():
    with pytest.raises(ValueError, match=r"\$\.request\.prompt: expected str, got int"):
        text = dump_json(new_request_state(Instance(Input(), []), Request())).replace('"prompt": ""', '"prompt": 3')
        from_json(text, RequestState)
    with pytest.raises(ValueError, match="MetricName lacks the key 'name'"):
        from_json("{}", MetricName)


@dataclass
class Leaf:
    number: float
    label: str | None
    more: Any = 7


@dataclass
class Tree:
    leaves: list[Leaf]
    by_name: dict[str, Leaf] = field(default_factory=dict)
    either: int | list[str] | None = None
    counts: dict[str, int] | None = None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], r"\$: expected an object for Tree, got list"),
        ({}, r"\$: Tree lacks the key 'leaves'"),
        ({"leaves": {}}, r"\$\.leaves: expected a list, got dict"),
        ({"leaves": [{"number": 1}, {"number": "x"}]}, r"\$\.leaves\[1\]\.number: expected float, got str"),
        ({"leaves": [{"number": True}]}, r"\$\.leaves\[0\]\.number: expected float, got bool"),
        ({"leaves": [{"label": "x"}]}, r"\$\.leaves\[0\]: Leaf lacks the key 'number'"),
        ({"leaves": [], "by_name": []}, r"\$\.by_name: expected an object, got list"),
        ({"leaves": [], "by_name": {"a": {"number": None}}}, r"\$\.by_name\.a\.number: expected float, got NoneType"),
        ({"leaves": [], "either": "x"}, r"\$\.either: expected int, got str"),
        ({"leaves": [], "either": [1]}, r"\$\.either: expected int, got list"),
        ({"leaves": [], "counts": {"a": "x"}}, r"\$\.counts\.a: expected int, got str"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(data, message):
    with pytest.raises(ValueError, match=message):
        structure(data, Tree)


def test_what_fits_is_read():
    data = {"leaves": [{"number": 1, "other": 2}], "by_name": {"a": {"number": 0.5, "label": "x", "more": [1]}}}
    assert structure(data, Tree) == Tree([Leaf(1, None, 7)], {"a": Leaf(0.5, "x", [1])})
    assert type(structure(data, Tree).leaves[0].number) is int, "it is written back as it was"
    for either in (3, ["a"], None):
        assert structure({"leaves": [], "either": either}, Tree).either == either
    assert structure({"leaves": [], "counts": {"a": 1}}, Tree).counts == {"a": 1}
    assert from_jsonl(b'\n{"number": 1}\n \n{"number": 2}', Leaf) == [Leaf(1, None), Leaf(2, None)]


def test_jsonl_round_trip_keeps_unicode_line_separators():
    nodes = [Node("a\u2028b"), Node("c\x85d")]
    assert from_jsonl(to_jsonl(nodes), Node) == nodes


def test_asdict_refuses_other_things():
    with pytest.raises(ValueError, match="Expected dataclass, got"):
        asdict_without_nones({"a": 1})


def test_many_threads_may_read_a_type_for_the_first_time(monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    from helm.benchmark.run_spec import RunSpec
    from helm.common.formats import structuring

    slow = structuring._make_converter
    monkeypatch.setattr(structuring, "_make_converter", lambda cls: (time.sleep(0.001), slow(cls))[1])
    monkeypatch.setattr(structuring, "_CONVERTERS", {})
    spec = {"class_name": "some.Class", "args": {}}
    data = {"name": "n", "scenario_spec": spec, "adapter_spec": {"method": "generation"}, "metric_specs": [spec]}
    with ThreadPoolExecutor(8) as pool:
        specs = list(pool.map(lambda _: structuring.structure(data, RunSpec), range(8)))
    assert all(found == specs[0] for found in specs)


class Text(str):
    pass


class Whole(int):
    def __repr__(self):
        return "seven"


class Fraction(float):
    def __repr__(self):
        return "a part"


@dataclass
class Nothing:
    nothing: int | None = None


@dataclass
class Unfinished:
    value: "NoSuchType"  # noqa: F821


@dataclass
class First:
    x: int
    kind: str = field(default="first", init=False)


@dataclass
class Second:
    x: int
    kind: str = field(default="second", init=False)


@dataclass
class Labelled:
    kind: str


def asdict_of(value: Any) -> Any:
    """Plain data: without fields of None, unless their default is something else."""
    if is_dataclass(value):
        written = {f.name: getattr(value, f.name) for f in fields(value)}
        return {name: asdict_of(item) for name, item in written.items() if item is not None or name == "more"}
    if isinstance(value, dict):
        return {key: asdict_of(item) for key, item in value.items()}
    return [asdict_of(item) for item in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize(
    "value",
    [
        [float("nan"), float("-inf"), float("inf")],
        {float("inf"): 1, float("-inf"): 2, False: 3, -7: 4, 1e22: 5},
        OrderedDict(a=(1, 2), b=()),
        [Text("é\n"), Whole(7), Fraction(0.1), Fraction("-inf")],
        Leaf(1, None, None),
        Leaf(1, "x", {}),
        Nothing(),
        [Nothing(), [], {}],
        Tree([Leaf(i, None) for i in range(3)], either=["a"] * 4),
    ],
)
def test_each_value_is_written_as_the_standard_library_writes_it(value):
    plain = asdict_of(value)
    assert dump_json(value) == json.dumps(plain, indent=2)
    assert "".join(iterate_json(value, block=2)) == "".join(iterate_json(value)) == dump_json(value)
    assert to_json_single_line(value) == json.dumps(plain, separators=(",", ":"))


@pytest.mark.parametrize("value", [{(1, 2): 3}, {"a": [object()]}, {b"key": 1}])
def test_keys_and_values_that_json_does_not_have_are_refused(value):
    with pytest.raises(TypeError, match="keys must be str|not JSON serializable"):
        dump_json(value)


def test_a_long_list_is_written_in_pieces_of_256():
    assert len(list(iterate_json([1] * 256))) == 1
    assert len(list(iterate_json([1] * 257))) == 3, "256, the last one, the bracket"
    long = ["x" * 100_000] * 300
    pieces = list(iterate_json(long))
    assert max(map(len, pieces)) < 400_000 and "".join(pieces) == dump_json(long)
    assert len(list(iterate_json([1] * 512))) == 3
    assert len(list(iterate_json(Node("x", value=[1] * 256)))) == 7, "names and values, and the bracket"
    assert len(list(iterate_json(Node("x", value=[1] * 257)))) == 9


def test_a_type_that_contains_itself_is_read_at_any_depth():
    data = {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}, {"name": "d"}]}
    assert structure(data, Node) == Node("a", [Node("b", [Node("c")]), Node("d")])
    with pytest.raises(ValueError, match=r"^at\.children\[0\]\.children\[0\]: Node lacks the key 'name'"):
        structure({"name": "a", "children": [{"name": "b", "children": [{}]}]}, Node, "at")


def test_a_type_that_cannot_be_read_says_so_each_time():
    for _ in range(2):
        with pytest.raises(NameError, match="NoSuchType"):
            structure({"value": 1}, Unfinished)


@pytest.mark.parametrize(
    ("data", "cls", "expected"),
    [
        ({"kind": "first", "x": 1}, First | Second | None, First(1)),
        ({"kind": "second", "x": 1}, First | Second | None, Second(1)),
        ({"x": 1}, First | Second | None, First(1)),
        ({"kind": "third", "x": 1}, First | Second, First(1)),
        (None, First | Second | None, None),
        ({"kind": "mine"}, Labelled | First, Labelled("mine")),
        ({"a": 1}, dict, {"a": 1}),
        ({"a": 1.5}, dict[str, float], {"a": 1.5}),
        ([1, 2], tuple[int, ...], [1, 2]),
        ("x", Literal["x", "y"], "x"),
        ([object], Any, [object]),
    ],
)
def test_data_becomes_the_type_that_it_fits(data, cls, expected):
    found = structure(data, cls)
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize(
    ("data", "cls", "message"),
    [
        ({"kind": "second", "x": "1"}, First | Second, r"^\$\.x: expected int, got str"),
        ({"kind": "second"}, First | Second, r"^\$: Second lacks the key 'x'"),
        (None, First | Second, r"^\$: expected an object for First, got NoneType"),
        (True, float, r"^\$: expected float, got bool"),
        (1, dict, r"^\$: expected an object, got int"),
    ],
)
def test_what_fits_no_type_is_refused(data, cls, message):
    with pytest.raises(ValueError, match=message):
        structure(data, cls)


def test_a_class_is_no_value():
    with pytest.raises(ValueError, match="Expected dataclass, got"):
        asdict_without_nones(Leaf)


@pytest.mark.parametrize("text", [chr(code) for code in range(128)] + ["é", "\u2028", "\ud800", "\U0001f600"])
def test_long_texts_are_quoted_like_short_ones(text):
    for whole in (text, "x" * 500 + text, text * 300, "a\n" * 200 + text):
        assert quote(whole) == json.dumps(whole)


@dataclass
class Wide:
    """As many fields as those have whose texts are kept."""

    a: Any = None
    b: Any = None
    c: Any = None
    d: Any = None
    e: Any = None
    f: Any = None
    g: Any = None
    h: Any = None
    i: Any = None
    j: Any = None
    k: Any = None
    l: Any = None  # noqa: E741
    m: Any = None
    n: Any = None
    o: Any = None
    p: Any = "default"


def test_fields_that_keep_their_value_and_fields_that_change_are_written_alike():
    """The last text of a field is used again, but not for a list that has changed meanwhile, nor for another's value."""
    shared = ["a"]
    nodes = [Wide("n", b=value) for value in ("x", "x", None, 1, 1.0, True, 1, shared, "x", -0.0, 0.0, float("nan"))]
    first = [json.dumps(asdict_without_nones(node), indent=2) for node in nodes]
    assert [dump_json(node) for node in nodes] == first
    shared.append("b")
    assert dump_json(nodes[7]) == json.dumps(asdict_without_nones(nodes[7]), indent=2) != first[7]
    assert dump_json(Wide(p=None)) == '{\n  "p": null\n}'


def test_threads_write_each_their_own_values():
    errors = []

    def write(name):
        for number in range(3000):
            node = Wide(name, c=f"{name} {number % 2}")
            if json.loads(dump_json(node)) != asdict_without_nones(node):
                errors.append(name)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
