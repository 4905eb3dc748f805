"""The accounts of a proxy server: keys, quotas and usage, in `accounts.sqlite`."""

import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

from helm.common.authentication import Authentication
from helm.common.errors import HelmError

# HELM's default quota.
_DAILY = 10000
DEFAULT_DAILY_QUOTAS: dict[str, int] = {
    **{group: _DAILY for group in ("gpt3", "gpt4", "codex", "jurassic", "gooseai", "cohere", "simple")},
    "dall_e": 5,
    "together_vision": 30,
}
"""The daily units of a new account by model group; other groups have no limit."""

DEFAULT_QUOTAS: dict[str, dict[str, int]] = {group: {"daily": quota} for group, quota in DEFAULT_DAILY_QUOTAS.items()}
"""The same by group and `daily`, `monthly` or `total`."""


def compute_daily_period(day: date | None = None) -> str:
    """Return the name of a day's period, such as `2026-11-21`; today's by default."""
    day = day or date.today()
    return f"{day.year}-{day.month}-{day.day}"


def compute_monthly_period(day: date | None = None) -> str:
    """Return the name of a month's period, such as `2026-11`; the present one by default."""
    day = day or date.today()
    return f"{day.year}-{day.month}"


def compute_total_period(day: date | None = None) -> str:
    """Return the name of the period that never ends."""
    return "all"


_GRANULARITIES: dict[str, Callable[[date], str]] = {
    "daily": compute_daily_period,
    "monthly": compute_monthly_period,
    "total": compute_total_period,
}
_OPENAI_GROUPS = {
    "code-": "codex",
    "dall-e-": "dall_e",
    "gpt-4": "gpt4",
    "gpt-3": "gpt3",
    "o1": "o1",
    "o3": "o1",
    "o4": "o1",
}


class AccountError(HelmError):
    """There is no such account, it lacks the permission, or its quota is used up."""


class AuthenticationError(AccountError):
    """Nobody has the key, or its account may not do this."""


class InsufficientQuotaError(AccountError):
    """A quota is used up."""


@dataclass
class Usage:
    """The usage of one group of models in one period."""

    period: str | None = None
    """`2026-11-21`, `2026-11` or `all`; None if nothing was used yet."""

    used: int = 0

    quota: int | None = None
    """The limit; None means no limit."""

    def update_period(self, period: str) -> None:
        """Set the present period; at the beginning of a new one nothing is used."""
        if self.period != period:
            self.period, self.used = period, 0

    def can_use(self) -> bool:
        """Return whether the quota is not used up yet."""
        return self.quota is None or self.used < self.quota


@dataclass
class Account:
    """One user of the server."""

    api_key: str

    description: str = ""

    emails: list[str] = field(default_factory=list)

    groups: list[str] = field(default_factory=list)

    is_admin: bool = False
    """Whether it may see and change all accounts, and has no quotas."""

    usages: dict[str, dict[str, Usage]] = field(default_factory=dict)
    """The usage by model group and by `daily`, `monthly` or `total`."""

    def check(self, group: str, today: date) -> None:
        """Raise AccountError if a quota of the group is used up."""
        if self.is_admin:
            return
        for granularity, usage in self.usages.get(group, {}).items():
            usage.update_period(_GRANULARITIES[granularity](today))
            if not usage.can_use():
                raise InsufficientQuotaError(f"The {granularity} quota of {usage.quota} for {group} is used up.")

    def add_usage(self, group: str, number: int, today: date) -> None:
        """Add a number of used units to all periods of the group."""
        usages = self.usages.setdefault(group, {})
        for granularity, name_of in _GRANULARITIES.items():
            usage = usages.setdefault(granularity, Usage())
            usage.update_period(name_of(today))
            usage.used += number


def set_default_quotas(account: Account) -> None:
    """Give an account HELM's daily quotas, with nothing used."""
    for group, quota in DEFAULT_DAILY_QUOTAS.items():
        account.usages[group] = {"daily": Usage(quota=quota)}


def model_group(deployment: str) -> str:
    """Return the group whose quota a deployment uses."""
    host, _, engine = deployment.partition("/")
    if host == "openai":
        return next((group for start, group in _OPENAI_GROUPS.items() if engine.startswith(start)), "openai")
    return "jurassic" if host == "ai21" else host


def read_account(value: Any) -> Account:
    """Read an account from JSON. Raises AccountError that names what is wrong."""
    if not isinstance(value, Mapping):
        raise AccountError(f"An account must be an object, not {value!r}.")
    kinds = {"api_key": str, "description": str, "emails": list, "groups": list, "is_admin": bool, "usages": dict}
    for name, content in value.items():
        if name not in kinds:
            raise AccountError(f"An account has no field '{name}'; it has {', '.join(kinds)}.")
        if not isinstance(content, kinds[name]):
            raise AccountError(f"The field {name} of an account takes a {kinds[name].__name__}, not {content!r}.")
    if "api_key" not in value:
        raise AccountError("An account needs an api_key.")
    usages: dict[str, dict[str, Usage]] = {}
    for group, by_granularity in value.get("usages", {}).items():
        for granularity, usage in dict(by_granularity).items():
            if granularity not in _GRANULARITIES:
                raise AccountError(f"A quota must be for one of {', '.join(_GRANULARITIES)}, not '{granularity}'.")
            try:
                usages.setdefault(group, {})[granularity] = Usage(**usage)
            except TypeError as e:
                raise AccountError(f"usages.{group}.{granularity} takes period, used and quota: {e}") from e
    return Account(**{**value, "usages": usages})


