"""BIRD-SQL: questions about large databases, answered by a query."""

import os

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, reading
from helm.benchmark.scenarios.scenario import VALID_SPLIT, Input, Instance, Scenario
from helm.benchmark.scenarios.sql_schemas import ANSWER_FORMAT, Schemas
from helm.common.general import ensure_file_downloaded

_URL = "https://bird-bench.oss-cn-beijing.aliyuncs.com/dev.zip"
_DATABASES = "dev_databases"


class BIRDSQLScenario(Scenario):
    """Write the SQLite query that answers a question, given the tables and a hint.

    Input text: the database's tables, the hint ("external knowledge"), the question and the format of the answer. One
    reference, the correct query. The database's name is in the extra data; the annotator runs both queries on it. The
    dev set. Source: Li et al. (2023).
    """

    name = "bird_sql"
    description = "Text-to-SQL on large databases from many domains (BIRD, dev set)"
    tags = ["sql"]

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "dev")
        ensure_file_downloaded(_URL, folder, unpack=True, unpack_type="unzip")
        databases = _unpack_databases(folder)
        schemas = Schemas(lambda name: os.path.join(databases, name, f"{name}.sqlite"))
        path = os.path.join(folder, "dev.json")
        instances = []
        with reading(path):
            rows = list(read_json(path))
        for where, row in numbered(path, rows, "question"):
            with reading(where):
                text = (
                    f"{schemas.of(row['db_id'])}\n\n-- External Knowledge: {row['evidence']}\n"
                    # HELM: "understading".
                    "-- Using valid SQLite and understading External Knowledge, answer the following questions for the "
                    f"tables provided above.\n-- {row['question']}{ANSWER_FORMAT}"
                )
                instances.append(
                    Instance(
                        Input(text=text),
                        [correct_reference(row["SQL"])],
                        split=VALID_SPLIT,
                        id=f"id{row['question_id']}",
                        extra_data={"db_id": row["db_id"]},
                    )
                )
        return instances


def _unpack_databases(folder: str) -> str:
    """Return the folder of the databases, which are in an archive inside the archive."""
    target = os.path.join(folder, "unzipped_dev_databases", _DATABASES)
    if not os.path.isdir(target):
        unpacked = os.path.join(folder, f"unpacked_{_DATABASES}")
        ensure_file_downloaded(os.path.join(folder, f"{_DATABASES}.zip"), unpacked, unpack=True, unpack_type="unzip")
        inner = os.path.join(unpacked, _DATABASES)  # missing if the archive contains nothing else at its top level
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.replace(inner if os.path.isdir(inner) else unpacked, target)
    return target
