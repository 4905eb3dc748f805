"""The documents of a task of lm-evaluation-harness, and its settings."""

import copy
import random
from collections.abc import Callable
from typing import Any

from .failures import TaskFailure, naming
from .media import opened
from .tables import Dataset, DatasetDict

Document = dict[str, Any]

FEWSHOT_SEED = 1234
"""The seed of the draws of examples, in that program."""

LOGLIKELIHOOD, ROLLING, MULTIPLE_CHOICE = "loglikelihood", "loglikelihood_rolling", "multiple_choice"
GENERATE_UNTIL = "generate_until"


DEFAULT_METRICS = {
    GENERATE_UNTIL: ["exact_match"],
    MULTIPLE_CHOICE: ["acc", "acc_norm"],
    LOGLIKELIHOOD: ["perplexity", "acc"],
    ROLLING: ["word_perplexity", "byte_perplexity", "bits_per_byte"],
}

_OWN_DATA = (
    "(The code makes its own data. It gets the keys of `metadata`, which a task file that includes this one may set; it can "
    "download nothing, and reads only files that the sandbox shows, such as those in /usr and in this Python's environment.)"
)


class Sources:
    """The data sets that a task may read."""

    def load(self, path: str, name: str | None, split: str | None, arguments: dict[str, Any]) -> Any:
        """Return a table, or all tables by split. Raises: NeedsData."""
        raise NotImplementedError


SOURCES = Sources()


class Config(dict):
    """The keys of a task file, also as attributes; those that are not given are None."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def to_dict(self, **_: Any) -> dict[str, Any]:
        return dict(self)


class Instance:
    """One request about a document."""

    def __init__(
        self,
        request_type: str,
        doc: Document,
        arguments: tuple,
        idx: int,
        metadata: Any = None,
        resps: list[Any] | None = None,
        filtered_resps: dict[str, Any] | None = None,
        task_name: str | None = None,
        doc_id: int | None = None,
        repeats: int | None = None,
        **_: Any,
    ):
        self.request_type, self.doc, self.arguments, self.idx = request_type, doc, arguments, idx
        self.metadata, self.task_name, self.doc_id, self.repeats = metadata, task_name, doc_id, repeats
        self.resps, self.filtered_resps = resps or [], filtered_resps or {}

    @property
    def args(self) -> tuple:
        return self.arguments if isinstance(self.arguments, tuple) else (self.arguments,)


class _Splits(dict):
    """The splits of a task's data set, each loaded when it is first asked for."""

    def __init__(self, load: Callable[[str], Dataset]):
        super().__init__()
        self._load = load

    def __missing__(self, split: str) -> Dataset:
        self[split] = self._load(split)
        return self[split]


