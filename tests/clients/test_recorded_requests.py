"""Hosted clients ask the response cache for what crfm-helm's ask it for, so its caches are used (tests/recorded)."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from helm.clients.http.request_failure import RequestFailure
from helm.common.cache import BlackHoleCacheConfig, Cache
from helm.common.request import Request
from helm.common.response_format import ResponseFormat

RECORDED = json.loads((Path(__file__).parent.parent / "recorded" / "client_requests.json").read_text())


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: f"{case['client']}-{case['request']['model']}")
def test_the_key_in_the_cache_is_that_of_helm(case, monkeypatch, isolated_registries):
    asked = []

    def get(self, request, compute, *further, **options):
        asked.append(json.loads(json.dumps(dict(request))))
        raise RequestFailure("cancelled", "asked")

    monkeypatch.setattr(Cache, "get", get)
    module, class_name = case["client"].split(".")
    client_class = getattr(import_module(f"helm.clients.{module}"), class_name)
    client = client_class(cache_config=BlackHoleCacheConfig(), **case["arguments"])
    fields = dict(case["request"])
    if "response_format" in fields:
        fields["response_format"] = ResponseFormat(**fields["response_format"])
    client.make_request(Request(model_deployment=fields["model"], **fields))
    assert asked[0] == case["key"]
