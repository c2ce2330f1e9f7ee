"""What the header of a Parquet file says: the names and types of its columns, and the order of levels."""

import os
import re

_WRITE_AGAIN = "write it again"


def parquet_header(file):
    """The names and the types, as arrow has them, of a Parquet file's columns.

    Raises ValueError where the file is empty or no whole Parquet file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if os.path.getsize(file) == 0:
        raise ValueError(f"{file}: empty; expected a Parquet file: {_WRITE_AGAIN}")
    try:
        schema = pq.read_schema(file)
    except pa.ArrowException as error:
        with open(file, "rb") as raw:
            start = raw.read(4)
        if start != b"PAR1":
            raise ValueError(
                f"{file}: not a Parquet file (it begins with {start!r}); if it is CSV, give it a name that "
                "ends in .csv"
            ) from None
        reason = str(error).splitlines()[0].rstrip(".")
        raise ValueError(f"{file}: not a whole Parquet file ({reason}); {_WRITE_AGAIN}") from None
    return schema.names, list(schema.types)


def kind_of(value_type):
    """How a column of an arrow type is read: "int", "float", "text", "binary" or "time"; else the name of its type.

    Nested types and durations are none of the five: they are no names of groups or levels.
    """
    import pyarrow as pa

    types = pa.types
    while types.is_dictionary(value_type) or isinstance(value_type, pa.BaseExtensionType):
        value_type = value_type.value_type if types.is_dictionary(value_type) else value_type.storage_type
    if types.is_nested(value_type) or types.is_duration(value_type) or types.is_interval(value_type):
        return plain(value_type)
    if types.is_floating(value_type):
        return "float"
    # uint64 does not fit in BIGINT.
    if types.is_integer(value_type):
        return "text" if types.is_uint64(value_type) else "int"
    if types.is_time(value_type):
        return "time"
    is_binary = types.is_binary(value_type) or types.is_large_binary(value_type)
    is_binary |= types.is_fixed_size_binary(value_type) or types.is_binary_view(value_type)
    return "binary" if is_binary else "text"


def plain(value_type):
    """The name of a type, in which a dictionary of text is text and large text too."""
    import pyarrow as pa

    if pa.types.is_dictionary(value_type):
        value_type = value_type.value_type
    return re.sub(r"large_|_view", "", str(value_type))


def dictionary_order(file, column):
    """The levels of an ordered dictionary (a categorical of pandas) in their order; None for another type."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as parquet:
        value_type = parquet.schema_arrow.field(column).type
        if not (pa.types.is_dictionary(value_type) and value_type.ordered):
            return None
        for group in range(parquet.num_row_groups):
            for chunk in parquet.read_row_group(group, columns=[column]).column(0).chunks:
                return chunk.dictionary.to_pylist()
    return []