class TaskDocuments:
    """The settings and the documents of a task.

    Args:
        config: the keys of the task file.
    """

    VERSION: Any = None
    DATASET_PATH: str | None = None
    DATASET_NAME: str | None = None
    OUTPUT_TYPE: str | None = None

    processes_again = False
    """Whether documents are processed whenever they are asked for, as that program does with code that keeps a generator."""

    def __init__(self, config: dict[str, Any] | None = None, *_: Any, **__: Any):
        self._config = Config(config or {})
        if self.output_type == GENERATE_UNTIL and self._config.get("generation_kwargs") is None:
            self._config["generation_kwargs"] = {
                "until": [self._config.get("fewshot_delimiter") or "\n\n"], "do_sample": False, "temperature": 0.0,
                "max_gen_toks": 256,
            }  # fmt: skip
        self.dataset: Any = _Splits(self._load_split)
        self.fewshot_rnd = random.Random(FEWSHOT_SEED)
        self.task_name = self._config.get("task")
        self._examples: list[Document] | None = None
        self._processed: dict[str, Any] = {}
        self.download(dict(self._config.get("dataset_kwargs") or {}))
        self._training_docs: Any = None  # classes keep theirs here
        self._fewshot_docs: Any = None

    # ---- its settings

    @property
    def config(self) -> Config:
        return self._config

    @property
    def DATASET(self) -> tuple[str | None, str | None]:  # noqa: N802
        return (
            self._config.get("dataset_path") or self.DATASET_PATH,
            self._config.get("dataset_name") or self.DATASET_NAME,
        )

    @property
    def output_type(self) -> str:
        return self._config.get("output_type") or self.OUTPUT_TYPE or GENERATE_UNTIL

    def get_config(self, key: str) -> Any:
        return self._config.get(key)

    def set_config(self, key: str, value: Any, update: bool = False) -> None:
        old = self._config.get(key)
        self._config[key] = {**old, **value} if update and isinstance(old, dict) else value

    @property
    def eval_docs(self) -> Any:
        return self.test_docs() if self.has_test_docs() else self.validation_docs()

    def _metrics(self) -> list[dict[str, Any]]:
        given = self._config.get("metric_list")
        if given:
            return list(given)
        return [{"metric": name} for name in DEFAULT_METRICS[self.output_type]]

    def _metric_names(self) -> list[str]:
        return [name_of(item["metric"]) for item in self._metrics()]

    # ---- its documents

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Read the data set, where a function of the task makes it."""
        make = self._config.get("custom_dataset")
        if callable(make):
            given = {**(self._config.get("metadata") or {}), **(dataset_kwargs or {})}
            try:
                with naming(f"custom_dataset {name_of(make)}"):
                    made = make(**given)
            except TaskFailure as e:
                raise TaskFailure(f"{e}. {_OWN_DATA}") from e
            self.dataset = made if isinstance(made, dict) else DatasetDict(made)

    def _load_split(self, split: str) -> Dataset:
        path, name = self.DATASET
        if path is None:
            raise TaskFailure("the task names no data set (dataset_path)")
        table = SOURCES.load(path, name, split, dict(self._config.get("dataset_kwargs") or {}))
        return table.map(opened) if self._config.get("doc_to_image") is not None else table

    def has_training_docs(self) -> bool:
        return self._config.get("training_split") is not None

    def has_validation_docs(self) -> bool:
        return self._config.get("validation_split") is not None

    def has_test_docs(self) -> bool:
        return self._config.get("test_split") is not None

    def training_docs(self) -> Any:
        return self._documents(self._config.get("training_split"))

    def validation_docs(self) -> Any:
        return self._documents(self._config.get("validation_split"))

    def test_docs(self) -> Any:
        return self._documents(self._config.get("test_split"))

    def _documents(self, split: str | None) -> Any:
        if split is None:
            return None
        if split not in self._processed or self.processes_again:
            table = copy.deepcopy(self.dataset[split]) if self.processes_again else self.dataset[split]
            process = self._config.get("process_docs")
            if callable(process):
                with naming(f"process_docs {name_of(process)}, split {split}"):
                    table = process(table)
            self._processed[split] = table
        return self._processed[split]

    def fewshot_docs(self) -> Any:
        """Return the documents that examples are drawn from."""
        settings = self._config.get("fewshot_config") or {}
        samples = settings.get("samples")
        if callable(samples):
            with naming(f"fewshot_config.samples {name_of(samples)}"):
                return samples()
        if samples is not None:
            return samples
        split = self.fewshot_split
        if split is not None:
            process = settings.get("process_docs")
            if callable(process):
                with naming(f"fewshot_config.process_docs {name_of(process)}, split {split}"):
                    return process(self.dataset[split])
            return self._documents(split)
        for is_there, docs in (
            (self.has_training_docs, self.training_docs),
            (self.has_validation_docs, self.validation_docs),
        ):
            if is_there():
                return docs()
        return self.test_docs()

    @property
    def fewshot_split(self) -> str | None:
        """The split that the task names for examples."""
        settings = self._config.get("fewshot_config") or {}
        return settings.get("split") or self._config.get("fewshot_split")


def name_of(metric: Any) -> str:
    """Return the name of a function, also behind `functools.partial`; of anything else, its text."""
    while callable(metric) and not hasattr(metric, "__name__") and hasattr(metric, "func"):
        metric = metric.func
    return str(getattr(metric, "__name__", metric))
