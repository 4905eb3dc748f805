"""A suite of many runs, made without running anything: one recorded run, its instances repeated, under many names.

    python benchmarks/make_suite.py OUTPUT_PATH [--suite many] [--runs 100] [--instances 200] [--models 10] [--link]

For measuring and profiling `helm-summarize` and the index with files as large as real ones (per_instance_stats.json of 200
instances has about 1.3 MB, scenario_state.json about 0.4 MB). With `--link`, runs share the files that are equal, so that
100,000 runs need little space; programs read and write them as if they were separate, since every file is replaced whole.
"""

import argparse
import copy
import json
from pathlib import Path
from typing import Any

_MAX_LINKS = 20_000
"""File systems limit the names of a file, ext4 to 65,000."""

TEMPLATE = Path(__file__).parent.parent / "tests/vectors/helm-core/runs/synthetic_reasoning_pattern_match.json"


def repeat_instances(items: list[dict[str, Any]], num_instances: int) -> list[dict[str, Any]]:
    """Cycle through the recorded items, giving the instances the ids id0, id1, ..."""
    ids = list(
        dict.fromkeys(item["instance_id"] if "instance_id" in item else item["instance"]["id"] for item in items)
    )
    repeated = []
    for number in range(num_instances):
        source = ids[number % len(ids)]
        for item in items:
            if item.get("instance_id", item.get("instance", {}).get("id")) != source:
                continue
            item = copy.deepcopy(item)
            if "instance_id" in item:
                item["instance_id"] = f"id{number}"
            else:
                item["instance"]["id"] = f"id{number}"
                item["request"]["prompt"] += f" {number}"
                item["result"].update(request_time=0.001, request_datetime=1_700_000_000)  # not recorded
            repeated.append(item)
    return repeated


def make_suite(
    output_path: Path,
    suite: str,
    num_runs: int,
    num_instances: int,
    num_models: int,
    link: bool = False,
    first: int = 0,
) -> None:
    """Write the runs numbered from `first`: each task is run with all of `num_models` models before the next one.

    `link` shares equal files between runs.
    """
    recorded = json.loads(TEMPLATE.read_text(encoding="utf-8"))["runs"][0]
    files = {name: recorded[name] for name in ("run_spec.json", "scenario.json", "stats.json")}
    state = recorded["scenario_state.json"]
    state = {**state, "request_states": repeat_instances(state["request_states"], num_instances)}
    files["scenario_state.json"] = {"adapter_spec": files["run_spec.json"]["adapter_spec"], **state}
    files["per_instance_stats.json"] = repeat_instances(recorded["per_instance_stats.json"], num_instances)
    texts = {name: json.dumps(content, indent=2) for name, content in files.items()}
    shared: dict[str, Path] = {}
    spec = copy.deepcopy(files["run_spec.json"])
    for number in range(first, first + num_runs):
        model = f"simple/model{number % num_models}"
        spec["name"] = (
            f"synthetic_reasoning:mode=pattern_match,copy={number // num_models:05},model={model.replace('/', '_')}"
        )
        spec["adapter_spec"].update(model=model, model_deployment=model)
        folder = output_path / "runs" / suite / spec["name"]
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            path = folder / name
            path.unlink(missing_ok=True)
            if name == "run_spec.json":
                path.write_text(json.dumps(spec, indent=2))
            elif link and (number - first) % _MAX_LINKS:
                path.hardlink_to(shared[name])
            else:
                path.write_text(text)
                shared[name] = path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output_path", type=Path)
    parser.add_argument("--suite", default="many")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--link", action="store_true", help="share equal files between runs by hard links")
    args = parser.parse_args()
    make_suite(args.output_path, args.suite, args.runs, args.instances, args.models, args.link)


if __name__ == "__main__":
    main()
