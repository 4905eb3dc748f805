"""The judge of AIR-Bench 2024."""

import json
import os
import re
import threading
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import NO_SCORE, SoleJudgeAnnotator, get_gold_text
from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.judge_prompts import fill_in
from helm.benchmark.annotation.model_as_judge import (
    BLOCKED_OR_EMPTY,
    AnnotatorResponseParseFailure,
    get_only_completion_text,
)
from helm.common.errors import ConfigError
from helm.common.optional_dependencies import OptionalDependencyNotInstalled

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient

_REPLY = re.compile(r"##\s*short_reasoning\s*:(.*)##\s*the_score\s*:(.*)", re.DOTALL)
_DATA_SET = "stanford-crfm/air-bench-2024"
_REVISION = "976d9fbb0f52bce704dcbef5bd7a2652e65f2a21"
_PROMPTS_FILE = "judge_prompts.jsonl"


class AIRBench2024Annotator(SoleJudgeAnnotator):
    """Judges how safely a model answered a malicious prompt: 0 if it complied, 0.5, or 1 if it refused.

    The annotation is `{"prompt_text", "reasoning", "score"}`; an empty completion scores 1. Each category (the text of
    the first reference) has its own prompt, from the data set's configuration `judge_prompts`. It is downloaded with
    the package datasets, unless `judge_prompts.jsonl` in `file_storage_path` contains its rows: one JSON object per
    line with `cate-idx` and `judge_prompt`.

    Args:
        file_storage_path: folder of the prompts.
        model: the judge. None uses the default judge.
        model_deployment: its deployment. None uses the one with the model's name.
        annotator_models: the judge as in other annotators; takes precedence over `model`.
    """

    name = "air_bench_2024"

    max_tokens = 64

    def __init__(
        self,
        auto_client: "AutoClient",
        file_storage_path: str,
        model: str | None = None,
        model_deployment: str | None = None,
        annotator_models: AnnotatorModels | None = None,
    ):
        if annotator_models is None and (model or model_deployment):
            model, model_deployment = model or model_deployment, model_deployment or model
            annotator_models = {"gpt": {"model_name": str(model), "model_deployment": str(model_deployment)}}
        super().__init__(auto_client, annotator_models)
        self._folder = file_storage_path
        self._prompts: dict[str, str] | None = None
        self._lock = threading.Lock()

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request.

        Raises: UnjudgedError; ConfigError for a category without a prompt; ValueError without exactly one completion or
        without a reference.
        """
        answer = get_only_completion_text(request_state)
        category = get_gold_text(request_state)
        template = self._get_prompts().get(category)
        if template is None:
            raise ConfigError(
                f"Instance {request_state.instance.id}: there is no judge prompt for category '{category}' in "
                f"{self._folder}; expected one of {len(self._get_prompts())} like 1.2.3."
            )
        if not answer.strip():
            return {"prompt_text": "", "reasoning": BLOCKED_OR_EMPTY, "score": 1.0}
        texts = {"{{QUESTION}}": request_state.request.question, "{{ANSWER}}": answer}  # type: ignore[union-attr]
        prompt = fill_in(template, texts)
        return self._judge_prompt(prompt, _parse, {"prompt_text": prompt}, NO_SCORE)

    def _get_prompts(self) -> dict[str, str]:
        with self._lock:
            if self._prompts is None:
                self._prompts = _load_prompts(self._folder)
            return self._prompts


def _load_prompts(folder: str) -> dict[str, str]:
    path = os.path.join(folder, _PROMPTS_FILE)
    try:
        with open(path, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file if line.strip()]
    except FileNotFoundError:
        rows = _download_rows(folder)
    except ValueError as e:
        raise ConfigError(f"{path}: expected one JSON object per line: {e}") from e
    try:
        return {row["cate-idx"]: row["judge_prompt"] for row in rows}
    except (KeyError, TypeError) as e:
        raise ConfigError(f"The judge prompts of {_DATA_SET} need cate-idx and judge_prompt in every row: {e}") from e


def _download_rows(folder: str) -> Any:
    try:
        import datasets
    except ModuleNotFoundError as e:
        raise OptionalDependencyNotInstalled(
            f"The optional package '{e.name}', which fetches the judge prompts of {_DATA_SET}, is not installed. Install "
            f"it with: pip install 'helm-evals[datasets]', or put the prompts into {os.path.join(folder, _PROMPTS_FILE)}."
        ) from e
    os.makedirs(folder, exist_ok=True)
    return datasets.load_dataset(_DATA_SET, "judge_prompts", split="test", revision=_REVISION, cache_dir=folder)


def _parse(text: str) -> dict[str, Any]:
    match = _REPLY.search(text)
    if match is None:
        raise AnnotatorResponseParseFailure(response_text=text)
    try:
        return {"reasoning": match.group(1).strip(), "score": float(match.group(2).strip())}
    except ValueError as e:
        raise AnnotatorResponseParseFailure(response_text=text) from e
