"""A DuckDB for one command: in memory, spilling to a folder of its own, with nothing loaded from outside."""

import os
import tempfile
from contextlib import closing, contextmanager


def duckdb_module():
    """The module duckdb; ImportError with the remedy where it, or pyarrow, is missing."""
    try:
        import duckdb
        import pyarrow  # noqa: F401 (`parquet_files` needs it)
    except ImportError as error:
        raise ImportError(f"reading event files needs {error.name}: pip install duckdb pyarrow") from None
    return duckdb


@contextmanager
def database(memory_limit="2GB", threads=None):
    """A connection to an empty database that is gone after the block, with what it spilled to disk in TMPDIR.

    Arguments: `memory_limit`, such as "500MB"; `threads`, default and at most all cores. Raises ValueError
    where DuckDB does not take them, ImportError where it is missing.

    >>> with database("100MB", threads=1) as db:
    ...     db.execute("SELECT 6 * 7").fetchone()
    (42,)
    """
    duckdb = duckdb_module()
    if threads is not None and threads < 1:
        raise ValueError(f"threads={threads}: expected 1 or more")
    with tempfile.TemporaryDirectory(prefix="wsclust-") as spill:
        config = {"memory_limit": memory_limit, "temp_directory": spill}
        config |= {"autoload_known_extensions": False, "autoinstall_known_extensions": False}
        config |= {"threads": min(threads, os.cpu_count() or threads)} if threads else {}
        try:
            connection = duckdb.connect(":memory:", config=config)
        except duckdb.Error as error:
            reason = str(error).splitlines()[0].removeprefix("Parser Error: ")
            raise ValueError(f"memory_limit={memory_limit}: {reason}; expected such as 500MB") from None
        with closing(connection) as db:
            db.execute("SET TimeZone = 'UTC'")  # times with a zone are the same text on every machine
            yield db
