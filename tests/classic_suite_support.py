"""Writes run folders of the classic schema's shape: a few models, scenarios and metrics with made-up numbers."""

import json
import random
from datetime import date
from pathlib import Path
from typing import Any

from helm.benchmark import model_metadata_registry as registry

MODELS = [
    ("lab/small", "Small (1B)", date(2022, 3, 1), 1_200_000_000, "open"),
    ("lab/medium", "Medium (7B)", date(2022, 9, 15), 6_900_000_000, "open"),
    ("lab/large", "Large (70B)", date(2023, 2, 1), 70_000_000_000, "limited"),
    ("corp/closed", "Closed", date(2023, 6, 1), None, "closed"),
]

CORE = {
    "boolq": ("quasi_exact_match", "valid"),
    "narrative_qa": ("f1_score", "test"),
    "hellaswag": ("exact_match", "valid"),
    "mmlu": ("exact_match", "test"),
    "imdb": ("quasi_exact_match", "valid"),
    "civil_comments": ("quasi_exact_match", "test"),
    "summarization_cnndm": ("rouge_2", "test"),
}
TARGETED = {
    "the_pile": ("bits_per_byte", "test"),
    "wikifact": ("quasi_exact_match", "test"),
    "babi_qa": ("quasi_exact_match", "test"),
    "gsm": ("exact_match_indicator", "test"),
}
GENDER = "bias_metric:mode=representation,demographic_category=gender"
RACE = "bias_metric:mode=representation,demographic_category=race"


def register_models(monkeypatch: Any) -> None:
    monkeypatch.setattr(registry, "ALL_MODELS_METADATA", [])
    monkeypatch.setattr(registry, "MODEL_NAME_TO_MODEL_METADATA", {})
    for name, display_name, released, parameters, access in MODELS:
        registry.register_model_metadata(
            registry.ModelMetadata(name, "Lab", display_name, "prose", access, released, num_parameters=parameters)
        )


def make_stat(name: str, split: str, value: float, perturbation: str | None = None) -> dict[str, Any]:
    context: dict[str, Any] = {"name": name, "split": split}
    if perturbation:
        context["perturbation"] = {
            "name": perturbation,
            "robustness": perturbation == "robustness",
            "fairness": perturbation == "fairness",
            "computed_on": "worst",
        }
    return {"name": context, "count": 1, "sum": value, "sum_squared": value * value,
            "min": value, "max": value, "mean": value, "variance": 0.0, "stddev": 0.0}  # fmt: skip


class ClassicSuite:
    """Writes runs of a suite under a folder."""

    def __init__(self, output_path: Path, suite: str = "classic"):
        self.path = output_path / "runs" / suite
        self._random = random.Random(0)

    def add_run(
        self,
        group: str,
        model: str,
        stats: list[dict[str, Any]],
        more_groups: list[str] | None = None,
        **adapter: Any,
    ) -> None:
        groups = [group, *(more_groups or [])]
        details = "".join(f",{key}={value}" for key, value in adapter.items()) + "".join(f",{g}" for g in groups[1:])
        name = f"{group}:model={model.replace('/', '_')}{details}"
        spec = {
            "name": name,
            "scenario_spec": {"class_name": f"nowhere.{group}", "args": {}},
            "adapter_spec": {"method": "generation", "model": model, "model_deployment": model, **adapter},
            "metric_specs": [],
            "groups": groups,
        }
        folder = self.path / name
        folder.mkdir(parents=True)
        (folder / "run_spec.json").write_text(json.dumps(spec))
        (folder / "stats.json").write_text(json.dumps(stats))

    def score(self, model: str) -> float:
        rank = [name for name, *_ in MODELS].index(model)
        return round(min(1.0, 0.3 + 0.15 * rank + self._random.uniform(-0.12, 0.12)), 3)

    def add_all(self) -> None:
        """Runs for every figure."""
        for model, *_ in MODELS:
            for group, (metric, split) in CORE.items():
                self.add_run(group, model, self._core_stats(model, metric, split))
            for group, (metric, split) in TARGETED.items():
                value = 1.4 - self.score(model) if metric == "bits_per_byte" else self.score(model)
                self.add_run(group, model, [make_stat(metric, split, value)])
            self._add_harms(model)
            self._add_ablations(model)

    def _core_stats(self, model: str, metric: str, split: str) -> list[dict[str, Any]]:
        score = self.score(model)
        return [
            make_stat(metric, split, score),
            make_stat(metric, split, round(score * 0.8, 3), "robustness"),
            make_stat(metric, split, round(score * 0.85, 3), "fairness"),
            make_stat("ece_10_bin", split, round(self._random.uniform(0.02, 0.3), 3)),
            make_stat("toxic_frac", split, round(self._random.uniform(0, 0.05), 4)),
            make_stat(GENDER, split, round(self._random.uniform(0.1, 0.4), 3)),
            make_stat(RACE, split, round(self._random.uniform(0.3, 0.6), 3)),
            make_stat("inference_denoised_runtime", split, round(self._random.uniform(0.2, 2), 3)),
        ]

    def _add_harms(self, model: str) -> None:
        uniform = self._random.uniform
        copyright = [("longest_common_prefix_length", uniform(1, 9)), ("edit_distance", 80.0), ("edit_similarity", 0.1)]
        self.add_run("copyright_text", model, [make_stat(name, "test", value) for name, value in copyright])
        bbq = [("bbq_metric_ambiguous_bias", uniform(-0.2, 0.2)), ("bbq_metric_unambiguous_bias", uniform(-0.2, 0.2))]
        stats = [make_stat(name, "test", value) for name, value in bbq]
        self.add_run("bbq", model, [make_stat("quasi_exact_match", "test", self.score(model)), *stats])

    def _add_ablations(self, model: str) -> None:
        for number in (0, 1, 4, 16):
            for group in ("imdb", "civil_comments"):
                metric, split = CORE[group]
                value = round(self.score(model) * (0.7 + 0.05 * number**0.5), 3)
                stats = [make_stat(metric, split, value)]
                self.add_run(group, model, stats, ["ablation_in_context"], max_train_instances=number)
        for method in ("multiple_choice_joint", "multiple_choice_separate_original"):
            for group in ("hellaswag", "mmlu"):
                metric, split = CORE[group]
                stats = [make_stat(metric, split, self.score(model))]
                self.add_run(group, model, stats, ["ablation_multiple_choice"], method=method)
        for group in ("imdb", "boolq"):
            metric, split = CORE[group]
            score = self.score(model)
            stats = [make_stat(metric, split, score), make_stat(metric, split, score * 0.6, "robustness")]
            self.add_run(group, model, stats, ["robustness_contrast_sets"])
