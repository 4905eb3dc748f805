"""The tables of perturbations, as tests have them: misspellings from the golden vectors, small made-up ones otherwise."""

import json
from pathlib import Path

TABLES = Path(__file__).parent / "vectors" / "helm-metrics" / "data"
"""Constant tables are read from the repository, wherever the cases come from."""


def write_misspellings(folder: Path) -> None:
    table = json.loads((TABLES / "misspellings.json").read_text(encoding="utf-8"))["cases"]
    (folder / "correct_to_misspelling.json").write_text(json.dumps(dict(table)), encoding="utf-8")


DIALECT = {"the": ["da"], "this": ["dis"], "with": ["wit", "wif"], "going to": ["gon", "finna"], "my": ["mah"]}

NAMES = """jack,first_name,race,white_american,gender,male
lauren,first_name,race,white_american,gender,female
lamar,first_name,race,black_american,gender,male
sharise,first_name,race,black_american,gender,female
smith,last_name,race,white
lopez,last_name,race,hispanic
"""


def write_tables(folder: Path) -> None:
    """What the sets `canonical` and `robustness_all` need, but for synonyms."""
    folder.mkdir(parents=True, exist_ok=True)
    write_misspellings(folder)
    (folder / "SAE_to_AAVE_mapping.json").write_text(json.dumps(DIALECT), encoding="utf-8")
    (folder / "person_names.txt").write_text(NAMES, encoding="utf-8")
