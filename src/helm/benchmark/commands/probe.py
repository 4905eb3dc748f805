"""`helm-probe`: finds out what a language model supports, and thus which runs it can take part in."""

from __future__ import annotations

import argparse
import json
import os
import tempfile

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(
        prog="helm-probe",
        description="Ask language models a few short questions, to find out what they can do.",
        epilog="Example: helm-probe openai-compat/llama@http://localhost:8000/v1",
    )
    parser.add_argument(
        "models", nargs="+", metavar="MODEL", help="models or deployments, as in model=... of run entries"
    )
    parser.add_argument(
        "--ask", action="store_true", help="ask also where the deployment says itself what it can do (capabilities)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--local-path",
        default="prod_env",
        metavar="FOLDER",
        help="folder with credentials and your catalogue (%(default)s)",
    )
    parser.add_argument(
        "--base-url", metavar="URL", help="server of models openai-compat/NAME (or set OPENAI_BASE_URL)"
    )
    parser.add_argument("--plugins", nargs="+", metavar="PLUGIN", help="modules or paths to import first")
    return parser


def _probe_all(args: argparse.Namespace) -> list:
    from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue
    from helm.benchmark.model_deployment_registry import (
        get_default_model_deployment_for_model,
        get_model_deployment,
    )
    from helm.clients.auto_client import AutoClient
    from helm.clients.capabilities import declared_capabilities, probe
    from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
    from helm.common.local_context import LazyCredentials

    register_catalogue(CatalogueSetup(args.local_path, args.plugins or []))
    found = []
    with tempfile.TemporaryDirectory() as storage:
        auto_client = AutoClient(LazyCredentials(args.local_path), storage, BlackHoleCacheBackendConfig())
        for name in args.models:
            deployment = get_model_deployment(get_default_model_deployment_for_model(name) or name)
            if deployment.capabilities is not None and not args.ask:
                found.append(declared_capabilities(deployment.name, deployment.capabilities))
            else:
                client = auto_client.get_client(deployment.name)
                found.append(probe(client, str(deployment.model_name), deployment.name))
    return found


def _describe(capabilities: object) -> str:
    from tabulate import tabulate

    from helm.clients.capabilities import INSTEAD, NEEDS, Capabilities, flag_for

    assert isinstance(capabilities, Capabilities)
    words = {True: "yes", False: "no", None: "?"}
    rows = [[c.name, words[c.works], _shortened(c.reason)] for c in capabilities.capabilities]
    if capabilities.context_length is not None:
        rows.append(["context length", f"{capabilities.context_length}", ""])
    lines = [capabilities.deployment, tabulate(rows, tablefmt="plain", disable_numparse=True)]
    if capabilities.server is not None:
        lines.insert(1, f"Server: {capabilities.server}")
    if capabilities.hint is not None:
        return "\n".join([*lines, capabilities.hint])
    cannot = [method for method in NEEDS if capabilities.why_not(method) is not None]
    can = [method for method in NEEDS if method not in cannot]
    lines.append("Adapter methods that can run: " + (", ".join(can) or "none"))
    if cannot:
        lines.append("That cannot: " + ", ".join(cannot))
    for need in dict.fromkeys(NEEDS[method] for method in cannot):
        flag = flag_for(need, capabilities.server)
        if flag:
            lines.append(f"For {need}: {flag}")
    for method in cannot:
        if method in INSTEAD and INSTEAD[method] in can:
            lines.append(f"Instead of {method}: {INSTEAD[method]}")
    return "\n".join(lines)


def _shortened(text: str, most: int = 100) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exit status: 0 every model answered; 1 one did not, or does not exist; 2 bad arguments."""
    from helm.common.codec import asdict_without_nones

    if args.base_url:
        os.environ["OPENAI_BASE_URL"] = args.base_url
    found = _probe_all(args)
    if args.json:
        print(json.dumps([asdict_without_nones(capabilities) for capabilities in found], indent=2))
    else:
        print("\n\n".join(_describe(capabilities) for capabilities in found))
    all_answered = all(any(capability.works for capability in capabilities.capabilities) for capabilities in found)
    return 0 if all_answered else 1


if __name__ == "__main__":
    main()
