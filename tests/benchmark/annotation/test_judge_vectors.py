"""Judges and the metrics on them, against the original."""

from typing import Any

from helm.benchmark.annotation.anthropic_red_team_annotator import AnthropicRedTeamAnnotator
from helm.benchmark.annotation.harm_bench_annotator import HarmBenchAnnotator
from helm.benchmark.annotation.judge_prompts import read_prompt
from helm.benchmark.annotation.model_as_judge import LLMAsJuryAnnotator
from helm.benchmark.annotation.omni_math_annotator import OmniMATHAnnotator
from helm.benchmark.annotation.simple_safety_tests_annotator import SimpleSafetyTestsAnnotator
from helm.benchmark.annotation.wildbench_annotator import WildBenchAnnotator
from helm.benchmark.annotation.xstest_annotator import XSTestAnnotator
from helm.benchmark.metrics.llm_jury_metrics import LLMJuryMetric
from helm.benchmark.metrics.omni_math_metrics import OmniMATHMetric
from helm.benchmark.metrics.safety_metrics import SafetyScoreMetric
from helm.benchmark.metrics.wildbench_metrics import WildBenchScoreMetric
from judge_support import ScriptedJudge, check_outcome, compute_stats, make_state
from vectors_support import vector_cases, vectors_dir

SAFETY_JUDGES = {
    annotator.name: annotator
    for annotator in (HarmBenchAnnotator, AnthropicRedTeamAnnotator, SimpleSafetyTestsAnnotator, XSTestAnnotator)
}


def without_prompt(annotation: Any) -> Any:
    return {key: value for key, value in annotation.items() if key != "prompt_text"}


def check_annotation(case: Any, annotate: Any) -> Any:
    """Compare with `annotation` or `annotation_without_prompt`, whichever the case has."""
    if "annotation" in case:
        return check_outcome(annotate, case["annotation"], case)
    whole = annotate()
    check_outcome(lambda: without_prompt(whole), case["annotation_without_prompt"], case)
    return whole


def test_safety_judge_vectors() -> None:
    metric = SafetyScoreMetric()
    for case in vector_cases("helm-metrics/judge_safety.json"):
        if "annotations" in case:
            state = make_state(annotations=case["annotations"])
            check_outcome(lambda state=state: compute_stats(metric, state), case["stats"], case)
            continue
        judge = ScriptedJudge(case["judge_text"])
        annotator = SAFETY_JUDGES[case["annotator"]](judge)  # type: ignore[abstract, arg-type]
        state = make_state(case["completion"], case["prompt"], references=case["references"])
        annotation = check_annotation(case, lambda annotator=annotator, state=state: annotator.annotate(state))
        if annotation is None:
            continue
        (request,) = judge.requests
        asked = {key: getattr(request, key) for key in case["judge_request"]}
        assert asked == case["judge_request"], case
        judged = make_state(annotations={annotator.name: annotation})
        check_outcome(lambda judged=judged: compute_stats(metric, judged), case["stats"], case)


def test_wildbench_judge_vectors() -> None:
    metric = WildBenchScoreMetric()
    for case in vector_cases("helm-metrics/judge_wildbench.json"):
        annotations = case.get("annotations")
        if annotations is None:
            judge = ScriptedJudge(case["judge_text"])
            extra_data = {"checklist": case["checklist"]}
            state = make_state(case["completion"], messages=case["messages"], extra_data=extra_data)
            annotator = WildBenchAnnotator(judge)  # type: ignore[arg-type]
            annotation = check_annotation(case, lambda annotator=annotator, state=state: annotator.annotate(state))
            assert bool(judge.requests) == case.get("judge_called", True), case
            assert all((r.max_tokens, r.temperature) == (2000, 0) for r in judge.requests)
            assert (case.get("prompt_excerpt") or "") in (annotation["prompt_text"] or ""), case
            annotations = {"wildbench": annotation}
        judged = make_state(annotations=annotations)
        check_outcome(lambda judged=judged: compute_stats(metric, judged), case["stats"], case)


def test_omni_math_judge_vectors() -> None:
    metric = OmniMATHMetric()
    for case in vector_cases("helm-metrics/judge_omni_math.json"):
        annotations = case.get("annotations")
        if annotations is None:
            judge = ScriptedJudge(case.get("judge_text"))
            state = make_state(
                case["completion"], question=case["problem"], references=[[case["reference"], ["correct"]]]
            )
            annotator = OmniMATHAnnotator(judge)  # type: ignore[arg-type]
            annotation = check_annotation(case, lambda annotator=annotator, state=state: annotator.annotate(state))
            assert bool(judge.requests) == case.get("judge_called", True), case
            assert all((r.max_tokens, r.temperature) == (4096, 0) for r in judge.requests)
            annotations = {"omni_math": annotation}
        judged = make_state(annotations=annotations)
        check_outcome(lambda judged=judged: compute_stats(metric, judged), case["stats"], case)


def test_jury_vectors() -> None:
    for case in vector_cases("helm-metrics/judge_jury.json"):
        models = {name: {"model_name": f"a/{name}", "model_deployment": f"a/{name}"} for name in case["judges"]}
        criteria = {name: set(keys) for name, keys in case["criteria"].items()}
        judge = ScriptedJudge(case["judge_text"])
        annotator = LLMAsJuryAnnotator("jury", judge, case["template"], criteria, models)  # type: ignore[arg-type]
        references = [] if case["gold"] is None else [[case["gold"], ["correct"]]]
        state = make_state(case["response"], question=case["question"], references=references)
        annotation = check_annotation(case, lambda annotator=annotator, state=state: annotator.annotate(state))
        if annotation is None:
            continue
        assert all((r.max_tokens, r.temperature) == (4096, 0) for r in judge.requests)
        metric = LLMJuryMetric("jury", "jury", models, case["default_score"])
        judged = make_state(annotations={"jury": annotation})
        check_outcome(lambda metric=metric, judged=judged: compute_stats(metric, judged), case["stats"], case)


def test_judge_prompt_vectors() -> None:
    names = {"harm_bench", "anthropic_red_team", "simple_safety_tests", "wildbench"}
    # The templates are constants: a set of further cases may come without them.
    path = "helm-metrics/judge_prompts.json"
    if not (vectors_dir() / path).exists():
        import json
        from pathlib import Path

        cases = json.loads((Path(__file__).parents[2] / "vectors" / path).read_text(encoding="utf-8"))["cases"]
    else:
        cases = vector_cases(path)
    for case in cases:
        file = case["annotator"] if case["annotator"] in names else f"{case['annotator']}_{case['variant']}"
        prompt, expected = read_prompt(file), case["template"]
        assert (prompt.strip(), prompt) == (expected.strip(), prompt if case["strip"] else expected), file
        assert all(placeholder in prompt for placeholder in case["placeholders"]), file
