"""Prompts derived from grammars: malformed, recursive and huge ones are refused."""

import pytest

from helm.benchmark.scenarios import grammar
from helm.benchmark.scenarios.grammar_scenario import GrammarScenario
from helm.common.errors import HelmError, ScenarioError

GRAMMAR = """
rules:
- category: Root
  tags: [base]
  expansions:
  - {text: "${A} and ${B}", tags: [both]}
  - {text: "only ${A}"}
- category: A
  expansions: [{text: a1, tags: [one]}, {text: a2}]
- category: B
  expansions: [{text: b1}, {text: ""}]
"""


def derive(tmp_path, text=GRAMMAR, tags=""):
    path = tmp_path / "grammar.yaml"
    path.write_text(text, encoding="utf-8")
    return [one.input.text for one in GrammarScenario(str(path), tags).get_instances(str(tmp_path))]


def test_last_category_varies_fastest(tmp_path):
    assert derive(tmp_path) == ["a1 and b1", "a1 and ", "a2 and b1", "a2 and ", "only a1", "only a2"]


def test_all_tags_must_be_there(tmp_path):
    assert derive(tmp_path, tags="one") == ["a1 and b1", "a1 and ", "only a1"]
    assert derive(tmp_path, tags="one,both,base") == ["a1 and b1", "a1 and "]
    assert derive(tmp_path, tags="none of them") == []


def test_category_without_rules_has_no_derivation(tmp_path, caplog):
    with caplog.at_level("WARNING", logger="helm"):
        assert derive(tmp_path, "rules: [{category: Root, expansions: [{text: '${Nowhere}'}, {text: here}]}]") == [
            "here"
        ]
    assert "Nowhere" in caplog.text


@pytest.mark.parametrize(
    "text, message",
    [
        ("rules: [{category: Root, expansions: [{text: 'x ${A}'}]}, {category: A, expansions: [{text: '${Root}'}]}]",
         "recursive \\(Root -> A -> Root\\)"),
        ("rules: [{category: Top, expansions: []}]", "no rule for the category Root"),
        ("rules: [{category: Root, expansions: [{text: 3}]}]", r"rules\[0\] is not of the form"),
        ("rules: [{category: Root}]", r"rules\[0\] is not of the form"),
        ("rules: [Root]", r"rules\[0\] is not of the form"),
        ("rule: []", "no list 'rules'"),
        ("[", "YAML|yaml"),
        ("rules:\n- {category: Root, expansions: [{text: '" + "${A}" * 30 + "'}]}\n"
         "- {category: A, expansions: [{text: a}, {text: b}]}", "derives 1073741824 texts"),
    ],
)  # fmt: skip
def test_bad_grammars_are_refused(tmp_path, text, message):
    with pytest.raises(HelmError, match=message):
        derive(tmp_path, text)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ScenarioError, match="there is no file .*nowhere.yaml"):
        GrammarScenario(str(tmp_path / "nowhere.yaml")).get_instances(str(tmp_path))


def test_derivations_are_trees_with_texts_and_tags(tmp_path):
    (tmp_path / "grammar.yaml").write_text(GRAMMAR, encoding="utf-8")
    read = grammar.read_grammar(str(tmp_path / "grammar.yaml"))
    first = grammar.generate_derivations(read)[0]
    assert (grammar.get_category("${A}"), grammar.get_category("x ${A}")) == ("A", None)
    assert read.rules[0].expansions[0].children == ["", "${A}", " and ", "${B}", ""]
    assert (first.value, first.is_leaf, first.tags) == (None, False, ["base", "both"])
    assert grammar.get_values(first) == ["", "a1", " and ", "b1", ""]
    assert grammar.get_tags(first) == ["base", "both", "one"]
