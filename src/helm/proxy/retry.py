"""Retries of transient failures with exponential backoff."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hexception, hwarn

ResultT = TypeVar("ResultT")

RETRIES_VARIABLE = "HELM_RETRIES"
"""The environment variable with the number of retries after a failed attempt; 0 disables retries."""

# HELM's values: a request waits 10, 20, 40 and 80 s between attempts, a tokenizer 2 to 16 s.
HELM_RETRIES = 5
HELM_TOKENIZER_RETRIES = 5
"""How often a request, or a tokenizer, is tried."""
_REQUEST_MULTIPLIER_S = 5
_TOKENIZER_MULTIPLIER_S = 1


class NonRetriableException(Exception):
    """A failure of a client or tokenizer for which another attempt would fail as well."""


class RetryError(Exception):
    """All attempts gave unsuccessful results; `last_result` is the last one."""

    def __init__(self, operation: str, attempts: int, last_result: Any):
        error = getattr(last_result, "error", None)
        super().__init__(f"{operation} failed {attempts} times" + (f": {error}" if error else ""))
        self.attempts = attempts
        self.last_result = last_result


def _num_attempts(max_attempts: int) -> int:
    text = os.environ.get(RETRIES_VARIABLE, "")
    if not text:
        return max_attempts
    if not text.isdigit():
        raise HelmError(f"{RETRIES_VARIABLE} takes a whole number of retries, 0 or more, not '{text}'.")
    return int(text) + 1


def get_retry_decorator(
    operation: str,
    max_attempts: int,
    wait_exponential_multiplier_seconds: float,
    retry_on_result: Callable[[Any], bool],
) -> Callable[[Callable[..., ResultT]], Callable[..., ResultT]]:
    """Return a decorator that retries after exceptions and after results for which `retry_on_result` is true.

    Attempt k (from 1) is followed by a wait of 2^k times the multiplier. `KeyboardInterrupt`, `NonRetriableException` and
    `HelmError` (which the user must fix) are passed on at once. After the last attempt, its exception is passed on, and an
    unsuccessful result becomes a `RetryError`.
    """

    def decorate(f: Callable[..., ResultT]) -> Callable[..., ResultT]:
        def retried(*args: Any, **kwargs: Any) -> ResultT:
            attempt = 0
            while True:
                attempt += 1
                try:
                    result = f(*args, **kwargs)
                except (NonRetriableException, HelmError):
                    raise
                except Exception as e:
                    if attempt >= _num_attempts(max_attempts):
                        raise
                    hexception(e)
                else:
                    if not retry_on_result(result):
                        return result
                    if attempt >= _num_attempts(max_attempts):
                        raise RetryError(operation, attempt, result)
                wait_s = 2**attempt * wait_exponential_multiplier_seconds
                hwarn(
                    f"{operation} failed (attempt {attempt} of {_num_attempts(max_attempts)}). Next one in {wait_s} s"
                )
                sleep_until_stopped(wait_s)

        return retried

    return decorate


def retry_if_request_failed(result: Any) -> bool:
    """Whether a request failed and is worth another try."""
    if result.success:
        return False
    flags = getattr(result, "error_flags", None)
    return flags is None or flags.is_retriable is not False


retry_request: Callable[[Callable[..., ResultT]], Callable[..., ResultT]] = get_retry_decorator(
    "Request", HELM_RETRIES, _REQUEST_MULTIPLIER_S, retry_if_request_failed
)

retry_tokenizer_request: Callable[[Callable[..., ResultT]], Callable[..., ResultT]] = get_retry_decorator(
    "Tokenizer request", HELM_TOKENIZER_RETRIES, _TOKENIZER_MULTIPLIER_S, retry_if_request_failed
)
