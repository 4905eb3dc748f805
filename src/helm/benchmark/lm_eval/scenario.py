"""The scenario of tasks of lm-evaluation-harness: documents, and what is asked about each."""

import base64
import importlib.util
import re
from typing import Any

from helm.benchmark.lm_eval.questions import question_instances
from helm.benchmark.lm_eval.table_loading import make_loader
from helm.benchmark.lm_eval.task_code import read_code
from helm.benchmark.lm_eval.task_library import locate_root
from helm.benchmark.lm_eval.task_worker import do_job
from helm.benchmark.lm_eval.worker.documents import GENERATE_UNTIL, LOGLIKELIHOOD
from helm.benchmark.lm_eval.worker.media import PLACEHOLDERS
from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
)
from helm.common.data.media_store import MediaStore, checked_type
from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.optional_dependencies import handle_module_not_found_error

REQUESTS, QUESTIONS = FORMS = ("requests", "questions")

_ACTIONS = {REQUESTS: "build", QUESTIONS: "read"}


class LMEvalTaskScenario(Scenario):
    """The documents of a task. `extra_data` of an instance has the document and the requests about it.

    The input is the whole prompt, with the examples. References are the continuations whose likelihood is asked for, the
    right ones tagged; or the right answers.

    Args:
        task: its name.
        config: the keys of its file.
        root: where its code and data files are; see `task_library.locate_root`.
        code: digest and names of its code files. None without code.
        num_fewshot: number of examples in a prompt.
        options: `system_instruction`, `apply_chat_template`, `fewshot_as_multiturn`.
        greedy: whether the task has to know what the model writes by itself.
        main_metric: for tables.
        form: `requests`, as above; or `questions`: the input is the question alone, references are the choices or the right
            answers, and the rows for examples are instances for training, so that adaptation methods of this package can
            ask. A row without input or target (an empty column) is left out, with a warning that counts them.

    Raises:
        TaskError: Something cannot be computed, with task, document, and line of the code.
        ScenarioError: A question does not fit, with task, split and row.
    """

    name = "lm_eval_task"
    description = "A task of lm-evaluation-harness."
    tags: list[str] = []

    def __init__(
        self,
        task: str,
        config: dict[str, Any],
        root: str = "",
        code: dict[str, Any] | None = None,
        num_fewshot: int = 0,
        options: dict[str, Any] | None = None,
        greedy: bool = False,
        main_metric: str = "acc",
        form: str = REQUESTS,
    ):
        if form not in FORMS:
            raise ConfigError(f"form must be {' or '.join(FORMS)}, not '{form}'.{suggest(form, FORMS)}")
        super().__init__()
        self.task, self.config, self.root, self.code = task, config, root, code
        self.num_fewshot, self.options, self.greedy, self.main_metric = num_fewshot, options or {}, greedy, main_metric
        self.form = form
        self.description = f"The task {task} of lm-evaluation-harness."

    def get_instances(self, output_path: str) -> list[Instance]:
        if importlib.util.find_spec("jinja2") is None:
            handle_module_not_found_error(ModuleNotFoundError("jinja2", name="jinja2"), suggestions=["lm-eval"])
        folder = locate_root(self.root)
        code = None if self.code is None else read_code(folder, self.code)
        job = {
            "action": _ACTIONS[self.form],
            "config": self.config,
            "num_fewshot": self.num_fewshot,
            "options": self.options,
        }
        built = do_job(job, self.task, code, make_loader(output_path, folder, plain=code is not None))
        if self.form == QUESTIONS:
            return question_instances(self.task, self.config, built, self._split)
        store = MediaStore(output_path)
        instances = [self._instance(document, store) for document in built["documents"]]
        if not instances:
            hwarn(f"lm_eval: task {self.task} has no documents.")
        return instances

    def _instance(self, document: dict[str, Any], store: MediaStore) -> Instance:
        context, requests = document["context"], document["requests"]
        asked = [one for one in requests if one[0] == LOGLIKELIHOOD]
        references = self._continuations(document, asked) if asked else _answers(document.get("target"))
        messages = context if isinstance(context, list) else None
        if messages is None:
            text = str(context)
        else:
            text = "\n".join(str(message["content"]) for message in messages)
        if requests and requests[0][0] != GENERATE_UNTIL and not asked and requests[0][1] is not None and not text:
            text = str(requests[0][1])  # the text that is rolled over is what people want to see
        data: dict[str, Any] = {"doc": document["doc"], "requests": requests}
        if self.greedy:
            data["greedy"] = True
        if document.get("media"):
            shown = Input(multimedia_content=_with_media(text, document["media"], store))
        else:
            shown = Input(text=text, messages=messages)
        return Instance(shown, references, split=self._split, extra_data=data)

    def _continuations(self, document: dict[str, Any], asked: list[list[Any]]) -> list[Reference]:
        choices: list[Any] = document.get("choices") or []
        target = document.get("gold", document.get("target"))
        rights = target if isinstance(target, list) else [target]
        several = {str(one[1]) for one in asked if one[1] is not None}
        shown = asked[: len(choices)] if choices and len(asked) >= len(choices) else asked
        references = []
        for i, one in enumerate(shown):
            text = str(one[2])
            is_right = len(asked) == 1 or i in rights or (i < len(choices) and choices[i] in rights)
            if choices and len(several) > 1 and len(shown) == len(choices):
                text = str(choices[i])  # the choices are contexts
            references.append(Reference(Output(text=text), tags=[CORRECT_TAG] if is_right else []))
        return references

    @property
    def _split(self) -> str:
        name = str(self.config.get("test_split") or self.config.get("validation_split") or "")
        return VALID_SPLIT if name.startswith(("val", "dev")) else TEST_SPLIT

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.task,
            main_metric=self.main_metric,
            main_split=self._split,
            display_name=self.task,
            description=self.description,
            taxonomy=TaxonomyInfo(task=str(self.config.get("output_type") or GENERATE_UNTIL)),
        )


def _with_media(text: str, media: list[dict[str, str]], store: MediaStore) -> MultimediaObject:
    """Return a prompt with pictures and sounds at their placeholders; those beyond the placeholders go in front of it."""
    waiting: dict[str, list[MediaObject]] = {kind: [] for kind in PLACEHOLDERS}
    for one in media:
        path = store.keep(base64.b64decode(one["content"]))
        waiting[one["kind"]].append(MediaObject(checked_type(path), location=path))
    parts = re.split("(" + "|".join(map(re.escape, PLACEHOLDERS.values())) + ")", text)
    kinds = {placeholder: kind for kind, placeholder in PLACEHOLDERS.items()}
    placed: list[MediaObject] = []
    for part in parts:
        if part in kinds and waiting[kinds[part]]:
            placed.append(waiting[kinds[part]].pop(0))
        elif part:
            placed.append(MediaObject("text/plain", text=part))
    return MultimediaObject([one for rest in waiting.values() for one in rest] + placed)


def _answers(target: Any) -> list[Reference]:
    targets = target if isinstance(target, list) else [] if target is None else [target]
    return [Reference(Output(text=str(one)), tags=[CORRECT_TAG]) for one in targets]
