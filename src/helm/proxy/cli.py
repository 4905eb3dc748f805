"""`crfm-proxy-cli`: the accounts of a proxy server."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.common.authentication import Authentication
    from helm.proxy.accounts import Account, Usage
    from helm.proxy.services.remote_service import RemoteService

GRANULARITIES = ["daily", "monthly", "total"]

UNLIMITED_QUOTA = "unlimited"

DEFAULT_SERVER_URL = "http://localhost:1959"
"""Where `crfm-proxy-server` listens. HELM's default is its own public server, which no longer exists."""

_SHOWN_OF_KEY = 6
"""How many characters of a key `list` prints: enough to tell accounts apart, and too few to use them."""


def build_parser() -> argparse.ArgumentParser:
    """Build the parser, with HELM's subcommands and flags, and `rotate`."""
    from helm.proxy.services.remote_service import add_service_args

    parser = SuggestingArgumentParser(
        prog="crfm-proxy-cli",
        description="Manage the accounts of a proxy server. The key of an administrator is read from a file.",
        epilog="Example: crfm-proxy-cli --api-key-path prod_env/proxy_admin_key.txt create -d Ada -q gpt4:daily:20000",
    )
    add_service_args(parser)
    parser.set_defaults(server_url=DEFAULT_SERVER_URL)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add_command(name: str, text: str) -> Any:
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        group = command.add_argument
        group("-m", "--show-model-groups", nargs="*", default=[], metavar="GROUP", help="show usage of these models")
        return group

    add = add_command("list", "list the accounts")
    add("-g", "--group", metavar="GROUP", help="list only accounts in this group")
    add("--show-keys", action="store_true", help="print keys in full")
    for name, text in (("create", "create an account and print its key"), ("update", "change an account")):
        add = add_command(name, text)
        if name == "update":
            add("-k", "--api-key", required=True, metavar="KEY", help="key of the account, or its unique beginning")
        add("-d", "--description", help="what the account is for")
        add("-e", "--emails", nargs="*", metavar="EMAIL", help="replace the addresses of its owners")
        add("-g", "--groups", nargs="*", metavar="GROUP", help="replace the groups that it belongs to")
        add("-a", "--is-admin", type=_read_bool, metavar="BOOL", help="whether it is an administrator: true or false")
        add(
            "-q",
            "--quotas",
            nargs="*",
            default=[],
            metavar="QUOTA",
            help="such as gpt3:daily:20000, gpt3:total:unlimited",
        )
    for name, text in (("delete", "delete an account"), ("rotate", "give an account another key and print it")):
        add = add_command(name, text)
        add("-k", "--api-key", required=True, metavar="KEY", help="key of the account, or its unique beginning")
    return parser


def _read_bool(text: str) -> bool:
    if text.lower() not in ("true", "false", "1", "0"):
        raise argparse.ArgumentTypeError(f"takes true or false, not '{text}'")
    return text.lower() in ("true", "1")


def render_usage(usage: Usage) -> str:
    """Return a text such as `12/10000`."""
    return f"{usage.used}/{UNLIMITED_QUOTA if usage.quota is None else usage.quota}"


def render_header(show_model_groups: Sequence[str]) -> list[str]:
    names = [f"{group}.{granularity}" for group in show_model_groups for granularity in GRANULARITIES]
    return ["api_key", "description", "emails", "groups", "is_admin", *names]


def render_account(account: Account, show_model_groups: Sequence[str] = (), with_key: bool = True) -> list[str]:
    """Return the cells of an account in a table."""
    from helm.proxy.accounts import Usage

    key = account.api_key if with_key else f"{account.api_key[:_SHOWN_OF_KEY]}..."
    cells = [key, account.description, ",".join(account.emails), ",".join(account.groups)]
    cells.append("true" if account.is_admin else "false")
    for group in show_model_groups:
        usages = account.usages.get(group, {})
        cells += [render_usage(usages.get(granularity, Usage())) for granularity in GRANULARITIES]
    return cells


