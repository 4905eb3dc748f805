"""`python -m helm.benchmark.commands.item_bank` makes a bank of difficulties for adaptive testing from finished runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.results.run_results import RunResults


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(
        prog="item_bank",
        description="Estimate the difficulty of each prompt of a suite from the answers of all its models.",
        epilog="Example: python -m helm.benchmark.commands.item_bank --suite mine --metric exact_match --to bank.jsonl",
    )
    add = parser.add_argument
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where the runs are (%(default)s)")
    add("--suite", required=True, help="the suite whose runs are read")
    add(
        "--metric",
        default="exact_match",
        metavar="NAME",
        help="the metric, from 0 to 1, that is correctness (%(default)s)",
    )
    add("--to", required=True, metavar="FILE", help="the bank: JSON lines with prompt and difficulty")
    return parser


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments."""
    import numpy as np

    from helm.benchmark.executing.item_bank import write_item_bank
    from helm.common.commands.output_path import get_suite_path
    from helm.common.errors import ConfigError
    from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME
    from helm.results.run_results import load_suite
    from helm.results.statistics.item_response import fit_difficulties

    answers: dict[str, dict[str, float]] = {}
    for run in load_suite(get_suite_path(args.output_path, args.suite)):
        if {SCENARIO_STATE_FILE_NAME, PER_INSTANCE_STATS_FILE_NAME} - set(run.file_names):
            continue  # unfinished
        scores = _read_scores(run, args.metric)
        answers.setdefault(run.run_spec.adapter_spec.model, {}).update(scores)
    if len(answers) < 2:
        raise ConfigError(f"A bank needs the answers of at least two models; suite {args.suite} has {len(answers)}.")
    prompts = list(dict.fromkeys(prompt for scores in answers.values() for prompt in scores))
    if not prompts:
        raise ConfigError(f"No answer in suite {args.suite} has the metric {args.metric} with a value from 0 to 1.")
    responses = np.array([[scores.get(prompt, np.nan) for prompt in prompts] for scores in answers.values()])
    bank = dict(zip(prompts, (float(z) for z in fit_difficulties(responses)), strict=True))
    write_item_bank(args.to, bank)
    print(f"{args.to}: {len(prompts)} items from the answers of {len(answers)} models.")


def _read_scores(run: RunResults, metric: str) -> dict[str, float]:
    """Return the score of each prompt that was sent unperturbed and answered. Raises: RunFileError."""
    from helm.common.request import Request

    values: dict[str | None, float] = {}
    for entry in run.iterate_per_instance_stats():
        if entry.perturbation is None and not entry.train_trial_index:
            for stat in entry.stats:
                if stat.name.name == metric and stat.mean is not None and 0 <= stat.mean <= 1:
                    values[entry.instance_id] = stat.mean
    scores: dict[str, float] = {}
    for state in run.iterate_request_states():
        is_single = state.reference_index is None and not state.train_trial_index and not state.epoch
        is_answered = state.result is not None and state.result.success
        if not (is_single and is_answered and isinstance(state.request, Request)):
            continue
        if state.instance.perturbation is None and state.instance.id in values:
            scores[state.request.text] = values[state.instance.id]
    return scores


if __name__ == "__main__":
    main()
