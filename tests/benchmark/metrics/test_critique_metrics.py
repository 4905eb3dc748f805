"""Critique metrics: what they ask, and which numbers answers stand for."""

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.gpt4_audio_critique_metrics import GPT4AudioCritiqueMetric
from helm.benchmark.metrics.gpt4_audio_refusal_metrics import GPT4AudioRefusalCritiqueMetric
from helm.benchmark.metrics.gpt4v_originality_critique_metrics import GPT4VCritiqueMetric
from helm.benchmark.metrics.instruction_following_critique_metrics import InstructionFollowingCritiqueMetric
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.prometheus_vision_critique_metrics import PrometheusVisionCritiqueMetric
from helm.benchmark.metrics.reka_vibe_critique_metrics import RekaVibeCritiqueMetric
from helm.clients.critique_clients import RandomCritiqueClient, make_prompt
from helm.common.critique_request import CritiqueRequestResult, CritiqueResponse
from helm.common.errors import MetricError
from judge_support import make_state

GOLD = [["the gold text", ["correct"]]]


class Respondents(MetricService):
    """Each gives its answer to every question, a number standing for the option at that place."""

    def __init__(self, *answers):
        super().__init__(None)
        self.answers, self.requests = answers, []

    def make_critique_request(self, request):
        self.requests.append(request)
        responses = []
        for i, answer in enumerate(self.answers):
            answers = {}
            for question in request.template.questions:
                if answer is not None:
                    place = isinstance(answer, int) and question.options
                    answers[question.name] = question.options[answer] if place else str(answer)
            responses.append(CritiqueResponse(str(i), str(i), answers))
        return CritiqueRequestResult(responses)


def compute(metric, *answers):
    service = Respondents(*answers)
    stats = metric.evaluate_generation(
        AdapterSpec(), make_state("the answer", question="q", references=GOLD), service, ""
    )
    return {stat.name.name: (stat.mean, stat.count) for stat in stats}, service.requests


METRICS = [
    InstructionFollowingCritiqueMetric(num_respondents=2),
    GPT4AudioCritiqueMetric(num_respondents=2, max_tokens=50),
    GPT4AudioRefusalCritiqueMetric(num_respondents=2, max_tokens=50),
    GPT4VCritiqueMetric(num_respondents=2),
    RekaVibeCritiqueMetric(num_respondents=2, max_tokens=50),
    PrometheusVisionCritiqueMetric(num_respondents=2, max_tokens=50),
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.template_name)
def test_the_question_shows_the_answer_and_leaves_no_placeholder(metric):
    service = Respondents("x")
    state = make_state("the answer", question="the question", references=GOLD)
    try:
        metric.evaluate_generation(AdapterSpec(), state, service, "")
    except ValueError:
        pass  # "x" is no rating
    (request,) = service.requests
    assert request.template.num_respondents == 2
    assert len({question.name for question in request.template.questions}) == len(request.template.questions)
    for question in request.template.questions:
        prompt = make_prompt(request, question)
        assert "the answer" in prompt and "{{" not in prompt
        assert len(set(question.options)) == len(question.options) in (0, 5)


def test_options_stand_for_their_places():
    stats, _ = compute(InstructionFollowingCritiqueMetric(num_respondents=2), 0, 4)
    assert stats.pop("Keyword Feedback") == (0, 2)
    assert set(stats.values()) == {(3.0, 2)} and len(stats) == 5
    assert compute(GPT4VCritiqueMetric(num_respondents=1), 3)[0] == {"originality_gpt4v": (4.0, 1)}


@pytest.mark.parametrize(
    "reply, rating", [("Rating: 4", 4), ("x Rating:5 Rating: 2", 5), ("Rating:\n\n3", 3), ("Rating: 45", 4)]
)
def test_ratings_are_found_in_text(reply, rating):
    for metric in (GPT4AudioCritiqueMetric(1, 50), RekaVibeCritiqueMetric(1, 50)):
        stats, _ = compute(metric, reply)
        assert stats == {metric.question_name: (rating, 1)}


