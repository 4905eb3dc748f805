"""`helm-compare --published`: runs beside published ones of the same name."""

import json
import sys

import pytest

from compare_support import make_run, zeros_and_ones
from helm.benchmark.commands import compare
from helm.common.errors import ConfigError
from helm.results.comparison.published import find_published, match_key


def run_command(monkeypatch, capsys, tmp_path, *arguments):
    base = ["helm-compare", "--suite", "mine", "-o", str(tmp_path), "--metric", "exact_match"]
    monkeypatch.setattr(sys, "argv", [*base, "--published", str(tmp_path / "published"), *arguments])
    try:
        status = compare.main() or 0
    except SystemExit as e:
        status = e.code or 0
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("is_paired", [True, False])
@pytest.mark.parametrize(
    "ours, theirs, count, verdict",
    [(30, 30, 60, "agrees"), (31, 30, 60, "agrees"), (10, 50, 60, "differs"), (1, 1, 2, "cannot tell")],
)
def test_the_verdict(tmp_path, monkeypatch, capsys, ours, theirs, count, verdict, is_paired):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(ours, count))
    folder = make_run(tmp_path / "published" / "runs" / "v1", zeros_and_ones(theirs, count))
    if not is_paired:
        (folder / "per_instance_stats.json").unlink()
    status, out, _ = run_command(monkeypatch, capsys, tmp_path, "--format", "json")
    (score,) = json.loads(out)["scores"]
    assert (score["verdict"], score["is_paired"], score["instances"]) == (verdict, is_paired, count)
    assert score["difference"] == pytest.approx((ours - theirs) / count)
    assert status == (0 if verdict == "agrees" else 1)


def test_runs_that_are_not_published_are_named(tmp_path, monkeypatch, capsys):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60))
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60), task="other")
    make_run(tmp_path / "published", zeros_and_ones(30, 60))
    status, out, err = run_command(monkeypatch, capsys, tmp_path)
    assert status == 1 and "agrees" in out and "Not published: other:model=a_one" in err
    assert run_command(monkeypatch, capsys, tmp_path, "--format", "csv")[1].startswith("run,metric,published,ours")


def test_folders_without_runs_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ConfigError, match="--published: there "):
            find_published(str(path))
    assert match_key("a:b=c,model=m/x,model_deployment=p/m") == "a:b=c,model=m_x"
