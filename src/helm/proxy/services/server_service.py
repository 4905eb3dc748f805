"""The services of a proxy server in this process: models, tokenizers and accounts behind keys."""

import os
import signal
from typing import TYPE_CHECKING

from helm.common.authentication import ADMIN_KEY_FILE, Authentication
from helm.common.cache import CacheConfig
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig, CacheBackendConfig
from helm.common.hierarchical_logger import hlog
from helm.common.local_context import LocalContext
from helm.common.request import Request, RequestResult
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)
from helm.proxy.accounts import Account, Accounts, model_group
from helm.proxy.query import Query, QueryResult
from helm.proxy.services.service import ACCOUNTS_FILE, GeneralInfo, Service
from helm.proxy.token_counters.auto_token_counter import AutoTokenCounter
from helm.proxy.token_counters.token_counter import TokenCounter

if TYPE_CHECKING:
    from helm.common.clip_score_request import CLIPScoreRequest, CLIPScoreResult
    from helm.common.critique_request import CritiqueRequest, CritiqueRequestResult
    from helm.common.file_upload_request import FileUploadRequest, FileUploadResult
    from helm.common.moderations_api_request import ModerationAPIRequest, ModerationAPIRequestResult
    from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
    from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult


class ServerService(Service):
    """Checks keys and quotas, and asks the models of this machine.

    When there is no account yet, one of an administrator is created, and its random key is written to `proxy_admin_key.txt`
    in the folder. Callers are trusted otherwise: what users of a server send goes through `helm.proxy.user_requests` first.

    Args:
        base_path: the folder with credentials, accounts and cache.
        root_mode: whether any key may do everything, without quotas.
        cache_backend_config: where responses are cached; by default nowhere.
    """

    def __init__(
        self,
        base_path: str = "prod_env",
        root_mode: bool = False,
        cache_backend_config: CacheBackendConfig = BlackHoleCacheBackendConfig(),
    ):
        context = LocalContext(base_path, cache_backend_config)
        accounts = Accounts(os.path.join(base_path, ACCOUNTS_FILE), root_mode)
        self._connect(context, accounts, AutoTokenCounter(context.tokenizer))
        key = accounts.ensure_administrator()
        if key is not None:
            path = os.path.join(base_path, ADMIN_KEY_FILE)
            write_key(key, path)
            hlog(f"The key of the administrator is in {path}.")

    def _connect(self, context: LocalContext, accounts: Accounts, token_counter: TokenCounter) -> None:
        self.context, self.accounts, self.token_counter = context, accounts, token_counter

    @classmethod
    def from_parts(cls, context: LocalContext, accounts: Accounts, token_counter: TokenCounter) -> "ServerService":
        """Return a service over objects that exist already; no account is created."""
        service = cls.__new__(cls)
        service._connect(context, accounts, token_counter)
        return service

    def get_general_info(self) -> GeneralInfo:
        """Return the version of the protocol and the available models."""
        return self.context.get_general_info()

    def expand_query(self, query: Query) -> QueryResult:
        """See `helm.proxy.services.service.expand_query`."""
        return self.context.expand_query(query)

    def _get_model_group_for_model_deployment(self, model_deployment: str) -> str:
        return model_group(model_deployment)

    def make_request(self, auth: Authentication, request: Request) -> RequestResult:
        """Ask a model. Successful answers that were not cached count against the quota.

        Raises: AccountError if nobody has the key, or a quota of the model's group is used up.
        """
        group = self._get_model_group_for_model_deployment(request.model_deployment)
        self.accounts.check_can_use(auth.api_key, group)
        result = self.context.make_request(request)
        if result.success and not result.cached and not self.accounts.root_mode:
            self.accounts.use(auth.api_key, group, self._num_tokens(request, result))
        return result

    def _num_tokens(self, request: Request, result: RequestResult) -> int:
        """Return the tokens of prompt and answers by the provider's count, else by the counter; at least 1."""
        if result.usage is not None:
            return max(1, result.usage.prompt_tokens + result.usage.completion_tokens)
        return max(1, self.token_counter.count_tokens(request, result.completions))

    # --- services without quotas: any account may use them --------------------------------------------------------------

    def tokenize(self, auth: Authentication, request: TokenizationRequest) -> TokenizationRequestResult:
        self.accounts.authenticate(auth)
        return self.context.tokenize(request)

    def decode(self, auth: Authentication, request: DecodeRequest) -> DecodeRequestResult:
        self.accounts.authenticate(auth)
        return self.context.decode(request)

    def upload(self, auth: Authentication, request: "FileUploadRequest") -> "FileUploadResult":
        self.accounts.authenticate(auth)
        return self.context.upload(request)

    def check_nudity(self, auth: Authentication, request: "NudityCheckRequest") -> "NudityCheckResult":
        self.accounts.authenticate(auth)
        return self.context.check_nudity(request)

    def compute_clip_score(self, auth: Authentication, request: "CLIPScoreRequest") -> "CLIPScoreResult":
        self.accounts.authenticate(auth)
        return self.context.compute_clip_score(request)

    def get_toxicity_scores(
        self, auth: Authentication, request: "PerspectiveAPIRequest"
    ) -> "PerspectiveAPIRequestResult":
        self.accounts.authenticate(auth)
        return self.context.get_toxicity_scores(request)

    def get_moderation_results(
        self, auth: Authentication, request: "ModerationAPIRequest"
    ) -> "ModerationAPIRequestResult":
        self.accounts.authenticate(auth)
        return self.context.get_moderation_results(request)

    def make_critique_request(self, auth: Authentication, request: "CritiqueRequest") -> "CritiqueRequestResult":
        self.accounts.authenticate(auth)
        return self.context.make_critique_request(request)

    # --- accounts -------------------------------------------------------------------------------------------------------

    def create_account(self, auth: Authentication) -> Account:
        return self.accounts.create_account(auth)

    def delete_account(self, auth: Authentication, api_key: str) -> Account:
        return self.accounts.delete_account(auth, api_key)

    def get_accounts(self, auth: Authentication) -> list[Account]:
        return self.accounts.get_all_accounts(auth)

    def get_account(self, auth: Authentication) -> Account:
        return self.accounts.get_account(auth)

    def update_account(self, auth: Authentication, account: Account) -> Account:
        return self.accounts.update_account(auth, account)

    def rotate_api_key(self, auth: Authentication, account: Account) -> Account:
        return self.accounts.rotate_api_key(auth, account)

    def shutdown(self, auth: Authentication) -> None:
        """End this process with SIGTERM. Raises AuthenticationError unless an administrator asks."""
        self.accounts.check_admin(auth)
        signal.raise_signal(signal.SIGTERM)

    def get_cache_config(self, shard_name: str) -> CacheConfig:
        return self.context.get_cache_config(shard_name)


def write_key(key: str, path: str) -> None:
    """Write a key to a file that only its owner can read. Raises: OSError."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".")  # with mode 0600
    with open(handle, "w", encoding="utf-8") as file:
        file.write(key + "\n")
    os.replace(temporary, path)
