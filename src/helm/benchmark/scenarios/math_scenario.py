"""Problems of mathematics competitions."""

from importlib import import_module
from typing import Any

from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, reading
from helm.benchmark.scenarios.scenario import (
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Scenario,
    ScenarioMetadata,
)
from helm.common.data.hub_datasets import load_hub_split
from helm.common.errors import ConfigError
from helm.common.formats.boxed_answer import get_answer, last_boxed_only_string, remove_boxed  # noqa: F401
from helm.common.hierarchical_logger import hwarn
from helm.common.random_draws import hub_shuffle

_PATH = "hendrycks/competition_math"
_REVISION = "71b758ecc688b2822d07ffa7f8393299f1dc7cac"

SUBJECT_TYPES = {
    "number_theory": "Number Theory",
    "intermediate_algebra": "Intermediate Algebra",
    "algebra": "Algebra",
    "prealgebra": "Prealgebra",
    "geometry": "Geometry",
    "counting_and_probability": "Counting & Probability",
    "precalculus": "Precalculus",
}
"""Maps the subject argument to the data set's column `type`."""

LEVELS = ["1", "2", "3", "4", "5"]

OFFICIAL_EXAMPLES = [
    (r"What is $\left(\frac{7}{8}\right)^3 \cdot \left(\frac{7}{8}\right)^{-3}$?", "1"),
    (
        "In how many ways can 4 books be selected from a shelf of 6 books if the order in which the books are selected "
        "does not matter?",
        "15",
    ),
    ("Find the distance between the points $(2,1,-4)$ and $(5,8,-3).$", r"\sqrt{59}"),
    (
        "The faces of an octahedral die are labeled with digits $1$ through $8$. What is the probability, expressed as "
        "a common fraction, of rolling a sum of $15$ with a pair of such octahedral dice?",
        r"\frac{1}{32}",
    ),
    (
        "The first three terms of an arithmetic sequence are 1, 10 and 19, respectively. What is the value of the 21st term?",
        "181",
    ),
    (r"Calculate $6 \cdot 8\frac{1}{3}", "50"),  # HELM: the closing $ is missing.
    (
        "When the binary number $100101110010_2$ is divided by 4, what is the remainder (give your answer in base 10)?",
        "2",
    ),
    (r"How many zeros are at the end of the product 25 $\times$ 240?", "3"),
]
"""The few-shot examples used by the authors of MATH: problem, answer."""


class MATHScenario(Scenario):
    r"""MATH: competition problems of one subject and level.

    Input text: the problem. One correct reference. Rows are sorted by problem and shuffled, per split, before the
    subject and the level are selected. Without chain of thought, a row whose solution has no boxed answer is left out,
    with a warning that counts them (HELM fails there; the published data have no such row).

    Args:
        subject: a key of `SUBJECT_TYPES`.
        level: "1" (easiest) to "5".
        use_official_examples: train on the 8 examples of the authors instead of the train split.
        use_chain_of_thought: whether the reference is the whole solution, instead of the content of its last
            `\boxed{...}`.

    Raises: ConfigError for an unknown subject or level, or official examples with chain of thought; ScenarioError for
    an incomplete row.

    Source: Hendrycks et al., "Measuring Mathematical Problem Solving With the MATH Dataset" (2021).
    """

    name = "MATH"
    description = "Mathematical Problem Solving"
    tags = ["knowledge", "reasoning"]
    subjects_mapping = SUBJECT_TYPES
    levels = LEVELS

    def __init__(
        self, subject: str, level: str, use_official_examples: bool = False, use_chain_of_thought: bool = False
    ):
        super().__init__()
        check_choice(self.name, "subject", subject, SUBJECT_TYPES)
        check_choice(self.name, "level", str(level), LEVELS)
        if use_official_examples and use_chain_of_thought:
            raise ConfigError(
                "MATH: the official examples have no solutions; give one of use_official_examples and use_chain_of_thought."
            )
        self.subject = subject
        self.level = f"Level {level}"
        self.use_official_examples = use_official_examples
        self.use_chain_of_thought = use_chain_of_thought

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        for split in (TRAIN_SPLIT, TEST_SPLIT):
            if split == TRAIN_SPLIT and self.use_official_examples:
                instances += [_instance(problem, answer, split) for problem, answer in OFFICIAL_EXAMPLES]
                continue
            with reading(f"MATH: {_PATH}, split {split}"):
                rows = [row for row in self._rows(split, output_path) if self._is_wanted(row)]
                answered = [(row["problem"], self._answer(row)) for row in rows]
            instances += [_instance(problem, answer, split) for problem, answer in answered if answer is not None]
            missing = sum(answer is None for _, answer in answered)
            if missing:
                hwarn(f"MATH: {missing} of {len(rows)} {split} rows have no \\boxed{{...}} answer and are left out.")
        return instances

    def _rows(self, split: str, output_path: str) -> list[dict[str, Any]]:
        rows = load_hub_split(_PATH, split, revision=_REVISION, cache_dir=output_path).rows
        return hub_shuffle(sorted(rows, key=lambda row: row["problem"]), seed=42)

    def _is_wanted(self, row: dict[str, Any]) -> bool:
        return row["type"] == SUBJECT_TYPES[self.subject] and row["level"] == self.level

    def _answer(self, row: dict[str, Any]) -> str | None:
        return row["solution"] if self.use_chain_of_thought else get_answer(row["solution"])

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name="math_chain_of_thought" if self.use_chain_of_thought else "math_regular",
            main_metric="math_equiv_chain_of_thought" if self.use_chain_of_thought else "math_equiv",
            main_split="test",
            display_name="MATH",
            description="Competition mathematics, from prealgebra to precalculus, in five levels.",
            taxonomy=TaxonomyInfo(
                task="numeric answer question answering",
                what="math competitions (AMC, AIME, etc.)",
                when="before 2021",
                who="problem setters",
                language="synthetic",
            ),
        )


def _instance(problem: str, answer: str, split: str) -> Instance:
    return Instance(Input(text=problem), [correct_reference(answer)], split=split)


def __getattr__(name: str) -> Any:
    """Return HELM's functions of this module that are those of a metric here."""
    if name not in ("is_equiv", "is_equiv_chain_of_thought"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("helm.benchmark.metrics.math_equivalence"), name)
