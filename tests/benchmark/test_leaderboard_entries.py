"""The arguments of the run entries that HELM ships for its leaderboards are taken, and make RunSpecs without a network.

`recorded/leaderboard_arguments.json`: leaderboard -> run spec -> the arguments that all its entries have (`fixed`) and the
values of the others, not every combination of them.
"""

import json
from pathlib import Path

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.common.object_spec import parse_object_spec

BOARDS = json.loads((Path(__file__).parent.parent / "recorded" / "leaderboard_arguments.json").read_text("utf-8"))
PAIRS_ONLY = {"flores"}
"""Values of one argument that do not go with every value of another."""


EXCLUSIVE = {"math": ("use_official_examples", "use_chain_of_thought")}
"""Arguments that a leaderboard sets, but never together."""


def entries_of(name, fixed, values):
    for left_out in EXCLUSIVE.get(name, (None,)):
        some = {key: options for key, options in values.items() if key != left_out}
        first = {**fixed, **{key: options[0] for key, options in some.items()}}
        for arguments in [first, *({**first, key: option} for key, options in some.items() for option in options)]:
            if not (
                name in PAIRS_ONLY and (arguments["source"], arguments["target"]) not in (("en", "id"), ("id", "en"))
            ):
                text = ",".join(f"{key}={value}" for key, value in {"model": "simple/model1", **arguments}.items())
                yield f"{name}:{text}"


@pytest.mark.parametrize("board", BOARDS)
def test_entries_of_a_leaderboard_make_run_specs(board, isolated_registries):
    register_builtin_configs_from_helm_package()
    for name, arguments in BOARDS[board].items():
        entries = list(dict.fromkeys(entries_of(name, arguments.get("fixed", {}), arguments.get("values", {}))))
        assert entries or name in PAIRS_ONLY, name
        for entry in entries:
            with placeholders_for_fetched_texts():
                run_specs = construct_run_specs(parse_object_spec(entry))
            assert run_specs or "tokenizer=default" in entry, entry  # which stands for the model's own, if it is listed
            for run_spec in run_specs:
                assert run_spec.adapter_spec.model == "simple/model1"
                assert run_spec.groups or name == "empatheticdialogues"