def test_prometheus_writes_its_rating_in_a_way_of_its_own():
    stats, _ = compute(PrometheusVisionCritiqueMetric(3, 50), "Feedback: good [RESULT] 4", "[RESULT] (2)", "Rating: 3")
    assert stats == {"prometheus_vision": (3.0, 3)}


@pytest.mark.parametrize(
    "reply, refused", [("final answer: yes", 1), ("Hm. Final Answer: No", 0), ("FINAL ANSWER:yes", 1)]
)
def test_refusals(reply, refused):
    assert compute(GPT4AudioRefusalCritiqueMetric(1, 50), reply)[0] == {"refusal_rate": (refused, 1)}


def test_answers_that_cannot_be_understood_are_counted():
    metric = GPT4AudioCritiqueMetric(4, 50)
    stats, _ = compute(metric, "Rating: 4", "rating: 3", "Rating: 6", None)
    assert stats == {"gpt4_audio_critique": (4.0, 1), "ahelm_gpt4_audio_critique_annotator_success": (0.25, 1)}
    states = [make_state("a", references=GOLD, instance_id=f"id{i}") for i in range(2)]

    class Turns(Respondents):
        def make_critique_request(self, request):
            self.answers = ("Rating: 2",) * 4 if not self.requests else ("hm",) * 4
            return super().make_critique_request(request)

    result = metric.evaluate(ScenarioState(AdapterSpec(), states), Turns(), "", 1)
    means = {s.name.name: s.mean for s in result.aggregated_stats if s.name.perturbation is None}
    assert means == {"gpt4_audio_critique": 2.0, "ahelm_gpt4_audio_critique_annotator_success": 0.5}
    with pytest.raises(MetricError, match="2 of 2 completions could not be judged"):
        metric.evaluate(ScenarioState(AdapterSpec(), states), Respondents("hm"), "", 2)


def test_a_run_with_random_respondents():
    class Service(MetricService):
        def make_critique_request(self, request):
            return RandomCritiqueClient().make_critique_request(request)

    states = [make_state(f"a{i}", references=GOLD, instance_id=f"id{i}") for i in range(20)]
    metric = InstructionFollowingCritiqueMetric(num_respondents=3)
    results = [metric.evaluate(ScenarioState(AdapterSpec(), states), Service(None), "", n) for n in (1, 4)]
    means = [{s.name.name: s.mean for s in r.aggregated_stats if s.name.perturbation is None} for r in results]
    assert means[0] == means[1] and 1 <= means[0]["Helpfulness"] <= 5


def test_every_answer_is_a_value_of_pooled_metrics():
    """As the original: two respondents and three instances are six values; no worst cases."""
    states = [make_state(f"a{i}", references=GOLD, instance_id=f"id{i}") for i in range(3)]
    service = Respondents("Rating: 1", "Rating: 4")
    result = GPT4AudioCritiqueMetric(2, 50).evaluate(ScenarioState(AdapterSpec(), states), service, "", 1)
    (stat,) = result.aggregated_stats
    assert (stat.name.name, stat.name.split, stat.mean, stat.count) == ("gpt4_audio_critique", "test", 2.5, 6)
    assert [row.instance_id for row in result.per_instance_stats] == ["id0", "id1", "id2"]


def test_pictures_of_the_prompt_are_shown(tmp_path):
    from dataclasses import replace

    from helm.common.media_object import MediaObject, MultimediaObject

    (tmp_path / "x.png").write_bytes(b"")
    picture = MediaObject(content_type="image/png", location=str(tmp_path / "x.png"))
    text = MediaObject(content_type="text/plain", text="What is this?")
    state = make_state("a cat", references=GOLD)
    state = replace(state, request=replace(state.request, multimodal_prompt=MultimediaObject([text, picture, text])))
    service = Respondents("Rating: 1")
    RekaVibeCritiqueMetric(1, 50).evaluate_generation(AdapterSpec(), state, service, "")
    (request,) = service.requests
    assert request.template.questions[0].media_object == picture and request.fields["prompt"] == "What is this?"
