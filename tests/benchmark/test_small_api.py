"""Functions and attributes of HELM's Python interface that plugins use, with what crfm-helm 0.5.16 gives for them."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from helm.benchmark.adaptation.adapters.multimodal.multimodal_prompt import MultimodalPrompt
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.presentation.table import Cell, HeaderCell, Table, table_to_latex
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.grammar_scenario import GrammarScenario
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioSpec,
    create_scenario,
)
from helm.common.cache import CacheStats
from helm.common.codec import from_json, iterate_json, to_json, to_jsonl
from helm.common.general import format_text
from helm.common.media_object import MediaObject, MultimediaObject

_SOURCE = "https://github.com/stanford-crfm/helm/blob/main/src/helm/benchmark/scenarios/"


def test_format_text_is_in_quotes():
    assert [format_text(text) for text in ("a", 'it\'s "x"\n', "")] == ['"a"', '"it\'s \\"x\\"\\n"', '""']


class _Quiz(Scenario):
    name, description, tags = "s", "d", ["t1", "t2"]

    def get_instances(self, output_path: str) -> list[Instance]:
        return []


def test_scenarios_and_instances_render_as_in_the_original():
    references = [Reference(Output("r"), [CORRECT_TAG]), Reference(Output("w"), [])]
    perturbation = PerturbationDescription(name="p", robustness=True)
    instances = [
        Instance(Input('q "x"\ny'), references, split="test", id="id1", sub_split="ss", perturbation=perturbation),
        Instance(Input("q2"), []),
    ]
    assert _Quiz().render_lines(instances) == [
        "name: s",
        "description: d",
        "tags: [t1,t2]",
        "",
        "instance 0 (2 total) |test| {",
        '  input: "q \\"x\\"\\ny"',
        '  sub_split: "ss"',
        '  id: "id1"',
        "  perturbation: PerturbationDescription(name='p', robustness=True, fairness=False, computed_on='perturbed', "
        "seed=None)",
        '  reference [correct]: "r"',
        '  reference []: "w"',
        "}",
        "instance 1 (2 total) |None| {",
        '  input: "q2"',
        "}",
    ]


@dataclass(frozen=True)
class _Settings:
    a: str | None
    b: int | None = 5
    c: str | None = None
    e: list[int] | None = field(default_factory=list)
    inner: Any | None = None


def test_none_stays_in_a_field_whose_default_is_something_else():
    value = _Settings(None, None, None, None, inner={"k": _Settings("x", None)})
    assert json.loads(to_json(value)) == {"b": None, "e": None, "inner": {"k": {"a": "x", "b": None, "e": []}}}
    assert "".join(iterate_json(value)) == to_json(value)
    assert json.loads(to_jsonl([value])) == json.loads(to_json(value))
    assert from_json(to_json(_Settings("x", None)), _Settings).b is None


@pytest.mark.parametrize("keywords, columns", [({}, "lr"), ({"skip_blank_columns": False}, "lrr")])
def test_latex_with_and_without_columns_that_have_no_value(keywords: dict[str, bool], columns: str):
    rows = [[Cell("m_1"), Cell(0.12345), Cell(None)], [Cell("m2"), Cell(None), Cell(None)]]
    lines = table_to_latex(Table("t", [HeaderCell("Model"), HeaderCell("A"), HeaderCell("C")], rows), "tn", **keywords)
    end = "" if columns == "lr" else " & "
    assert f"\\begin{{tabular}}{{{columns}}}" in lines
    assert f"m_1 & 0.12345{end} \\\\\nm2 & {end} \\\\" in lines


def test_the_tags_of_a_grammar_scenario_are_those_it_was_given():
    assert GrammarScenario(path="x.yaml").tags == []
    assert GrammarScenario(path="x.yaml", tags="a,b").tags == ["a", "b"]


def test_the_content_of_a_multimodal_prompt_has_the_name_of_the_original():
    def block(text: str) -> MultimediaObject:
        return MultimediaObject([MediaObject(content_type="text/plain", text=text)])

    prompt = MultimodalPrompt("g", "s", "\n", "ins", [block("a"), block("b")], block("e"))
    texts = [media.text for media in prompt.multimedia_object.media_objects]
    assert texts == ["gins", "\na", "\nb", "\nes"]


def test_counts_of_a_cache_can_be_read():
    stats = CacheStats()
    stats.increment_query("k")
    stats.increment_query("k")
    stats.increment_compute("k")
    assert dict(stats.num_queries) == {"k": 2} and dict(stats.num_computes) == {"k": 1}
    stats.reset()
    assert not stats.num_queries and not stats.num_computes


def _scenario(name: str, **arguments: Any) -> Scenario:
    function = get_run_spec_function(name)
    assert function is not None
    return create_scenario(function(**arguments).scenario_spec)


EXAMS = {
    "ic": ("licensing for investment professionals", "Thai"),
    "onet": ("high school / medical school academic knowledge", "Thai and English"),
    "tpat1": ("high school / medical school academic knowledge", "Thai"),
    "tgat": ("high school level questions on reasoning", "English"),
    "a_level": ("high school academic knowledge", "Thai and English"),
}


def test_metadata_of_variants():
    metadata = _scenario("summarization_xsum_sampled").get_metadata()
    assert (metadata.name, metadata.display_name) == ("summarization_xsum_sampled", "XSUM (Sampled)")
    for exam, expected in EXAMS.items():
        taxonomy = _scenario("thai_exam", exam=exam).get_metadata().taxonomy
        assert taxonomy is not None and (taxonomy.what, taxonomy.language) == expected


def test_name_and_tags_of_a_scenario_hold_values_and_no_variables():
    scenario = _scenario("clear", condition="alcohol_dependence", data_path="d")
    assert scenario.name == "clear_alcohol_dependence"
    assert scenario.tags == ["classification", "biomedical", "alcohol-dependence"]


def test_the_definition_path_is_helms_module_and_without_an_address_elsewhere():
    assert _scenario("gsm").definition_path == _SOURCE + "gsm_scenario.py"
    assert _scenario("thai_exam", exam="ic").definition_path == _SOURCE + "thai_exam_scenario.py"
    spec = ScenarioSpec("helm.benchmark.scenarios.simple_scenarios.SimpleMCQAScenario")
    assert create_scenario(spec).definition_path == _SOURCE + "simple_scenarios.py"
    assert _Quiz().definition_path == __name__.replace(".", "/") + ".py"
