"""Tables of runs: columns by name, as numpy arrays."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas


class Table(Mapping[str, np.ndarray]):
    """Rows of runs by columns. Columns of numbers are float64 with NaN where a value is missing, others have texts.

    >>> table = Table([{"run": 0, "verdict": "green", "peak": 0.5}, {"run": 1, "verdict": "invalid"}])
    >>> table["peak"]
    array([0.5, nan])
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]]):
        self.rows: list[dict[str, Any]] = [dict(row) for row in rows]
        names = dict.fromkeys(name for row in self.rows for name in row)
        self._columns = {name: _column([row.get(name) for row in self.rows]) for name in names}

    @classmethod
    def of_json(cls, rows: Iterable[str]) -> Table:
        """The table of rows that are texts in JSON."""
        return cls(json.loads(row) for row in rows)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.rows == other.rows

    __hash__ = None

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame. Needs pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def _repr_html_(self) -> str:
        cell = lambda value: "" if value is None else f"{value:.6g}" if isinstance(value, float) else html.escape(str(value))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self)
        body = "".join(
            "<tr>" + "".join(f"<td>{cell(row.get(name))}</td>" for name in self) + "</tr>" for row in self.rows[:100]
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        return f"<Table of {len(self.rows)} rows: {', '.join(self)}>"


def _column(values: list[Any]) -> np.ndarray:
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    numbers = all(value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)) for value in values)
    if not numbers:
        return np.array(values, dtype=object)
    if all(isinstance(value, int) for value in values):
        return np.array(values)
    return np.array([np.nan if value is None else value for value in values])
