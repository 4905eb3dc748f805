"""The jobs about a task: to build its requests or read its questions, and to score the answers to them."""

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any

from . import documents as documents_module
from . import draws, measures
from .documents import Instance, Sources
from .failures import CODE_FOLDER, DrawsAtRandom, TaskFailure, naming
from .filters import apply_steps
from .media import AUDIO, IMAGE, as_sent, without_media
from .plain import from_plain, to_plain
from .questions import read_questions
from .task import ConfigurableTask, Task

FUNCTION = "!function"
"""The key of a reference to Python code: `{"!function": "folder/file.py", "name": "function"}`."""

_sources: ContextVar[Sources] = ContextVar("sources")


class _CurrentSources(Sources):
    def load(self, path: str, name: str | None, split: str | None, arguments: dict[str, Any]) -> Any:
        return _sources.get().load(path, name, split, arguments)


documents_module.SOURCES = _CurrentSources()


def run_job(job: dict[str, Any], sources: Sources, folder: str | None = None) -> dict[str, Any]:
    """Do a job. Code of tasks draws from generators with fixed seeds. Raises: TaskFailure, NeedsData, DrawsAtRandom.

    Args:
        job: `action` (`build`, `read` or `score`), `config` (the keys of the task file), and what the action needs.
            `examples_first` and `processes_again`: what `build` is to do after `DrawsAtRandom`.
        sources: the data sets.
        folder: the folder that has `task_code`. None for a task without code.
    """
    token = _sources.set(sources)
    if folder is not None:
        draws.seed(folder)
    try:
        with naming("the task cannot be loaded"):
            task = load_task(job["config"], folder)
        if job["action"] == "build":
            return build(task, job, folder is not None)
        return {"read": read_questions, "score": score}[job["action"]](task, job)
    finally:
        _sources.reset(token)


# ---- the task and its code


def load_task(config: dict[str, Any], folder: str | None) -> Task:
    """Return the task that a file describes, with the functions that it names."""
    keys = {key: load_value(value, folder) for key, value in config.items()}
    given = keys.pop("class", None)
    if given is None:
        return ConfigurableTask(keys)
    takes_config = "config" in inspect.signature(given.__init__).parameters
    made = given(config=keys) if takes_config else given()
    for key, value in keys.items():
        made.config.setdefault(key, value)
    made.task_name = keys.get("task")
    return made


def load_value(value: Any, folder: str | None) -> Any:
    """Return the value with the functions that its references name."""
    if isinstance(value, dict):
        if FUNCTION in value:
            return load_function(value[FUNCTION], value["name"], folder)
        return {key: load_value(item, folder) for key, item in value.items()}
    return [load_value(item, folder) for item in value] if isinstance(value, list) else value


def load_function(file: str, name: str, folder: str | None) -> Any:
    """Return what a file of the task's code calls so. Raises: TaskFailure."""
    if folder is None:
        raise TaskFailure(f"{file} is Python code, which runs only in the sandbox")
    try:
        module = _import(file, folder)
    except ModuleNotFoundError as error:
        raise TaskFailure(
            f"{file} imports {error.name or 'something'} that is not installed where the task's code runs: install it in "
            f"this Python's environment ({error})"
        ) from error
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise TaskFailure(f"{file} has no '{name}'")
        found = getattr(found, part)
    return found


def _import(file: str, folder: str) -> Any:
    parts = file.removesuffix(".py").split("/")
    name = ".".join(["lm_eval", "tasks", *parts])
    if not any("." in part for part in parts):
        return importlib.import_module(name)
    path = os.path.join(folder, CODE_FOLDER, file)
    name = "lm_eval_task_" + "_".join(parts).replace(".", "_")
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ImportError(file)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


# ---- building requests


def build(task: Task, job: dict[str, Any], has_code: bool) -> dict[str, Any]:
    """Return the documents of a task with what is asked about each. Raises: DrawsAtRandom."""
    options = job.get("options") or {}
    number = int(job.get("num_fewshot") or 0)
    documents = _evaluated(task, job, has_code)
    built = []
    for i, doc in enumerate(documents):
        with naming("prompt", i):
            context = task.fewshot_context(doc, num_fewshot=number, **options)
        with naming("requests", i):
            asked = task.construct_requests(
                doc,
                context,
                apply_chat_template=bool(options.get("apply_chat_template")),
                metadata=(task.task_name, i, 1),
            )
        requests = list(asked) if isinstance(asked, (list, tuple)) else [asked]
        with naming("document", i):
            usual = task.config.get("generation_kwargs")
            built.append(
                {"doc": to_plain(without_media(doc)), **_describe(task, doc), **_pack(context, requests, usual)}
            )
        for kind in (IMAGE, AUDIO):
            key = f"doc_to_{kind}"
            if task.config.get(key) is not None:
                with naming(key, i):
                    built[-1].setdefault("media", []).extend(as_sent(getattr(task, key)(doc), kind))
    return {"documents": built, "output_type": task.output_type, "higher_is_better": _plain_or(task.higher_is_better())}


