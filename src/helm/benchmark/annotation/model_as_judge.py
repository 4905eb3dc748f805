"""Language models as judges of completions: asking a judge, parsing its reply, and juries of several judges."""

import json
import re
import string
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator, UnjudgedError
from helm.benchmark.annotation.judge_models import (
    GPT_4O,
    AnnotatorModelInfo,
    AnnotatorModels,
    parse_annotator_models,
)
from helm.common.errors import ConfigError, HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.request import Request, RequestResult
from helm.common.sending import all_asked

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient

__all__ = [
    "AnnotatorModelInfo",
    "AnnotatorResponseParseFailure",
    "JudgeError",
    "LLMAsJuryAnnotator",
    "ScoreAndReasoning",
    "ask_judge",
    "check_judges",
    "get_completion_text",
    "get_only_completion_text",
    "parse_score_with_reasoning",
    "score_with_reasoning",
    "score_with_reasoning_with_gpt_and_llama",
]

_REASONING = re.compile(r"<\s*reasoning\s*>(.*?)</?\s*reasoning\s*>", re.DOTALL | re.IGNORECASE)
_SCORE = re.compile(r"<\s*score\s*>(.*?)</?\s*score\s*>", re.DOTALL | re.IGNORECASE)
_OUTERMOST_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{(QUESTION|RESPONSE|GOLD_RESPONSE)\}")

_LLAMA = AnnotatorModelInfo("meta/llama-3.1-405b-instruct-turbo", "together/llama-3.1-405b-instruct-turbo")

BLOCKED_OR_EMPTY = "BLOCKED_REQUEST_OR_EMPTY_RESPONSE"
"""The reasoning that some annotations give for an empty completion, which no judge sees."""


class AnnotatorResponseParseFailure(UnjudgedError):
    """The judge replied, but not in the required form."""

    def __init__(self, response_text: str, annotation: Any = None):
        super().__init__(f"Cannot read the judge's reply: {response_text!r}", annotation)
        self.response_text = response_text


class JudgeError(UnjudgedError):
    """The judge gave no reply."""


def ask_judge(
    auto_client: "AutoClient", judge: AnnotatorModelInfo, prompt: str, max_tokens: int, random: str | None = None
) -> str:
    """Return the judge's reply at temperature 0.

    Args:
        random: another text makes it another request for the cache.

    Raises: JudgeError if there is none.
    """
    request = Request(
        model=judge.model_name,
        model_deployment=judge.model_deployment,
        prompt=prompt,
        temperature=0.0,
        max_tokens=max_tokens,
        random=random,
    )
    result = auto_client.make_request(request)
    if not result.success:
        raise JudgeError(f"Judge {judge.model_deployment} failed: {result.error}")
    if not result.completions:
        raise JudgeError(f"Judge {judge.model_deployment} gave no completion.")
    return result.completions[0].text


def check_judges(auto_client: "AutoClient", judges: Mapping[str, AnnotatorModelInfo]) -> None:
    """Create the clients of the judges. Raises: HelmError that describes the problem and how to select another judge."""
    for name, judge in judges.items():
        try:
            auto_client.get_client(judge.model_deployment)
        except HelmError as e:
            notes = " ".join(getattr(e, "__notes__", []))
            raise ConfigError(
                f"Judge '{name}': {e} {notes}".rstrip()
                + f" To use another judge, write the line '{name}: DEPLOYMENT' below 'judges:' in judges.yaml."
            ) from e


def get_completion_text(request_state: RequestState) -> str:
    """Return the text of the first completion. Raises: ValueError if there is none."""
    result = request_state.result
    if not isinstance(result, RequestResult) or not result.completions:
        raise ValueError("Annotation requires a result with a completion")
    return result.completions[0].text


def get_only_completion_text(request_state: RequestState) -> str:
    """Return the text of the only completion. Raises: ValueError if there is not exactly one."""
    text = get_completion_text(request_state)
    num_completions = len(request_state.result.completions)  # type: ignore[union-attr]
    if num_completions != 1:
        raise ValueError(f"Annotation requires exactly one completion, got {num_completions}; use num_outputs=1")
    return text


class ScoreAndReasoning(TypedDict):
    """What a judge replies."""

    score: float
    reasoning: str


def parse_score_with_reasoning(text: str) -> ScoreAndReasoning:
    """Parse `{"reasoning", "score"}` from the first `<reasoning>` and `<score>` tags, in any order and case.

    Raises: AnnotatorResponseParseFailure when one is missing or the score is not a number.
    """
    reasoning, score = _REASONING.search(text), _SCORE.search(text)
    if reasoning is None or score is None:
        raise AnnotatorResponseParseFailure(response_text=text)
    try:
        value = float(score.group(1).strip())
    except ValueError as e:
        raise AnnotatorResponseParseFailure(response_text=text) from e
    return {"reasoning": reasoning.group(1).strip(), "score": value}


