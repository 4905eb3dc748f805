"""The page for those who come from lm-evaluation-harness has a row for each of its options."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-lm-eval.md"

# The options that `lm-eval run --help` of version 0.4.13 lists, and the other commands.
OPTIONS = """
    --apply_chat_template --batch_size --cache_requests --check_integrity --config --confirm_run_unsafe_code --device
    --fewshot_as_multiturn --gen_kwargs --hf_hub_log_args --include_path --limit --log_samples --max_batch_size --metadata
    --model --model_args --num_fewshot --output_path --predict_only --samples --seed --show_config --system_instruction --tasks
    --trackio_args --trust_remote_code --use_cache --verbosity --wandb_args --wandb_config_args --write_out
    """.split()


@pytest.fixture(scope="module")
def rows():
    table = PAGE.read_text(encoding="utf-8").split("## Commands and options")[1].split("## Concepts")[0]
    return [line.split(" | ") for line in table.splitlines() if line.startswith("| ")]


@pytest.mark.parametrize("option", [*OPTIONS, "lm-eval ls", "lm-eval validate"])
def test_each_option_has_a_row(option, rows):
    assert any(re.search(rf"(?<![\w-]){option}\b", cells[0]) for cells in rows)
