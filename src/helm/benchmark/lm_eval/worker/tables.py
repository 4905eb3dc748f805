"""A stand-in for `datasets.Dataset`: rows in memory with the methods that task files use."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Row = dict[str, Any]


class ClassLabel:
    """A column of numbers that stand for names."""

    dtype = "int64"

    def __init__(self, num_classes: int | None = None, names: Sequence[str] | None = None):
        self.names = list(names or map(str, range(num_classes or 0)))
        self.num_classes = len(self.names)

    def int2str(self, value: Any) -> Any:
        """Return the name of a number, or the names of several."""
        return [self.names[one] for one in value] if isinstance(value, (list, tuple)) else self.names[value]

    def str2int(self, value: Any) -> Any:
        """Return the number of a name, or the numbers of several."""
        return list(map(self.names.index, value)) if isinstance(value, (list, tuple)) else self.names.index(value)


class Value:
    """A column of plain values."""

    def __init__(self, dtype: str = "string"):
        self.dtype = dtype


class Sequence_:  # noqa: N801 (known to task files as `Sequence`)
    """A column of lists."""

    def __init__(self, feature: Any = None, length: int = -1):
        self.feature, self.length = feature, length


class Features(dict):
    """Maps columns to their kinds."""


class Dataset:
    """Rows of one split. Selections share the rows of the table that they are made of.

    Args:
        rows: the rows, which are not copied.
        labels: names of the numbers, for columns of class labels.
    """

    def __init__(
        self, rows: Sequence[Row], labels: Mapping[str, Sequence[str]] | None = None, split: str | None = None
    ):
        self._rows = rows
        self._labels = dict(labels or {})
        self.split = split
        self.info = self

    # ---- making tables

    @classmethod
    def from_list(cls, rows: Sequence[Row], **_: Any) -> "Dataset":
        return cls([dict(row) for row in rows])

    @classmethod
    def from_dict(cls, columns: Mapping[str, Sequence[Any]], **_: Any) -> "Dataset":
        names = list(columns)
        return cls([dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)])

    @classmethod
    def from_generator(
        cls, generator: Callable[..., Iterator[Row]], gen_kwargs: dict | None = None, **_: Any
    ) -> "Dataset":
        return cls([dict(row) for row in generator(**(gen_kwargs or {}))])

    @classmethod
    def from_pandas(cls, frame: Any, **_: Any) -> "Dataset":
        return cls(frame.to_dict("records"))

    def _with(self, rows: Sequence[Row]) -> "Dataset":
        kept = {name: names for name, names in self._labels.items() if not rows or name in rows[0]}
        return Dataset(rows, kept, self.split)

    # ---- reading

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return (dict(row) for row in self._rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if self._rows and key not in self._rows[0]:
                raise KeyError(f"Column {key} not in the dataset. Current columns: {self.column_names}")
            return [row[key] for row in self._rows]
        if isinstance(key, slice):
            return _to_columns(self._rows[key], self.column_names)
        if isinstance(key, (list, tuple, range)):
            return _to_columns([self._rows[int(i)] for i in key], self.column_names)
        return dict(self._rows[int(key)])

    @property
    def column_names(self) -> list[str]:
        return list(self._rows[0]) if self._rows else []

    @property
    def num_rows(self) -> int:
        return len(self._rows)

    @property
    def num_columns(self) -> int:
        return len(self.column_names)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._rows), self.num_columns

    @property
    def features(self) -> Features:
        sample = self._rows[0] if self._rows else {}
        return Features(
            {
                name: ClassLabel(names=self._labels[name]) if name in self._labels else _kind_of(value)
                for name, value in sample.items()
            }
        )

    def to_list(self) -> list[Row]:
        return [dict(row) for row in self._rows]

    def to_dict(self, **_: Any) -> dict[str, list[Any]]:
        return _to_columns(self._rows, self.column_names)

    def to_pandas(self, **_: Any) -> Any:
        import pandas

        return pandas.DataFrame(self.to_list())

    def to_iterable_dataset(self, **_: Any) -> "Dataset":
        return self

    def iter(self, batch_size: int, drop_last_batch: bool = False) -> Iterator[dict[str, list[Any]]]:
        for start in range(0, len(self._rows), batch_size):
            rows = self._rows[start : start + batch_size]
            if len(rows) == batch_size or not drop_last_batch:
                yield _to_columns(rows, self.column_names)

    def unique(self, column: str) -> list[Any]:
        return list(dict.fromkeys(row[column] for row in self._rows))

    # ---- changing

    def map(
        self,
        function: Callable[..., Any] | None = None,
        with_indices: bool = False,
        batched: bool = False,
        batch_size: int | None = 1000,
        remove_columns: "str | Sequence[str] | None" = None,
        input_columns: "str | Sequence[str] | None" = None,
        fn_kwargs: dict[str, Any] | None = None,
        **_: Any,
    ) -> "Dataset":
        """Return a table of what the function returns for each row (or batch), added to the columns that are there."""
        if function is None:
            return self
        removed = {remove_columns} if isinstance(remove_columns, str) else set(remove_columns or ())
        further = fn_kwargs or {}
        call = _caller(function, with_indices, input_columns, further)
        if batched:
            return self._with(self._map_batches(call, batch_size or len(self._rows) or 1, removed))
        rows: list[Row] = []
        for i, row in enumerate(self._rows):
            made = call(dict(row), i)
            kept = {name: value for name, value in row.items() if name not in removed}
            rows.append({**kept, **_plain_row(made)} if made is not None else dict(row))
        return self._with(rows)

    def _map_batches(self, call: Callable[[Any, Any], Any], size: int, removed: set[str]) -> list[Row]:
        rows: list[Row] = []
        for start in range(0, len(self._rows), size):
            batch = _to_columns(self._rows[start : start + size], self.column_names)
            made = call(dict(batch), list(range(start, start + len(self._rows[start : start + size]))))
            columns = {name: values for name, values in batch.items() if name not in removed}
            columns.update(made or {})
            names = list(columns)
            rows += [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        return rows

    def filter(
        self,
        function: Callable[..., Any] | None = None,
        with_indices: bool = False,
        input_columns: "str | Sequence[str] | None" = None,
        batched: bool = False,
        fn_kwargs: dict[str, Any] | None = None,
        **_: Any,
    ) -> "Dataset":
        """Return the rows for which the function is true."""
        if function is None:
            return self
        call = _caller(function, with_indices, input_columns, fn_kwargs or {})
        if batched:
            keep = call(_to_columns(self._rows, self.column_names), list(range(len(self._rows))))
            return self._with([row for row, is_kept in zip(self._rows, keep, strict=True) if is_kept])
        return self._with([row for i, row in enumerate(self._rows) if call(dict(row), i)])

    def select(self, indices: Any, **_: Any) -> "Dataset":
        return self._with([self._rows[int(i)] for i in indices])

    def take(self, n: int) -> "Dataset":
        return self._with(self._rows[:n])

    def skip(self, n: int) -> "Dataset":
        return self._with(self._rows[n:])

    def shuffle(self, seed: int | None = None, generator: Any = None, **_: Any) -> "Dataset":
        return self.select(_permutation(len(self._rows), seed, generator))

    def sort(self, column_names: "str | Sequence[str]", reverse: bool = False, **_: Any) -> "Dataset":
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        return self._with(sorted(self._rows, key=lambda row: [row[name] for name in names], reverse=reverse))

    def train_test_split(
        self,
        test_size: "float | int | None" = None,
        train_size: "float | int | None" = None,
        shuffle: bool = True,
        seed: int | None = None,
        **_: Any,
    ) -> "DatasetDict":
        total = len(self._rows)
        num_test = _share(test_size, total, up=True)
        num_train = _share(train_size, total, up=False)
        if num_test is None:
            num_test = total - num_train if num_train is not None else -(-total // 4)
        if num_train is None:
            num_train = total - num_test
        order = _permutation(total, seed, None) if shuffle else [*range(total)]
        if shuffle:
            test, train = order[:num_test], order[num_test : num_test + num_train]
        else:
            train, test = order[:num_train], order[num_train : num_train + num_test]
        return DatasetDict({"train": self.select(train), "test": self.select(test)})

    def rename_column(self, original_column_name: str, new_column_name: str, **_: Any) -> "Dataset":
        return self.rename_columns({original_column_name: new_column_name})

    def rename_columns(self, column_mapping: Mapping[str, str], **_: Any) -> "Dataset":
        rows = [{column_mapping.get(name, name): value for name, value in row.items()} for row in self._rows]
        labels = {column_mapping.get(name, name): names for name, names in self._labels.items()}
        return Dataset(rows, labels, self.split)

    def remove_columns(self, column_names: "str | Sequence[str]", **_: Any) -> "Dataset":
        removed = {column_names} if isinstance(column_names, str) else set(column_names)
        return self._with([{k: v for k, v in row.items() if k not in removed} for row in self._rows])

    def select_columns(self, column_names: "str | Sequence[str]", **_: Any) -> "Dataset":
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        return self._with([{name: row[name] for name in names} for row in self._rows])

    def add_column(self, name: str, column: Sequence[Any], **_: Any) -> "Dataset":
        return self._with([{**row, name: value} for row, value in zip(self._rows, column, strict=True)])

    def add_item(self, item: Row, **_: Any) -> "Dataset":
        return self._with([*self._rows, dict(item)])

    def flatten(self, **_: Any) -> "Dataset":
        return self._with([_flatten(row) for row in self._rows])

    def class_encode_column(self, column: str, **_: Any) -> "Dataset":
        names = sorted({str(row[column]) for row in self._rows})
        rows = [{**row, column: names.index(str(row[column]))} for row in self._rows]
        return Dataset(rows, {**self._labels, column: names}, self.split)

    def cast_column(self, column: str, feature: Any, **_: Any) -> "Dataset":
        return self

    def cast(self, features: Any, **_: Any) -> "Dataset":
        return self

    def with_format(self, *_: Any, **__: Any) -> "Dataset":
        return self

    def set_format(self, *_: Any, **__: Any) -> None:
        return None

    def flatten_indices(self, **_: Any) -> "Dataset":
        return self


class DatasetDict(dict):
    """Tables by the name of their split."""

    def __getattr__(self, name: str) -> Any:
        """Methods of tables are applied to each of them."""
        if name.startswith("_") or not hasattr(Dataset, name):
            raise AttributeError(name)
        if isinstance(getattr(Dataset, name), property):
            return {split: getattr(table, name) for split, table in self.items()}

        def apply(*args: Any, **kwargs: Any) -> "DatasetDict":
            return DatasetDict({split: getattr(table, name)(*args, **kwargs) for split, table in self.items()})

        return apply


def concatenate_datasets(tables: Sequence[Dataset], **_: Any) -> Dataset:
    """Return the rows of several tables, one after the other."""
    rows = [row for table in tables for row in table]
    names = dict.fromkeys(name for table in tables for name in table.column_names)
    return Dataset([{name: row.get(name) for name in names} for row in rows], tables[0]._labels if tables else None)


def _caller(
    function: Callable[..., Any], with_indices: bool, input_columns: Any, further: dict[str, Any]
) -> Callable[[Any, Any], Any]:
    columns = [input_columns] if isinstance(input_columns, str) else input_columns

    def call(row: Any, i: Any) -> Any:
        arguments = [row[name] for name in columns] if columns else [row]
        return function(*arguments, *([i] if with_indices else []), **further)

    return call


def _to_columns(rows: Sequence[Row], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in names}


def _plain_row(row: Any) -> Row:
    return dict(row.items())


def _kind_of(value: Any) -> Any:
    if isinstance(value, bool):
        return Value("bool")
    if isinstance(value, int):
        return Value("int64")
    if isinstance(value, float):
        return Value("float64")
    if isinstance(value, list):
        return Sequence_(_kind_of(value[0]) if value else None)
    if isinstance(value, dict):
        return {name: _kind_of(part) for name, part in value.items()}
    return Value("string")


def _flatten(row: Row, prefix: str = "") -> Row:
    flat: Row = {}
    for name, value in row.items():
        flat.update(_flatten(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value})
    return flat


def _share(size: "float | int | None", total: int, up: bool) -> int | None:
    if size is None or isinstance(size, int):
        return size
    exact = size * total
    return int(-(-exact // 1)) if up else int(exact)


def _permutation(size: int, seed: int | None, generator: Any) -> list[int]:
    """Return the order in which `datasets` shuffles: numpy's default generator."""
    try:
        import numpy
    except ModuleNotFoundError:
        order = [*range(size)]
        random.Random(seed).shuffle(order)
        return order
    made = generator if generator is not None else numpy.random.default_rng(0 if seed is None else seed)
    return [int(i) for i in made.permutation(size)]
