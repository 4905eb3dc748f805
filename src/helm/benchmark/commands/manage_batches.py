"""`helm-batch`: manages requests that were sent through batch APIs."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.clients.batch.batch_folder import BatchFolder, BatchRecord
    from helm.clients.batch.batches import Batches


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-batch`."""
    parser = SuggestingArgumentParser(
        prog="helm-batch",
        description="Look after the batches of helm-run --batch-api. They are gone on with by the same helm-run command.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add_command(name: str, text: str, takes_keys: bool = True) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if takes_keys:
            command.add_argument("keys", nargs="+", metavar="BATCH", help="as helm-batch list names them")
        command.add_argument(
            "--local-path",
            default="prod_env",
            metavar="FOLDER",
            help="folder with credentials and batches (%(default)s)",
        )
        return command

    add = add_command("list", "show the batches of the folder", takes_keys=False).add_argument
    add("--all", action="store_true", help="also those whose answers are in the response cache")
    add("--json", action="store_true", help="print JSON instead of a table")
    for name, text in (
        ("status", "ask the provider how far batches have come"),
        ("cancel", "have the provider end batches; what is answered is kept, and paid"),
    ):
        add = add_command(name, text).add_argument
        add("--plugins", nargs="+", metavar="PLUGIN", help="modules or paths to import first")
    add_command("forget", "remove all that is known of batches; what they were to answer is sent, and paid, again")
    return parser


def _list(folder: BatchFolder, args: argparse.Namespace) -> None:
    from dataclasses import asdict
    from datetime import UTC, datetime

    from tabulate import tabulate

    from helm.clients.batch.batch_folder import DONE, STAGES

    records = [record for record in folder.records() if args.all or record.stage != DONE]
    if args.json:
        print(json.dumps([asdict(record) for record in records], indent=2))
        return
    if not records:
        print(f"{folder.path} has no batches." if args.all else f"{folder.path} has no unfinished batches.")
        return
    rows = [
        [
            record.key,
            record.deployment,
            str(record.num_requests),
            "?" if record.expected_cost is None else f"{record.expected_cost:.4f}",
            datetime.fromtimestamp(record.created_at, UTC).strftime("%Y-%m-%d %H:%M"),
            f"{STAGES[record.stage]}{f' ({record.said})' if record.said else ''}",
        ]
        for record in records
    ]
    headers = ["batch", "deployment", "requests", "$ expected", "made (UTC)", "stage"]
    print(
        tabulate(rows, headers, tablefmt="simple", disable_numparse=True, colalign=("left", "left", "right", "right"))
    )


def _with_address(record: BatchRecord) -> str:
    """Return the deployment's name, with the recorded URL if its name has none and nothing else gives it.

    The environment is left alone: `OPENAI_API_KEY` goes to the server of `OPENAI_BASE_URL`, which the user must choose.
    """
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
    from helm.benchmark.model_deployments.openai_compatible_deployments import BASE_URL_VARIABLE, PREFIX, split_base_url

    name = record.deployment
    is_without = name.startswith(f"{PREFIX}/") and split_base_url(name)[1] is None
    if not is_without or os.environ.get(BASE_URL_VARIABLE) or name in DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT:
        return name
    return f"{name}@{record.address}"


def _batches_of(record: BatchRecord, args: argparse.Namespace) -> Batches:
    """Return the provider's batch API, with the key of the folder. Raises: ConfigError."""
    from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue
    from helm.clients.auto_client import AutoClient
    from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
    from helm.common.errors import ConfigError
    from helm.common.local_context import LazyCredentials

    register_catalogue(CatalogueSetup(args.local_path, args.plugins or []))
    with tempfile.TemporaryDirectory() as storage:
        auto_client = AutoClient(LazyCredentials(args.local_path), storage, BlackHoleCacheBackendConfig())
        batches = auto_client.get_client(_with_address(record)).batches
    if batches is None or batches.address != record.address:
        address = "an address without a batch API" if batches is None else batches.address
        raise ConfigError(
            f"Batch {record.key} is at {record.address}, and deployment '{record.deployment}' is now at {address}."
        )
    return batches


def _show_status(record: BatchRecord, args: argparse.Namespace) -> None:
    from helm.clients.batch.batch_folder import STAGES

    if record.batch_id is None:
        print(f"{record.key}: {STAGES[record.stage]}.")
        return
    status = _batches_of(record, args).poll(record.batch_id)
    counts = f"{status.num_done} of {record.num_requests} answered, {status.num_failed} failed"
    problem = f" {status.problem.message}" if status.problem else ""
    print(f"{record.key}: {status.said}, {counts} ({record.batch_id}; here: {STAGES[record.stage]}).{problem}")


def _cancel(record: BatchRecord, args: argparse.Namespace) -> None:
    from helm.clients.batch.batch_folder import STAGES, SUBMITTED, BatchError

    if record.stage != SUBMITTED or record.batch_id is None:
        raise BatchError(f"Batch {record.key} cannot be cancelled: {STAGES[record.stage]}.")
    _batches_of(record, args).cancel(record.batch_id)
    print(f"{record.key}: being cancelled. The same helm-run command uses the answers that are available.")


def _forget(folder: BatchFolder, keys: Sequence[str]) -> None:
    """Forget a batch, even if its record is damaged."""
    for key in keys:
        if not folder.has(key):
            folder.get(key)  # raises for an unknown key
        folder.forget(key)
        print(f"{key}: forgotten.")


_COMMANDS = {"status": _show_status, "cancel": _cancel}


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments; 130 interrupted."""
    from helm.clients.batch.batch_folder import FOLDER, BatchFolder
    from helm.clients.http.request_failure import RequestFailure
    from helm.common.errors import HelmError

    folder = BatchFolder(os.path.join(args.local_path, FOLDER))
    if args.command == "list":
        _list(folder, args)
    elif args.command == "forget":
        _forget(folder, args.keys)
    else:
        records = [folder.get(key) for key in args.keys]
        try:
            for record in records:
                _COMMANDS[args.command](record, args)
        except RequestFailure as e:
            raise HelmError(str(e)) from e


if __name__ == "__main__":
    main()
