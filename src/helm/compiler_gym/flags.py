"""Flags of programs for CompilerGym: defined where they are used, read as attributes of `FLAGS` after the command line is parsed.

They work as those of absl do, and are kept in absl's own table where that package is installed, so that a program may mix
both. Without it, `argparse` reads the command line, and `app.run(main)` and `DEFINE_...` here take the place of absl's.
"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.errors import HelmError, suggest

_POSITIONAL = "arguments without a flag"  # no flag can have this name
_TRUE, _FALSE = ("true", "t", "1", "yes"), ("false", "f", "0", "no")


class UsageError(Exception):
    """A program was called with wrong arguments."""


class FlagValues:
    """The flags of a program."""

    def __init__(self) -> None:
        self.__dict__["_flags"] = {}
        self.__dict__["_values"] = {}

    def define(self, name: str, default: Any, help: str, parse: Callable[[str], Any] = str) -> None:
        """Add a flag.

        Args:
            name: `--NAME` on the command line.
            default: its value when the command line does not name it.
            help: one line.
            parse: reads the value; `bool` for a flag that is also written `--NAME` and `--noNAME`.
        Raises: ValueError when another module has defined the name with another meaning.
        """
        known = self._flags.get(name)
        if known is not None and known != (default, help, parse):
            raise ValueError(f"The flag --{name} is defined twice: '{known[1]}' and '{help}'.")
        self._flags[name] = (default, help, parse)

    def __call__(self, argv: Sequence[str]) -> list[str]:
        """Read a command line; returns its first word and the words that are no flags.

        Ends the program with status 1, and the nearest name, for an unknown flag or a wrong value.
        """
        parser = _Parser(prog=Path(argv[0]).name, allow_abbrev=False, formatter_class=argparse.RawTextHelpFormatter)
        for name, (default, help, parse) in self._flags.items():
            names = [f"--{name}", f"-{name}"] if len(name) > 1 else [f"--{name}"]
            if parse is bool:
                parser.add_argument(
                    *names, dest=name, nargs="?", const=True, type=_parse_bool, default=default, help=help
                )
                parser.add_argument(f"--no{name}", dest=name, action="store_false", help=argparse.SUPPRESS)
            else:
                parser.add_argument(*names, dest=name, type=parse, default=default, help=f"{help} ({default})")
        parser.add_argument(_POSITIONAL, nargs="*", help=argparse.SUPPRESS)
        parsed = vars(parser.parse_intermixed_args(list(argv[1:])))
        words = parsed.pop(_POSITIONAL)
        self._values.update(parsed)
        return [argv[0], *words]

    def __getattr__(self, name: str) -> Any:
        if name in self._values:
            return self._values[name]
        if name in self._flags:
            return self._flags[name][0]
        raise AttributeError(f"There is no flag --{name}.{suggest(name, self._flags)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._flags:
            raise AttributeError(f"There is no flag --{name}.{suggest(name, self._flags)}")
        self._values[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._flags

    def unparse_flags(self) -> None:
        """Forget the command line: every flag has its default again."""
        self._values.clear()


class _Parser(SuggestingArgumentParser):
    def error(self, message: str) -> Any:
        self.exit(1, f"{self.prog}: {message}\n")


def _parse_bool(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise argparse.ArgumentTypeError(f"expected true or false, not '{text}'")


def _parse_list(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _load_flags() -> Any:
    if importlib.util.find_spec("absl") is None:
        return FlagValues()
    from absl import flags as absl_flags

    return absl_flags.FLAGS


FLAGS: Any = _load_flags()
"""The flags of this process: absl's where it is installed."""

_ABSL_NAMES = {str: "string", int: "integer", float: "float", bool: "boolean", _parse_list: "list"}


def _define(name: str, default: Any, help: str, parse: Callable[[str], Any]) -> None:
    if isinstance(FLAGS, FlagValues):
        FLAGS.define(name, default, help, parse)
        return
    from absl import flags as absl_flags

    if name not in FLAGS:
        getattr(absl_flags, f"DEFINE_{_ABSL_NAMES[parse]}")(name, default, help)


def DEFINE_string(name: str, default: str | None, help: str) -> None:  # noqa: N802  # absl's names
    """Define a flag whose value is a text."""
    _define(name, default, help, str)


def DEFINE_integer(name: str, default: int | None, help: str) -> None:  # noqa: N802
    """Define a flag whose value is a whole number."""
    _define(name, default, help, int)


def DEFINE_float(name: str, default: float | None, help: str) -> None:  # noqa: N802
    """Define a flag whose value is a number."""
    _define(name, default, help, float)


def DEFINE_boolean(name: str, default: bool | None, help: str) -> None:  # noqa: N802
    """Define a flag that is on or off."""
    _define(name, default, help, bool)


DEFINE_bool = DEFINE_boolean


def DEFINE_list(name: str, default: Any, help: str) -> None:  # noqa: N802
    """Define a flag whose value is a list of words separated by commas."""
    _define(name, default, help, _parse_list)