class Accounts:
    """All accounts. They are safe for several threads and processes, because every change is one transaction.

    Args:
        path: the SQLite file, which only its owner can read, because it contains the keys.
        root_mode: whether any key, or none, may do everything, and nothing is counted. Servers never set it.
        today: returns the present date.
    """

    DEFAULT_API_KEY = "root"
    """HELM: the administrator's key after the first start. It is publicly known, so no account has it here."""

    def __init__(self, path: str, root_mode: bool = False, today: Callable[[], date] = date.today):
        self.root_mode = root_mode
        self._path, self._today, self._lock = path, today, threading.Lock()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            if os.stat(path).st_mode & 0o077:
                os.chmod(path, 0o600)
        except OSError as e:
            raise AccountError(f"{path}: {e.strerror}. It must be a file that you own.") from e
        with self._transaction() as database:
            database.execute("CREATE TABLE IF NOT EXISTS accounts (api_key TEXT PRIMARY KEY, account TEXT NOT NULL)")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                # Closing takes back what is not committed.
                with closing(sqlite3.connect(self._path, timeout=30, isolation_level=None)) as database:
                    database.execute("BEGIN IMMEDIATE")
                    yield database
                    database.execute("COMMIT")
            except sqlite3.Error as e:
                raise AccountError(f"{self._path}: {e}") from e

    def ensure_administrator(self) -> str | None:
        """Create the first administrator, or replace the key `root`; return the new random key, else None."""
        key = _new_key()
        with self._transaction() as database:
            account = _find(database, self.DEFAULT_API_KEY)
            if account is not None:
                _delete(database, self.DEFAULT_API_KEY)
            elif database.execute("SELECT count(*) FROM accounts").fetchone()[0] > 0:
                return None
            else:
                account = Account(key, "made by the first start", is_admin=True)
            _put(database, replace(account, api_key=key))
        return key

    def authenticate(self, auth: Authentication) -> Account:
        """Return the account with the key. Raises AuthenticationError if there is none."""
        with self._transaction() as database:
            account = _find(database, auth.api_key)
        if self.root_mode:
            return replace(account or Account(auth.api_key), is_admin=True)
        return _present(account)

    def get_account(self, auth: Authentication) -> Account:
        """Return the caller's account."""
        return self.authenticate(auth)

    def check_admin(self, auth: Authentication) -> None:
        if not self.authenticate(auth).is_admin:
            raise AuthenticationError("Only an administrator may do this.")

    def check_can_use(self, api_key: str, model_group: str) -> None:
        """Raise AccountError if nobody has the key, or a quota of the group is used up."""
        self.authenticate(Authentication(api_key)).check(model_group, self._today())

    def use(self, api_key: str, model_group: str, delta: int) -> None:
        """Add a number of used units; the requests of a deleted account are not counted."""
        if self.root_mode:
            return
        with self._transaction() as database:
            account = _find(database, api_key)
            if account is not None:
                account.add_usage(model_group, delta, self._today())
                _put(database, account)

    def get_all_accounts(self, auth: Authentication) -> list[Account]:
        self.check_admin(auth)
        with self._transaction() as database:
            rows = database.execute("SELECT account FROM accounts ORDER BY rowid").fetchall()
        return [read_account(json.loads(text)) for (text,) in rows]

    def create_account(self, auth: Authentication) -> Account:
        """Create an account with a new key and the default quotas."""
        self.check_admin(auth)
        account = Account(_new_key())
        set_default_quotas(account)
        with self._transaction() as database:
            _put(database, account)
        return account

    def update_account(self, auth: Authentication, account: Account) -> Account:
        self.check_admin(auth)
        with self._transaction() as database:
            _get(database, account.api_key)
            _put(database, account)
        return account

    def rotate_api_key(self, auth: Authentication, account: Account) -> Account:
        """Replace the key of an account by a new one; only the account's present key counts."""
        self.check_admin(auth)
        with self._transaction() as database:
            renewed = replace(_get(database, account.api_key), api_key=_new_key())
            _delete(database, account.api_key)
            _put(database, renewed)
        return renewed

    def delete_account(self, auth: Authentication, api_key: str) -> Account:
        self.check_admin(auth)
        with self._transaction() as database:
            account = _get(database, api_key)
            _delete(database, api_key)
        return account


def _new_key() -> str:
    return secrets.token_hex(16)  # no dash, which a command would take for a flag, even in a beginning of the key


def _get(database: sqlite3.Connection, api_key: str) -> Account:
    """Raises: AccountError when nobody has the key."""
    return _present(_find(database, api_key))


def _present(account: Account | None) -> Account:
    if account is None:
        raise AuthenticationError("No account has this API key.")
    return account


def _find(database: sqlite3.Connection, api_key: str) -> Account | None:
    row = database.execute("SELECT account FROM accounts WHERE api_key = ?", (api_key,)).fetchone()
    return None if row is None else read_account(json.loads(row[0]))


def _put(database: sqlite3.Connection, account: Account) -> None:
    text = json.dumps(asdict(account))
    database.execute("INSERT OR REPLACE INTO accounts (api_key, account) VALUES (?, ?)", (account.api_key, text))


def _delete(database: sqlite3.Connection, api_key: str) -> None:
    database.execute("DELETE FROM accounts WHERE api_key = ?", (api_key,))
