"""`crfm-proxy-cli` against a real server on the loopback address."""

import re
import threading

import pytest

from helm.common.authentication import Authentication
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.local_context import LocalContext
from helm.proxy import cli
from helm.proxy import server as proxy
from helm.proxy.accounts import Accounts


@pytest.fixture
def call(tmp_path, capsys, isolated_registries):
    accounts = Accounts(str(tmp_path / "accounts.sqlite"))
    key = tmp_path / "key.txt"
    key.write_text(f"{accounts.ensure_administrator()}\n")
    context = LocalContext(str(tmp_path / "server"), BlackHoleCacheBackendConfig())
    server = proxy.ProxyServer(proxy.ProxyService(context, accounts))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def call(*words, status=0):
        try:
            cli.main(["--server-url", server.url, "--api-key-path", str(key), *words])
        except SystemExit as e:
            assert e.code == status
        else:
            assert status == 0
        return "".join(capsys.readouterr())

    call.accounts, call.auth = accounts, Authentication(key.read_text().strip())
    yield call
    server.shutdown()
    server.server_close()


def others(call):
    return [account for account in call.accounts.get_all_accounts(call.auth) if not account.is_admin]


def test_accounts_from_creation_to_deletion(call):
    shown = call(
        "create", "-d", "Ada", "-e", "ada@lab.example", "-g", "lab", "x", "-q", "gpt4:daily:7", "o1:total:unlimited"
    )
    (ada,) = others(call)
    assert f"api_key: {ada.api_key}\n" in shown  # the only time that it is needed in full
    assert re.fullmatch("[0-9a-f]{32}", ada.api_key)  # no beginning of it looks like a flag
    assert (ada.description, ada.emails, ada.groups) == ("Ada", ["ada@lab.example"], ["lab", "x"])
    assert ada.usages["gpt4"]["daily"].quota == 7 and ada.usages["o1"]["total"].quota is None
    assert ada.usages["gpt3"]["daily"].quota == 10000  # defaults stay

    call("update", "-k", ada.api_key[:8], "-d", "Ada L.", "-q", "gpt4:daily:9")
    (changed,) = others(call)
    assert changed.description == "Ada L." and changed.groups == ["lab", "x"]
    assert changed.usages["gpt4"]["daily"].quota == 9

    listed = call("list", "-g", "lab", "-m", "gpt4")
    assert "Ada L." in listed and "0/9" in listed and "gpt4.daily" in listed
    assert ada.api_key not in listed and ada.api_key in call("list", "--show-keys")
    assert "Ada" not in call("list", "-g", "elsewhere")

    call("rotate", "-k", ada.api_key)
    (rotated,) = others(call)
    assert rotated.api_key != ada.api_key and rotated.usages == changed.usages
    call("delete", "-k", rotated.api_key)
    assert others(call) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["create", "-q", "gpt3:dayly:1"], "Did you mean 'daily'?"),
        (["create", "-q", "gpt3"], "such as gpt3:daily:20000"),
        (["create", "-q", "gpt3:daily:-1"], "such as gpt3:daily:20000"),
        (["delete", "-k", "abc"], "None of the 1 accounts has this key"),
        (["update", "-k", "no such key"], "None of the 1 accounts has this key"),
    ],
)
def test_mistakes_change_nothing(call, words, message):
    assert message in call(*words, status=1)
    assert others(call) == []


def test_only_administrators(call, tmp_path):
    (tmp_path / "key.txt").write_text(call.accounts.create_account(call.auth).api_key)
    assert "Only an administrator may do this." in call("list", status=1)
