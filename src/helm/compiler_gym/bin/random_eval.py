"""A table of finished random searches: `python -m helm.compiler_gym.bin.random_eval --output_dir=FOLDER`."""

import json
from pathlib import Path
from typing import Any

from helm.compiler_gym import flags
from helm.compiler_gym.envs.statistics import ProgressLogEntry, geometric_mean
from helm.compiler_gym.flags import FLAGS
from helm.compiler_gym.random_search import get_logs_path
from helm.compiler_gym.utilities import tabulate

flags.define_shared("output_dir")

_CONFIG, _PROGRESS = "random_search.json", "random_search_progress.csv"


def read_searches(folder: Path) -> list[dict[str, Any]]:
    """Return a row for each finished search below a folder: its configuration, and the last line of its progress."""
    rows = []
    for path in sorted(folder.rglob(_CONFIG)):
        lines = (path.parent / _PROGRESS).read_text().splitlines() if (path.parent / _PROGRESS).is_file() else []
        if path.parent.name == "latest" or len(lines) < 2:  # the link `latest` leads to a search that is listed already
            continue
        entry = ProgressLogEntry.from_csv(lines[-1])
        rows.append({**json.loads(path.read_text()), "folder": str(path.parent), "found": entry})
    return rows


def main(argv: list[str]) -> int:
    """Print the table; returns the exit status, 1 without a finished search.

    Raises: UsageError for an argument that is no flag.
    """
    if len(argv) > 1:
        raise flags.UsageError(f"Unknown command line arguments: {' '.join(argv[1:])}.")
    folder = Path(FLAGS.output_dir) if FLAGS.output_dir else get_logs_path() / "random"
    rows = read_searches(folder)
    if not rows:
        print(f"There is no finished search below {folder}.")
        return 1
    headers = ["Benchmark", "Reward space", "Episodes", "Steps", "Passes", "Reward"]
    table = [
        [
            str(row["benchmark"]).removeprefix("benchmark://"),
            row["reward"],
            row["found"].total_episode_count,
            row["found"].total_step_count,
            row["found"].num_passes,
            float(row["found"].reward),
        ]
        for row in rows
    ]
    table.append(["Geometric mean", "", "", "", "", geometric_mean([float(row["found"].reward) for row in rows])])
    print(tabulate(table, headers=headers))
    return 0


if __name__ == "__main__":
    flags.run(main)
