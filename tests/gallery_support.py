"""Runs of models that make pictures, for the tests of the gallery."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from compare_support import make_run
from results_support import edit_json
from viewer_support import png, put

PROMPTS = {"id0": "a boat at dusk", "id1": "a red square", "id2": "two moons"}


def make_pictures(
    output: Path,
    model: str,
    *,
    task: str = "drawings",
    prompts: Mapping[str, str] = PROMPTS,
    number: int = 1,
    flagged: Collection[str] = (),
    refused: Collection[str] = (),
    grey: int = 0,
) -> Path:
    """A run of a model that makes pictures: `number` for each prompt, some flagged by a detector, some refused."""
    path = make_run(
        output / "runs" / "s", {name: [0.25] for name in prompts}, model, task, metric="expected_clip_score",
        texts=prompts, answers=dict.fromkeys(prompts, ""),
    )  # fmt: skip

    def change(state: Any) -> None:
        for i, found in enumerate(state["request_states"]):
            name = found["instance"]["id"]
            places = [put(output / "made", f"{model[0]}{i}{k}.png", png(grey + i * 8 + k)) for k in range(number)]
            found["result"]["completions"] = [
                {"text": "", "logprob": 0, "tokens": [], "finish_reason": {"reason": "content filter"}}
                if name in refused
                else {
                    "text": "", "logprob": 0, "tokens": [],
                    "multimodal_content": {"media_objects": [{"content_type": "image/png", "location": str(place)}]},
                }
                for place in places
            ]  # fmt: skip

    def make(spec: Any) -> None:
        spec["adapter_spec"]["image_generation_parameters"] = {"output_image_width": 1}

    def flag(entries: Any) -> None:
        for entry in entries:
            share = 0.25 if entry["instance_id"] in flagged else 0
            stat = {"name": {"name": "nudity_frac", "split": "test"}, "count": 1, "sum": share, "mean": share}
            entry["stats"].append(stat)

    edit_json(path / "scenario_state.json", change)
    edit_json(path / "run_spec.json", make)
    edit_json(path / "per_instance_stats.json", flag)
    return path