def score_with_reasoning(
    auto_client: "AutoClient", annotator_prompt: str, annotator_model: str, annotator_model_deployment: str
) -> ScoreAndReasoning:
    """Ask one judge for `{"reasoning": text, "score": float}`.

    Raises: JudgeError, or AnnotatorResponseParseFailure when the reply has another form.
    """
    judge = AnnotatorModelInfo(annotator_model, annotator_model_deployment)
    return parse_score_with_reasoning(ask_judge(auto_client, judge, annotator_prompt, max_tokens=256))


def score_with_reasoning_with_gpt_and_llama(auto_client: "AutoClient", annotator_prompt: str) -> dict[str, Any]:
    """Ask two judges; returns `prompt_text`, `gpt_score`, `gpt_reasoning`, `llama_score` and `llama_reasoning`."""
    annotation: dict[str, Any] = {"prompt_text": annotator_prompt}
    with all_asked() as each:
        for name, judge in (("gpt", GPT_4O), ("llama", _LLAMA)):
            with each():
                answer = score_with_reasoning(auto_client, annotator_prompt, judge.model_name, judge.model_deployment)
                annotation[f"{name}_reasoning"], annotation[f"{name}_score"] = answer["reasoning"], answer["score"]
    return annotation


class PromptTemplateError(ValueError, KeyError):
    """A prompt template contains an unknown placeholder."""

    __str__ = Exception.__str__


class LLMAsJuryAnnotator(Annotator):
    """Asks several judges to rate a completion by criteria, each replying with a JSON object.

    The annotation contains `prompt_text` and the reply of each judge that gave a usable one.

    Args:
        name: key of the annotation.
        prompt_template: contains `{QUESTION}`, `{RESPONSE}` and `{GOLD_RESPONSE}`; a literal `$` is written `$$`.
        annotation_criteria: maps each required key of a reply to the keys required inside it.
        annotator_models: the judges by short name.
        preprocessor: applied to the completion first.
    """

    def __init__(
        self,
        name: str,
        auto_client: "AutoClient",
        prompt_template: str,
        annotation_criteria: dict[str, set[str]],
        annotator_models: AnnotatorModels,
        preprocessor: Callable[[str], str] | None = None,
    ):
        self.name = name
        self._auto_client = auto_client
        # HELM: `{{QUESTION}}` becomes `{$QUESTION}`, so one pair of braces remains around the text.
        self._template = string.Template(_PLACEHOLDER.sub(r"$\1", prompt_template))
        self._criteria = annotation_criteria
        self._judges = parse_annotator_models(annotator_models, {})
        self._preprocessor = preprocessor

    def check_judges(self) -> None:
        """See `check_judges`."""
        check_judges(self._auto_client, self._judges)

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: ValueError without a result, or with an unknown `$name` in the template."""
        response = get_completion_text(request_state)
        if self._preprocessor:
            response = self._preprocessor(response)
        if not response.strip():
            return {"prompt_text": None, "empty_output_equivalence_judgement": False}
        references = request_state.instance.references
        try:
            prompt = self._template.substitute(
                QUESTION=request_state.instance.input.text,
                RESPONSE=response,
                GOLD_RESPONSE=references[0].output.text if references else "",
            )
        except KeyError as e:
            raise PromptTemplateError(f"The prompt template of {self.name} has the unknown name ${e.args[0]}.") from e
        annotation: dict[str, Any] = {"prompt_text": prompt}
        with all_asked() as each:
            for judge_name, judge in self._judges.items():
                with each():
                    try:
                        annotation[judge_name] = self._parse(
                            ask_judge(self._auto_client, judge, prompt, max_tokens=4096)
                        )
                    except (JudgeError, AnnotatorResponseParseFailure) as e:
                        hwarn(
                            f"{self.name}: judge {judge_name} is left out for instance {request_state.instance.id}: {e}"
                        )
        return annotation

    def _parse(self, text: str) -> dict[str, Any]:
        match = _OUTERMOST_OBJECT.search(text)
        answer = _parse_json(match.group(0) if match else text)
        for criterion, keys in self._criteria.items():
            value = answer.get(criterion) if isinstance(answer, Mapping) else None
            if not isinstance(value, Mapping) or not all(key in value for key in keys):
                raise AnnotatorResponseParseFailure(response_text=text)
        return answer


def _parse_json(text: str) -> Any:
    """Parse JSON, adding a closing brace if the judge forgot one."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        if getattr(e, "msg", "") != "Expecting ',' delimiter":
            raise AnnotatorResponseParseFailure(response_text=text) from e
    try:
        return json.loads(text + "}")
    except (ValueError, RecursionError) as e:
        raise AnnotatorResponseParseFailure(response_text=text) from e
