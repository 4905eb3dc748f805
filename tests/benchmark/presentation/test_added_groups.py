"""Runs whose groups the default schema lacks: shown beside the others if more is better for them too."""

import json

from helm.benchmark.presentation import summarize
from helm.benchmark.run import main

TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: rows.jsonl}}}}
test_split: test
output_type: {output_type}
doc_to_text: question
doc_to_target: answer
"""


def test_scores_of_two_directions_are_not_averaged(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text('{"question": "a b a b a", "answer": "b"}\n', encoding="utf-8")
    entries = ["simple_mcqa:model=baseline/ppm"]
    for name, output_type in (("likely", "loglikelihood"), ("exact", "generate_until")):
        (tmp_path / f"{name}.yaml").write_text(TASK.format(name=name, output_type=output_type), encoding="utf-8")
        entries.append(f"lm_eval:path={name}.yaml,model=baseline/ppm")
    main(["-r", *entries, "-m", "3", "--suite", "s"])
    summarize.main(["--suite", "s"])
    folder = tmp_path / "benchmark_output" / "runs" / "s"
    (accuracy, *_) = json.loads((folder / "groups" / "language_models.json").read_text())
    titles = [cell["value"] for cell in accuracy["header"]]
    assert titles[1] == "Mean score" and any("exact" in title for title in titles)
    assert not any("likely" in title for title in titles)
    (own, *_) = json.loads((folder / "groups" / "likely.json").read_text())
    perplexity = next(cell for cell in own["header"] if cell["value"].startswith(("perplexity", "Perplexity", "PPL")))
    assert perplexity["lower_is_better"] is True
    names = [path.stem for path in (folder / "groups" / "json").glob("likely*")]
    assert names == ["likely_likely_task:likely"]  # and not the whole task
