"""The table of the epochs of an instance: answers and scores of each, and the values that stand for all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.results.index.state_texts import completion_text, completions_of, get_extracted
from helm.results.metric_names import reduced_value_name, split_epoch_value_name
from helm.results.output_mapping import compile_pattern, map_answer
from helm.results.run_results import RunResults

_MAX_ANSWER_CHARACTERS = 200


@dataclass
class EpochRow:
    """The epoch of a number, or the values by a reducer."""

    title: str

    answer: str = ""

    values: list[float | None] = field(default_factory=list)
    """The values of the table's metrics, in their order; None where there is none."""


@dataclass
class EpochTable:
    """All epochs of an instance."""

    metrics: list[str]

    rows: list[EpochRow]

    reduced: list[EpochRow]
    """One row for each reducer; the first one is what counts."""


def describe_epochs(states: Sequence[Any], stats: Sequence[Any], results: RunResults) -> EpochTable | None:
    """Return the table of an instance from its request states and stats, as in files; None in a run without epochs."""
    if not any(isinstance(state.get("epoch"), int) for state in states):
        return None
    run_spec = results.run_spec
    pattern = compile_pattern(run_spec.adapter_spec.output_mapping_pattern, results.path)
    values, metrics = _read_values(stats)
    answers: dict[int, list[str]] = {}
    for state in states:
        epoch = state.get("epoch")
        if isinstance(epoch, int):
            answers.setdefault(epoch, []).append(_describe_answer(state, pattern))
    rows = [
        EpochRow(
            f"Epoch {epoch}",
            found[0] if len(found) == 1 else "",  # several requests, one per reference, are no answer by themselves
            [values.get((name, epoch)) for name in metrics],
        )
        for epoch, found in sorted(answers.items())
    ]
    names = run_spec.epochs.reducers if run_spec.epochs is not None else []
    reduced = [
        EpochRow(
            reducer,
            "",
            [values.get((name if i == 0 else reduced_value_name(name, reducer), None)) for name in metrics],
        )
        for i, reducer in enumerate(names)
    ]
    return EpochTable(metrics, rows, reduced)


def _read_values(stats: Sequence[Any]) -> tuple[dict[tuple[str, int | None], float | None], list[str]]:
    """Return values by metric and epoch (None for that of the instance), and the metrics that have values in epochs."""
    values: dict[tuple[str, int | None], float | None] = {}
    metrics: dict[str, None] = {}
    for entry in stats:
        found = entry.get("stats") if isinstance(entry, dict) else None
        for stat in found if isinstance(found, list) else []:
            name = stat.get("name") if isinstance(stat, dict) else None
            if not isinstance(name, dict):
                continue
            full, mean = str(name.get("name")), stat.get("mean")
            base, epoch = split_epoch_value_name(full) or (full, None)
            values.setdefault((base, epoch), mean if isinstance(mean, (int, float)) else None)
            if epoch is not None:
                metrics[base] = None
    return values, list(metrics)


def _describe_answer(state: Mapping[str, Any], pattern: Any) -> str:
    """Return what counts as the answer of a request, in one line: the choice, the extracted answer or the completion."""
    result = state.get("result")
    completions = completions_of(result) if isinstance(result, dict) else []
    if not completions or not isinstance(result, dict) or not result.get("success", True):
        return "no answer"
    text, extracted, mapping = completion_text(completions[0]), get_extracted(state), state.get("output_mapping")
    found: Any = text
    if isinstance(mapping, dict):
        found = map_answer(text, extracted, mapping, pattern)
    elif extracted is not None:
        found = extracted[0] if extracted else None
    if not isinstance(found, str):
        return "none found"
    line = " ".join(found[: 4 * _MAX_ANSWER_CHARACTERS].split())
    return line if len(line) <= _MAX_ANSWER_CHARACTERS else line[:_MAX_ANSWER_CHARACTERS] + "…"
