"""What deployments cost: a table with dates, of the package and of the user's folder.

It is read when the first price is asked for, so that runs do not pay for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from helm.common.errors import ConfigError

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens of one deployment, without discounts and taxes."""

    deployment: str

    input: float

    output: float
    """Hidden reasoning counts as output."""

    date: date
    """The day for which the price is known."""

    source: str
    """Where the provider publishes it."""

    cached_input: float | None = None
    """For what of the prompt the provider has seen before; None: no discount, or none that is known."""

    up_to_prompt_tokens: int | None = None
    """Longer prompts cost more, and how much is not known here; None: no such limit."""

    cache_write: float | None = None
    """For what of the prompt the provider is to remember; None: like other input, or not known."""

    batch_share: float | None = None
    """What requests cost that go with a batch, as a share of these prices; None: as the provider's batch API has it."""

    def cost(
        self, input_tokens: int, output_tokens: int, cached_input_tokens: int = 0, cache_write_tokens: int = 0
    ) -> float | None:
        """US dollars for one request; `input_tokens` include the cached and the remembered ones. None: the prompt is beyond
        the limit.

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
"""By the command line: for the deployments or models of these names; empty: for all."""


def register_prices_from_path(path: str) -> None:
    """Take prices from a file with the list `prices` as well; it is read when the first price is asked for."""
    _paths.append(path)


def get_price(deployment_name: str) -> Price | None:
    """The price of a deployment: that of the command line, else from the file registered last that has it; None: not known.

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
    """Prices of the command line, as `parse_given_price` takes them; they go before all files. Raises: ConfigError."""
    _given.clear()
    _given.update(map(parse_given_price, texts))


def parse_given_price(text: str) -> tuple[str, Price]:
    """`IN,OUT` or `MODEL=IN,OUT`, in US dollars per million tokens: the name, or nothing, and the price. Raises: ConfigError."""
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
    """The deployments and models that the command line has prices for."""
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
        amounts = [price.input, price.output, price.cached_input or 0.0, price.cache_write or 0.0]
        if price.batch_share is not None and not 0 <= price.batch_share <= 1:
            raise ConfigError(f"{path}: deployment '{price.deployment}': batch_share is a share from 0 to 1.")
        if not all(0 <= amount < float("inf") for amount in amounts):
            raise ConfigError(f"{path}: deployment '{price.deployment}': prices are dollars, 0 or more, not {amounts}.")
    return prices
