"""What is shown of a run with epochs: the pages of the viewer, tables, exports, comparisons and HELM's display files."""

import html
import json
import re
import subprocess
import sys

import pytest

pytest.importorskip("jinja2")

from epochs_support import ENTRY, SeededServer, helm_run, read, write_questions  # noqa: E402
from helm.results.rows import INSTANCES, RESPONSES, SCORES, iterate_rows  # noqa: E402
from helm.results.run_results import RunResults  # noqa: E402
from viewer_support import html_of, viewer  # noqa: E402

SCHEMA = """
metrics:
  - name: exact_match
    display_name: Exact match
perturbations: []
metric_groups:
  - name: accuracy
    display_name: Accuracy
    metrics:
      - name: exact_match
        split: test
run_groups:
  - name: custom
    display_name: Custom
    description: Questions
    metric_groups: [accuracy]
    environment: {main_name: exact_match, main_split: test}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Runs without epochs, with five, and with five by another reducer; the last with its closing lines."""
    folder = tmp_path_factory.mktemp("epochs")
    write_questions(folder)
    server = SeededServer()
    try:
        helm_run(folder, server, ENTRY, "--suite", "plain")
        helm_run(folder, server, f"{ENTRY},epochs=5", "--suite", "mean")
        output = helm_run(folder, server, f"{ENTRY},epochs=5,reducer=pass@2+max", "--suite", "pass")
    finally:
        server.close()
    (folder / "output.txt").write_text(output)
    return folder


def folder_of(place, suite):
    (found,) = place.glob(f"benchmark_output/runs/{suite}/custom_mcqa*")
    return found


def text_of(page):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page)))


def test_the_page_of_an_instance_shows_its_epochs_together(place):
    name = folder_of(place, "pass").name
    with viewer(place / "benchmark_output") as shown:
        from helm.benchmark.server.links import page_link

        page = html_of(shown, page_link("instance", f"pass/{name}", id="id1"))
        plain = html_of(shown, page_link("instance", f"plain/{folder_of(place, 'plain').name}", id="id1"))
        several = html_of(shown, page_link("instances", f"pass/{name}"))
    (section,) = re.findall(r'<section id="epochs">.*?</section>', page, flags=re.DOTALL)
    rows = [text_of(row) for row in re.findall(r"<tr.*?</tr>", section, flags=re.DOTALL)]
    columns = re.findall(r'<th scope="col" class="num">(.*?)</th>', section)
    place_of = 2 + columns.index("exact_match")
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, flags=re.DOTALL) for row in section.split("<tr")[2:]]
    assert [text_of(row[1]).strip() for row in cells[:5]] == ["no", "yes", "no", "yes", "yes"]
    values = [text_of(row[place_of]).strip() for row in cells]
    assert values == ["0", "1", "0", "1", "1", "0.900", "1"]
    assert "pass@2 counts" in rows[6] and "max" in rows[7]
    assert "Request 2 of 5 · epoch 2" in text_of(page) and "[epoch=" not in page
    assert 'id="epochs"' not in plain
    assert "0.900" in text_of(several) and "4 of 4" not in text_of(several)


def test_the_end_of_the_command_names_the_reducer(place):
    output = (place / "output.txt").read_text()
    assert "pass@2 of 5" in output and "0.575" in output  # (1 + 0.9 + 0.4 + 0) / 4


def test_exports_have_reduced_scores_and_all_answers(place):
    run = RunResults(str(folder_of(place, "pass")))
    responses = list(iterate_rows([run], RESPONSES))
    assert [(row["instance_id"], row["epoch"]) for row in responses][:6] == [
        *(("id0", i) for i in range(1, 6)),
        ("id1", 1),
    ]
    values = {
        row["instance_id"]: row["value"] for row in iterate_rows([run], INSTANCES) if row["metric"] == "exact_match"
    }
    assert values == pytest.approx({"id0": 1, "id1": 0.9, "id2": 0.4, "id3": 0})
    (score,) = [
        row for row in iterate_rows([run], SCORES) if row["metric"] == "exact_match" and row["perturbation"] is None
    ]
    assert (score["value"], score["values"], score["clusters"]) == (pytest.approx(0.575), 4, 4)


def test_display_files_have_each_answer_with_its_own_score(place):
    (place / "schema.yaml").write_text(SCHEMA)
    command = [sys.executable, "-m", "helm.benchmark.presentation.summarize", "--suite", "mean"]
    command += ["--schema-path", "schema.yaml"]
    subprocess.run(command, cwd=place, check=True, timeout=120, capture_output=True)
    predictions = read(folder_of(place, "mean"), "display_predictions.json")
    shown = [
        (item["mapped_output"], item["stats"]["exact_match"]) for item in predictions if item["instance_id"] == "id1"
    ]
    assert shown == [("no", 0), ("yes", 1), ("no", 0), ("yes", 1), ("yes", 1)]
    groups = [json.loads(path.read_text()) for path in place.glob("benchmark_output/runs/mean/groups/*.json")]
    assert "0.45" in json.dumps(groups)  # (1 + 0.6 + 0.2 + 0) / 4


def test_comparisons_pair_instances_and_refuse_other_reducers(place):
    from helm.results.comparison.comparability import check_comparable

    plain, mean, passed = (RunResults(str(folder_of(place, suite))) for suite in ("plain", "mean", "pass"))
    found = check_comparable(plain, mean, {}, ("A", "B"))
    assert not found.mismatches
    assert any("the numbers of epochs differ: A has 1 epoch and B has 5 epochs" in note for note in found.notes)
    (mismatch,) = check_comparable(mean, passed, {}, ("A", "B")).mismatches
    assert "A has 5 epochs reduced by mean and B has 5 epochs reduced by pass@2" in mismatch.message
    command = [sys.executable, "-m", "helm.benchmark.commands.compare", *(str(run.path) for run in (plain, mean))]
    result = subprocess.run(command, cwd=place, timeout=120, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert re.search(r"\b4\b", result.stdout)  # instances, not answers
