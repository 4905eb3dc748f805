"""From files and rows to instances: sources, steps, splits, references."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
import yaml

from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec, create_data_augmenter
from helm.benchmark.augmentations.perturbation import PerturbationSpec
from helm.benchmark.declarative.declarative_scenario import scenario_class
from helm.benchmark.declarative.hooks import row_hook
from helm.benchmark.declarative.reading import read_entries
from helm.benchmark.scenarios.scenario import with_instance_ids
from helm.common.codec import to_json
from helm.common.errors import ConfigError, ScenarioError

BASE = {"input": "{x}", "split": "test", "references": {"none": True}}


def load(tmp_path: Path, entry: dict, **arguments):
    path = tmp_path / "task.yaml"
    path.write_text(yaml.safe_dump({**BASE, **entry}), encoding="utf-8")
    (file,) = read_entries(str(path))
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    return scenario_class(file)(**arguments).get_instances(str(folder))


def texts(instances):
    return [instance.input.text for instance in instances]


def rows(*values, **more):
    return {"rows": [{"x": value, **more} for value in values]}


def references(instance):
    return [(reference.output.text, reference.tags) for reference in instance.references]


# ---- Inputs


def test_a_passage_and_a_question_keep_copies_that_no_perturbation_changes(tmp_path):
    source = {"rows": [{"p": "one", "q": "two?"}]}
    whole = load(tmp_path, {"source": source, "input": "{p}\n- {q}"})
    parts = load(tmp_path, {"source": source, "input": {"passage": "{p}", "question": "{q}", "question_prefix": "- "}})
    assert texts(whole) == texts(parts) == ["one\n- two?"]
    unchanged = PerturbationSpec("helm.benchmark.augmentations.lowercase_perturbation.LowerCasePerturbation", {})
    augmenter = DataAugmenterSpec(perturbation_specs=[unchanged])
    for instances, copies in ((whole, 0), (parts, 1)):
        numbered = with_instance_ids(instances)
        made = create_data_augmenter(augmenter).generate(numbered, include_original=False, skip_unchanged=True)
        assert [to_json(copy.input) for copy in made] == [to_json(whole[0].input)] * copies
    prefixes = {"passage_prefix": "P: ", "question_prefix": "Q: ", "separator": " | "}
    parts = load(tmp_path, {"source": source, "input": {"passage": "{p}", "question": "{q}", **prefixes}})
    assert texts(parts) == ["P: one | Q: two?"]


# ---- Files

FILES = [
    ("a.jsonl", '{"x": "1"}\n\n{"x": "2"}\n', {}),
    ("a.json", '[{"x": "1"}, {"x": "2"}]', {}),
    ("a.json", '{"data": {"p": [{"x": 1}], "q": [{"x": 2}]}}', {"records": "$.data.*[*]"}),
    ("a.json", '{"data": [{"k": {"x": 1}}, {"k": {"x": 2}}]}', {"records": "$.data[*]['k']"}),
    ("a.jsonl", '{"items": [{"x": 1}, {"x": 9}]}\n{"items": [{"x": 2}]}\n', {"records": "$.items[0]"}),
    ("a.csv", "y,x\n0,1\n0,2\n", {}),
    ("a.csv", "\ufeffx,y\n1,0\n2,0\n", {"encoding": "utf-8-sig"}),
    ("a.tsv", "x\ty\n1\t0\n2\t0\n", {}),
    ("a.csv", "x|y\n1|0\n2|0\n", {"delimiter": "|"}),
]


@pytest.mark.parametrize("name, text, more", FILES, ids=[f"{i}-{case[0]}" for i, case in enumerate(FILES)])
def test_files_of_any_format_give_rows(tmp_path, name, text, more):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / name).write_text(text, encoding="utf-8")
    assert texts(load(tmp_path, {"source": {"files": [{"file": name, **more}]}})) == ["1", "2"]


def test_lines_text_and_headerless_files_have_columns_of_their_own(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "folder" / "b.csv").write_text('"a, b",c,d\n', encoding="utf-8")
    files = [{"file": "a.txt", "columns": {"kind": "line"}}]
    assert texts(load(tmp_path, {"source": {"files": files}, "input": "{kind} {line}"})) == ["line one", "line two"]
    files = [{"file": "a.txt", "format": "text"}]
    assert texts(load(tmp_path, {"source": {"files": files}, "input": "{text}"})) == ["one\ntwo\n"]
    files = [{"file": "b.csv", "header": False}]
    assert texts(load(tmp_path, {"source": {"files": files}, "input": "{0}|{-1}|{1}"})) == ["a, b|d|c"]


def test_files_beside_each_other_and_files_for_each_value(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for i in (1, 2):
        (folder / f"x{i}.txt").write_text(f"a{i}\nb{i}\n", encoding="utf-8")
    (folder / "labels.txt").write_text("0\n1\n", encoding="utf-8")
    zipped = {"file": "x1.txt", "zip": {"file": "labels.txt", "as": "label"}}
    assert texts(load(tmp_path, {"source": {"files": [zipped]}, "input": "{line}={label}"})) == ["a1=0", "b1=1"]
    (folder / "labels.txt").write_text("0\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="x1.txt has 2 rows, but labels.txt has 1"):
        load(tmp_path, {"source": {"files": [zipped]}, "input": "{line}"})
    zipped["zip"]["shortest"] = True
    assert texts(load(tmp_path, {"source": {"files": [zipped]}, "input": "{line}"})) == ["a1"]
    each = {"each": {"n": {"range": [1, 2]}}, "file": "x${n}.txt", "columns": {"n": "${n}"}}
    assert texts(load(tmp_path, {"source": {"files": [each]}, "input": "{n}{line}"})) == ["1a1", "1b1", "2a2", "2b2"]
    each = {"each": {"n": "numbers"}, "file": "x${n}.txt"}
    found = load(tmp_path, {"source": {"files": [each]}, "input": "{line}", "tables": {"numbers": [2]}})
    assert texts(found) == ["a2", "b2"]


def test_a_missing_file_is_an_error_unless_it_is_optional(tmp_path):
    with pytest.raises(ScenarioError, match="there is no file .*a.jsonl"):
        load(tmp_path, {"source": {"files": [{"file": "a.jsonl"}]}})
    assert load(tmp_path, {"source": {"files": [{"file": "a.jsonl", "optional": True}]}}) == []
    with pytest.raises(ScenarioError, match="Ask the owner"):
        load(tmp_path, {"source": {"files": [{"file": "a.jsonl"}], "how_to_get": "Ask the owner."}})


def test_restricted_files_are_in_the_folder_of_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = {"source": {"files": [{"file": "a.json", "restricted": True}], "how_to_get": "Ask the owner."}}
    with pytest.raises(ScenarioError, match="restricted/task.*Ask the owner"):
        load(tmp_path, entry)
    (tmp_path / "restricted" / "task").mkdir(parents=True)
    (tmp_path / "restricted" / "task" / "a.json").write_text('[{"x": 1}]', encoding="utf-8")
    assert texts(load(tmp_path, entry)) == ["1"]


@pytest.mark.parametrize(
    "text, more, message",
    [
        ("{", {}, "JSON"),
        ('[{"y": 1}]', {}, "row 0 of split train, input: there is no column 'x'"),
        ('{"a": 1}', {"records": "$.b[*]"}, "there is no 'b'"),
        ('{"a": 1}', {"records": "$.a[*]"}, "there is no list"),
        ("[1, 2]", {}, "there is no column 'x'. The row has: value"),
    ],
)
def test_a_file_that_does_not_fit_is_an_error_that_says_where(tmp_path, text, more, message):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(Exception, match=message):
        load(tmp_path, {"source": {"files": [{"file": "a.json", "split": "train", **more}]}})


# ---- Steps


@pytest.mark.parametrize(
    "steps, expected",
    [
        ([{"limit": 2}], "ab"),
        ([{"sort": "x"}, {"limit": 3}], "aab"),
        ([{"dedupe": "x"}], "abcd"),
        ([{"dedupe": "{x}"}], "abcd"),
        ([{"filter": {"field": "x", "ne": "a"}}], "bcd"),
        ([{"filter": {"any": [{"field": "x", "eq": "a"}, {"field": "x", "eq": "d"}]}}], "ada"),
        ([{"filter": [{"field": "x", "in": ["a", "b"]}, {"field": "x", "eq": "b"}]}], "b"),
        ([{"fields": {"x": {"from": "x", "do": ["upper"]}}}], "ABCDA"),
        ([{"variants": [{"x": "{x}"}, {"x": "-"}]}, {"limit": 4}], "a-b-"),
        ([{"shuffle": {"seed": 3}}], "python"),
        ([{"shuffle": {"seed": 3, "generator": "numpy"}}], "numpy"),
        ([{"shuffle": {"seed": 3, "generator": "hub"}}], "hub"),
        ([{"sample": {"n": 2, "seed": 0, "generator": "python"}}], "sample"),
        ([{"sample": {"fraction": 0.5, "seed": 0}}], "pandas"),
    ],
    ids=str,
)
def test_a_step_changes_the_rows(tmp_path, steps, expected):
    letters = list("abcda")
    orders = {
        "python": lambda: random.Random(3).shuffle(letters) or letters,
        "numpy": lambda: np.random.RandomState(3).permutation(letters),
        "hub": lambda: [letters[i] for i in np.random.default_rng(3).permutation(5)],
        "sample": lambda: random.Random(0).sample(letters, 2),
        "pandas": lambda: [letters[i] for i in np.random.RandomState(0).choice(5, 2, replace=False)],
    }
    found = texts(load(tmp_path, {"source": rows(*"abcda"), "steps": steps}))
    assert found == (list(orders[expected]()) if expected in orders else list(expected))


def test_rows_come_from_lists_and_mappings_in_rows(tmp_path):
    source = {"rows": [{"x": "p", "items": [{"q": 1}, {"q": 2}], "by": {"k": "v"}}]}
    entry = {"source": source, "steps": [{"unnest": {"list": "items", "index": "i"}}], "input": "{x}{q}{i}"}
    assert texts(load(tmp_path, entry)) == ["p10", "p21"]
    entry = {"source": source, "steps": [{"unnest": {"list": "items", "as": "it"}}], "input": "{it.q}"}
    assert texts(load(tmp_path, entry)) == ["1", "2"]
    entry = {"source": source, "steps": [{"unnest": {"dict": "by", "key": "k", "as": "v"}}], "input": "{k}{v}"}
    assert texts(load(tmp_path, entry)) == ["kv"]
    with pytest.raises(ScenarioError, match="row 0, unnest: 'x' is no list"):
        load(tmp_path, {"source": source, "steps": [{"unnest": {"list": "x"}}]})


SPLITS = [
    ({"fraction": {"train": 0.5}}, "train train test test test"),
    ({"first": {"train": 1, "valid": 2}}, "train valid valid test test"),
    ({"last": {"valid": 2}, "rest": "train"}, "train train train valid valid"),
    ({"rows": {"train": [4, 0]}}, "train test test test train"),
]


@pytest.mark.parametrize("rule, expected", SPLITS, ids=str)
def test_splits_are_assigned_by_position(tmp_path, rule, expected):
    found = load(tmp_path, {"source": rows(*"abcde"), "steps": [{"assign_split": rule}]})
    assert [instance.split for instance in found] == expected.split() and texts(found) == list("abcde")


def test_splits_are_drawn(tmp_path):
    steps = [{"assign_split": {"sampled": {"train": 2, "seed": 5}}}, {"order_splits": ["train", "test"]}]
    found = load(tmp_path, {"source": rows(*range(9)), "steps": steps})
    chosen = sorted(random.Random(5).sample(range(9), 2))
    assert texts(found)[:2] == [str(i) for i in chosen] and [i.split for i in found[:3]] == ["train", "train", "test"]
    # The example of the Hub's rule: n = 9, a share of 0.8, seed 42.
    steps = [{"assign_split": {"train_test_split": {"test_size": 0.8, "seed": 42}}}]
    found = load(tmp_path, {"source": rows(*range(9)), "steps": steps})
    assert texts(found) == list("830724615") and [i.split for i in found] == ["train"] + ["test"] * 8


def test_a_step_is_for_some_splits_or_arguments_only(tmp_path):
    source = {"rows": [{"x": str(i), "_split": "train" if i < 3 else "test"} for i in range(6)]}
    entry = {
        "params": {"n": {"type": "int", "default": 1}, "all": {"type": "bool", "default": False}},
        "source": source,
        "steps": [{"splits": ["train"], "unless": {"all": True}, "limit": "${n}"}, {"when": {"all": True}, "limit": 4}],
    }
    assert texts(load(tmp_path, entry)) == ["0", "3", "4", "5"]
    assert texts(load(tmp_path, entry, n="2")) == ["0", "1", "3", "4", "5"]
    assert texts(load(tmp_path, entry, all="True")) == ["0", "1", "2", "3"]


@row_hook("repeat_rows_for_the_test")
def repeat_rows(rows, times):
    return [row for row in rows for _ in range(times)]


def test_a_hook_is_a_function_from_rows_to_rows(tmp_path):
    steps = [{"hook": {"name": "repeat_rows_for_the_test", "args": {"times": 2}}}]
    assert texts(load(tmp_path, {"source": rows("a"), "steps": steps})) == ["a", "a"]
    with pytest.raises(ConfigError, match="Unknown row hook 'repeat_rows_for_test'. Did you mean"):
        load(tmp_path, {"source": rows("a"), "steps": [{"hook": "repeat_rows_for_test"}]})
    with pytest.raises(ConfigError, match="The hook 'no.such' cannot be imported"):
        load(tmp_path, {"source": rows("a"), "steps": [{"hook": "no.such"}]})


# ---- References

ROW = {"x": "q", "a": "one", "b": "", "c": "three", "list": ["p", "q", "p"], "map": {"A": "m", "B": "n"}, "letter": "B",
       "number": 2, "pairs": [["t", ["u"]]], "choices": [{"text": "s", "label": "L"}, {"text": "t", "label": "M"}]}  # fmt: skip


@pytest.mark.parametrize(
    "options, correct, expected",
    [
        ({"from": ["a", "c"]}, {"by": "letter", "field": "letter"}, "one three*"),
        ({"from": ["a", "b", "c"], "skip_empty": True}, {"by": "letter", "value": "b"}, "one three*"),
        ({"from": ["a", "b", "c"]}, {"by": "one_based", "field": "number"}, "one * three"),
        ({"list": "list"}, {"by": "index", "value": 0}, "p* q p"),
        ({"list": "list"}, {"by": "index", "value": 0, "match": "text"}, "p* q p*"),
        ({"list": "list"}, {"by": "text", "value": "q"}, "p q* p"),
        ({"dict": "map"}, {"by": "key", "field": "letter"}, "m n*"),
        ({"from": ["a", "c"]}, {"by": "name", "value": "c"}, "one three*"),
        ({"list": "choices", "text": "text", "key": "label"}, {"by": "key", "value": "M"}, "s t*"),
        ({"texts": ["yes", "{a}"]}, {"by": "index", "value": "1"}, "yes one*"),
        ({"from": ["a"], "do": ["upper"]}, {"by": "index", "value": 0}, "ONE*"),
        ({"from": ["a", "c"]}, None, "one three"),
        ({"from": ["a", "c"]}, {"by": "letter", "field": "letter", "do": [{"map": {"B": "A"}}]}, "one* three"),
    ],
    ids=str,
)
def test_options_are_tagged(tmp_path, options, correct, expected):
    entry = {"source": {"rows": [ROW]}, "references": {"options": options}, **({"correct": correct} if correct else {})}
    (instance,) = load(tmp_path, entry)
    shown = [text + ("*" if tags == ["correct"] else "") for text, tags in references(instance)]
    assert shown == expected.split(" ")


def test_options_are_shuffled_by_one_generator(tmp_path):
    options = {"list": "list", "shuffle": {"seed": 7}}
    source = {"rows": [{"x": i, "list": [f"{i}{j}" for j in range(4)]} for i in range(3)]}
    entry = {"source": source, "references": {"options": options}, "correct": {"by": "index", "value": 0}}
    generator, expected = random.Random(7), []
    for i in range(3):
        order = [(f"{i}{j}", ["correct"] if j == 0 else []) for j in range(4)]
        generator.shuffle(order)
        expected.append(order)
    assert [references(instance) for instance in load(tmp_path, entry)] == expected


def test_answers_carriers_and_tagged_references_come_in_the_order_asked_for(tmp_path):
    rules = {
        "answers": {"from": ["list"], "unique": True},
        "carriers": {"from": ["a", "b", "nothing"], "skip_empty": True},
        "tagged": "pairs",
        "order": ["tagged", "carriers", "answers"],
    }
    (instance,) = load(tmp_path, {"source": {"rows": [ROW]}, "references": rules})
    assert references(instance) == [("t", ["u"]), ("one", []), ("p", ["correct"]), ("q", ["correct"])]


@pytest.mark.parametrize("letter", ["", "C", "AB", None, 1, [], float("nan")], ids=str)
def test_a_correct_option_that_is_not_there_is_an_error(tmp_path, letter):
    entry = {
        "source": {"rows": [{**ROW, "letter": letter}]},
        "references": {"options": {"from": ["a", "c"]}},
        "correct": {"by": "letter", "field": "letter"},
    }
    with pytest.raises(ScenarioError, match="row 0, references: the correct option is"):
        load(tmp_path, entry)


# ---- Other parts of an instance


def test_ids_messages_extra_data_and_sub_splits(tmp_path):
    row = {"n": 7, "chat": [{"role": "user", "content": "hi", "more": 1}], "s": "", "_split": "train"}
    entry = {
        "source": {"rows": [row, {**row, "s": "part", "_split": "test"}]},
        "input": None,
        "messages": {"from": "chat"},
        "id": "{n}",
        "sub_split": "{s}",
        "extra_data": {"n": "n", "text": {"text": "<{n}>"}},
        "extra_data_splits": ["test"],
    }
    first, second = load(tmp_path, entry)
    assert first.input.messages == [{"role": "user", "content": "hi"}] and first.input.text == ""
    assert first.id == 7 and first.sub_split is None and first.extra_data is None
    assert second.sub_split == "part" and second.extra_data == {"n": 7, "text": "<7>"}
    with pytest.raises(ScenarioError, match="row 0 of split train, messages: a message of 'chat' has no who"):
        load(tmp_path, {**entry, "messages": {"from": "chat", "keep": ["who"]}})


def test_splits_come_from_a_column(tmp_path):
    source = {"rows": [{"x": 1, "s": "dev"}, {"x": 2, "s": None}, {"x": 3}]}
    split = {"field": "s", "map": {"dev": "valid"}, "default": "test"}
    assert [i.split for i in load(tmp_path, {"source": source, "split": split})] == ["valid", "test", "test"]
    del split["default"]
    with pytest.raises(ScenarioError, match="row 1, split: '' is none of dev"):
        load(tmp_path, {"source": source, "split": split})


def test_derived_columns_have_cases_and_may_use_earlier_ones(tmp_path):
    fields = {
        "big": {
            "from": "x",
            "when": [{"gte": 10, "then": "big {x}"}, {"field": "y", "eq": 1, "then": None}, {"else": "-"}],
        },
        "both": "{big}/{y}",
        "lines": {"labelled": ["y", ["X", "x"]]},
        "gone": {"from": "nothing", "default": "?"},
    }
    source = {"rows": [{"x": "12", "y": 0}, {"x": 3, "y": 1}, {"x": None, "y": 2}]}
    found = load(tmp_path, {"source": source, "fields": fields, "input": "{both} {lines} {gone}"})
    assert texts(found) == ["big 12/0 y: 0\nX: 12 ?", "/1 y: 1\nX: 3 ?", "-/2 y: 2\nX:  ?"]


def test_an_unavailable_entry_says_why(tmp_path):
    with pytest.raises(ConfigError, match="The scenario task cannot run: the data was withdrawn"):
        load(tmp_path, {"source": rows("a"), "unavailable": "the data was withdrawn"})


def test_arguments_decide_about_filters(tmp_path):
    entry = {
        "params": {"kind": {"default": "all"}},
        "source": {"rows": [{"x": "a b", "kind": "k l"}, {"x": "c", "kind": "m"}]},
        "filter": {"unless": {"kind": "all"}, "field": "kind", "eq": "${kind.spaces}"},
    }
    assert texts(load(tmp_path, entry)) == ["a b", "c"]
    assert texts(load(tmp_path, entry, kind="k_l")) == ["a b"]


def test_get_instances_gives_the_same_each_time(tmp_path):
    options = {"list": "list", "shuffle": {"seed": 1}}
    path = tmp_path / "task.yaml"
    entry = {
        **BASE,
        "source": {"rows": [ROW] * 5},
        "references": {"options": options},
        "steps": [{"shuffle": {"seed": 0}}],
    }
    path.write_text(yaml.safe_dump(entry), encoding="utf-8")
    scenario = scenario_class(read_entries(str(path))[0])()
    first, second = (json.dumps([references(i) for i in scenario.get_instances(str(tmp_path))]) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("value", [None, float("nan")])
@pytest.mark.parametrize("rule", [{"answers": ["a"]}, {"options": {"from": ["x", "a"]}}], ids=["answer", "option"])
def test_a_null_answer_is_an_error_and_no_empty_text(tmp_path, rule, value):
    source = {"rows": [{"x": "q", "a": value}]}
    with pytest.raises(ScenarioError, match="row 0, references: an (answer|option) is null"):
        load(tmp_path, {"source": source, "references": rule})
    (kind,) = rule
    columns = rule[kind]["from"] if kind == "options" else rule[kind]
    dropped = {kind: {"from": columns, "skip_empty": True}}
    (instance,) = load(tmp_path, {"source": source, "references": dropped})
    assert [text for text, _ in references(instance)] == (["q"] if kind == "options" else [])
    filled = {kind: {"from": columns, "do": [{"default": "none"}]}}
    (instance,) = load(tmp_path, {"source": source, "references": filled})
    assert references(instance)[-1][0] == "none"


def test_rows_without_a_correct_option_are_counted_where_they_are_allowed(tmp_path, caplog):
    source = {"rows": [{"x": "q", "a": "one", "right": right} for right in ("one", "two", "")]}
    entry = {
        "source": source,
        "references": {"options": {"from": ["a"]}},
        "correct": {"by": "text", "field": "right", "missing": "none"},
    }
    found = load(tmp_path, entry)
    assert [references(instance)[0][1] for instance in found] == [["correct"], [], []]
    assert "Scenario task: 2 rows have no correct option among the options (rows 1, 2)" in caplog.text
