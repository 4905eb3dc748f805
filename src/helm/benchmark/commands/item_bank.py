"""`python -m helm.benchmark.commands.item_bank` makes a bank of difficulties for adaptive testing from finished runs."""

from __future__ import annotations

import argparse

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main


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
    from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME, find_runs
    from helm.results.statistics.item_response import fit_difficulties

    answers: dict[str, dict[str, float]] = {}
    for run in find_runs(get_suite_path(args.output_path, args.suite)):
        if RUN_SPEC_FILE_NAME in run.files:
            model, scores = _read_scores(run.path, args.metric)
            answers.setdefault(model, {}).update(scores)
    if len(answers) < 2:
        raise ConfigError(f"A bank needs the answers of at least two models; suite {args.suite} has {len(answers)}.")
    prompts = list(dict.fromkeys(prompt for scores in answers.values() for prompt in scores))
    if not prompts:
        raise ConfigError(f"No answer in suite {args.suite} has the metric {args.metric} with a value from 0 to 1.")
    responses = np.array([[scores.get(prompt, np.nan) for prompt in prompts] for scores in answers.values()])
    bank = dict(zip(prompts, (float(z) for z in fit_difficulties(responses)), strict=True))
    write_item_bank(args.to, bank)
    print(f"{args.to}: {len(prompts)} items from the answers of {len(answers)} models.")


def _read_scores(path: str, metric: str) -> tuple[str, dict[str, float]]:
    """Return the model of a run, and the score of each prompt that was sent unperturbed."""
    import json
    import os

    from helm.results.run_files import run_folder

    def read(name: str) -> object:
        with open(os.path.join(path, name), encoding="utf-8") as file:
            return json.load(file)

    state: dict = read(run_folder.SCENARIO_STATE_FILE_NAME)  # type: ignore[assignment]
    stats: list = read(run_folder.PER_INSTANCE_STATS_FILE_NAME)  # type: ignore[assignment]
    values = {}
    for item in stats:
        if item.get("perturbation") is None and item.get("train_trial_index", 0) == 0:
            for stat in item["stats"]:
                if stat["name"]["name"] == metric and 0 <= stat.get("mean", -1) <= 1:
                    values[item["instance_id"]] = float(stat["mean"])
    scores = {}
    for request_state in state["request_states"]:
        instance = request_state["instance"]
        is_single = request_state.get("reference_index") is None and request_state.get("train_trial_index", 0) == 0
        if is_single and instance.get("perturbation") is None and instance["id"] in values:
            scores[request_state["request"]["prompt"]] = values[instance["id"]]
    return str(state["adapter_spec"]["model"]), scores


if __name__ == "__main__":
    main()
