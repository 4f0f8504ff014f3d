"""Tables in Arrow's memory format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional

from ._verispec import NativeTable

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table:
    """Rows and named columns; what does not exist is null, never 0.

    Anything that speaks Arrow's C interface takes a table without copying it:
    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``pandas.DataFrame.from_arrow(table)``.
    """

    __slots__ = ("_native",)

    def __init__(self, native: NativeTable) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """The record batches, as an Arrow C stream in a capsule. A schema asked for is ignored."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Names and types of the columns, as an Arrow C schema in a capsule."""
        return self._native.__arrow_c_schema__()

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._native.columns

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary a row, null as None; needs no other package."""
        return self._native.rows()

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def __repr__(self) -> str:
        return f"<verispec.Table {len(self)} rows: {', '.join(self.columns)}>"

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame.

        Raises:
            ImportError: pandas (2.2 or newer) and pyarrow are not installed.
        """
        import pandas

        from_arrow = getattr(pandas.DataFrame, "from_arrow", None)
        if from_arrow is not None:
            frame: pandas.DataFrame = from_arrow(self)
            return frame
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame, sharing memory with this table.

        Raises:
            ImportError: polars is not installed.
        """
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table, sharing memory with this table.

        Raises:
            ImportError: pyarrow (14 or newer) is not installed.
        """
        import pyarrow

        return pyarrow.table(self)
