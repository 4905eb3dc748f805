"""The class path that run specs of version 0.2 have for tasks of lm-evaluation-harness."""

from typing import Any

from helm.benchmark.declarative.lm_eval_task import GENERATE_UNTIL
from helm.benchmark.lm_eval.scenario import QUESTIONS, LMEvalTaskScenario


class LMEvalScenario(LMEvalTaskScenario):
    """A task as `LMEvalTaskScenario` reads it with `form="questions"`, from the arguments that this class had.

    Args:
        task: its name.
        dataset_path, dataset_name, dataset_kwargs: keys of the task file, as all that are not named here.
        eval_split: its rows are evaluated.
        fewshot_split: its rows are for training.
        fewshot_samples: rows for training, instead of a split.
        example_delimiter: put in front of the references of training instances; those with `gen_prefix` have `target_delimiter`.
        main_metric: for tables.
    """

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
        config = {
            "task": task,
            "dataset_path": dataset_path,
            "dataset_name": dataset_name,
            "dataset_kwargs": dataset_kwargs,
            "output_type": output_type,
            "test_split": eval_split,
            "fewshot_config": {"split": fewshot_split, "samples": fewshot_samples},
            "doc_to_text": doc_to_text,
            "doc_to_target": doc_to_target,
            "doc_to_choice": doc_to_choice,
            "gen_prefix": gen_prefix,
            "target_delimiter": target_delimiter if gen_prefix else example_delimiter,
        }
        super().__init__(task, config, num_fewshot=num_fewshot, main_metric=main_metric, form=QUESTIONS)
