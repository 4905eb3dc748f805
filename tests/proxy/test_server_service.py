"""The services of a proxy server in a process of its own, by HELM's class."""

import signal
import subprocess
import sys

import pytest

from helm.common.authentication import Authentication
from helm.common.cache_backend_config import SqliteCacheBackendConfig
from helm.common.request import Request
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.proxy.accounts import AuthenticationError, InsufficientQuotaError, Usage
from helm.proxy.services.server_service import ServerService

REQUEST = Request(model="simple/model1", model_deployment="simple/model1", prompt="a b c")


@pytest.fixture
def folder(tmp_path, isolated_registries):
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package

    register_builtin_configs_from_helm_package()
    return tmp_path / "env"


def administrator_of(folder):
    return Authentication((folder / "proxy_admin_key.txt").read_text().strip())


def test_answers_count_once_by_the_tokens_of_prompt_and_answer(folder):
    service = ServerService(str(folder), cache_backend_config=SqliteCacheBackendConfig(str(folder / "cache")))
    admin = administrator_of(folder)
    auth = Authentication(service.create_account(admin).api_key)
    assert [service.make_request(auth, REQUEST).cached for _ in range(2)] == [False, True]
    usages = service.get_account(auth).usages["simple"]
    assert {name: usage.used for name, usage in usages.items()} == {"daily": 6, "monthly": 6, "total": 6}  # as in HELM
    account = service.get_account(auth)
    account.usages["simple"]["daily"] = Usage(usages["daily"].period, used=6, quota=6)
    service.update_account(admin, account)
    with pytest.raises(InsufficientQuotaError, match="daily quota of 6 for simple"):
        service.make_request(auth, REQUEST)
    tokens = service.tokenize(auth, TokenizationRequest("a b", "simple/tokenizer1", encode=True)).tokens
    assert service.decode(auth, DecodeRequest([token.value for token in tokens], "simple/tokenizer1")).text == "a b"


def test_a_second_service_keeps_the_accounts_and_strangers_may_do_nothing(folder):
    first = ServerService(str(folder))
    account = first.create_account(administrator_of(folder))
    second = ServerService(str(folder))
    assert second.get_account(Authentication(account.api_key)) == account
    renewed = second.rotate_api_key(administrator_of(folder), account)
    for key in (account.api_key, "root", ""):
        with pytest.raises(AuthenticationError):
            second.make_request(Authentication(key), REQUEST)
    with pytest.raises(AuthenticationError, match="Only an administrator"):
        second.shutdown(Authentication(renewed.api_key))


def test_in_root_mode_any_key_may_do_everything_and_nothing_is_counted(folder):
    service = ServerService(str(folder), root_mode=True)
    nobody = Authentication("nobody")
    account = service.create_account(nobody)
    assert service.make_request(Authentication(account.api_key), REQUEST).success
    assert {account.api_key} < {found.api_key for found in service.get_accounts(nobody)}
    assert all(
        usage.used == 0 for found in service.get_accounts(nobody) for usage in found.usages.get("simple", {}).values()
    )


def test_shutdown_ends_the_process(folder):
    code = """
import sys
from helm.common.authentication import Authentication
from helm.proxy.services.server_service import ServerService
ServerService(sys.argv[1], root_mode=True).shutdown(Authentication("x"))
"""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True)
    assert done.returncode == -signal.SIGTERM, done.stderr
