"""Elements of World Knowledge: choose the context that makes a sentence plausible."""

from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, reading, wrong_reference
from helm.benchmark.scenarios.scenario import TEST_SPLIT, TRAIN_SPLIT, Input, Instance, Scenario
from helm.common.data.hub_datasets import load_hub_split

_PATH = "ewok-core/ewok-core-1.0"
_REVISION = "34d912a608066c92e2990a0328ffc3bd9a716042"

ALL = "all"
DOMAINS = [
    "agent_properties",
    "material_dynamics",
    "material_properties",
    "physical_dynamics",
    "physical_interactions",
    "physical_relations",
    "quantitative_properties",
    "social_interactions",
    "social_properties",
    "social_relations",
    "spatial_relations",
]

_TRAIN = [
    ("I drew a ball from the bag.", "The bag is full of blocks.", "The bag is full of balls.", 1),
    ("The boy chose to eat a cookie.", "The boy likes cookies.", "The boy does not like cookies.", 0),
]
"""Target, the two contexts, and the index of the correct one."""


class EWoKScenario(Scenario):
    """Yields two instances per row: each of its two targets, with both contexts to choose from.

    Ids count all instances of the data set, regardless of domain; two fixed training instances follow at the end.
    Multiple choice, one correct answer.

    Args:
        domain: one of `DOMAINS`, or `all`.

    Raises: ConfigError for an unknown domain; ScenarioError for an incomplete row.

    Source: Ivanova et al., "Elements of World Knowledge (EWOK)" (2024).
    """

    name = "ewok"
    description = (
        "Elements of World Knowledge (EWoK) is a benchmark for evaluating world modeling by testing their ability to use "
        "knowledge of a concept to match a target text with a plausible/implausible context."
    )
    tags = ["world knowledge"]
    DOMAINS = DOMAINS

    def __init__(self, domain: str = ALL):
        super().__init__()
        check_choice(self.name, "domain", domain, [ALL, *DOMAINS])
        self.domain = domain

    def get_instances(self, output_path: str) -> list[Instance]:
        rows = load_hub_split(_PATH, TEST_SPLIT, revision=_REVISION, cache_dir=output_path).rows
        instances = []
        for i, row in enumerate(rows):
            with reading(f"ewok: {_PATH}, row {i}"):
                if self.domain == ALL or row["Domain"] == self.domain.replace("_", "-"):
                    contexts = [row["Context1"], row["Context2"]]
                    instances.append(_instance(row["Target1"], contexts, 0, TEST_SPLIT, 2 * i))
                    instances.append(_instance(row["Target2"], contexts, 1, TEST_SPLIT, 2 * i + 1))
        for i, (target, first, second, right) in enumerate(_TRAIN, 2 * len(rows)):
            instances.append(_instance(target, [first, second], right, TRAIN_SPLIT, i))
        return instances


def _instance(target: str, contexts: list[str], right: int, split: str, number: int) -> Instance:
    references = [
        correct_reference(context) if i == right else wrong_reference(context) for i, context in enumerate(contexts)
    ]
    return Instance(Input(text=target), references, split=split, id=f"id{number}")
