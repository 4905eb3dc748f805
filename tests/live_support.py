"""Reports of made-up commands."""

import os
import socket

from helm.common.telemetry.progress_report import (
    BudgetReport,
    CommandReport,
    CostReport,
    EndpointReport,
    EtaReport,
    RateReport,
    RunReport,
    TokensReport,
)

NOW = 1_800_000_000.0


def command(**fields):
    """A command that runs here, in this process, since a minute."""
    values = {
        "program": "helm-run",
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "state": "running",
        "started_at": NOW - 60,
        "updated_at": NOW,
    }
    return CommandReport(**{**values, **fields})


def busy_command(**fields):
    """One with something to say about everything."""
    runs = [
        RunReport("mmlu:subject=anatomy,model=lab/m", "done", None, total=100, done=100, cached=40),
        RunReport("gsm:model=lab/m", "running", "execution", total=400, done=120, resumed=20, outcomes={"ok": 100}),
        RunReport("wmt_14:language_pair=de-en,model=lab/m", "running", "metrics", total=50, done=50),
        RunReport("bbq:model=lab/m", "failed", "instances", error_type="ScenarioError", message="no such file: x.csv"),
        RunReport("boolq:model=lab/m"),
    ]
    values = {
        "runs": runs,
        "rate": RateReport(30.0, 42.12, 9100.0),
        "tokens": TokensReport(1_234_567, 45_600),
        "cost": CostReport(3.414, 2),
        "budget": BudgetReport(max_cost_usd=10.0, cost_left_usd=6.586, max_seconds=600.0, seconds_left=300.0),
        "failures": {"rate_limited": 3},
        "errors": {"ScenarioError": 1},
        "endpoints": [
            EndpointReport(
                "https://api.lab.org", 16, 12, 3, 200, 4, 8.25, 2, {"rate_limited": 4, "server": 1}, retry_at=NOW + 4
            )
        ],
        "eta": EtaReport(95.0, "about 4,000 requests left, 42.1 a second"),
    }
    return command(**{**values, **fields})
