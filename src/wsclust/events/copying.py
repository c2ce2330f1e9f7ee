"""Event files copied to one file with a column more.

DuckDB reads the rows and writes them in their order. From Parquet to Parquet the columns are copied by pyarrow,
past DuckDB, so each keeps its type.
"""

import csv
import io

from wsclust.events.sql_text import quoted, quoted_name, utf8_path

_LINE = "\n"
_ROWS = 122_880  # of a row group, as DuckDB has them


def copy_with_column(db, table, name, value, output):
    """Write the columns of a table to `output`, and behind them one called `name` with the value of this SQL.

    `output` ends in .csv, .csv.gz or .parquet. Raises DuckDB's errors.
    """
    names = [*table.header, name]
    if table.kind == "parquet" and output.lower().endswith(".parquet"):
        columns = [f"c{i}" for i in range(table.width, len(table.header))] + [value]
        query = f"SELECT {', '.join(columns)} FROM {table.rows()}"
        _copy_parquet(table.files, db.sql(query).to_arrow_reader(_ROWS), names, output)
    else:
        columns = [*(_as_it_is(table, column) for column in table.header), value]
        _write(db, columns, f"FROM {table.rows()}", names, output)


def _as_it_is(table, column):
    """SQL of a column as it is copied: binary values as their text, and as escapes where they are none."""
    at, kind = table.columns[column]
    return f"coalesce(try(decode(c{at})), c{at}::VARCHAR)" if kind == "binary" else f"c{at}"


def _write(db, columns, source, names, output):
    """Copy columns, SQL expressions, to a file under these names.

    Names that are empty or differ in case alone are none to DuckDB, so they are written past it.
    """
    query = f"SELECT {', '.join(columns)} {source}"
    if not output.lower().endswith(".parquet"):
        header = io.StringIO()
        csv.writer(header, lineterminator="\r\n").writerow(names)
        prefix = header.getvalue().removesuffix("\r\n")
        packing = "gzip" if output.lower().endswith(".gz") else "none"
        db.execute(
            f"COPY ({query}) TO {quoted(utf8_path(output))} (FORMAT csv, HEADER false, "
            f"PREFIX {quoted(prefix + _LINE)}, SUFFIX {quoted(_LINE)}, COMPRESSION {packing})"
        )
    elif all(names) and len({name.lower() for name in names}) == len(names):
        named = ", ".join(
            f"{column} AS {quoted_name(name)}" for column, name in zip(columns, names, strict=True)
        )
        db.execute(f"COPY (SELECT {named} {source}) TO {quoted(utf8_path(output))} (FORMAT parquet)")
    else:
        _write_parquet(db.sql(query).to_arrow_reader(_ROWS), names, output)


def _write_parquet(batches, names, output):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pairs = zip(batches.schema, names, strict=True)
    with pq.ParquetWriter(output, pa.schema([field.with_name(name) for field, name in pairs])) as writer:
        for batch in batches:
            writer.write_batch(batch.rename_columns(names))


def _copy_parquet(files, added, names, output):
    """Copy the columns of Parquet files with others beside them, which a reader has for the same rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pq.read_schema(files[0])
    fields = [*schema, *added.schema]
    schema = pa.schema(
        [field.with_name(name) for field, name in zip(fields, names, strict=True)], schema.metadata
    )
    beside, rest = iter(added), None
    with pq.ParquetWriter(output, schema) as writer:
        for file in files:
            with pq.ParquetFile(file) as events:
                for batch in events.iter_batches(_ROWS):
                    while len(batch):
                        rest = next(beside) if rest is None or not len(rest) else rest
                        rows = min(len(batch), len(rest))
                        columns = [*batch.slice(0, rows).columns, *rest.slice(0, rows).columns]
                        # Files may have one value as text and as a dictionary of it.
                        columns = [_cast(c, field.type) for c, field in zip(columns, schema, strict=True)]
                        writer.write_batch(pa.record_batch(columns, schema=schema))
                        batch, rest = batch.slice(rows), rest.slice(rows)


def _cast(column, value_type):
    import pyarrow as pa

    if column.type == value_type:
        return column
    if pa.types.is_dictionary(value_type):
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        return column.cast(value_type.value_type).dictionary_encode().cast(value_type)
    return column.cast(value_type)
