"""Entity matching: decide whether rows of two tables describe the same thing."""

import os
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, read_json, reading
from helm.benchmark.scenarios.inferred_columns import read_rows
from helm.benchmark.scenarios.scenario import ALL_SPLITS, TRAIN_SPLIT, Input, Instance, Scenario
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_URL = "http://pages.cs.wisc.edu/~anhai/data1/deepmatcher_data/{path}"
_PATHS = {
    "Beer": "Structured/Beer/beer_exp_data.zip",
    "iTunes_Amazon": "Structured/iTunes-Amazon/itunes_amazon_exp_data.zip",
    "Fodors_Zagats": "Structured/Fodors-Zagats/fodors_zagats_exp_data.zip",
    "DBLP_ACM": "Structured/DBLP-ACM/dblp_acm_exp_data.zip",
    "DBLP_GoogleScholar": "Structured/DBLP-GoogleScholar/dblp_googlescholar_exp_data.zip",
    "Amazon_Google": "Structured/Amazon-Google/amazon_google_exp_data.zip",
    "Walmart_Amazon": "Structured/Walmart-Amazon/walmart_amazon_exp_data.zip",
    "Abt_Buy": "Textual/Abt-Buy/abt_buy_exp_data.zip",
    "Company": "Textual/Company/company_exp_data.zip",
    "Dirty_iTunes_Amazon": "Dirty/iTunes-Amazon/dirty_itunes_amazon_exp_data.zip",
    "Dirty_DBLP_ACM": "Dirty/DBLP-ACM/dirty_dblp_acm_exp_data.zip",
    "Dirty_DBLP_GoogleScholar": "Dirty/DBLP-GoogleScholar/dirty_dblp_googlescholar_exp_data.zip",
    "Dirty_Walmart_Amazon": "Dirty/Walmart-Amazon/dirty_walmart_amazon_exp_data.zip",
}
_STATES_URL = "https://worksheets.codalab.org/rest/bundles/0x4d0a972e99c848d2ab3ecf129bb77d29/contents/blob/"
_STATES_FILE = "entity_matching_scenario_fixed_random_state.json"

Pair = tuple[str, str, bool]
"""What table A and table B contain, and whether it is the same thing."""


class EntityMatchingScenario(Scenario):
    """Answer Yes or No: whether products A and B, given by their attributes, are the same.

    Input text: both rows. One reference. The train split has the same number of pairs with either label, drawn with the
    generator state that the authors published for the data set (seed 0 if there is none). Source: the DeepMatcher data
    sets, Mudgal et al. (2018).

    Args:
        dataset: one of thirteen, such as `Beer` or `Dirty_DBLP_ACM`.
    """

    name = "entity_matching"
    description = "Whether rows of two tables refer to the same thing"
    tags = ["entity_matching", "structured_reasoning"]

    def __init__(self, dataset: str):
        super().__init__()
        check_choice(self.name, "dataset", dataset, _PATHS)
        self.dataset = dataset

    def get_instances(self, output_path: str) -> list[Instance]:
        states_path = os.path.join(output_path, _STATES_FILE)
        ensure_file_downloaded(_STATES_URL, states_path)
        folder = os.path.join(output_path, "data", self.dataset)
        ensure_file_downloaded(_URL.format(path=_PATHS[self.dataset]), folder, unpack=True, unpack_type="unzip")
        texts_a, texts_b = (_read_texts(os.path.join(folder, f"table{name}.csv")) for name in "AB")
        instances = []
        for split in ALL_SPLITS:
            path = os.path.join(folder, f"{split}.csv")
            pairs = _read_pairs(path, texts_a, texts_b)
            if split == TRAIN_SPLIT:
                with reading(states_path):
                    draw = _generator(read_json(states_path).get(self.dataset))
                pairs = _balance(pairs, draw, path)
            for text_a, text_b, is_same in pairs:
                text = f"Product A is {text_a}. Product B is {text_b}. Are A and B the same?"
                reference = correct_reference("Yes" if is_same else "No")
                instances.append(Instance(Input(text=text), [reference], split=split))
        return instances


def _read_texts(path: str) -> dict[str, list[str]]:
    """Map id to its row as text."""
    texts: dict[str, list[str]] = {}
    for row in read_rows(path):
        with reading(row.where):
            attributes = [f"{column}: {value}" for column, value in row.cells.items() if column != "id"]
            texts.setdefault(row.cells["id"], []).append(". ".join(attributes))
    return texts


def _read_pairs(path: str, texts_a: dict[str, list[str]], texts_b: dict[str, list[str]]) -> list[Pair]:
    """Return the labelled pairs whose rows are in both tables, in the order of the file."""
    pairs = []
    for row in read_rows(path):
        with reading(row.where):
            is_same = bool(float(row.cells["label"]))
            for text_a in texts_a.get(row.cells["ltable_id"], []):
                for text_b in texts_b.get(row.cells["rtable_id"], []):
                    pairs.append((text_a, text_b, is_same))
    return pairs


def _generator(state: Any) -> Any:
    import numpy as np

    generator = np.random.RandomState(0)
    if state is not None:
        name, keys, position, has_gauss, cached = state
        generator.set_state((name, np.array(keys, dtype=np.uint32), int(position), int(has_gauss), float(cached)))
    return generator


def _balance(pairs: list[Pair], generator: Any, path: str) -> list[Pair]:
    """Return an equal number of pairs that differ and pairs that agree, in this order, each in drawn order."""
    groups = [[pair for pair in pairs if pair[2] is is_same] for is_same in (False, True)]
    count = len(groups[1])
    if len(groups[0]) < count:
        raise ScenarioError(f"{path}: {count} pairs are the same and only {len(groups[0])} differ.")
    return (
        [group[i] for group in groups for i in generator.choice(len(group), size=count, replace=False)] if count else []
    )
