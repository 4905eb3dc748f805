"""`python -m helm.benchmark.commands.scenario_states` redacts, encrypts and decrypts the texts of a suite's runs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.results.run_files.run_folder import RunFolder

REDACTED = "[redacted]"
_SUFFIX = ".encrypted"
_MAGIC = b"helm-aesgcm-1\n"
_NONCE_BYTES = 12
_KEY_BYTES = 32

_KEPT = frozenset(
    "id instance_id split sub_split tags model model_deployment request_mode kind name class_name method reason "
    "perturbation_name eval_splits".split()
)
"""The fields whose texts redaction keeps; all other texts of instances, requests and answers go, with the keys of those
whose names come from data."""

_DATA_FIELDS = frozenset(("extra_data", "annotations", "output_mapping", "error", "options", "messages"))


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(
        prog="scenario_states",
        description="Redact, encrypt or decrypt the files of a suite that contain questions and answers.",
        epilog="Example: python -m helm.benchmark.commands.scenario_states encrypt --suite mine --key-path key.bin",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    texts = {
        "redact": "replace questions, references, prompts and answers; this cannot be undone",
        "encrypt": "encrypt the files that contain them; a missing key file is created",
        "decrypt": "restore the files",
    }
    for name, text in texts.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        add = command.add_argument
        add(
            "-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where the runs are (%(default)s)"
        )
        add("--suite", required=True, help="the suite")
        if name != "redact":
            add("--key-path", required=True, metavar="FILE", help="file with the key, 32 random bytes")
    return parser


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments."""
    from helm.common.commands.output_path import get_suite_path
    from helm.common.errors import ConfigError
    from helm.results.run_files.run_folder import JOURNAL_FILE_NAME, find_runs

    path = get_suite_path(args.output_path, args.suite)
    runs = list(find_runs(path)) if os.path.isdir(path) else []
    if not runs:
        raise ConfigError(f"There are no runs in {path}.")
    for run in runs:
        if JOURNAL_FILE_NAME in run.files:
            raise ConfigError(
                f"{run.path} is unfinished: its {JOURNAL_FILE_NAME} contains answers. Finish or drop it first."
            )
    change = _redact if args.command == "redact" else _cipher(args.command, args.key_path)
    number = sum(change(run) for run in runs)
    print(f"{number} files of {len(runs)} runs: {args.command}ed.")
    if args.command != "decrypt":
        print(
            f"Not covered: the response cache and what scenarios downloaded, {args.output_path}/scenario_instances and "
            "scenarios, and indexes and exports made from the runs."
        )


def _text_files() -> tuple[str, ...]:
    from helm.results.run_files import run_folder

    return (run_folder.SCENARIO_STATE_FILE_NAME, *run_folder.DISPLAY_FILE_NAMES)


def _redact(run: RunFolder) -> int:
    """Redact the files of a run; returns their number. Its `error.json`, which may quote a question, is removed."""
    from helm.common.errors import HelmError
    from helm.results.run_files.compressed_files import write_run_file_if_changed
    from helm.results.run_files.json_files import format_json
    from helm.results.run_files.json_items import read_json
    from helm.results.run_files.run_folder import ERROR_FILE_NAME, RunFileError, stored_path

    number = 0
    for name in _text_files():
        if name not in run.files:
            continue
        try:
            value = read_json(stored_path(run.path, name))
        except RunFileError as e:
            raise HelmError(f"{e} The file stays as it is.") from e
        if isinstance(value, dict):  # the adapter spec is that of run_spec.json
            value = {**value, "request_states": redacted(value.get("request_states", []))}
        else:
            value = redacted(value)
        write_run_file_if_changed(run.path, name, format_json(value))
        number += 1
    if ERROR_FILE_NAME in run.files:
        os.unlink(os.path.join(run.path, ERROR_FILE_NAME))
    return number


def redacted(value: Any, field: str = "") -> Any:
    """Return a value in which all texts are replaced, except in fields that say nothing about the content."""
    if isinstance(value, str):
        return value if field in _KEPT or not value else REDACTED
    if isinstance(value, list):
        return [redacted(item, field) for item in value]
    if isinstance(value, dict):
        if value and field in _DATA_FIELDS:
            return {}
        return {key: redacted(item, key) for key, item in value.items()}
    return value


def _cipher(command: str, key_path: str) -> Callable[[RunFolder], int]:
    """Return a function that encrypts or decrypts the files of a run. Raises: HelmError."""
    from helm.common.errors import ConfigError, HelmError
    from helm.common.files import open_atomically
    from helm.common.optional_dependencies import needs_extra
    from helm.results.run_files.run_folder import ERROR_FILE_NAME, stored_names

    with needs_extra("encryption"):
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if command == "encrypt" and not os.path.lexists(key_path):
        with os.fdopen(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new_file:
            new_file.write(os.urandom(_KEY_BYTES))
    with open(key_path, "rb") as file:
        key = file.read()
    if len(key) != _KEY_BYTES:
        raise ConfigError(f"{key_path} has {len(key)} bytes; a key has {_KEY_BYTES}.")
    cipher = AESGCM(key)

    def change(run: RunFolder) -> int:
        number = 0
        for name in [form for known in (*_text_files(), ERROR_FILE_NAME) for form in stored_names(known)]:
            source, target = (name, name + _SUFFIX) if command == "encrypt" else (name + _SUFFIX, name)
            if not os.path.isfile(os.path.join(run.path, source)):
                continue
            place = _MAGIC + f"{os.path.basename(run.path)}/{name}".encode()  # files cannot be exchanged for each other
            with open(os.path.join(run.path, source), "rb") as file:
                data = file.read()
            if command == "encrypt":
                nonce = os.urandom(_NONCE_BYTES)
                data = _MAGIC + nonce + cipher.encrypt(nonce, data, place)
            else:
                start = len(_MAGIC) + _NONCE_BYTES
                try:
                    data = cipher.decrypt(data[len(_MAGIC) : start], data[start:], place)
                except (InvalidTag, ValueError) as e:
                    raise HelmError(
                        f"{os.path.join(run.path, source)} cannot be decrypted: another key, or the file was changed or moved."
                    ) from e
            with open_atomically(os.path.join(run.path, target), binary=True) as out:
                out.write(data)
            os.unlink(os.path.join(run.path, source))
            number += 1
        return number

    return change


if __name__ == "__main__":
    main()