def _evaluated(task: Task, job: dict[str, Any], has_code: bool) -> list[Any]:
    """Return the evaluated documents, in the order and with the choices that draws of the code give in that program.

    It processes the documents of examples first, even if none are shown, then those that are evaluated. These it processes
    again when it asks about them; unless the code keeps a generator, it finds what it has processed before. Here all that is
    done only where it matters.
    """
    task.processes_again = bool(job.get("processes_again"))
    if job.get("examples_first"):
        with naming("the documents of examples cannot be read"):
            task.keep_examples()
    before = (draws.state(), draws.own_state()) if has_code else None
    with naming("the documents cannot be read"):
        documents = list(_each(task.eval_docs))
        if task.processes_again:
            documents = list(task.eval_docs)
    if before is not None and not job.get("examples_first") and (draws.state(), draws.own_state()) != before:
        raise DrawsAtRandom(draws.own_state() != before[1])
    return documents


def _each(docs: Any) -> Iterable[Any]:
    if docs is None:
        raise TaskFailure("the task has neither test nor validation documents")
    return docs


def _pack(context: Any, requests: Sequence[Instance], usual: Any) -> dict[str, Any]:
    """Return the requests, without what is the same in all of them: the context, and the `usual` way to generate."""
    packed = []
    for request in requests:
        arguments = list(request.args)
        first = None if arguments and arguments[0] is context else arguments[0]
        rest = [{} if isinstance(one, dict) and one == usual else one for one in arguments[1:]]
        packed.append([request.request_type, to_plain(first), *map(to_plain, rest)])
    return {"context": to_plain(context), "requests": packed}


def _describe(task: Task, doc: Any) -> dict[str, Any]:
    """Return what people want to see of a document: right answers, and choices."""
    shown: dict[str, Any] = {}
    for key, read in (("target", task.doc_to_target), ("choices", task.doc_to_choice)):
        if key == "choices" and task.config.get("doc_to_choice") is None:
            continue
        try:
            shown[key] = to_plain(read(doc))
        except Exception:  # it may be undefined for tasks that score by themselves
            shown[key] = None
    try:
        text = task.doc_to_text(doc)
        if isinstance(text, int) and not isinstance(text, bool):
            shown["gold"] = text
    except Exception:
        pass
    return shown


# ---- scoring


def score(task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Return, for each filter, the values of the metrics for each document, and their aggregates."""
    documents = job["documents"]
    docs = [from_plain(item["doc"]) for item in documents]
    found = []
    for item in task.filters():
        name = item.get("name", "none")
        per_request = [[_responses(one) for one in document["responses"]] for document in documents]
        flat = [answers for each in per_request for answers in each]
        owners = [doc for doc, each in zip(docs, per_request, strict=True) for _ in each]
        with naming(f"filter {name}"):
            filtered = apply_steps(flat, owners, item["filter"], lambda value: value)
        values: list[dict[str, Any]] = []
        start = 0
        for i, (doc, each) in enumerate(zip(docs, per_request, strict=True)):
            results = filtered[start : start + len(each)]
            start += len(each)
            with naming("process_results", documents[i].get("id", i)):
                values.append(dict(task.process_results(doc, results)))
        found.append({"filter": name, "values": [_numbers(one) for one in values], **_aggregate(task, values)})
    return {"filters": found, "higher_is_better": _plain_or(task.higher_is_better())}


def _responses(answers: list[Any]) -> list[Any]:
    return [tuple(one) if isinstance(one, list) else one for one in answers]


def _aggregate(task: Task, values: Sequence[dict[str, Any]]) -> dict[str, Any]:
    aggregations = task.aggregation()
    names = dict.fromkeys(name for one in values for name in one)
    aggregates: dict[str, Any] = {}
    kinds: dict[str, str] = {}
    for name in names:
        items = [one[name] for one in values if name in one]
        given = aggregations.get(name, "mean")
        function = given if callable(given) else measures.AGGREGATIONS.get(given)
        if function is None:
            raise TaskFailure(f"aggregation '{given}' of metric '{name}' is unknown")
        kinds[name] = given if isinstance(given, str) else "function"
        with naming(f"aggregation of {name}"):
            result = function(items)
            aggregates.update(_flat(name, to_plain(result)))
    return {"aggregates": aggregates, "aggregations": kinds}


def _flat(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and "!value" not in value:
        return {f"{name}_{key}": item for key, item in value.items() if _is_number(item)}
    return {name: value} if _is_number(value) or isinstance(value, dict) else {}


def _numbers(values: dict[str, Any]) -> dict[str, Any]:
    """Return those values that are single numbers."""
    plain = {}
    for name, value in values.items():
        value = value.item() if hasattr(value, "item") and getattr(value, "size", 1) == 1 else value
        if _is_number(value):
            plain[name] = to_plain(value)
    return plain


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float))


def _plain_or(value: Any) -> Any:
    try:
        return to_plain(value)
    except TypeError:
        return {}
