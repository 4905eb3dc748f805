"""The judges whose replies no vector records: what they ask, what they make of replies, what they record of failures."""

import importlib
import json
import string

import pytest

from helm.benchmark.annotation.air_bench_annotator import AIRBench2024Annotator
from helm.benchmark.annotation.alrage_annotator import ALRAGEAnnotator
from helm.benchmark.annotation.annotator import UnjudgedError
from helm.benchmark.annotation.arabic_content_generation_annotator import ArabicContentGenerationAnnotator
from helm.benchmark.annotation.arabic_legal_annotator import ArabicLegalAnnotator
from helm.benchmark.annotation.autobencher_safety_annotator import AutoBencherSafetyAnnotator
from helm.benchmark.annotation.financebench_annotator import FinanceBenchAnnotator
from helm.benchmark.annotation.harm_bench_annotator import HarmBenchAnnotator
from helm.benchmark.annotation.helpdesk_call_summarization_annotator import HelpdeskCallSummarizationAnnotator
from helm.benchmark.annotation.judge_models import GPT_4O, AnnotatorModelInfo, parse_annotator_models
from helm.benchmark.annotation.jury_tasks import JuryTask
from helm.benchmark.annotation.live_qa_annotator import LiveQAAnnotator
from helm.benchmark.annotation.omni_math_annotator import OmniMATHAnnotator
from helm.benchmark.annotation.wildbench_annotator import WildBenchAnnotator
from helm.benchmark.declarative import class_rows
from helm.common.errors import ConfigError
from judge_support import ScriptedJudge, make_state

GOLD = [["the gold text", ["correct"]]]
TAGGED = "<reasoning>because</reasoning><score>0.5</score>"

CLASS_PATHS = (
    "aci_bench.ACIBench air_bench.AIRBench2024 alrage.ALRAGE anthropic_red_team.AnthropicRedTeam "
    "arabic_content_generation.ArabicContentGeneration arabic_finance_calculation.ArabicFinanceCalculation "
    "arabic_legal.ArabicLegal autobencher_capabilities.AutoBencherCapabilities autobencher_safety.AutoBencherSafety "
    "chw_care_plan.CHWCarePlan dischargeme.DischargeMe financebench.FinanceBench harm_bench.HarmBench "
    "helpdesk_call_summarization.HelpdeskCallSummarization live_qa.LiveQA med_dialog.MedDialog medalign.Medalign "
    "medi_qa.MediQA medication_qa.MedicationQA mental_health.MentalHealth mimic_bhc.MIMICBHC mimic_rrs.MIMICRRS "
    "mtsamples_procedures.MTSamplesProcedures mtsamples_replicate.MTSamplesReplicate omni_math.OmniMATH "
    "simple_safety_tests.SimpleSafetyTests starr_patient_instructions.StarrPatientInstructions wildbench.WildBench "
    "xstest.XSTest"
).split()


def find_class(path):
    module, name = path.split(".")
    return getattr(importlib.import_module(f"helm.benchmark.annotation.{module}_annotator"), f"{name}Annotator")


@pytest.mark.parametrize("path", CLASS_PATHS)
def test_every_judge_asks_the_model_it_is_told_to(path, tmp_path):
    prompts = {"cate-idx": "the gold text", "judge_prompt": "{{QUESTION}} and {{ANSWER}}"}
    (tmp_path / "judge_prompts.jsonl").write_text(json.dumps(prompts) + "\n")
    judge = ScriptedJudge(None)
    arguments = {"auto_client": judge, "annotator_models": {"mine": {"model_name": "a/b", "model_deployment": "c/b"}}}
    cls = find_class(path)
    if "file_storage_path" in cls.__init__.__annotations__:
        arguments["file_storage_path"] = str(tmp_path)
    annotator = cls(**arguments)
    references = [["safe", ["correct"]]] if "xstest" in path else GOLD
    state = make_state(
        "the model's answer",
        prompt="the question",
        question="the question",
        references=references,
        messages=[{"role": "user", "content": "the question"}],
        extra_data={"checklist": ["polite?"]},
    )
    try:
        annotation = annotator.annotate(state)
    except UnjudgedError as e:
        assert "tired" in str(e)
        annotation = e.annotation
    assert isinstance(annotator.name, str) and annotation
    json.dumps(annotation)
    for request in judge.requests:
        assert (request.model, request.model_deployment, request.temperature) == ("a/b", "c/b", 0)
        assert "the question" in request.prompt and "the model's answer" in request.prompt
        assert "{{" not in request.prompt and "{$" not in request.prompt
    assert judge.requests


JURY_TASKS = {
    row["task_name"]: row["task"] for row in class_rows.rows("helm.benchmark.annotation").values() if "task" in row
}


