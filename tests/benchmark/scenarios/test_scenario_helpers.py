"""Methods of scenarios that scripts for HELM call. The expected values are what crfm-helm 0.5.16 returns."""

from importlib import import_module
from typing import Any

import pytest

SENTENCE = {
    "split_type": "train",
    "words": [{"value": "Net"}, {"value": "[x]"}, {"value": "5"}],
    "entities_anno": [{"type_": "kpi", "start": 0, "end": 2}, {"type_": "cy", "start": 2, "end": 3}],
}
TECHNIQUE = {
    "type": "attack-pattern",
    "name": "N",
    "external_references": [{"source_name": "mitre-attack", "external_id": "T1"}],
}
REPORT = "Head SUMMARY: s1\nPLAN: do x\nmore\nFINDINGS: f\n"
CALLS: list[tuple[str, tuple[Any, ...], Any]] = [
    ("kpi_edgar_scenario.KPIEDGARScenario.escape_parenthesis", ("a [b] (c)",), "a (b) (c)"),
    (
        "kpi_edgar_scenario.KPIEDGARScenario.get_output_text",
        (["Net", "[x]", "5"], SENTENCE["entities_anno"]),
        "Net (x) [kpi], 5 [cy]",
    ),
    ("kpi_edgar_scenario.KPIEDGARScenario.get_sentences", ([{"segments": [{"sentences": [SENTENCE]}]}],), [SENTENCE]),
    ("synthetic_reasoning_scenario.subst", (["X", "+", "Y", "X"], "X", "a b"), ["a b", "+", "Y", "a b"]),
    (
        "melt_synthetic_reasoning_scenario.pattern_subst",
        (["X", "+", "Y"], ["X", "Y"], {"X": "a b", "Y": "c"}),
        ["a b", "+", "c"],
    ),
    ("boolq_scenario.BoolQScenario.get_context", ("pass", "is it Good"), "pass\nQuestion: Is it good?"),
    (
        "narrativeqa_scenario.NarrativeQAScenario.get_context",
        (" summ ", "what is it "),
        " summ \nQuestion: what is it ?",
    ),
    ("babi_qa_scenario.BabiQAScenario.process_path", ("n,e",), "north east"),
    ("live_qa_scenario.LiveQAScenario.remove_whitespace", (" a \n b  c",), "a b c"),
    (
        "cti_to_mitre_scenario.CtiToMitreScenario.make_label_category_name_dict",
        ({"objects": [{**TECHNIQUE, "x_mitre_is_subtechnique": False, "revoked": True}]},),
        {"T1": "N"},
    ),
    ("cti_to_mitre_scenario.CtiToMitreScenario.make_label_category_name_dict", ({"objects": [TECHNIQUE]},), {}),
    ("lex_glue_scenario.get_lex_glue_max_tokens", ("eurlex",), 20),
    ("lex_glue_scenario.get_lex_glue_task_type", ("case_hold",), "QuestionAnswering"),
    ("lextreme_scenario.get_lextreme_max_train_instances", ("swiss_judgment_prediction",), 2),
]
METHODS: list[tuple[str, tuple[Any, ...], str, tuple[Any, ...], Any]] = [
    (
        "conv_fin_qa_calc_scenario.ConvFinQACalcScenario",
        (),
        "make_pseudo_markdown_table",
        ([["a", 1], ["c", "d"]], ";"),
        "| a | 1 |;| c | d |",
    ),
    ("echr_judgment_classification_scenario.EchrJudgeScenario", (), "count_words", ("a  b\nc",), 3),
    ("mtsamples_procedures_scenario.MTSamplesProceduresScenario", (), "remove_sections", (REPORT,), "Head"),
    (
        "mtsamples_procedures_scenario.MTSamplesProceduresScenario",
        (),
        "extract_sections",
        (REPORT,),
        ("do x", "s1", "f"),
    ),
    (
        "mtsamples_replicate_scenario.MTSamplesReplicateScenario",
        (),
        "remove_plan_section",
        (REPORT,),
        "Head SUMMARY: s1",
    ),
    (
        "clear_scenario.CLEARScenario",
        ("homelessness", "x"),
        "get_answer_choices",
        (),
        ["Has a history of homelessness", "Does not have a history of homelessness", "Uncertain"],
    ),
]


def found(path: str) -> Any:
    module, *names = path.split(".")
    value: Any = import_module(f"helm.benchmark.scenarios.{module}")
    for name in names:
        value = getattr(value, name)
    return value


@pytest.mark.parametrize("path, arguments, expected", CALLS, ids=[case[0].rpartition(".")[2] for case in CALLS])
def test_functions(path: str, arguments: tuple[Any, ...], expected: Any) -> None:
    result = found(path)(*arguments)
    assert getattr(result, "text", result) == expected


@pytest.mark.parametrize("path, given, method, arguments, expected", METHODS, ids=[case[2] for case in METHODS])
def test_methods(path: str, given: tuple[Any, ...], method: str, arguments: tuple[Any, ...], expected: Any) -> None:
    assert getattr(found(path)(*given), method)(*arguments) == expected


def test_brackets_of_a_sentence_become_parentheses_in_prompt_and_answer() -> None:
    from helm.benchmark.scenarios.kpi_edgar_scenario import KPIEDGARScenario

    (instance,) = KPIEDGARScenario.sentences_to_instances([SENTENCE, {**SENTENCE, "entities_anno": []}])
    assert instance.input.text.startswith("Context: Net (x) 5\nTask: ")
    assert [reference.output.text for reference in instance.references] == ["Net (x) [kpi], 5 [cy]"]


def test_words_of_the_reasoning_scenarios_can_be_read() -> None:
    for module in ("synthetic_reasoning_natural_scenario", "melt_srn_scenario"):
        attributes, subjects = found(f"{module}.get_vocab")()
        assert (len(attributes), len(subjects)) == (25, 3)
        assert all(name == synonyms[0] for name, synonyms in attributes.items())
