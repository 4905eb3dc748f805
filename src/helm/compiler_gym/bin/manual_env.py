"""An environment by hand: `python -m helm.compiler_gym.bin.manual_env --env=llvm-v0`, then `help`."""

import cmd
import random
import shlex
from itertools import islice
from typing import Any

from helm.common.errors import HelmError
from helm.compiler_gym import flags
from helm.compiler_gym.envs.step_result import read_result
from helm.compiler_gym.utilities import tabulate

for _module in ("env_from_flags", "benchmark_from_flags"):
    flags.define_shared(_module)

_SHOWN = 200
"""The most programs in a list."""

_TUTORIAL = """\
Choose a program with `set_benchmark` and a reward with `set_default_reward`. `action` applies actions by name, `back` takes the
last one back, `try_all_actions` shows what each would earn, and `greedy 5` takes the best one five times. `commandline` prints
what you did.
"""


class ManualEnv(cmd.Cmd):
    """Reads commands, one on each line, and applies them to an environment."""

    intro = "Type `help` for the commands, `tutorial` for a first look, `exit` to end."

    def __init__(self, env: Any, **kwargs: Any):
        """Begin with an environment, which the caller closes.

        Args:
            env: the environment.
            kwargs: arguments of `cmd.Cmd`, such as `stdin`.
        """
        super().__init__(**kwargs)
        self.env = env
        self.stack: list[tuple[str, float | None, bool]] = []
        """For each action: its name, its reward, and whether it had an effect."""
        self._set_prompt()

    def _set_prompt(self) -> None:
        name = "no benchmark" if self.env.benchmark is None else str(self.env.benchmark).removeprefix("benchmark://")
        self.prompt = f"\ncompiler_gym:{name}> "

    def _print(self, *texts: Any) -> None:
        print(*texts, file=self.stdout)

    def onecmd(self, line: str) -> bool:
        """Obey one line; what goes wrong is printed."""
        try:
            return super().onecmd(line)
        except (HelmError, LookupError, ValueError, TypeError, OSError) as error:
            self._print(f"{type(error).__name__}: {error.args[0] if error.args else error}")
            return False

    def postcmd(self, stop: bool, line: str) -> bool:
        self._set_prompt()
        return stop

    def emptyline(self) -> bool:
        """Do nothing, instead of repeating the last command."""
        return False

    def _require_episode(self) -> None:
        if not self.env.in_episode:
            self.env.reset()
            self.stack.clear()

    # Programs -------------------------------------------------------------------------------------------------------

    def do_list_datasets(self, arg: str) -> None:
        """List the data sets."""
        self._print("\n".join(dataset.name for dataset in self.env.datasets))

    def do_list_benchmarks(self, arg: str) -> None:
        """List programs, `list_benchmarks DATASET` those of one data set."""
        source = self.env.datasets[arg] if arg else self.env.datasets
        self._print("\n".join(str(uri) for uri in islice(source.benchmark_uris(), _SHOWN)))

    def do_set_benchmark(self, arg: str) -> None:
        """Begin an episode on a program: `set_benchmark URI`; `-` chooses one at random."""
        self.env.reset(benchmark=self.env.datasets.random_benchmark() if arg == "-" else arg)
        self.stack.clear()

    def do_reset(self, arg: str) -> None:
        """Begin another episode on the same program."""
        self.env.reset()
        self.stack.clear()

    # Actions --------------------------------------------------------------------------------------------------------

    def do_list_actions(self, arg: str) -> None:
        """List the actions."""
        self._print("\n".join(self.env.action_space.names))

    def complete_action(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete the name of an action."""
        return [name for name in self.env.action_space.names if name.startswith(text)]

    def do_action(self, arg: str) -> None:
        """Apply actions: `action NAME NAME ...`; `-` is a random one."""
        self._require_episode()
        names = self.env.action_space.names
        for word in shlex.split(arg):
            self._apply(random.choice(names) if word == "-" else word)

    def _apply(self, name: str) -> None:
        _, reward, terminated, _, info = read_result(self.env.step(self.env.action_space[name]))
        if "error_type" in info:
            self._print(f"{name}: the episode is over: {info['error_details']}")
            self.stack.clear()
            return
        had_effect = not info["action_had_no_effect"]
        self.stack.append((name, reward, had_effect))
        shown = "" if reward is None else f", reward {reward:.6f}"
        self._print(
            f"{name}: {'effect' if had_effect else 'no effect'}{shown}{', end of episode' if terminated else ''}"
        )

    def do_back(self, arg: str) -> None:
        """Take the last action back; `undo` is the same."""
        if not self.stack:
            self._print("There is no action to take back.")
            return
        self._replay([name for name, *_ in self.stack[:-1]])

    do_undo = do_back

    def _replay(self, names: list[str]) -> None:
        self.env.reset()
        self.stack.clear()
        for name in names:
            self._apply(name)

    def do_stack(self, arg: str) -> None:
        """Show the actions of the episode."""
        rows = [[number, *entry] for number, entry in enumerate(self.stack, 1)]
        self._print(tabulate(rows, headers=["", "Action", "Reward", "Effect"]))

    def do_simplify_stack(self, arg: str) -> None:
        """Begin again, without the actions that had no effect."""
        self._replay([name for name, _, had_effect in self.stack if had_effect])

    def _try_all(self) -> list[tuple[float, str]]:
        """Return what each action would earn, the best first."""
        if self.env.reward_space is None:
            raise ValueError("Choose a reward first: set_default_reward NAME.")
        self._require_episode()
        tried = []
        for index, name in enumerate(self.env.action_space.names):
            with self.env.fork() as fork:
                tried.append((float(read_result(fork.step(index))[1]), name))
        return sorted(tried, key=lambda pair: -pair[0])

    def do_try_all_actions(self, arg: str) -> None:
        """Show what each action would earn."""
        self._print(tabulate([[name, reward] for reward, name in self._try_all()], headers=["Action", "Reward"]))

    def do_greedy(self, arg: str) -> None:
        """Take the best action, `greedy N` times, while it earns something."""
        for _ in range(int(arg or 1)):
            reward, name = self._try_all()[0]
            if reward <= 0:
                self._print("No action earns anything.")
                return
            self._apply(name)

    def do_hill_climb(self, arg: str) -> None:
        """Try a random action, `hill_climb N` times, and keep those that earn something."""
        self._require_episode()
        for _ in range(int(arg or 1)):
            index = random.randrange(len(self.env.action_space.names))
            with self.env.fork() as fork:
                reward = read_result(fork.step(index))[1]
            if reward is not None and reward > 0:
                self._apply(self.env.action_space.names[index])

    def do_commandline(self, arg: str) -> None:
        """Print the actions of the episode as a command line."""
        self._print(self.env.commandline())

    # Observations and rewards ---------------------------------------------------------------------------------------

    def do_list_observations(self, arg: str) -> None:
        """List the observations."""
        self._print("\n".join(self.env.observation.spaces))

    def do_observation(self, arg: str) -> None:
        """Show an observation: `observation NAME`, or the default one."""
        self._require_episode()
        spec = self.env.observation.spaces[arg] if arg else self.env.observation_space_spec
        if spec is None:
            raise ValueError("Name an observation, or choose a default one: set_default_observation NAME.")
        self._print(spec.to_string(self.env.observation[spec.id]))

    def do_list_rewards(self, arg: str) -> None:
        """List the rewards."""
        self._print("\n".join(self.env.reward.spaces))

    def do_reward(self, arg: str) -> None:
        """Show a reward: `reward NAME`, or the default one; it covers what happened since it was last asked for."""
        self._require_episode()
        self._print(self.env.reward[arg or self.env.reward_space.name])

    def do_set_default_observation(self, arg: str) -> None:
        """Choose the default observation; without a name, none."""
        self.env.observation_space = arg or None

    def do_list_default_observation(self, arg: str) -> None:
        """Show the default observation."""
        self._print(self.env.observation_space_spec)

    def do_set_default_reward(self, arg: str) -> None:
        """Choose the default reward; without a name, none."""
        self.env.reward_space = arg or None

    def do_list_default_reward(self, arg: str) -> None:
        """Show the default reward."""
        self._print(self.env.reward_space)

    # The shell ------------------------------------------------------------------------------------------------------

    def do_tutorial(self, arg: str) -> None:
        """Show a first look."""
        self._print(_TUTORIAL)

    def do_breakpoint(self, arg: str) -> None:
        """Open Python's debugger here; the environment is `self.env`."""
        breakpoint()  # noqa: T100  # it is what the command is for

    def do_exit(self, arg: str) -> bool:
        """End."""
        return True

    do_EOF = do_exit  # noqa: N815  # Ctrl-D


def main(argv: list[str]) -> int:
    """Open the shell; returns the exit status.

    Raises: UsageError for an argument that is no flag.
    """
    if len(argv) > 1:
        raise flags.UsageError(f"Unknown command line arguments: {' '.join(argv[1:])}.")
    with flags.env_from_flags(flags.benchmark_from_flags()) as env:
        ManualEnv(env).cmdloop()
    return 0


if __name__ == "__main__":
    flags.run(main)
