"""Says what an environment can do, or serves its compiler.

python -m helm.compiler_gym.bin.service --env=llvm-v0
python -m helm.compiler_gym.bin.service --env=llvm-v0 --run_on_port=8686
"""

from typing import Any

from helm.compiler_gym import flags
from helm.compiler_gym.flags import FLAGS
from helm.compiler_gym.utilities import tabulate

_SHOWN = 60
"""Characters of the text of a space."""

flags.define_shared("env_from_flags")
flags.DEFINE_string("heading_underline_char", "-", "the character under headings")
flags.DEFINE_integer("run_on_port", None, "serve the compiler on this port until interrupted")


def print_service_capabilities(env: Any, heading_underline_char: str | None = None) -> None:
    """Print tables of data sets, observations, rewards and actions, as reStructuredText.

    Args:
        env: an environment; no episode is needed.
        heading_underline_char: the character under headings. Default: `--heading_underline_char`.
    """
    underline = heading_underline_char or FLAGS.heading_underline_char

    def show(title: str, headers: list[str], rows: list[list[Any]]) -> None:
        print(f"{title}\n{underline * len(title)}\n\n{tabulate(rows, headers=headers, tablefmt='rst')}\n")

    datasets = sorted(env.datasets.datasets(with_deprecated=False), key=lambda dataset: dataset.name)
    show(
        "Datasets",
        ["Dataset", "Num. Benchmarks", "Description", "Validatable"],
        [[one.name, _count(one), _describe(one), one.validatable] for one in datasets],
    )
    show(
        "Observation Spaces",
        ["Observation space", "Shape"],
        [[spec.id, " ".join(str(spec.space).split())[:_SHOWN]] for spec in env.observation.spaces.values()],
    )
    show(
        "Reward Spaces",
        ["Reward space", "Range", "Success threshold", "Deterministic?", "Platform dependent?"],
        [
            [one.name, str(one.range), one.success_threshold, _yes(one.deterministic), _yes(one.platform_dependent)]
            for one in env.reward.spaces.values()
        ],
    )
    for space in env.action_spaces:
        names = getattr(space, "names", None) or [str(space)]
        descriptions = getattr(space, "descriptions", [""] * len(names))
        rows = [[name, text] for name, text in zip(names, descriptions, strict=True)]
        show(f"{space.name} Action Space", ["Action", "Description"], rows)


def _count(dataset: Any) -> str:
    from helm.common.errors import HelmError

    try:
        return f"{dataset.size:,d}" if dataset.size else "∞"
    except (HelmError, OSError):
        return "not installed"


def _describe(dataset: Any) -> str:
    links = ", ".join(f"`{title} <{url}>`__" for title, url in dataset.references.items())
    return f"{dataset.description} [{links}]" if links else dataset.description


def _yes(value: bool) -> str:
    return "Yes" if value else "No"


def main(argv: list[str]) -> int:
    """Do what the flags say; returns the exit status.

    Raises: UsageError without `--env`.
    """
    if len(argv) > 1:
        raise flags.UsageError(f"Unknown command line arguments: {' '.join(argv[1:])}.")
    with flags.env_from_flags() as env:
        if FLAGS.run_on_port is None:
            print_service_capabilities(env)
            return 0
        backend = env._session.service
    from helm.compiler_gym.runtime import service_main

    return service_main.serve(service_main.parse_args(["--backend", str(backend), "--port", str(FLAGS.run_on_port)]))


if __name__ == "__main__":
    flags.run(main)
