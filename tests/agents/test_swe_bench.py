"""Scores of SWE-bench from logs, compared with the vectors."""

import pytest

from helm.agents.swe_bench.logs import parse_log, read_log
from helm.agents.swe_bench.reports import make_report
from helm.common.errors import ConfigError
from vectors_support import vector_cases


@pytest.mark.parametrize("case", vector_cases("agents/swebench_logs.json"), ids=lambda case: case["id"])
def test_logs(case):
    if case.get("whole"):
        states, is_usable = read_log(case["log"], case["parser"])
        assert {"status": states, "found": is_usable} == case["expected"]
    else:
        assert parse_log(case["log"], case["parser"]) == case["expected"]


def test_an_unknown_parser_is_named():
    with pytest.raises(ConfigError, match="parse_log_pytst.*pytest"):
        parse_log("", "parse_log_pytst")


@pytest.mark.parametrize("case", vector_cases("agents/swebench_report.json"), ids=lambda case: case["id"])
def test_reports(case):
    report = make_report(case["status"], case["FAIL_TO_PASS"], case["PASS_TO_PASS"], case["eval_type"])
    expected = case["expected"]
    assert vars(report.fail_to_pass) == expected["FAIL_TO_PASS"]
    assert vars(report.pass_to_pass) == expected["PASS_TO_PASS"]
    assert report.fail_to_pass.share == expected["fail_to_pass_share"]
    assert report.pass_to_pass.share == expected["pass_to_pass_share"]
    assert report.resolution == expected["resolution"]
