"""Runs the SQL query of an answer to a question of Spider."""

import os

from helm.benchmark.annotation.bird_sql_annotator import BirdSQLAnnotator
from helm.common.commands.output_path import get_benchmark_output_path


class SpiderAnnotator(BirdSQLAnnotator):
    """`BirdSQLAnnotator` for the databases of Spider."""

    name = "spider"

    def get_database_path(self, database_name: str) -> str:
        folder = os.path.join(get_benchmark_output_path(), "scenarios", "spider", "data", "spider_data")
        return os.path.join(folder, "test_database", database_name, f"{database_name}.sqlite")
