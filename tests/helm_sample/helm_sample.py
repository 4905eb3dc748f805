"""A project of a HELM user, with the imports, signatures and files that HELM documents, and nothing else.

It runs unchanged in both programs; see `test_helm_sample.py`.
"""

from dataclasses import dataclass
from random import Random
from typing import Any  # noqa: UP035  # as its users write

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.common_adapter_specs import get_generation_adapter_spec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator, AnnotatorSpec
from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
from helm.benchmark.augmentations.perturbation import PerturbationSpec, TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.common_metric_specs import get_exact_match_metric_specs
from helm.benchmark.metrics.metric import Metric, MetricSpec
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_expander import RUN_EXPANDERS, RunExpander
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioSpec,
)
from helm.clients.client import CachingClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request, RequestResult, wrap_request_time
from helm.tokenizers.caching_tokenizer import CachingTokenizer

_CAPITALS = {"France": "Paris", "Italy": "Rome", "Japan": "Tokyo", "Peru": "Lima", "Kenya": "Nairobi", "Norway": "Oslo"}


class CapitalsScenario(Scenario):
    """Capitals of countries."""

    name = "capitals"
    description = "Capitals of countries."
    tags = ["question answering"]

    def __init__(self, num_train: int = 2):
        super().__init__()
        self.num_train = num_train

    def get_instances(self, output_path: str) -> list[Instance]:
        instances: list[Instance] = []
        for i, (country, capital) in enumerate(_CAPITALS.items()):
            instances.append(
                Instance(
                    input=Input(text=f"What is the capital of {country}?"),
                    references=[Reference(output=Output(text=capital), tags=[CORRECT_TAG])],
                    split=TRAIN_SPLIT if i < self.num_train else TEST_SPLIT,
                )
            )
        return instances


class AnswerWordsMetric(Metric):
    """Counts words, and reads what the annotator found."""

    def __init__(self, name: str = "answer_words"):
        self.name = name

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        assert request_state.result is not None
        assert request_state.annotations is not None
        text = request_state.result.completions[0].text
        return [
            Stat(MetricName(self.name)).add(len(text.split())),
            Stat(MetricName("annotated_letters")).add(request_state.annotations["letters"]["count"]),
        ]


class LettersAnnotator(Annotator):
    """Counts letters."""

    name = "letters"

    def annotate(self, request_state: RequestState) -> Any:
        assert request_state.result
        return {"count": sum(c.isalpha() for c in request_state.result.completions[0].text)}


class ShoutingPerturbation(TextPerturbation):
    """Capital letters."""

    @dataclass(frozen=True)
    class Description(PerturbationDescription):
        prob: float = 0.0

    name = "shouting"
    should_perturb_references = False

    def __init__(self, prob: float):
        self.prob = prob

    @property
    def description(self) -> PerturbationDescription:
        return ShoutingPerturbation.Description(name=self.name, robustness=True, prob=self.prob)

    def perturb(self, text: str, rng: Random) -> str:
        return text.upper() if rng.uniform(0, 1) < self.prob else text


class SampleClient(CachingClient):
    """Answers from the examples in the prompt, or with the last word."""

    def __init__(self, cache_config: CacheConfig, tokenizer: Any, tokenizer_name: str, suffix: str = ""):
        super().__init__(cache_config=cache_config)
        self.tokenizer = tokenizer
        self.suffix = suffix

    def make_request(self, request: Request) -> RequestResult:
        raw_request = {
            "engine": request.model_engine,
            "prompt": request.prompt,
            "max_tokens": request.max_tokens,
            "stop_sequences": request.stop_sequences,
        }

        def do_it() -> dict[str, Any]:
            country = raw_request["prompt"].rsplit("capital of ", 1)[-1].split("?")[0]
            return {"text": _CAPITALS.get(country, "I do not know") + self.suffix}

        cache_key = CachingClient.make_cache_key(raw_request, request)
        response, cached = self.cache.get(cache_key, wrap_request_time(do_it))
        return RequestResult(
            success=True,
            cached=cached,
            request_time=response["request_time"],
            request_datetime=response["request_datetime"],
            completions=[GeneratedOutput(text=response["text"], logprob=0, tokens=[])],
            embedding=[],
        )


class SampleTokenizer(CachingTokenizer):
    """A token is a character."""

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["encode"]:
            return {"tokens": [ord(character) for character in request["text"]]}
        return {"tokens": list(request["text"])}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": "".join(chr(token) for token in request["tokens"])}


class TwiceRunExpander(RunExpander):
    """Runs with and without a longer answer."""

    name = "lengths"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        from dataclasses import replace

        return [
            replace(
                run_spec,
                name=f"{run_spec.name}{',' if ':' in run_spec.name else ':'}length={length}",
                adapter_spec=replace(run_spec.adapter_spec, max_tokens=int(length)),
            )
            for length in self.value.split("+")
        ]


RUN_EXPANDERS["lengths"] = TwiceRunExpander


@run_spec_function("capitals")
def get_capitals_run_spec(num_train: int = 2) -> RunSpec:
    scenario_spec = ScenarioSpec(class_name="helm_sample.CapitalsScenario", args={"num_train": num_train})
    adapter_spec = get_generation_adapter_spec(
        instructions="Answer the following questions.",
        input_noun="Question",
        output_noun="Answer",
        max_train_instances=2,
        max_tokens=10,
    )
    metric_specs = get_exact_match_metric_specs() + [
        MetricSpec(class_name="helm_sample.AnswerWordsMetric", args={"name": "answer_words"})
    ]
    return RunSpec(
        name=f"capitals:num_train={num_train}",
        scenario_spec=scenario_spec,
        adapter_spec=adapter_spec,
        metric_specs=metric_specs,
        data_augmenter_spec=DataAugmenterSpec(
            perturbation_specs=[PerturbationSpec(class_name="helm_sample.ShoutingPerturbation", args={"prob": 1.0})],
            should_augment_train_instances=False,
            should_include_original_train=True,
            should_skip_unchanged_train=True,
            should_augment_eval_instances=True,
            should_include_original_eval=True,
            should_skip_unchanged_eval=True,
            seeds_per_instance=1,
        ),
        groups=["capitals"],
        annotators=[AnnotatorSpec(class_name="helm_sample.LettersAnnotator", args={})],
    )
