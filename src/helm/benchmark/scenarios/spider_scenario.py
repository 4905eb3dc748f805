"""Spider: questions about databases of many domains, answered by a query."""

import os

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, reading
from helm.benchmark.scenarios.scenario import VALID_SPLIT, Input, Instance, Scenario
from helm.benchmark.scenarios.sql_schemas import ANSWER_FORMAT, Schemas
from helm.common.general import ensure_file_downloaded

_URL = "https://drive.google.com/uc?id=1403EGqzIDoHMdQF4c9Bkyl7dZLZ5Wt6J&export=download&confirm=t"


class SpiderScenario(Scenario):
    """Write the SQLite query that answers a question, given the tables.

    Input text: the database's tables, the question and the format of the answer. One reference, the correct query. The
    database's name is in the extra data; the annotator runs both queries on it. The test set of Spider 1.0, as the
    valid split. Source: Yu et al. (2018).
    """

    name = "spider"
    description = "Text-to-SQL across domains (Spider 1.0, test set)"
    tags = ["sql"]

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        ensure_file_downloaded(_URL, folder, unpack=True, unpack_type="unzip")
        databases = os.path.join(folder, "spider_data", "test_database")
        schemas = Schemas(lambda name: os.path.join(databases, name, f"{name}.sqlite"))
        path = os.path.join(folder, "spider_data", "test.json")
        instances = []
        with reading(path):
            rows = list(read_json(path))
        for where, row in numbered(path, rows, "question"):
            with reading(where):
                text = (
                    f"{schemas.of(row['db_id'])}\n\n-- Using valid SQLite, answer the following questions for the tables "
                    f"provided above.\n{row['question']}{ANSWER_FORMAT}"
                )
                references = [correct_reference(row["query"])]
                extra_data = {"db_id": row["db_id"]}
                instances.append(Instance(Input(text=text), references, split=VALID_SPLIT, extra_data=extra_data))
        return instances
