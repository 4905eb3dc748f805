"""The proxy server behind helm-run --server-url: models, keys, quotas, accounts, and what goes wrong."""

import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import date
from unittest import mock
from urllib.parse import urlencode

import pytest

from helm.benchmark import run
from helm.common.authentication import Authentication
from helm.common.cache import get_all_from_sqlite
from helm.common.cache_backend_config import SharedCacheBackendConfig, SqliteCacheBackendConfig
from helm.common.key_value_store import SqliteKeyValueStore
from helm.common.local_context import LocalContext
from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
from helm.common.perspective_api_request import PerspectiveAPIRequestResult
from helm.common.remote_context import RemoteContext
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.common.request import Usage as TokenUsage
from helm.common.request_options import RequestOptions
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.proxy import server as proxy
from helm.proxy.accounts import Account, AccountError, Accounts, Usage, model_group, read_account
from helm.proxy.services.remote_service import RemoteServiceError
from helm.proxy.services.server_service import ServerService
from helm.proxy.token_counters.token_counter import EstimatingTokenCounter

ROOT = Authentication("key of the administrator")


def with_administrator(path, **kwargs):
    """The accounts of a file, whose first one has a key that tests know."""
    with mock.patch("secrets.token_hex", lambda num_bytes: ROOT.api_key):
        accounts = Accounts(str(path), **kwargs)
        accounts.ensure_administrator()
    return accounts


@pytest.fixture
def accounts(tmp_path):
    return with_administrator(tmp_path / "accounts.sqlite")


@pytest.fixture
def server(tmp_path, accounts, isolated_registries):
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package

    register_builtin_configs_from_helm_package()
    folder = tmp_path / "server"
    context = LocalContext(str(folder), SqliteCacheBackendConfig(str(folder / "cache")))
    server = proxy.ProxyServer(proxy.ProxyService(context, accounts))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def ask(server, method, path, **fields):
    import urllib3

    query = urlencode({k: v if isinstance(v, str) else json.dumps(v) for k, v in fields.items()})
    response = urllib3.request(method, f"{server.url}{path}?{query}", retries=False)
    return response.status, json.loads(response.data)


def request_for(prompt="7 2 4 6", **fields):
    return Request(model="simple/model1", model_deployment="simple/model1", prompt=prompt, **fields)


def test_requests_and_tokens(server):
    context = RemoteContext(server.url, ROOT)
    result = context.make_request(request_for(num_completions=2))
    assert result.success and [c.text for c in result.completions] == ["6", "4"] and not result.cached
    assert context.make_request(request_for(num_completions=2)).cached
    assert context.make_request(request_for(options=RequestOptions(plain_prompt=True))).success
    refused = context.make_request(request_for(options=RequestOptions(seed=1)))
    assert refused.error == "simple/model1 (SimpleClient) takes no seed." and refused.outcome == "refused"
    tokens = context.tokenize(TokenizationRequest("ab c", tokenizer="simple/tokenizer1"))
    assert tokens.raw_tokens == ["ab", "c"] or tokens.success
    encoded = context.tokenize(TokenizationRequest("ab", tokenizer="simple/tokenizer1", encode=True)).raw_tokens
    assert context.decode(DecodeRequest(encoded, tokenizer="simple/tokenizer1")).success
    info = context.get_general_info()
    assert info.version == "1.0" and any(model["name"] == "simple/model1" for model in info.all_models)


def test_a_prompt_of_a_megabyte(server):
    result = RemoteContext(server.url, ROOT).make_request(request_for(prompt="word ä " * 100_000 + "last"))
    assert result.success and result.completions[0].text == "last"


def test_fields_may_come_as_a_form(server):
    """As HELM's client sends them to change accounts."""
    import urllib3

    form = {"auth": json.dumps(asdict(ROOT))}
    pool = urllib3.PoolManager()
    response = pool.request("POST", f"{server.url}/api/account", fields=form, encode_multipart=False)
    assert not json.loads(response.data)["is_admin"]


def test_the_list_of_models_can_be_read_by_helm(server):
    """Its client takes dates for dates only, and JSON has none."""
    _, info = ask(server, "GET", "/api/general_info")
    assert {model["release_date"] for model in info["all_models"]} == {None}


def test_many_at_once(server):
    context = RemoteContext(server.url, ROOT)
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda i: context.make_request(request_for(prompt=f"a {i}")), range(100)))
    assert [result.completions[0].text for result in results] == [str(i) for i in range(100)]


