"""Tables that are broken in the ways in which tables are: cells, columns and rows.

A table is a list of rows of text, the header first. Every mutation takes a random.Random and what it breaks, and
returns the broken copy, so that a seed alone says what was tried.
"""

CELLS = (
    *("", " ", "NaN", "nan", "NULL", "None", "inf", "-inf", "1e309", "-1e-309", "0", "-0.0"),
    *("1.0", "007", "0x10", "57%", "1,5", "3.824", "1e6", "9" * 40, "true", "True", "TRUE"),
    *("=1+1", "'", '"', '""', "\\", "\\N", "\t", "a\nb", "a\r\nb", "\x00", "\ufeff"),
    *("\u200b1", "\xa01", "１", "é", "e\u0301", "\U0001f600", "𝟙", "x" * 70000, "2020-01-01"),
    *("2020-01-01 00:00:00+02", "[1, 2]", "{'a': 1}", "(0, 5]", "group", "label"),
    *("$(touch x)", "`id`"),
)
NAMES = (
    *("", " ", "n", "count", "group", "Group", "group ", "label", "posterior", "a,b", 'a"b'),
    *("x" * 300, "\u200b"),
)


def break_table(random, rows):
    """One to three mutations of a table's cells, columns and rows."""
    rows = [list(row) for row in rows]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        rows = random.choice(TABLE_MUTATIONS)(random, rows)
    return rows


def _cell(random, rows):
    if len(rows) > 1 and rows[0]:
        for _ in range(random.choice((1, 1, 2, 30))):
            row = random.choice(rows[1:])
            if row:
                row[random.randrange(len(row))] = random.choice(CELLS)
    return rows


def _whole_column(random, rows):
    column = random.randrange(max(len(rows[0]), 1))
    value = random.choice(CELLS)
    return [rows[0], *([*row[:column], value, *row[column + 1 :]] for row in rows[1:])]


def _scaled_column(random, rows):
    column, factor = random.randrange(max(len(rows[0]), 1)), random.choice((100, 1e-3, 1 / 8, 1e12, -1))

    def scaled(text):
        try:
            return repr(float(text) * factor)
        except ValueError:
            return text

    return [
        rows[0],
        *([*row[:column], *map(scaled, row[column : column + 1]), *row[column + 1 :]] for row in rows[1:]),
    ]


def _drop_column(random, rows):
    column = random.randrange(max(len(rows[0]), 1))
    return [[*row[:column], *row[column + 1 :]] for row in rows]


def _repeat_column(random, rows):
    column = random.randrange(max(len(rows[0]), 1))
    return [[*row, *row[column : column + 1]] for row in rows]


def _rename_column(random, rows):
    if rows[0]:
        rows[0][random.randrange(len(rows[0]))] = random.choice((*NAMES, *rows[0]))
    return rows


def _order_of_columns(random, rows):
    order = list(range(len(rows[0])))
    random.shuffle(order)
    return [[row[place] for place in order if place < len(row)] for row in rows]


def _drop_rows(random, rows):
    kept = random.choice((0, 1, 2, len(rows) // 2))
    return [rows[0], *random.sample(rows[1:], min(kept, len(rows) - 1))]


def _repeat_rows(random, rows):
    return [*rows, *random.choices(rows, k=random.choice((1, 5, len(rows))))]


def _ragged(random, rows):
    row = random.choice(rows)
    row[len(row) :] = [random.choice(CELLS)] if random.random() < 0.5 or not row else []
    if random.random() < 0.5 and row:
        row.pop()
    return rows


TABLE_MUTATIONS = (
    *(_cell, _cell, _cell, _whole_column, _scaled_column, _drop_column, _repeat_column, _rename_column),
    *(_order_of_columns, _drop_rows, _repeat_rows, _ragged),
)
