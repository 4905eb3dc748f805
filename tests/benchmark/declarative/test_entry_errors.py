"""A wrong entry is refused with file, line, key, what was expected and the nearest name; never with a traceback."""

import copy
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from helm.benchmark.declarative.catalogue import entries
from helm.benchmark.declarative.reading import EntryError, read_entries

GOOD = """\
description: Capitals of countries.
params:
  region: {type: str, default: all, choices: [all, europe]}
  shots: {type: int, default: 2}
source:
  files:
  - {file: train.jsonl, format: jsonl, split: train}
  - {file: test.csv, format: csv, split: test}
filter:
- {unless: {region: all}, field: region, eq: "${region}"}
fields:
  q: {from: question, do: [strip, {ensure_suffix: "?"}]}
  size:
    from: inhabitants
    when: [{gte: 1000000, then: big}, {else: small}]
input: "{q} ({size})"
references:
  options: {from: [a, b, c]}
correct: {by: letter, field: answer}
metadata: {main_metric: exact_match, main_split: test}
run:
  adapter: {preset: multiple_choice_joint, instructions: A., output_noun: Answer, input_noun: Q, max_train_instances: "${shots}"}
  metrics: [exact_match]
  cases:
  - {when: {region: europe}, groups: [europe]}
"""


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "capitals.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_good_entry_is_read(tmp_path):
    (file,) = read_entries(write(tmp_path, GOOD))
    assert file.name == "capitals" and file.entry.run is not None


CASES = [
    ("unknown key", "metadata:", "metadatas:", True, "metadatas: unknown key 'metadatas'", "Did you mean 'metadata'?"),
    ("unknown nested key", "split: train}", "splt: train}", True, "source.files[0].splt: unknown key", "'split'"),
    ("wrong type", "type: int", "type: integer", True, "params.shots.type: one of str, int", "Did you mean 'int'?"),
    ("text for a list", "from: [a, b, c]", "from: a", True, "references.options.from: a list is expected, not 'a'", ""),
    (
        "mapping for a text",
        "description: Cap",
        "description: {q: Cap}  #",
        True,
        "description: a text is expected",
        "a map",
    ),
    (
        "input of other parts",
        'input: "{q} ({size})"',
        "input: {q: 1}",
        True,
        "input.q: unknown key",
        "passage, question",
    ),
    (
        "lone brace in a passage",
        'input: "{q} ({size})"',
        'input: {passage: "{", question: q}',
        True,
        "input.passage: '{': '{' names no column",
        "",
    ),
    ("missing field", "field: answer", "do: [strip]", True, "correct: `correct` needs `field`", ""),
    ("wrong format", "format: csv", "format: cvs", True, "source.files[1].format: one of", "Did you mean 'csv'?"),
    ("wrong split", "split: test}\nfilter", "split: tests}\nfilter", True, "files[1].split: a split must be", "'test'"),
    (
        "wrong choice of default",
        "default: all",
        "default: al",
        True,
        "params.region.default: The default",
        "Did you mean 'all'?",
    ),
    ("default of another type", "default: 2", "default: two", True, "takes a whole number, not 'two'", ""),
    ("unknown parameter", "${region}", "${regin}", True, "filter[0].eq: '${regin}': there is no 'regin'", "'region'"),
    (
        "unknown parameter of a condition",
        "unless: {region: all}",
        "unless: {regio: all}",
        True,
        "no 'regio'",
        "'region'",
    ),
    ("bad template", '"{q} ({size})"', '"{q} ({size"', True, "input: '{q} ({size': '{' names no column", "{{"),
    ("empty column", '"{q} ({size})"', '"{q} {}"', True, "'{}' names no column", ""),
    (
        "unknown function",
        "strip,",
        "stripp,",
        True,
        "do[0]: there is no value function 'stripp'",
        "Did you mean 'strip'?",
    ),
    (
        "function without argument",
        '{ensure_suffix: "?"}',
        "ensure_suffix",
        True,
        "'ensure_suffix' needs an argument",
        "",
    ),
    ("text as bound", "gte: 1000000", "gte: many", True, "fields.size.when[0].gte: expected a number", ""),
    (
        "two kinds of options",
        "{from: [a, b, c]}",
        "{from: [a], list: b}",
        True,
        "options has exactly one of",
        "from, list",
    ),
    ("unknown rule", "by: letter", "by: lettr", True, "correct.by: one of letter", "Did you mean 'letter'?"),
    (
        "unknown preset",
        "multiple_choice_joint",
        "multiple_choice_join",
        True,
        "no preset 'multiple_choice_join'",
        "Did you mean",
    ),
    ("unknown adapter argument", "output_noun", "output_nown", True, "has no argument 'output_nown'", "'output_noun'"),
    (
        "unknown metrics",
        "[exact_match]\n",
        "[exact_mach]\n",
        True,
        "no bundle of metrics 'exact_mach'",
        "'exact_match'",
    ),
    ("no input", 'input: "{q} ({size})"\n', "", False, "the key 'input' is missing", ""),
    ("not YAML", "params:", "params: [", False, "is not valid YAML", "line"),
]


