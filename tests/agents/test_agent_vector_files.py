"""The vectors of agents that are data: shipped as they are, and each file is read by some test."""

from pathlib import Path

import pytest

from helm.agents.bfcl.backends.backend import read_tables
from helm.agents.harbor.task import demo_task_names, read_task
from vectors_support import load_vectors, vectors_dir

FOLDER = vectors_dir() / "agents"
TASKS = sorted(path.name for path in (FOLDER / "harbor_tasks").iterdir())
TABLES = {
    "to_meters": "MathAPI.si_unit_conversion.to_meters",
    "conversion": "MathAPI.imperial_si_conversion.conversion",
    "symbol_map": "TradingBot.get_symbol_by_name.symbol_map",
    "sector_map": "TradingBot.get_available_stocks.sector_map",
    "base_costs": "TravelAPI.get_flight_cost.base_costs",
    "exchange_rates": "TravelAPI.compute_exchange_rate.exchange_rates",
    "airport_map": "TravelAPI.get_nearest_airport_by_city.airport_map",
}


def test_vector_states_and_tables_of_bfcl_s_programs():
    expected, ours = load_vectors("agents/bfcl_backends_data.json"), read_tables()
    assert ours["default_states"] == expected["default_states"]
    assert sorted(TABLES.values()) == sorted(expected["tables"])
    for name, original in TABLES.items():
        assert ours["tables"][name] == expected["tables"][original], name


@pytest.mark.parametrize("name", TASKS)
def test_vector_tasks_are_those_of_the_demo(name):
    assert f"demo/{name}" in demo_task_names()
    shipped, expected = read_task(f"demo/{name}"), read_task(str(FOLDER / "harbor_tasks" / name))
    assert shipped.sha256 == expected.sha256


def test_vector_files_are_each_read_by_a_test():
    words = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(__file__).parents[1].rglob("test_*.py")
        if path != Path(__file__)
    )
    words += Path(__file__).read_text(encoding="utf-8").partition("def test_vector_files_are")[0]
    files = [path.name for path in FOLDER.iterdir() if path.suffix != ".md"]  # facts in words
    assert not [name for name in files if name not in words]
    assert len(files) > 20
