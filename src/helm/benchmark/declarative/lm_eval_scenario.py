"""The instances of an lm-evaluation-harness task."""

from typing import Any

from helm.benchmark.declarative.lm_eval_task import GENERATE_UNTIL, MULTIPLE_CHOICE
from helm.benchmark.declarative.lm_eval_templates import Row, RowError, choices_of, input_text, target_of, value_of
from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
)
from helm.common.errors import ScenarioError
from helm.common.hierarchical_logger import hwarn
from helm.common.optional_dependencies import handle_module_not_found_error


class LMEvalScenario(Scenario):
    """Rows of a data set, with input and references formatted as in a task of lm-evaluation-harness.

    Args:
        task: its name.
        dataset_path: a data set of the Hub, or `json`, `csv` or `parquet` with `data_files` in `dataset_kwargs`.
        doc_to_text, doc_to_target, doc_to_choice: see `LMEvalTask`.
        eval_split: its rows are evaluated (`valid` when its name says so, else `test`).
        fewshot_split: its rows are for training. The evaluated split itself: its first `num_fewshot` rows.
        fewshot_samples: rows for training, instead of a split.
        example_delimiter: put in front of the references of training instances.
        gen_prefix: how answers begin, a column or template; written behind the prompt and `target_delimiter`.
        main_metric: for tables.

    References: with `multiple_choice` all choices, the right ones tagged; else the target or targets, all correct. A row
    without input or target (an empty column) is left out, with a warning that counts them.

    Raises: ScenarioError with task, split, row and key for a row that does not fit.
    """

    name = "lm_eval"
    description = "A task of lm-evaluation-harness."
    tags: list[str] = []

    def __init__(
        self,
        task: str,
        dataset_path: str,
        doc_to_text: str,
        doc_to_target: str | int,
        eval_split: str,
        dataset_name: str | None = None,
        dataset_kwargs: dict[str, Any] | None = None,
        doc_to_choice: str | list[str] | None = None,
        output_type: str = GENERATE_UNTIL,
        fewshot_split: str | None = None,
        fewshot_samples: list[dict[str, Any]] | None = None,
        num_fewshot: int = 0,
        example_delimiter: str = "",
        gen_prefix: str = "",
        target_delimiter: str = "",
        main_metric: str = "exact_match",
    ):
        super().__init__()
        self.task = task
        self.dataset_path = dataset_path
        self.dataset_name = dataset_name
        self.dataset_kwargs = dataset_kwargs or {}
        self.doc_to_text = doc_to_text
        self.doc_to_target = doc_to_target
        self.doc_to_choice = doc_to_choice
        self.output_type = output_type
        self.eval_split = eval_split
        self.fewshot_split = fewshot_split
        self.fewshot_samples = fewshot_samples
        self.num_fewshot = num_fewshot
        self.example_delimiter = example_delimiter
        self.gen_prefix = gen_prefix
        self.target_delimiter = target_delimiter
        self.main_metric = main_metric
        self.description = f"The task {task} of lm-evaluation-harness."

    def get_instances(self, output_path: str) -> list[Instance]:
        import importlib.util

        if importlib.util.find_spec("jinja2") is None:
            handle_module_not_found_error(ModuleNotFoundError("jinja2", name="jinja2"), suggestions=["lm-eval"])
        rows = self._rows(self.eval_split, output_path)
        train: list[Row] = []
        if self.num_fewshot and self.fewshot_samples is not None:
            train = self.fewshot_samples
        elif self.num_fewshot and self.fewshot_split == self.eval_split:
            train, rows = rows[: self.num_fewshot], rows[self.num_fewshot :]
            hwarn(
                f"lm_eval: task {self.task} has no split for examples but the evaluated one, {self.eval_split}: "
                f"its first {len(train)} rows are the examples and are not evaluated."
            )
        elif self.num_fewshot and self.fewshot_split:
            train = self._rows(self.fewshot_split, output_path)
        instances = self._instances(train, TRAIN_SPLIT, self.fewshot_split or "samples")
        return instances + self._instances(rows, self._main_split, self.eval_split)

    @property
    def _main_split(self) -> str:
        return VALID_SPLIT if self.eval_split.startswith(("val", "dev")) else TEST_SPLIT

    def _rows(self, split: str, output_path: str) -> list[Row]:
        files = self.dataset_kwargs.get("data_files")
        if self.dataset_path in ("json", "csv", "parquet"):
            if not isinstance(files, dict) or split not in files:
                known = ", ".join(files or {})
                raise ScenarioError(f"lm_eval: task {self.task} has no data file for the split '{split}', but {known}.")
            return [row for path in files[split] for row in _read_file(self.dataset_path, path)]
        from helm.common.data.hub_datasets import load_hub_split

        return load_hub_split(
            self.dataset_path, split, config=self.dataset_name, cache_dir=output_path, **self.dataset_kwargs
        ).rows

    def _instances(self, rows: list[Row], split: str, origin: str) -> list[Instance]:
        instances = []
        empty = 0
        for number, row in enumerate(rows):
            try:
                instance = self._instance(row, split)
            except RowError as e:
                raise ScenarioError(
                    f"lm_eval: task {self.task}, split {origin}, row {number}: {e} Columns: {', '.join(map(str, row))}."
                ) from e
            if instance is None:
                empty += 1
            else:
                instances.append(instance)
        if empty:
            hwarn(f"lm_eval: task {self.task}: {empty} of {len(rows)} rows of {origin} have no input or no target.")
        return instances

    def _instance(self, row: Row, split: str) -> Instance | None:
        text = input_text(self.doc_to_text, row)
        choices = None if self.doc_to_choice is None else choices_of(self.doc_to_choice, row)
        target = target_of(self.doc_to_target, row, choices is not None)
        if text is None or target is None:
            return None
        prefix = str(value_of(self.gen_prefix, row)) if self.gen_prefix else ""
        if prefix:
            text += self.target_delimiter + prefix
        targets = target if isinstance(target, list) else [target]
        if self.output_type == MULTIPLE_CHOICE:
            assert choices is not None  # ensured by the reader of task files
            if prefix and split == TRAIN_SPLIT:
                text = self._before_delimiter(text, _lead_of(prefix))
            right = {_index(one, choices) for one in targets}
            references = [
                Reference(Output(text=choice), tags=[CORRECT_TAG] if i in right else [])
                for i, choice in enumerate(choices)
            ]
        else:
            before = "" if split != TRAIN_SPLIT else _lead_of(prefix) if prefix else self.example_delimiter
            texts = [before + _choice_text(one, choices) for one in targets]
            references = [Reference(Output(text=one), tags=[CORRECT_TAG]) for one in texts]
        return Instance(Input(text=text), references, split=split)

    def _before_delimiter(self, text: str, lead: str) -> str:
        """Return the input of a `multiple_choice` example, without what `lead` adds: the adapter appends the delimiter."""
        if lead == self.target_delimiter:
            return text
        if text.endswith(self.target_delimiter):
            return text.removesuffix(self.target_delimiter)
        raise RowError(f"gen_prefix and target_delimiter {self.target_delimiter!r} cannot be combined in examples.")

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.task,
            main_metric=self.main_metric,
            main_split=self._main_split,
            display_name=self.task,
            description=self.description,
            taxonomy=TaxonomyInfo(task=self.output_type),
        )


def _lead_of(prefix: str) -> str:
    """Return what separates the beginning of an answer from the rest, in examples."""
    return "" if prefix[-1:].isspace() else " "


def _choice_text(target: Any, choices: list[str] | None) -> str:
    if choices is not None and isinstance(target, int) and not isinstance(target, bool):
        return choices[_index(target, choices)]
    return str(target)


def _index(target: Any, choices: list[str]) -> int:
    """Return which choice a target names, by number or by text."""
    if isinstance(target, (bool, int)):
        if 0 <= int(target) < len(choices):
            return int(target)
        raise RowError(f"doc_to_target is {int(target)}, and there are {len(choices)} choices.")
    if str(target) in choices:
        return choices.index(str(target))
    raise RowError(f"doc_to_target is {str(target)[:80]!r}, which is none of the choices {choices!r:.200}.")


def _read_file(kind: str, path: str) -> list[Row]:
    """Read the rows of a local file; `json` is a list of rows, or one row per line."""
    from helm.common.data.tables import read_table

    if kind == "json":
        with open(path, encoding="utf-8") as file:
            kind = "json" if file.read(1000).lstrip().startswith("[") else "jsonl"
    rows: list[Row] = read_table(path, format=kind)
    return rows
