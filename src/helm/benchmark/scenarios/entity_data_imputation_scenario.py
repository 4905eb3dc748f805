"""Data imputation: predict the missing value of a row."""

import csv
import os

from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, reading
from helm.benchmark.scenarios.inferred_columns import MISSING, Row, read_rows
from helm.benchmark.scenarios.scenario import TEST_SPLIT, TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Scenario
from helm.common.data.column_types import MISSING_TEXTS
from helm.common.general import ensure_file_downloaded
from helm.common.random_draws import pandas_sample

_URL = "https://storage.googleapis.com/crfm-helm-public/source_datasets/scenarios/entity_data_imputation/{file}"
_FILES = {"Buy": "Abt-Buy.zip", "Restaurant": "restaurant.tar.gz"}
_TARGETS = {"Buy": "manufacturer", "Restaurant": "city"}
_TEST_FRACTION, _VALID_FRACTION = 0.1, 0.2


class EntityDataImputationScenario(Scenario):
    """Give the manufacturer of a product, or the city of a restaurant, from the other attributes.

    Input text: the other attributes and the name of the missing one. One reference. A tenth of the rows, drawn with
    the seed, is the test split, a fifth of the rest the valid split. Source: the tasks of Mei et al. (2021).

    Args:
        dataset: `Buy` or `Restaurant`.
        seed: seed of the splits.
    """

    name = "entity_data_imputation"
    description = "Missing values of rows"
    tags = ["entity_data_imputation", "structured_reasoning"]

    def __init__(self, dataset: str, seed: int = 1234):
        super().__init__()
        check_choice(self.name, "dataset", dataset, _FILES)
        self.dataset = dataset
        self.seed = seed

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data", self.dataset)
        ensure_file_downloaded(_URL.format(file=_FILES[self.dataset]), folder, unpack=True)
        if self.dataset == "Buy":
            rows = [row for row in read_rows(os.path.join(folder, "Buy.csv")) if row.cells["description"] != MISSING]
            dropped = "id"
        else:
            rows = _read_arff(os.path.join(folder, "fz.arff"))
            dropped = "class"
        rows = [Row(row.where, {name: cell for name, cell in row.cells.items() if name != dropped}) for row in rows]
        rest, test = _split(rows, _TEST_FRACTION, self.seed)
        train, valid = _split(rest, _VALID_FRACTION, self.seed)
        target = _TARGETS[self.dataset]
        instances = []
        for split, part in ((TRAIN_SPLIT, train), (VALID_SPLIT, valid), (TEST_SPLIT, test)):
            for row in part:
                with reading(row.where):
                    instances.append(_instance(row.cells, target, split))
        return instances


def _read_arff(path: str) -> list[Row]:
    """Return the complete rows of a file in Weka's format."""
    columns: list[str] = []
    rows = []
    with reading(path), open(path, encoding="utf-8", newline="") as file:
        for line in file:
            if line.lower().startswith("@attribute"):
                columns.append(line.split()[1])
            elif line.lower().startswith("@data"):
                break
        reader = csv.reader(file)
        for cells in reader:
            where = f"{path}, row {reader.line_num} of the data"
            with reading(where):
                if cells and len(cells) != len(columns):
                    raise ValueError(f"{len(cells)} values for {len(columns)} attributes")
                values = [cell.replace('"', "").strip() for cell in cells]
                row = Row(where, dict(zip(columns, values, strict=False)))
                if cells and not any(row.cells[name] in MISSING_TEXTS for name in columns if name != "class"):
                    rows.append(row)
    return rows


def _split(rows: list[Row], fraction: float, seed: int) -> tuple[list[Row], list[Row]]:
    """Return the remaining rows, in order, and those drawn, in drawn order."""
    drawn = pandas_sample(len(rows), round(fraction * len(rows)), seed)
    taken = set(drawn)
    return [row for i, row in enumerate(rows) if i not in taken], [rows[i] for i in drawn]


def _instance(cells: dict[str, str], target: str, split: str) -> Instance:
    attributes = [f"{name}: {value}" for name, value in cells.items() if name != target]
    text = ". ".join([*attributes, f"{target}?"])
    # HELM: a product without a manufacturer has the answer `nan`.
    return Instance(Input(text=text), [correct_reference(cells[target])], split=split)