def run(main: Callable[[list[str]], Any], argv: Sequence[str] | None = None) -> NoReturn:
    """Read the command line, call a program's `main` with what is left of it, and end the process.

    A `UsageError`, and every error that has a message for users, ends it with status 1 and the message.
    """

    def run_main(words: list[str]) -> Any:
        try:
            return main(words)
        except (UsageError, HelmError) as error:
            print(error, file=sys.stderr)
            return 1

    given = list(sys.argv if argv is None else argv)
    if not isinstance(FLAGS, FlagValues):
        from absl import app as absl_app

        absl_app.run(run_main, argv=given)
    sys.exit(run_main(FLAGS(given)))


app = SimpleNamespace(run=run, UsageError=UsageError)
"""What programs use of absl's module of this name."""

SHARED: dict[str, dict[str, tuple[Any, str, Callable[[str], Any]]]] = {
    "nproc": {"nproc": (os.cpu_count() or 1, "number of parallel workers", int)},
    "seed": {"seed": (0xCC, "seed of random choices", int)},
    "episodes": {"episodes": (2000, "number of episodes", int)},
    "episode_length": {"episode_length": (5, "number of steps of an episode", int)},
    "learning_rate": {"learning_rate": (0.008, "learning rate", float)},
    "output_dir": {"output_dir": (None, "folder for the results", str)},
    "benchmark_from_flags": {
        "benchmark": (None, "the program: a URI, or file:///PATH for a file of your own", str),
    },
    "env_from_flags": {
        "env": (None, "id of the environment, such as llvm-v0", str),
        "service": (None, "HOST:PORT of a running service to use", str),
        "local_service_binary": (None, "path of a service program to start", str),
        "observation": (None, "observation space", str),
        "reward": (None, "reward space", str),
        "ls_env": (False, "list the environments and end", bool),
        "service_rpc_call_max_seconds": (300.0, "limit for a call of the service", float),
        "service_init_max_seconds": (10.0, "limit for starting the service", float),
        "service_init_max_attempts": (5, "services that are started until one answers", int),
        "local_service_port_init_max_seconds": (10.0, "limit for a service to open its port", float),
        "local_service_exit_max_seconds": (10.0, "limit for a service to end", float),
        "service_rpc_init_max_seconds": (3.0, "limit for reaching the service", float),
    },
}
"""Module of `util.flags` -> the flags that its import defines: name -> (default, help, type)."""


def define_shared(module: str) -> None:
    """Define the flags of a module of `util.flags`, once."""
    for name, (default, help, parse) in SHARED[module].items():
        _define(name, default, help, parse)


def benchmark_from_flags() -> Any:
    """Return the program that `--benchmark` names: a URI, a `Benchmark` made of a file, or None.

    Raises: FileNotFoundError when there is no such file.
    """
    define_shared("benchmark_from_flags")
    text = FLAGS.benchmark
    if text and text.startswith("file:///"):
        from helm.compiler_gym.benchmarks.benchmark import Benchmark

        return Benchmark.from_user_file(text.removeprefix("file://"))
    return text or None


def env_from_flags(benchmark: Any = None) -> Any:
    """Make the environment that the flags describe; the caller closes it.

    Args:
        benchmark: the program. Default: that of the environment.
    Raises: UsageError without `--env`; ConfigError for an unknown one.
    """
    from helm.compiler_gym.runtime.client_handle import ConnectionOpts

    define_shared("env_from_flags")
    if FLAGS.ls_env:
        from helm.compiler_gym.registration import list_env_ids

        print("\n".join(list_env_ids()))
        sys.exit(0)
    if not FLAGS.env:
        raise UsageError("--env must be set; --ls_env lists the environments.")
    from helm.compiler_gym.registration import make

    arguments: dict[str, Any] = {
        "connection_settings": ConnectionOpts(
            init_max_seconds=FLAGS.service_init_max_seconds,
            init_max_attempts=FLAGS.service_init_max_attempts,
            local_service_port_init_max_seconds=FLAGS.local_service_port_init_max_seconds,
            local_service_exit_max_seconds=FLAGS.local_service_exit_max_seconds,
            rpc_init_max_seconds=FLAGS.service_rpc_init_max_seconds,
            rpc_call_max_seconds=FLAGS.service_rpc_call_max_seconds,
        )
    }
    if FLAGS.local_service_binary:
        arguments["service"] = Path(FLAGS.local_service_binary)
    elif FLAGS.service:
        arguments["service"] = FLAGS.service
    if FLAGS.observation:
        arguments["observation_space"] = FLAGS.observation
    if FLAGS.reward:
        arguments["reward_space"] = FLAGS.reward
    if benchmark is not None:
        arguments["benchmark"] = benchmark
    return make(FLAGS.env, **arguments)


def env_session_from_flags(benchmark: Any = None) -> Any:
    """The older name of `env_from_flags`; the result is used in a `with` block."""
    return env_from_flags(benchmark)
