"""A task of lm-evaluation-harness, as read from its file; see `lm_eval_reading`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import ConfigError

GENERATE_UNTIL = "generate_until"
MULTIPLE_CHOICE = "multiple_choice"
LOGLIKELIHOOD = "loglikelihood"
OUTPUT_TYPES = (GENERATE_UNTIL, MULTIPLE_CHOICE, LOGLIKELIHOOD)

METRICS = {
    GENERATE_UNTIL: ("exact_match", "bleu", "chrf", "ter"),
    MULTIPLE_CHOICE: ("acc", "acc_norm", "acc_bytes", "f1", "mcc"),
    LOGLIKELIHOOD: ("perplexity", "acc"),
}
DEFAULT_METRICS = {GENERATE_UNTIL: ["exact_match"], MULTIPLE_CHOICE: ["acc", "acc_norm"], LOGLIKELIHOOD: ["perplexity"]}
FILTERS: dict[str, dict[str, tuple[type, ...]]] = {
    "take_first": {},
    "take_first_k": {"k": (int,)},
    "majority_vote": {},
    "regex": {"regex_pattern": (str,), "group_select": (int,), "fallback": (str,)},
    "remove_whitespace": {},
    "lowercase": {},
    "uppercase": {},
    "map": {"mapping_dict": (dict,), "default_value": (str, int)},
}
"""Maps function to its arguments and their types."""


class LMEvalTaskError(ConfigError):
    """A task file is invalid, or not of the simple kind; the message begins with file, line and key."""


@dataclass(frozen=True)
class LMEvalTask:
    """A task. Texts are Jinja2 templates over the columns of a row, or names of columns."""

    task: str

    output_type: str

    dataset_path: str
    """A data set of the Hub, or `json`, `csv` or `parquet` with `data_files`."""

    doc_to_text: str

    doc_to_target: str | int

    eval_split: str
    """The split to evaluate: test, else validation."""

    dataset_name: str | None = None

    dataset_kwargs: dict[str, Any] = field(default_factory=dict)
    """The arguments among `data_files`, `data_dir` and `revision` that are given."""

    doc_to_choice: str | list[str] | None = None

    fewshot_split: str | None = None
    """Split of the examples. None if they come from `fewshot_samples`, or there are none."""

    fewshot_samples: list[dict[str, Any]] | None = None
    """Rows contained in the task file."""

    fewshot_in_order: bool = False
    """Whether the first rows are the examples; otherwise they are drawn."""

    num_fewshot: int = 0

    description: str = ""

    gen_prefix: str = ""
    """The beginning of each answer, which the model continues."""

    target_delimiter: str = " "

    fewshot_delimiter: str = "\n\n"

    until: list[str] = field(default_factory=list)

    max_gen_toks: int = 256

    temperature: float = 0.0

    repeats: int = 1

    filters: list[dict[str, Any]] = field(default_factory=list)
    """`{suffix, steps: [{function, ...}]}`; suffixes such as `_strict_match` distinguish the scores of several filters.
    """

    metrics: list[dict[str, Any]] = field(default_factory=list)
    """`{name, args}`."""

    groups: list[str] = field(default_factory=list)
    """The task's tags and groups."""


def named_groups(keys: Mapping[str, Any]) -> list[str]:
    """Return the groups and the tags that a task's file names, each once."""
    found: list[str] = []
    for key in ("group", "tag"):
        value = keys.get(key)
        found += [str(name) for name in (value if isinstance(value, list) else [value] if value else [])]
    return list(dict.fromkeys(found))


def is_delimiter_in_adapter(config: Mapping[str, Any]) -> bool:
    """Whether the adapter writes the delimiter between question and answer.

    Generation prompts end without it, because trailing whitespace is dropped.
    """
    kind = config.get("output_type") or GENERATE_UNTIL
    if kind == MULTIPLE_CHOICE:
        return True
    delimiter = config.get("target_delimiter")
    return kind == GENERATE_UNTIL and not config.get("gen_prefix") and not (delimiter or "").strip()
