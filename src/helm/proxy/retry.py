"""Another try for what failed for the moment: waits that double."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hexception, hwarn

ResultT = TypeVar("ResultT")

RETRIES_VARIABLE = "HELM_RETRIES"
"""Environment variable: how many further attempts follow a failed one; 0: none."""

_MAX_ATTEMPTS = 5
_REQUEST_MULTIPLIER_S = 5
_TOKENIZER_MULTIPLIER_S = 1


class NonRetriableException(Exception):
    """Raised by clients and tokenizers when another attempt would fail as well."""


class RetryError(Exception):
    """Every attempt gave an unsuccessful result; `last_result` is the last of them."""

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
    """Make a decorator that calls again after exceptions and after results for which `retry_on_result` is true.

    Attempt k (from 1) is followed by a wait of 2^k times the multiplier. `KeyboardInterrupt`, `NonRetriableException`
    and `HelmError` (which the user must mend) propagate at once. When attempts run out the last exception propagates,
    and an unsuccessful result becomes a `RetryError`.
    """

    def decorate(function: Callable[..., ResultT]) -> Callable[..., ResultT]:
        def retried(*args: Any, **kwargs: Any) -> ResultT:
            attempt = 0
            while True:
                attempt += 1
                try:
                    result = function(*args, **kwargs)
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


def _is_worth_retrying(result: Any) -> bool:
    if result.success:
        return False
    flags = getattr(result, "error_flags", None)
    return flags is None or flags.is_retriable is not False


retry_request: Callable[[Callable[..., ResultT]], Callable[..., ResultT]] = get_retry_decorator(
    "Request", _MAX_ATTEMPTS, _REQUEST_MULTIPLIER_S, _is_worth_retrying
)

retry_tokenizer_request: Callable[[Callable[..., ResultT]], Callable[..., ResultT]] = get_retry_decorator(
    "Tokenizer request", _MAX_ATTEMPTS, _TOKENIZER_MULTIPLIER_S, _is_worth_retrying
)