@pytest.mark.parametrize("name", JURY_TASKS)
def test_juries_ask_for_the_criteria_that_they_require(name):
    task = JuryTask(**JURY_TASKS[name])
    template = task.prompt_template
    assert all(f'"{criterion}"' in template and f"- {criterion}:" in template for criterion in task.criteria)
    assert all(f"{{{field}}}" in template for field in ("QUESTION", "RESPONSE", "GOLD_RESPONSE"))
    form = template[template.rindex("form:") + 5 :].replace("1 to 5", "5")
    assert json.loads(form).keys() == task.annotation_criteria.keys()
    assert string.Template(template).is_valid() and "$" not in template


def test_a_jury_has_only_its_own_template():
    cls = find_class("aci_bench.ACIBench")
    with pytest.raises(ConfigError, match="only 'aci_bench'"):
        cls(ScriptedJudge(""), {"gpt": GPT_4O}, template_name="other")


# --- replies ----------------------------------------------------------------------------------------------------------


def annotate(annotator_class, reply, completion="answer", references=GOLD, **arguments):
    judge = ScriptedJudge(reply)
    annotation = annotator_class(judge, **arguments).annotate(make_state(completion, references=references))
    return annotation, len(judge.requests)


def fail(annotator_class, reply, **arguments):
    with pytest.raises(UnjudgedError) as caught:
        annotate(annotator_class, reply, **arguments)
    return caught.value.annotation


@pytest.mark.parametrize("annotator_class", [ArabicLegalAnnotator, AutoBencherSafetyAnnotator])
def test_tagged_scores(annotator_class):
    assert annotate(annotator_class, TAGGED) == ({"reasoning": "because", "score": 0.5}, 1)
    nothing = {"reasoning": None, "score": None}
    assert fail(annotator_class, "hm") == {**nothing, "response_text": "hm"}
    assert fail(annotator_class, None)["error"].endswith("failed: tired")


def test_a_reference_is_required_where_the_judge_needs_it():
    with pytest.raises(ValueError, match="id0 has no reference"):
        annotate(ArabicLegalAnnotator, TAGGED, references=[])
    assert annotate(AutoBencherSafetyAnnotator, TAGGED, references=[])[1] == 1


def test_live_qa():
    annotation, _ = annotate(LiveQAAnnotator, TAGGED, file_storage_path="x")
    assert (annotation["reasoning"], annotation["score"]) == ("because", 0.5)
    assert "1. the gold text" in annotation["prompt_text"]
    empty = {"prompt_text": "", "reasoning": "BLOCKED_REQUEST_OR_EMPTY_RESPONSE", "score": 0.0}
    assert annotate(LiveQAAnnotator, TAGGED, completion=" ") == (empty, 0)
    assert fail(LiveQAAnnotator, "<score>1</score>")["score"] is None


@pytest.mark.parametrize(
    "reply, score",
    [("8", 0.8), ("Rating: 7", 0.7), ("12", 1.0), ("score 7.5", 0.75), ("\u0667", 0.7), ("x 3 y 9", 0.3), ("0", 0.0)],
)
def test_alrage_takes_the_first_number_of_ten(reply, score):
    annotation, _ = annotate(ALRAGEAnnotator, reply)
    assert annotation["response"] == reply and annotation["score"] == pytest.approx(score)


@pytest.mark.parametrize("reply", ["", "7/10", "-3", "<score>1</score>", "\u00b2", ".", "1.2.3"])
def test_alrage_without_a_number_is_not_judged(reply):
    annotation = fail(ALRAGEAnnotator, reply)
    assert (annotation["score"], annotation["response_text"]) == (None, reply)


def test_articles_are_rated_three_times():
    annotation, num_requests = annotate(ArabicContentGenerationAnnotator, TAGGED.replace("0.5", "3"))
    rating = {"reasoning": "because", "score": 3}
    assert annotation == {"faithfulness": rating, "completeness": rating, "style": rating} and num_requests == 3
    annotation = fail(ArabicContentGenerationAnnotator, TAGGED)  # no whole number
    assert [criterion["score"] for criterion in annotation.values()] == [None] * 3


def test_financebench():
    reply = 'Sure: {"reasoning": "x", "label": "correct_answer"}'
    assert annotate(FinanceBenchAnnotator, reply)[0] == {"reasoning": "x", "label": "correct_answer"}
    for bad in ("", "[1]", '{"label": "right"}', '{"label": ["correct_answer"]}', "{", "{" * 5000):
        assert fail(FinanceBenchAnnotator, bad)["label"] is None
    assert annotate(FinanceBenchAnnotator, reply, completion="")[0]["label"] == "failure_to_answer"


def test_helpdesk_summaries():
    annotation, _ = annotate(HelpdeskCallSummarizationAnnotator, TAGGED)
    assert (annotation["gpt_reasoning"], annotation["gpt_score"]) == ("because", 0.5)
    assert annotate(HelpdeskCallSummarizationAnnotator, "hm")[0]["gpt_response_text"] == "hm"
    assert "tired" in fail(HelpdeskCallSummarizationAnnotator, None)["gpt_error"]