@pytest.mark.parametrize(
    "old, new, has_line, message, hint", [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_an_error_names_file_line_key_and_the_nearest_name(tmp_path, old, new, has_line, message, hint):
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ValueError) as caught:
        read_entries(path)
    text = str(caught.value)
    assert text.startswith(path), text
    assert message in text and hint in text, text
    if has_line:
        wanted = next(
            i for i, content in enumerate(GOOD.replace(old, new).splitlines(), 1) if new.split("\n")[0] in content
        )
        assert text.startswith(f"{path}:{wanted}: "), text


def test_an_entry_of_a_list_is_named_by_its_position(tmp_path):
    items = yaml.safe_load(GOOD)
    path = write(tmp_path, yaml.safe_dump([{**items, "name": "one"}, {**items, "name": "two", "inputt": "x"}]))
    with pytest.raises(EntryError, match=r"\[1\]\.inputt: unknown key 'inputt'.*Did you mean 'input'"):
        read_entries(path)


def test_entries_of_a_list_have_names_of_their_own(tmp_path):
    items = yaml.safe_load(GOOD)
    with pytest.raises(EntryError, match="needs a name"):
        read_entries(write(tmp_path, yaml.safe_dump([items])))
    with pytest.raises(EntryError, match="two entries 'x'"):
        read_entries(write(tmp_path, yaml.safe_dump([{**items, "name": "x"}, {**items, "name": "x"}])))


@pytest.mark.parametrize("text", ["", "5", "text", "[1]", "- - -", "{}", "null", "? [a]\n: 1", "a: &x [*x]", "\x00"])
def test_what_is_no_entry_is_an_error_of_the_file(tmp_path, text):
    with pytest.raises(ValueError, match="capitals.yaml"):
        read_entries(write(tmp_path, text))


def positions(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything in a value."""
    found = []
    pending = [value]
    while pending:
        item = pending.pop()
        for key in list(item) if isinstance(item, dict) else range(len(item)):
            found.append((item, key))
            if isinstance(item[key], (dict, list)):
                pending.append(item[key])
    return found


JUNK = [
    None,
    True,
    7,
    -1.5,
    "",
    "x",
    "{",
    "${",
    "${nothing}",
    [],
    ["x"],
    [[]],
    {},
    {"x": 1},
    {"from": {}},
    float("nan"),
]


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 40))])
def test_a_damaged_entry_is_read_or_refused_with_a_message(tmp_path, seed):
    rng = random.Random(seed)
    files = list(entries())
    for number in range(10):
        data = copy.deepcopy(rng.choice(files).data)
        for _ in range(rng.choice([1, 1, 2])):
            container, key = rng.choice(positions(data))
            action = rng.randrange(3)
            if action == 0:
                container[key] = copy.deepcopy(rng.choice(JUNK))
            elif action == 1 and isinstance(container, dict):
                container[f"{key}x"] = container.pop(key)
            else:
                del container[key]
        data["name"] = "damaged"
        path = tmp_path / f"damaged{number}.yaml"
        path.write_text(yaml.safe_dump(data), encoding="utf-8")
        try:
            read_entries(str(path))
        except EntryError as e:
            assert str(path) in str(e)