def print_table(header: Sequence[str], items: Sequence[Sequence[str]]) -> None:
    from tabulate import tabulate

    print(tabulate(items, header, tablefmt="simple", disable_numparse=True))


def print_item(header: Sequence[str], item: Sequence[str]) -> None:
    for name, value in zip(header, item, strict=True):
        print(f"{name}: {value}")


def do_list_command(service: RemoteService, auth: Authentication, args: argparse.Namespace) -> None:
    accounts = service.get_accounts(auth)
    chosen = [account for account in accounts if args.group is None or args.group in account.groups]
    items = [render_account(account, args.show_model_groups, args.show_keys) for account in chosen]
    print_table(render_header(args.show_model_groups), items)


def do_create_update_command(service: RemoteService, auth: Authentication, args: argparse.Namespace) -> None:
    """Create or change an account. What is not given stays as it is. All arguments are read before anything changes."""
    from dataclasses import replace

    from helm.proxy.accounts import Usage

    quotas = [_read_quota(text) for text in args.quotas]
    account = service.create_account(auth) if args.command == "create" else _find(service, auth, args.api_key)
    names = ("description", "emails", "groups", "is_admin")
    changes = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    usages = {group: dict(by_granularity) for group, by_granularity in account.usages.items()}
    for group, granularity, quota in quotas:
        usage = usages.setdefault(group, {}).get(granularity, Usage())
        usages[group][granularity] = replace(usage, quota=quota)
    if changes or quotas:
        account = service.update_account(auth, replace(account, usages=usages, **changes))
    _print(account, args)


def do_delete_command(service: RemoteService, auth: Authentication, args: argparse.Namespace) -> None:
    _print(service.delete_account(auth, _find(service, auth, args.api_key).api_key), args)


def do_rotate_command(service: RemoteService, auth: Authentication, args: argparse.Namespace) -> None:
    _print(service.rotate_api_key(auth, _find(service, auth, args.api_key)), args)


def _print(account: Account, args: argparse.Namespace) -> None:
    print_item(render_header(args.show_model_groups), render_account(account, args.show_model_groups))


def _find(service: RemoteService, auth: Authentication, key: str) -> Account:
    """Return the account with a key, or with a key that begins like it. Raises: ConfigError if there is not exactly one."""
    from helm.common.errors import ConfigError

    accounts = service.get_accounts(auth)
    exact = [account for account in accounts if account.api_key == key]
    beginning = key.removesuffix("...")
    found = exact or [a for a in accounts if len(beginning) >= _SHOWN_OF_KEY and a.api_key.startswith(beginning)]
    if len(found) != 1:
        raise ConfigError(
            f"{len(found) or 'None'} of the {len(accounts)} accounts has this key; see crfm-proxy-cli list."
        )
    return found[0]


def _read_quota(text: str) -> tuple[str, str, int | None]:
    from helm.common.errors import ConfigError, suggest

    group, granularity, number = (*text.rsplit(":", 2), "", "")[:3]
    if not group or not (number == UNLIMITED_QUOTA or (number.isascii() and number.isdigit())):
        raise ConfigError(f"--quotas takes GROUP:GRANULARITY:NUMBER such as gpt3:daily:20000, not '{text}'.")
    if granularity not in GRANULARITIES:
        raise ConfigError(
            f"--quotas: a quota is {', '.join(GRANULARITIES)}, not '{granularity}'.{suggest(granularity, GRANULARITIES)}"
        )
    return group, granularity, None if number == UNLIMITED_QUOTA else int(number)


def create_remote_service(args: argparse.Namespace) -> RemoteService:
    from helm.proxy.services.remote_service import RemoteService

    return RemoteService(args.server_url)


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments."""
    from helm.proxy.services.remote_service import create_authentication

    commands = {"list": do_list_command, "delete": do_delete_command, "rotate": do_rotate_command}
    auth = create_authentication(args)
    commands.get(args.command, do_create_update_command)(create_remote_service(args), auth, args)


if __name__ == "__main__":
    main()
