"""The prices of deployments: dated tables, from the package and from the user's folder.

They are read when the first price is looked up, so that other runs do not wait for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from helm.common.errors import ConfigError

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens for one deployment, before discounts and taxes."""

    deployment: str

    input: float

    output: float
    """Price of completion tokens; hidden reasoning counts as output."""

    date: date
    """The date on which the price was checked."""

    source: str
    """The provider's page that publishes it."""

    cached_input: float | None = None
    """Price of prompt tokens found in the provider's cache. None if there is no discount, or none is known."""

    up_to_prompt_tokens: int | None = None
    """Prompts longer than this cost more, by an amount not recorded here. None if there is no such limit."""

    cache_write: float | None = None
    """Price of prompt tokens written to the provider's cache. None if they cost the same as other input, or it is
    unknown."""

    batch_share: float | None = None
    """Price of batched requests, as a fraction of these prices. None uses the fraction of the provider's batch API."""

    image: float | None = None
    """US dollars for each picture that the model makes, in addition to tokens. None if they cost nothing of their own."""

    def cost(
        self, input_tokens: int, output_tokens: int, cached_input_tokens: int = 0, cache_write_tokens: int = 0
    ) -> float | None:
        """Return the price of one request in US dollars, or None if the prompt exceeds the limit.

        `input_tokens` includes the cached tokens and those written to the cache.

        Raises: ValueError for a negative count, or more cached tokens than tokens.
        """
        seen = cached_input_tokens + cache_write_tokens
        if min(output_tokens, cached_input_tokens, cache_write_tokens) < 0 or input_tokens < seen:
            raise ValueError(
                f"{input_tokens} input, {cached_input_tokens} cached, {cache_write_tokens} remembered and {output_tokens} "
                "output tokens."
            )
        if self.up_to_prompt_tokens is not None and input_tokens > self.up_to_prompt_tokens:
            return None
        cached_price = self.input if self.cached_input is None else self.cached_input
        write_price = self.input if self.cache_write is None else self.cache_write
        dollars = (input_tokens - seen) * self.input + cached_input_tokens * cached_price
        dollars += cache_write_tokens * write_price
        return (dollars + output_tokens * self.output) / _MILLION


_paths: list[str] = []
_prices: dict[str, Price] = {}
_num_paths_read = 0
_given: dict[str, Price] = {}
"""Prices from the command line, by the name of a deployment or model; the empty name means all."""


def register_prices_from_path(path: str) -> None:
    """Add a file with a list `prices`, which is read when the first price is looked up."""
    _paths.append(path)


def get_price(deployment_name: str) -> Price | None:
    """Return the price of a deployment: from the command line, else from the most recent file that lists it, else None.

    Raises: ConfigError with the file and what is wrong in it.
    """
    global _num_paths_read
    if _given:
        given = _given.get(deployment_name) or _given.get(_model_of(deployment_name)) or _given.get("")
        if given is not None:
            return replace(given, deployment=deployment_name)
    while _num_paths_read < len(_paths):
        for price in _read(_paths[_num_paths_read]):
            _prices[price.deployment] = price
        _num_paths_read += 1
    return _prices.get(deployment_name)


def give_prices(texts: Sequence[str]) -> None:
    """Set prices from the command line, as parsed by `parse_given_price`; they override all files. Raises: ConfigError."""
    _given.clear()
    _given.update(map(parse_given_price, texts))


def parse_given_price(text: str) -> tuple[str, Price]:
    """Parse `IN,OUT` or `MODEL=IN,OUT`, in US dollars per million tokens, into the name (or "") and the price.

    Raises: ConfigError.
    """
    name, _, numbers = text.rpartition("=")
    parts = numbers.split(",")
    try:
        amounts = [float(part) for part in parts]
    except ValueError:
        amounts = []
    if len(amounts) != 2 or not all(0 <= amount < float("inf") for amount in amounts):
        raise ConfigError(
            f"--price takes IN,OUT or MODEL=IN,OUT: dollars, 0 or more, per million tokens of prompts and of answers; not "
            f"'{text}'."
        )
    return name, Price(name, amounts[0], amounts[1], date.today(), "--price")


def given_price_names() -> list[str]:
    """Return the deployments and models that have prices from the command line."""
    return [name for name in _given if name]


def _model_of(deployment_name: str) -> str:
    from helm.benchmark.model_deployment_registry import find_model_deployment

    deployment = find_model_deployment(deployment_name)
    return (deployment.model_name or deployment_name) if deployment is not None else deployment_name


def _read(path: str) -> list[Price]:
    import dacite

    from helm.common.formats.json_lines_yaml import read_json_lines_yaml

    prices = read_json_lines_yaml(path, "prices", Price)
    if prices is None:
        from helm.common.files import load_yaml

        raw = load_yaml(path)
        entries = raw.get("prices") if isinstance(raw, dict) else None
        if not isinstance(entries, list):
            raise ConfigError(f"{path}: expected a mapping whose key 'prices' holds a list.")
        prices = []
        for index, entry in enumerate(entries):
            try:
                prices.append(dacite.from_dict(Price, entry))
            except (dacite.DaciteError, TypeError, AttributeError) as e:
                raise ConfigError(f"{path}: prices[{index}]: {e}") from e
    for price in prices:
        amounts = [price.input, price.output, price.cached_input or 0.0, price.cache_write or 0.0, price.image or 0.0]
        if price.batch_share is not None and not 0 <= price.batch_share <= 1:
            raise ConfigError(f"{path}: deployment '{price.deployment}': batch_share must be between 0 and 1.")
        if not all(0 <= amount < float("inf") for amount in amounts):
            raise ConfigError(
                f"{path}: deployment '{price.deployment}': prices must be dollars, 0 or more, not {amounts}."
            )
    return prices
