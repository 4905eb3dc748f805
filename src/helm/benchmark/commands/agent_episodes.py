"""`helm-agent`: looks into single episodes of agents."""

import argparse
from typing import TYPE_CHECKING, Any

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import ConfigError, suggest

if TYPE_CHECKING:
    from helm.common.agent_request import AgentRequest, AgentResult

_EXIT_SAME = 0
_EXIT_OTHER = 3
_MAX_SHOWN = 100


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-agent`."""
    parser = SuggestingArgumentParser(
        prog="helm-agent",
        description="Look into single episodes of agents.",
        epilog="Example: helm-agent replay benchmark_output/runs/try/agent_demo:model=agents_oracle hello-file",
    )
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    replay = commands.add_parser(
        "replay",
        help="run a recorded episode again: answers of models come from the record, tools are called again",
        description="Run a recorded episode again in a fresh environment, with the recorded answers of models: nothing is "
        "sent and nothing is paid for.",
        epilog="Exit status: 0 it went the same way to the same score; 3 it did not; 1 it could not be replayed.",
    )
    add = replay.add_argument
    add("run", metavar="RUN", help="folder of the run")
    add("instance", metavar="INSTANCE", help="id of the instance, or of its task")
    add("--epoch", type=int, metavar="N", help="of several episodes of the task (0)")
    add("--allow-host-tools", action="store_true", help="let tools be programs outside the sandbox")
    add("--plugins", nargs="+", metavar="PLUGIN", help="modules or Python files to import first")
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    check = commands.add_parser(
        "check-environment",
        help="hold an environment of your own to the contract of environments",
        description="Start an environment several times, here and now, and hold it to each rule of the contract: output, status, "
        "input, files, limits, network, what is left after the end. No model is asked.",
        epilog="Exit status: 0 all rules are kept; 3 one is broken; 1 it could not be checked. "
        "Example: helm-agent check-environment kubernetes_box.KubernetesBox:image=debian:13 --plugins kubernetes_box.py",
    )
    add = check.add_argument
    add("environment", metavar="CLASS:KEY=VALUE,...", help="class path, with the arguments of its constructor")
    add("--plugins", nargs="+", metavar="PLUGIN", help="modules or Python files to import first")
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    return parser


def _find_episode(path: str, name: str, epoch: int | None) -> "tuple[AgentRequest, AgentResult]":
    """Return an episode of a run. Raises: ConfigError."""
    from helm.common.agent_request import AgentRequest, AgentResult
    from helm.results.run_results import load_run

    names: set[str] = set()
    epochs: set[int] = set()
    for state in load_run(path).iterate_request_states():
        request, result = state.request, state.result
        if not isinstance(request, AgentRequest):
            raise ConfigError(f"{path} is no run of agents.")
        names |= {request.task, str(state.instance.id)}
        if name not in (request.task, state.instance.id):
            continue
        epochs.add(request.epoch)
        if epoch is None or epoch == request.epoch:
            if not isinstance(result, AgentResult) or not result.events:
                raise ConfigError(f"{path}: the record of {name} has no events.")
            return request, result
    if epochs:
        raise ConfigError(f"{path}: {name} has the epochs {', '.join(map(str, sorted(epochs)))}, not {epoch}.")
    raise ConfigError(f"{path} has no instance or task '{name}'.{suggest(name, sorted(names))}")


def _show(event: dict[str, Any]) -> None:
    """Print a line for an event that has something to say."""
    from helm.benchmark.presentation.tables.plain_text import printable

    words = {
        "model": lambda: f"{event.get('role')}: {event.get('text') or ', '.join(_call_names(event))}",
        "tool_call": lambda: f"calls {event.get('name')} {event.get('arguments')}",
        "tool_result": lambda: f"{'error' if event.get('is_error') else 'result'}: {event.get('content')}",
        "user": lambda: f"user: {event.get('content')}",
        "submit": lambda: f"submits {event.get('answer')}",
        "limit": lambda: f"limit {event.get('name')}: {event.get('used')} of {event.get('limit')}",
        "error": lambda: f"error in {event.get('where')}: {event.get('message')}",
        "divergence": lambda: "from here it goes another way than recorded",
        "score": lambda: f"reward {event.get('reward')}",
    }.get(str(event.get("kind")))
    if words is not None:
        text = " ".join(str(words()).split())
        print(
            f"{event['n']:5}  {printable(text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + ' ...')}", flush=True
        )


def _call_names(event: dict[str, Any]) -> list[str]:
    return [f"call of {call.get('name')}" for call in event.get("tool_calls") or [] if isinstance(call, dict)]


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command; the help of each action explains its exit status."""
    from helm.common.commands.plugins import import_user_plugins
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(args.log_config)
    if args.plugins:
        import_user_plugins(args.plugins)
    return _check_environment(args) if args.action == "check-environment" else _replay(args)


def _replay(args: argparse.Namespace) -> int:
    from helm.agents.replay import replay
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package

    register_builtin_configs_from_helm_package()
    request, recorded = _find_episode(args.run, args.instance, args.epoch)
    found = replay(request, recorded, _show, args.allow_host_tools)
    result = found.result
    print(f"recorded: {recorded.outcome}, reward {_number(recorded.reward)}")
    print(f"replayed: {result.outcome}, reward {_number(result.reward)}")
    if found.first_difference is not None:
        print(f"The first event that differs is number {found.first_difference}.")
    return _EXIT_SAME if found.is_same else _EXIT_OTHER


def _check_environment(args: argparse.Namespace) -> int:
    from helm.agents.environments.contract import Subject, check_environment
    from helm.agents.environments.environment import Environment
    from helm.benchmark.presentation.tables.plain_text import printable
    from helm.common.object_spec import create_described_object, get_class_by_name, parse_object_spec

    try:
        spec = parse_object_spec(args.environment)
        found = get_class_by_name(spec.class_name)
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"'{args.environment}' names no class that can be imported: {e}") from e
    if not (isinstance(found, type) and issubclass(found, Environment)):
        raise ConfigError(f"'{spec.class_name}' is no class of environments.")
    found.check_machine()

    def make() -> Environment:
        made: Environment = create_described_object(spec, Environment)
        return made

    try:
        make()
    except TypeError as e:
        raise ConfigError(f"'{args.environment}' cannot be made: {e}") from e
    count = broken = 0
    for finding in check_environment(Subject(make)):
        count += 1
        print(
            f"{'kept' if finding.problem is None else 'BROKEN':7} {finding.rule.name} ({finding.elapsed_s:.1f} s)",
            flush=True,
        )
        if finding.problem is not None:
            broken += 1
            print(f"        rule: {finding.rule.says}\n        {printable(finding.problem)}", flush=True)
    print(f"{count - broken} of {count} rules are kept.")
    return _EXIT_OTHER if broken else _EXIT_SAME


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


if __name__ == "__main__":
    main()