def test_tokens_have_the_field_of_older_versions(server):
    status, answer = ask(server, "GET", "/api/request", auth=asdict(ROOT), request=asdict(request_for()))
    assert status == 200 and answer["completions"][0]["tokens"][0]["top_logprobs"] == {}


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({}, "needs the field 'auth'"),
        ({"auth": "x"}, "'auth' of the query is not JSON"),
        ({"auth": ["root"]}, "must be like"),
        ({"auth": {"api_key": "wrong"}}, "No account has this API key"),
        ({"auth": asdict(ROOT)}, "needs the field 'request'"),
        ({"auth": asdict(ROOT), "request": "{"}, "'request' of the query is not JSON"),
        ({"auth": asdict(ROOT), "request": {"model_deployment": "simple/model1", "prompt": 7}}, "is no Request"),
        ({"auth": asdict(ROOT), "request": {"model_deployment": "no/such"}}, "no/such"),
    ],
)
def test_what_is_wrong_is_said(server, fields, expected):
    status, answer = ask(server, "GET", "/api/request", **fields)
    assert status == 200 and answer["error"].startswith("EXCEPTION: ") and expected in answer["error"]
    assert "wrong" not in answer["error"].replace("is wrong", "")


def test_routes_that_are_none(server):
    for method, path in (("GET", "/"), ("GET", "/api/nothing"), ("PUT", "/api/request"), ("DELETE", "/api/shutdown")):
        status, answer = ask(server, method, path)
        assert status == 404 and path in answer["error"]


def scores(path):
    return [stat for stat in json.loads(path.read_text()) if "runtime" not in stat["name"]["name"]]


def test_a_whole_run_through_the_server_is_that_of_this_machine(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "proxy_api_key.txt").write_text(ROOT.api_key + "\n")
    entry = ["-r", "simple_mcqa:model=simple/model1", "-m", "10"]
    run.main([*entry, "--suite", "here", "--disable-cache"])
    run.main([*entry, "--suite", "there", "--server-url", server.url])
    here, there = (
        {path.name: path for path in (tmp_path / "benchmark_output/runs" / suite).glob("simple_mcqa*/*.json")}
        for suite in ("here", "there")
    )
    assert set(here) == set(there) and scores(here["stats.json"]) == scores(there["stats.json"])
    (tmp_path / "proxy_api_key.txt").write_text("wrong")
    with pytest.raises(SystemExit) as e:
        run.main([*entry, "--suite", "refused", "--server-url", server.url])
    assert e.value.code == 1
    (error,) = (tmp_path / "benchmark_output/runs/refused").glob("*/error.json")
    assert "No account has this API key" in error.read_text()


# --- accounts ---------------------------------------------------------------------------------------------------------


def test_accounts_are_made_changed_and_deleted(server):
    auth = asdict(ROOT)
    _, made = ask(server, "POST", "/api/account", auth=auth)
    assert made["usages"]["gpt4"]["daily"] == {"period": None, "used": 0, "quota": 10000} and not made["is_admin"]
    own = {"api_key": made["api_key"]}
    assert ask(server, "GET", "/api/account", auth=own) == (200, [made])
    for method, path in (("POST", "/api/account"), ("GET", "/api/shutdown")):
        assert "Only an administrator" in ask(server, method, path, auth=own)[1]["error"]
    assert "Only an administrator" in ask(server, "GET", "/api/account", auth=own, all="true")[1]["error"]
    _, everybody = ask(server, "GET", "/api/account", auth=auth, all="true")
    assert [account["api_key"] for account in everybody] == [ROOT.api_key, made["api_key"]]
    _, changed = ask(server, "PUT", "/api/account", auth=auth, account={**made, "description": "of Ada"})
    assert changed["description"] == "of Ada"
    _, renewed = ask(server, "PUT", "/api/account/api_key", auth=auth, account=changed)
    assert renewed["api_key"] != made["api_key"] and renewed["description"] == "of Ada"
    assert "No account" in ask(server, "GET", "/api/account", auth=own)[1]["error"]
    _, gone = ask(server, "DELETE", "/api/account", auth=auth, api_key=renewed["api_key"])
    assert gone == renewed and len(ask(server, "GET", "/api/account", auth=auth, all="true")[1]) == 1


@pytest.mark.parametrize(
    "account, expected",
    [
        ([], "must be an object"),
        ({}, "needs an api_key"),
        ({"description": "of nobody"}, "needs an api_key"),
        ({"api_key": 7}, "takes a str"),
        ({"api_key": "a", "is_admin": 1}, "takes a bool"),
        ({"api_key": "a", "name": "b"}, "no field 'name'"),
        ({"api_key": "a", "usages": {"gpt4": {"hourly": {}}}}, "daily, monthly, total"),
        ({"api_key": "a", "usages": {"gpt4": {"daily": {"limit": 7}}}}, "period, used and quota"),
    ],
)
def test_accounts_that_are_none(account, expected):
    with pytest.raises(AccountError, match=expected):
        read_account(account)


