"""Reading tables that a study wrote."""

import pandas as pd


def read_table(path):
    """A table in which "null" is a word, the name of a method, and only an empty cell is a missing value.

    >>> import io
    >>> read_table(io.StringIO("method,rmse\\nnull,\\n"))["method"].tolist()
    ['null']
    """
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def read_tables(paths):
    """Tables with the same columns, one below the other."""
    return pd.concat([read_table(path) for path in paths], ignore_index=True)
