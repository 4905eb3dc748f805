# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.bird_sql_annotator import BirdSQLAnnotator

class SpiderAnnotator(BirdSQLAnnotator):
    """`BirdSQLAnnotator` for the databases of Spider."""
