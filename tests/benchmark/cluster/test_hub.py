"""What several workers say of the same endpoint, as one report."""

from dataclasses import fields

from helm.benchmark.cluster.hub import together
from helm.common.codec import dump_json, from_json
from helm.common.telemetry.progress_report import EndpointReport

URL = "https://models.example/v1"


def report(**changes):
    values = dict(
        endpoint=URL, window=8, in_flight=4, waiting=10, sent=100, rejected=3, requests_per_s=2.5, retrying=1,
        failed_tries={"server": 2}, retry_at=50.0, stopped="key refused",
    )  # fmt: skip
    assert list(values) == [field.name for field in fields(EndpointReport)]
    return EndpointReport(**{**values, **changes})


def test_numbers_add_up():
    others = [
        report(requests_per_s=None, failed_tries={"server": 1, "timeout": 4}, retry_at=60.0, stopped=None),
        report(endpoint="https://others.example/v1"),
    ]
    found = together([report(stopped=None), *others, report(retry_at=None)])
    assert found == [
        EndpointReport(
            endpoint=URL, window=24, in_flight=12, waiting=30, sent=300, rejected=9, requests_per_s=5.0, retrying=3,
            failed_tries={"server": 5, "timeout": 4}, retry_at=60.0, stopped="key refused",
        ),
        others[1],
    ]  # fmt: skip
    assert from_json(dump_json(found[0]), EndpointReport) == found[0]


def test_what_nobody_has_stays_unknown():
    quiet = report(requests_per_s=None, retry_at=None, stopped=None, failed_tries={})
    (found,) = together([quiet, quiet])
    assert (found.requests_per_s, found.retry_at, found.stopped, found.failed_tries) == (None, None, None, {})