def test_a_new_account_has_the_quotas_that_are_documented(accounts):
    quotas = {group: usages["daily"].quota for group, usages in accounts.create_account(ROOT).usages.items()}
    large = ("gpt3", "gpt4", "codex", "jurassic", "gooseai", "cohere", "simple")
    assert quotas == {**dict.fromkeys(large, 10000), "dall_e": 5, "together_vision": 30}


def test_keys_are_long_and_random(accounts):
    keys = {accounts.create_account(ROOT).api_key for _ in range(3)}
    assert len(keys) == 3 and {len(key) for key in keys} == {32}


def test_an_administrator_has_no_quotas(accounts):
    quotas = {"gpt4": {"daily": Usage(quota=0)}}
    accounts.update_account(ROOT, replace(accounts.authenticate(ROOT), usages=quotas))
    accounts.check_can_use(ROOT.api_key, "gpt4")
    other = accounts.update_account(ROOT, replace(accounts.create_account(ROOT), usages=quotas))
    with pytest.raises(AccountError, match="daily quota of 0 for gpt4 is used up"):
        accounts.check_can_use(other.api_key, "gpt4")


@pytest.mark.parametrize("change", [
    lambda accounts: accounts.update_account(ROOT, Account("nobody's")),
    lambda accounts: accounts.delete_account(ROOT, "nobody's"),
    lambda accounts: accounts.rotate_api_key(ROOT, Account("nobody's")),
    lambda accounts: accounts.authenticate(Authentication("")),
], ids=["update", "delete", "rotate", "authenticate"])  # fmt: skip
def test_what_nobody_has_cannot_be_changed(accounts, change):
    with pytest.raises(AccountError, match="No account has this API key"):
        change(accounts)
    assert accounts.get_all_accounts(ROOT) == [accounts.authenticate(ROOT)]


@pytest.mark.parametrize("act", [
    lambda accounts, auth: accounts.get_all_accounts(auth), lambda accounts, auth: accounts.create_account(auth),
    lambda accounts, auth: accounts.update_account(auth, Account(auth.api_key, is_admin=True)),
    lambda accounts, auth: accounts.rotate_api_key(auth, Account(ROOT.api_key)),
    lambda accounts, auth: accounts.delete_account(auth, ROOT.api_key),
], ids=["get_all", "create", "update", "rotate", "delete"])  # fmt: skip
def test_accounts_are_for_administrators(accounts, act):
    user = accounts.create_account(ROOT)
    before = accounts.get_all_accounts(ROOT)
    with pytest.raises(AccountError, match="Only an administrator may do this"):
        act(accounts, Authentication(user.api_key))
    assert accounts.get_all_accounts(ROOT) == before


def test_what_a_key_that_is_none_uses_is_not_counted(accounts):
    accounts.use("nobody's", "gpt4", 1)
    assert accounts.get_all_accounts(ROOT) == [accounts.authenticate(ROOT)]


def test_no_second_administrator_is_made(accounts):
    assert accounts.ensure_administrator() is None
    assert len(accounts.get_all_accounts(ROOT)) == 1


def test_a_folder_for_accounts_that_is_missing_is_named(tmp_path):
    with pytest.raises(AccountError, match="missing/a.sqlite: No such file or directory. It must be a file that you"):
        Accounts(str(tmp_path / "missing" / "a.sqlite"))


def test_a_quota_is_used_up_by_what_is_not_cached(server, accounts):
    made = accounts.create_account(ROOT)
    accounts.update_account(ROOT, replace(made, usages={"simple": {"daily": Usage(quota=2)}}))
    context = RemoteContext(server.url, Authentication(made.api_key))
    prompt = "a b c d e f"  # three units with its answer, roughly
    assert context.make_request(request_for(prompt=prompt)).success
    with pytest.raises(RemoteServiceError, match="daily quota of 2 for simple is used up"):
        context.make_request(request_for(prompt="another"))
    root = RemoteContext(server.url, ROOT)
    used = accounts.authenticate(ROOT).usages.get("simple")
    assert root.make_request(request_for(prompt=prompt)).cached
    assert accounts.authenticate(ROOT).usages.get("simple") == used, "cached answers do not count"


