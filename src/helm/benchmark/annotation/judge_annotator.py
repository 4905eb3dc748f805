"""Base classes for judges of single completions."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.benchmark.annotation.helm_wording import check_wording, get_helm_prompt
from helm.benchmark.annotation.judge_models import GPT_4O, AnnotatorModelInfo, AnnotatorModels, parse_annotator_models
from helm.benchmark.annotation.judge_prompts import fill_in, read_prompt
from helm.benchmark.annotation.model_as_judge import (
    AnnotatorResponseParseFailure,
    JudgeError,
    ask_judge,
    check_judges,
    get_completion_text,
    parse_score_with_reasoning,
)

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient


class JudgeAnnotator(Annotator):
    """Asks language models about a completion.

    Args:
        auto_client: provides the judges' clients.
        annotator_models: the judges by short name. None uses `default_judges`.
    """

    default_judges: ClassVar[Mapping[str, AnnotatorModelInfo]] = {"gpt": GPT_4O}

    max_tokens: ClassVar[int]
    """Maximum length of a reply, in tokens."""

    asks_one_judge: ClassVar[bool] = False
    """Whether there is exactly one judge, not a jury."""

    has_own_wording: ClassVar[bool] = False
    """Whether the prompts are this package's own, and HELM's cannot be had."""

    @classmethod
    def read_row(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the attributes of a class that a row of `classes.yaml` declares."""
        attributes = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        if "default_judges" in row:
            judges = row["default_judges"].items()
            attributes["default_judges"] = {name: AnnotatorModelInfo(**judge) for name, judge in judges}
        return attributes

    def __init__(self, auto_client: "AutoClient", annotator_models: AnnotatorModels | None = None):
        self._auto_client = auto_client
        self._judges = parse_annotator_models(annotator_models, self.default_judges)

    def check_judges(self) -> None:
        """See `check_judges`."""
        check_judges(self._auto_client, self._judges)

    def _ask(self, judge: AnnotatorModelInfo, prompt: str) -> str:
        return ask_judge(self._auto_client, judge, prompt, self.max_tokens)


class SoleJudgeAnnotator(JudgeAnnotator):
    """Asks one judge, whose parsed reply becomes the whole annotation.

    A failed request or an unusable reply raises UnjudgedError with the annotation from `_describe_failure`: the usual
    keys, with None for missing values, and `error` or `response_text`.
    """

    asks_one_judge = True

    def __init__(self, auto_client: "AutoClient", annotator_models: AnnotatorModels | None = None):
        super().__init__(auto_client, annotator_models)
        if len(self._judges) != 1:
            raise ValueError(
                f"Annotator {self.name} asks one judge, not {len(self._judges)}: {', '.join(self._judges)}."
            )
        (self._judge,) = self._judges.values()

    def _judge_prompt(
        self, prompt: str, parse: Callable[[str], Mapping[str, Any]], known: Mapping[str, Any], empty: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return `known` combined with the parsed reply.

        Args:
            parse: parses a reply; raises AnnotatorResponseParseFailure.
            known: the part of the annotation that does not depend on the reply.
            empty: the part used in place of a parsed reply.

        Raises: UnjudgedError with an annotation.
        """
        try:
            return {**known, **parse(self._ask(self._judge, prompt))}
        except JudgeError as e:
            raise JudgeError(str(e), {**known, **empty, "error": str(e)}) from e
        except AnnotatorResponseParseFailure as e:
            annotation = {**known, **empty, "response_text": e.response_text}
            raise AnnotatorResponseParseFailure(e.response_text, annotation) from e


NO_SCORE: Mapping[str, Any] = {"reasoning": None, "score": None}


class WordedJudgeAnnotator(SoleJudgeAnnotator):
    """Asks one judge in the wording of this package, or in HELM's.

    Args:
        prompts: `helm` for HELM's wording, which `helm-data fetch helm-prompts` gets; None for the file of the annotator's
            name, with which scores are not comparable with the original's.
    """

    def __init__(
        self,
        auto_client: "AutoClient",
        annotator_models: AnnotatorModels | None = None,
        prompts: str | None = None,
    ):
        super().__init__(auto_client, annotator_models)
        self._is_in_helm_words = check_wording(self.name, prompts)
        if self._is_in_helm_words:
            get_helm_prompt(self.name).read()  # fails at once, not at the first question

    def _make_prompt(self, request_state: RequestState) -> str:
        if self._is_in_helm_words:
            return get_helm_prompt(self.name).fill(request_state)
        return self._make_own_prompt(request_state)

    def _make_own_prompt(self, request_state: RequestState) -> str:
        return make_prompt(self.name, request_state)


class TaggedScoreAnnotator(WordedJudgeAnnotator):
    """Asks for `<reasoning>` and `<score>`; the annotation is `{"reasoning": text, "score": number}`."""

    max_tokens = 100

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: UnjudgedError; ValueError without a completion, or without a required reference."""
        prompt = self._make_prompt(request_state)
        return self._judge_prompt(prompt, parse_score_with_reasoning, {}, NO_SCORE)


def get_gold_text(request_state: RequestState) -> str:
    """Return the first reference. Raises: ValueError if the instance has none."""
    references = request_state.instance.references
    if not references:
        raise ValueError(f"Instance {request_state.instance.id} has no reference to judge by")
    return references[0].output.text


def make_prompt(name: str, request_state: RequestState) -> str:
    """Fill in the prompt of this name for the first completion.

    The file contains `{{QUESTION}}`, `{{ANSWER}}` and, if the judge is to see the first reference, `{{GOLD}}`.

    Raises: ValueError without a completion, or without a required reference.
    """
    template = read_prompt(name)
    values = {"{{QUESTION}}": request_state.instance.input.text}
    if "{{GOLD}}" in template:
        values["{{GOLD}}"] = get_gold_text(request_state)
    values["{{ANSWER}}"] = get_completion_text(request_state)
    return fill_in(template, values)
