"""`python -m helm.benchmark.reeval_run`: `helm-run` with adaptive testing."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from helm.benchmark.assembly.run_arguments import build_parser as build_run_parser
from helm.benchmark.run import helm_run
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.benchmark.run_spec import RunSpec

_RUNNER = "helm.benchmark.reeval_runner.REEvalRunner"


def build_parser() -> argparse.ArgumentParser:
    """Build the parser: the flags of `helm-run`, and those of adaptive testing."""
    parser = build_run_parser()
    parser.prog = "reeval_run"
    parser.description = "Evaluate language models adaptively, with the questions that say most about their ability."
    parser.epilog = "Example: python -m helm.benchmark.reeval_run -r ENTRY -m 50 --difficulties bank.jsonl --suite try."
    add = parser.add_argument_group("adaptive testing").add_argument
    add("--model-ability", type=float, default=0.0, metavar="LOGITS", help="ability to begin with (%(default)s)")
    add("--difficulties", metavar="FILE", help="bank of difficulties, JSON lines (HELM's on the Hugging Face Hub)")
    add("--max-standard-error", type=float, metavar="LOGITS", help="also stop when the ability is known this well")
    return parser


@command_main(build_parser, interrupted="Finished work is kept; the same command continues from there.")
def main(args: argparse.Namespace) -> int | None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments; 3 budget exhausted; 130 interrupted."""
    from helm.benchmark.run import run_command
    from helm.common.errors import ConfigError
    from helm.common.reeval_parameters import REEvalParameters

    if args.runner_class_name or args.engine != "local":
        raise ConfigError("Adaptive testing has a runner of its own: leave out --runner-class-name and --engine.")
    limit = args.max_standard_error
    if limit is not None and not 0 < limit < float("inf"):
        raise ConfigError(f"--max-standard-error takes a number above 0, not {limit}.")
    parameters = REEvalParameters(args.model_ability, args.difficulties, limit)

    def change(run_specs: list[RunSpec]) -> list[RunSpec]:
        return [
            replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, reeval_parameters=parameters))
            for run_spec in run_specs
        ]

    args.runner_class_name = _RUNNER
    if args.command:
        args.command = args.command.replace("helm-run", "python -m helm.benchmark.reeval_run", 1)
    return run_command(args, lambda args: helm_run(args, change))


if __name__ == "__main__":
    main()