@pytest.fixture
def air_bench_folder(tmp_path):
    rows = [{"cate-idx": "1.2.3", "judge_prompt": "{{QUESTION}}|{{ANSWER}}"}]
    (tmp_path / "judge_prompts.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return str(tmp_path)


def test_air_bench_has_a_prompt_for_each_category(air_bench_folder):
    category = {"references": [["1.2.3", []]], "file_storage_path": air_bench_folder}
    annotation, _ = annotate(AIRBench2024Annotator, "## short_reasoning:\nfine\n## the_score: 0.5\n", **category)
    assert annotation == {"prompt_text": "p|answer", "reasoning": "fine", "score": 0.5}
    assert annotate(AIRBench2024Annotator, "", completion=" ", **category) == (
        {"prompt_text": "", "reasoning": "BLOCKED_REQUEST_OR_EMPTY_RESPONSE", "score": 1.0},
        0,
    )
    for bad in ("", "# short_reasoning: a\n# the_score: 1", "## short_reasoning: a ## the_score: one"):
        assert fail(AIRBench2024Annotator, bad, **category)["score"] is None
    with pytest.raises(ConfigError, match="no judge prompt for category '9.9.9'"):
        annotate(AIRBench2024Annotator, "", references=[["9.9.9", []]], file_storage_path=air_bench_folder)


def test_air_bench_takes_a_model_of_its_own(air_bench_folder):
    judge = ScriptedJudge("## short_reasoning: a ## the_score: 1")
    annotator = AIRBench2024Annotator(judge, air_bench_folder, model="a/b")
    annotator.annotate(make_state(references=[["1.2.3", []]]))
    assert (judge.requests[0].model, judge.requests[0].model_deployment) == ("a/b", "a/b")


def test_a_safety_judge_that_fails_beside_one_that_replies():
    class Judges(ScriptedJudge):
        def make_request(self, request):
            self.text = TAGGED if request.model == "a/good" else None
            return super().make_request(request)

    models = {"good": "a/good", "bad": "a/bad"}
    with pytest.raises(UnjudgedError, match="Judge a/bad failed") as caught:
        HarmBenchAnnotator(Judges(None), models).annotate(make_state())
    annotation = caught.value.annotation
    assert (annotation["good_score"], annotation["bad_score"]) == (0.5, None)
    assert "tired" in annotation["bad_error"]


def test_wildbench_and_omni_math_say_what_they_lack():
    with pytest.raises(ValueError, match="id0 has no messages"):
        annotate(WildBenchAnnotator, "")
    with pytest.raises(ValueError, match="id0 has no reference"):
        annotate(OmniMATHAnnotator, "", references=[])
    with pytest.raises(ConfigError, match="Did you mean 'gpt_evaluation_template'"):
        OmniMATHAnnotator(ScriptedJudge(""), template_name="gpt_evaluation_templat")
    state = make_state("so", references=GOLD)
    long = OmniMATHAnnotator(ScriptedJudge(""), template_name="gpt_evaluation_template").annotate(state)
    assert "=== report over ===" in long["prompt_text"]


@pytest.mark.parametrize(
    "reply, judgement",
    [
        ("## \n\nEquivalence Judgement\n true \n", True),
        ("x\n## Equivalence Judgement\r\nFALSE", False),
        ("## Equivalence Judgement\n\nTRUE", None),
    ],
)
def test_reports_are_read_from_the_second_line_of_a_section(reply, judgement):
    annotation = OmniMATHAnnotator(ScriptedJudge(reply)).annotate(make_state(references=GOLD))
    assert annotation["gpt_equivalence_judgement"] is judgement


# --- judges in arguments ----------------------------------------------------------------------------------------------


def test_judges_are_given_in_three_forms():
    for form in (
        AnnotatorModelInfo("a/b", "a/b"),
        {"model_name": "a/b", "model_deployment": "a/b"},
        {"model_name": "a/b"},
        {"model_deployment": "a/b"},
        "a/b",
    ):
        assert parse_annotator_models({"x": form}, {}) == {"x": AnnotatorModelInfo("a/b", "a/b")}
    name = "openai-compat/team/judge@http://localhost:8000/v1"
    assert parse_annotator_models({"x": name}, {})["x"] == AnnotatorModelInfo("team/judge", name)
    assert parse_annotator_models(None, {"gpt": GPT_4O}) == {"gpt": GPT_4O}


@pytest.mark.parametrize(
    "models, message",
    [
        ({}, "must map short names"),
        (["a/b"], "must map short names"),
        ({"x": 3}, "Judge 'x' must be the name"),
        ({"x": {"model": "a/b"}}, "unknown key 'model'. Did you mean 'model_name'"),
        ({"x": {}}, "Judge 'x' needs model_name"),
    ],
)
def test_a_bad_judge_is_named(models, message):
    with pytest.raises(ConfigError, match=message):
        parse_annotator_models(models, {})


def test_an_annotator_of_one_judge_takes_no_two():
    with pytest.raises(ValueError, match="live_qa asks one judge, not 2: a, b"):
        LiveQAAnnotator(ScriptedJudge(""), annotator_models={"a": "a/b", "b": "a/b"})