def test_a_quota_is_there_again_in_the_next_period(tmp_path):
    day = date(2026, 11, 30)
    accounts = with_administrator(tmp_path / "a.sqlite", today=lambda: day)
    made = accounts.create_account(ROOT)
    auth = Authentication(made.api_key)
    quotas = {"gpt4": {"daily": Usage(quota=5), "monthly": Usage(quota=7)}}
    accounts.update_account(ROOT, replace(made, usages=quotas))
    accounts.use(auth.api_key, "gpt4", 5)
    with pytest.raises(AccountError, match="daily quota of 5"):
        accounts.check_can_use(auth.api_key, "gpt4")
    day = date(2026, 12, 1)
    accounts.check_can_use(auth.api_key, "gpt4")
    usages = accounts.authenticate(auth).usages["gpt4"]
    assert usages["daily"] == Usage("2026-11-30", 5, 5) and usages["monthly"].period == "2026-11"
    accounts.use(auth.api_key, "gpt4", 1)
    usages = accounts.authenticate(auth).usages["gpt4"]
    assert (usages["daily"], usages["monthly"]) == (Usage("2026-12-1", 1, 5), Usage("2026-12", 1, 7))
    assert usages["total"] == Usage("all", 6, None)


def test_threads_and_processes_lose_nothing(tmp_path):
    path = str(tmp_path / "a.sqlite")
    both = [with_administrator(path), Accounts(path)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: both[i % 2].use(ROOT.api_key, "x", 1), range(100)))
    assert both[0].authenticate(ROOT).usages["x"]["total"].used == 100


@pytest.mark.parametrize(
    "deployment, group",
    [
        ("openai/gpt-4o-2024-05-13", "gpt4"),
        ("openai/gpt-3.5-turbo", "gpt3"),
        ("openai/code-davinci-002", "codex"),
        ("openai/dall-e-3", "dall_e"),
        ("openai/o3-mini", "o1"),
        ("openai/whisper-1", "openai"),
        ("ai21/j1", "jurassic"),
        ("anthropic/claude", "anthropic"),
        ("simple/model1", "simple"),
    ],
)
def test_groups_of_models(deployment, group):
    assert model_group(deployment) == group


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"x" * 5000)
    with pytest.raises(AccountError, match="a.sqlite"):
        Accounts(str(path))


