"""Files that are broken byte by byte, as `broken_tables` breaks tables, and columns of a type that does not fit."""

import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq


def break_bytes(random, content):
    """One to three mutations of a file's bytes."""
    for _ in range(random.choice((1, 1, 2, 3))):
        content = random.choice(BYTE_MUTATIONS)(random, content)
    return content


def _flip(random, content):
    content = bytearray(content or b"\0")
    for _ in range(random.choice((1, 1, 4, 64))):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    return bytes(content)


def _cut_short(random, content):
    return content[: random.randrange(len(content) + 1)]


def _cut_out(random, content):
    start = random.randrange(len(content) + 1)
    return content[:start] + content[start + random.choice((1, 7, 100)) :]


def _put_in(random, content):
    start = random.randrange(len(content) + 1)
    new = random.choice(
        (b'"', b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", random.randbytes(16), b'"' * 3)
    )
    return content[:start] + new + content[start:]


def _separator(random, content):
    return content.replace(b",", random.choice((b";", b"\t", b"|", b", ", b",,")))


def _line_ends(random, content):
    return content.replace(
        b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\r\n\n")), random.choice((1, 5, -1))
    )


def _encoding(random, content):
    text = content.decode("utf-8", errors="replace")
    return text.encode(random.choice(("utf-16", "utf-8-sig", "cp1252", "utf-32", "utf-7")), errors="replace")


def _packed(random, content):
    return gzip.compress(content, mtime=0)


def _nothing(random, content):
    return random.choice((b"", b"\n", b" ", b"<html></html>", b"PAR1", b"\0" * 4096))


BYTE_MUTATIONS = (
    *(_flip, _flip, _cut_short, _cut_out, _put_in, _put_in),
    *(_separator, _line_ends, _encoding, _packed, _nothing),
)


def parquet_bytes(random, rows, mutate=True):
    """The rows as Parquet; where they are to be mutated, some columns get another type."""
    header, *body = rows
    columns = {}
    for place, name in enumerate(header):
        texts = [row[place] if place < len(row) else None for row in body]
        kind = random.choice(COLUMN_TYPES) if mutate and random.random() < 0.4 else _numbers
        columns[name] = kind(random, texts)
    written = io.BytesIO()
    compression = random.choice(("snappy", "none", "zstd", "gzip")) if mutate else "snappy"
    pq.write_table(pa.table(columns), written, compression=compression)
    return written.getvalue()


def parquet_of_text(header, body):
    """The rows as Parquet whose columns are text; an empty cell of CSV is no text there."""
    columns = [pa.array([row[place] or None for row in body], pa.string()) for place in range(len(header))]
    written = io.BytesIO()
    pq.write_table(pa.table(columns, names=header), written)
    return written.getvalue()


def _as(texts, type_, change=lambda text: text):
    values = []
    for text in texts:
        try:
            values.append(None if text is None else pa.scalar(change(text)).cast(type_).as_py())
        except (ValueError, pa.ArrowException, OverflowError, TypeError):
            values.append(None)
    try:
        return pa.array(values, type_)
    except (ValueError, pa.ArrowException, OverflowError, TypeError):
        return pa.array(texts, pa.string())


def _numbers(random, texts):
    """Whole numbers where every cell is one, fractions likewise, else text: as pandas would write them."""
    for kind, type_ in ((int, pa.int64()), (float, pa.float64())):
        try:
            return pa.array([None if text is None else kind(text) for text in texts], type_)
        except (ValueError, OverflowError, pa.ArrowException):
            continue
    return pa.array(
        [text if text is None else text.encode("utf-8", "replace").decode() for text in texts], pa.string()
    )


def _nulls(random, texts):
    return pa.array([text if random.random() < 0.8 else None for text in texts], pa.string())


COLUMN_TYPES = (
    _nulls,
    lambda random, texts: pa.array(texts, pa.string()).dictionary_encode(),
    lambda random, texts: pa.array(texts, pa.large_string()),
    lambda random, texts: pa.array([None if text is None else text.encode() for text in texts], pa.binary()),
    lambda random, texts: pa.array([[text] for text in texts]),
    lambda random, texts: pa.array([{"a": text} for text in texts]),
    lambda random, texts: pa.array([None] * len(texts), pa.null()),
    lambda random, texts: pa.array([random.choice((True, False, None)) for _ in texts], pa.bool_()),
    lambda random, texts: pa.array([float("nan")] * len(texts)),
    lambda random, texts: pa.array([random.choice((1e308, -1e308, float("inf"), 5e-324)) for _ in texts]),
    lambda random, texts: pa.array([2**63 - 1] * len(texts), pa.int64()),
    lambda random, texts: pa.array([random.randrange(5) for _ in texts], pa.duration("s")),
    lambda random, texts: pa.array(
        [random.randrange(5) for _ in texts], pa.timestamp("us", tz="Europe/Paris")
    ),
    lambda random, texts: pa.array([random.randrange(5) for _ in texts], pa.date32()),
    lambda random, texts: pa.array([random.randrange(5) for _ in texts], pa.uint8()),
    lambda random, texts: _as(texts, pa.decimal128(38, 3)),
    lambda random, texts: _as(texts, pa.float32(), float),
    lambda random, texts: _as(texts, pa.int8(), int),
)
