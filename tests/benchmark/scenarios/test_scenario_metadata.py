"""How tables show scenarios that are Python classes: the rows of `metadata.json`."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from helm.benchmark.scenarios import scenario as scenario_module
from helm.benchmark.scenarios.disinformation_scenario import DisinformationScenario
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, Scenario
from helm.benchmark.scenarios.truthful_qa_scenario import TruthfulQAScenario
from helm.common.taxonomy_info import TaxonomyInfo

ROWS = json.loads((Path(scenario_module.__file__).parent / "metadata.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", ROWS)
def test_every_row_is_that_of_a_class_and_can_be_filled_in(path: str) -> None:
    module, _, name = path.rpartition(".")
    cls = getattr(import_module(module), name)
    assert issubclass(cls, Scenario) and cls.get_metadata is Scenario.get_metadata
    scenario = object.__new__(cls)
    for attribute in ("capability", "subset", "task", "main_metric"):
        if not hasattr(scenario, attribute):
            setattr(scenario, attribute, attribute)
    metadata = scenario.get_metadata()
    assert metadata.name and metadata.main_metric and metadata.main_split in EVAL_SPLITS
    assert "{" not in f"{metadata.name}{metadata.display_name}{metadata.description}{metadata.main_metric}"


def test_a_row_has_the_fields_of_the_metadata() -> None:
    metadata = TruthfulQAScenario("mc_single").get_metadata()
    assert (metadata.name, metadata.display_name, metadata.main_split) == ("truthful_qa", "TruthfulQA", "valid")
    assert metadata.taxonomy == TaxonomyInfo("question answering", "?", "?", "?", "English")


def test_attributes_of_the_scenario_are_filled_in() -> None:
    assert DisinformationScenario("wedging").get_metadata().name == "disinformation_wedging"


def test_a_subclass_is_shown_as_its_base_class_and_an_unknown_class_is_not() -> None:
    class Own(TruthfulQAScenario):
        name = "own"

    class Unknown(Scenario):
        name = "unknown"

        def get_instances(self, output_path):
            return []

    assert Own("mc_single").get_metadata().name == "own"
    with pytest.raises(NotImplementedError, match="Unknown gives no metadata"):
        Unknown().get_metadata()