def test_the_command(tmp_path, capsys, isolated_registries, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parse = proxy.build_parser().parse_args
    service = proxy.make_service(parse(["-b", "env"]))
    assert (tmp_path / "env" / "accounts.sqlite").exists() and isinstance(service, proxy.ProxyService)
    capsys.readouterr()
    for argv, message in (
        (["-w", "0"], "--workers takes 1 or more, not 0"),
        (["--ssl-key-file", "x"], "must be given together"),
        (["--ssl-cert-file", "x"], "must be given together"),
        (["--ssl-key-file", "x", "--ssl-cert-file", "y"], "No such file"),
        (["-p", "-1"], "--port takes a number from 0 to 65535, not -1"),
        (["-p", "65536"], "--port takes a number from 0 to 65535, not 65536"),
        (["--mongo-uri", "mongodb://host/db"], "MongoDB"),
    ):
        with pytest.raises(SystemExit) as e:
            proxy.main(["-b", "env", "-p", "0", *argv])
        error = capsys.readouterr().err
        assert e.value.code == 1 and "helm-proxy-server: error" in error and message in error
    service = proxy.make_service(parse(["-b", "env", "-w", "1", "--cache-uri", "redis://127.0.0.1:1/0"]))
    assert service._service.context.cache_backend_config == SharedCacheBackendConfig("redis://127.0.0.1:1/0")


def test_the_defaults_of_the_command_are_those_of_its_help():
    defaults = vars(proxy.build_parser().parse_args([]))
    assert (defaults["port"], defaults["host"], defaults["workers"], defaults["timeout"]) == (1959, "127.0.0.1", 8, 300)
    assert (defaults["allow_host"], defaults["allow_media_host"], defaults["mongo_uri"]) == ([], [], "")


_SERVE = """
import sys
from helm.proxy import server
server.main(sys.argv[1:])
"""


def test_the_command_serves_what_its_folder_adds_until_it_is_interrupted(tmp_path):
    (tmp_path / "model_deployments.yaml").write_text(
        "model_deployments:\n  - name: lab/mine\n    model_name: simple/model1\n    tokenizer_name: simple/tokenizer1\n"
        "    max_sequence_length: 100\n    client_spec: {class_name: helm.clients.simple_client.SimpleClient}\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, "-p", "0", "-b", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        said = ""
        while "Listening at " not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        url = said.partition("Listening at ")[2].strip()
        key = Authentication((tmp_path / "proxy_admin_key.txt").read_text().strip())
        request = Request(model="simple/model1", model_deployment="lab/mine", prompt="a b")
        assert RemoteContext(url, key).make_request(request).completions[0].text == "b"
        assert (tmp_path / "cache" / "lab.sqlite").exists()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0 and "Traceback" not in process.stdout.read()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    # What was answered is in the cache when the server has ended.
    assert [value for _, value in get_all_from_sqlite(str(tmp_path / "cache" / "lab.sqlite"))]
    SqliteKeyValueStore.close_all()


def test_so_many_requests_are_worked_on_at_once(tmp_path, accounts, isolated_registries):
    """Eight where nothing else is said."""
    service = proxy.ProxyService(LocalContext(str(tmp_path)), accounts)
    inside, gate = threading.Semaphore(0), threading.Event()
    service.routes["GET wait"] = lambda fields: (inside.release(), gate.wait())
    with ThreadPoolExecutor(9) as pool:
        answers = [pool.submit(service.answer, "GET wait", {}) for _ in range(9)]
        try:
            assert all(inside.acquire(timeout=60) for _ in range(8))
            assert not inside.acquire(timeout=0.2)
        finally:
            gate.set()
        assert all(answer.result(60) for answer in answers)


@pytest.mark.parametrize("usage, prompt, texts, units", [
    (TokenUsage(7, 5), "", [], 12), (TokenUsage(0, 0), "x" * 80, [], 1), (None, "x" * 8, ["y" * 8, "z" * 5], 5),
    (None, "x" * 7, [], 1), (None, "", [], 1), (TokenUsage(2, 0), "", [], 2),
])  # fmt: skip
def test_a_unit_is_a_token_as_the_provider_counts_or_four_characters(usage, prompt, texts, units):
    completions = [GeneratedOutput(text, 0.0, []) for text in texts]
    result = RequestResult(True, [], completions, cached=False, usage=usage)
    service = ServerService.from_parts(None, None, EstimatingTokenCounter())
    assert service._num_tokens(request_for(prompt=prompt), result) == units


def test_scores_of_others_are_asked_for_with_a_key(server, monkeypatch):
    """The two services behind them cost money of the server's owner."""
    context = server.service._service.context
    monkeypatch.setattr(
        context,
        "get_toxicity_scores",
        lambda request: PerspectiveAPIRequestResult(True, False, error=request.text_batch[0]),
    )
    monkeypatch.setattr(
        context,
        "get_moderation_results",
        lambda request: ModerationAPIRequestResult(True, False, None, None, None, request.text),
    )
    for route, request in (("toxicity", {"text_batch": ["a"]}), ("moderation", {"text": "a"})):
        assert "needs the field 'auth'" in ask(server, "GET", f"/api/{route}", request=request)[1]["error"]
        for method in ("GET", "POST"):
            answer = ask(server, method, f"/api/{route}", auth=asdict(ROOT), request=request)[1]
            assert (answer["success"], answer["error"]) == (True, "a")
    assert RemoteContext(server.url, ROOT).get_moderation_results(ModerationAPIRequest("c")).error == "c"


@pytest.mark.parametrize("route", ["tokenize", "decode"])
def test_tokens_need_a_key(server, route):
    request = {"tokenizer": "simple/tokenizer1", "text": "a", "tokens": [1]}
    assert "No account" in ask(server, "GET", f"/api/{route}", auth={"api_key": "x"}, request=request)[1]["error"]


def test_what_failed_is_not_counted(server, accounts, monkeypatch):
    failed = RequestResult(False, [], [], cached=False, error="busy")
    monkeypatch.setattr(server.service._service.context, "make_request", lambda request: failed)
    assert RemoteContext(server.url, ROOT).make_request(request_for()).error == "busy"
    assert accounts.authenticate(ROOT).usages == {}


def test_an_administrator_shuts_it_down(tmp_path, isolated_registries, accounts):
    server = proxy.ProxyServer(proxy.ProxyService(LocalContext(str(tmp_path / "s")), accounts))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    assert ask(server, "GET", "/api/shutdown", auth=asdict(ROOT)) == (200, {})
    thread.join(10)
    assert not thread.is_alive()
    server.server_close()


def test_an_account_is_read_as_it_was_written():
    account = Account("k", "d", ["a@b"], ["g"], True, {"gpt4": {"total": Usage("all", 1, 2)}})
    assert read_account(asdict(account)) == account
