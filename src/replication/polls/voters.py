"""A poll's codes turned into counts of voters, and what its map expects beside what was found.

One row of the file is a respondent. Kept are the voters for Reagan or Mondale who gave all of state, income,
union and race; what leaves this module is how many of them each cell holds, never a single respondent.

==========  ==============================================================================================
symbol      here
==========  ==============================================================================================
i, k        state; the 45 combinations of income, union and race
n_ik        reagan + mondale of a row of the counts
pi_i        a state's share of Reagan among its voters
==========  ==============================================================================================
"""

import difflib

import pandas as pd

from replication.polls.codes import NUMBER, STATA_MISSING, codes_of
from replication.polls.maps import LEVELS, MARGINS, MISSING, TOTALS, cell_label

CELL = ["state", "income", "union", "race"]


def voter_answers(frame, poll):
    """The five answers of every row, as a PollMap reads them.

    Arguments: `frame`, one row a respondent, with the file's own columns and codes; `poll`, a PollMap.
    Returns a frame with columns state, income, union, race and vote; an answer that is missing is "".
    Raises ValueError, naming column, codes and number of rows, where the frame lacks a column or holds a code
    that the map does not list.

    >>> from replication.polls.codes import Codes
    >>> from replication.polls.maps import PollMap
    >>> levels = {"vote": {"reagan": "1", "mondale": "2", "": "0"}}
    >>> rules = {a: tuple((l, {"V": Codes(frozenset([c]))}) for l, c in r.items()) for a, r in levels.items()}
    >>> voter_answers(pd.DataFrame({"V": [1, 2, 0, 1]}), PollMap(rules, {}))["vote"].tolist()
    ['reagan', 'mondale', '', 'reagan']
    """
    return pd.DataFrame({answer: _levels(frame, answer, poll) for answer in poll.rules})


def column_named(frame, column, answer, name):
    """The frame's own name of a column that a map names, in capitals or not: formats differ in that.

    Raises ValueError, naming the map and its `answer`, where the frame has no such column.
    """
    if column in frame.columns:
        return column
    same = [have for have in frame.columns if str(have).lower() == column.lower()]
    if len(same) == 1:
        return same[0]
    close = difflib.get_close_matches(column, list(map(str, frame.columns)), n=1)
    have = ", ".join(map(str, frame.columns[:8])) + (", ..." if len(frame.columns) > 8 else "")
    hint = f"did you mean {close[0]!r}?" if close else f"its {len(frame.columns)} columns are {have}"
    raise ValueError(f"the file has no column {column!r}, which {name} names under {answer}; {hint}")


def count_voters(answers):
    """Complete two-party voters counted by cell and vote.

    Arguments: the frame of `voter_answers`. Returns one row an occupied cell, sorted: state, income, union,
    race, reagan, mondale. Raises ValueError where no voter is left.
    """
    voters = answers[(answers[[*CELL, "vote"]] != MISSING).all(axis=1)]
    if voters.empty:
        none = [answer for answer in answers if (answers[answer] == MISSING).all()]
        raise ValueError(
            "no row is a voter for Reagan or Mondale with state, income, union and race; "
            + (f"no row has any {none[0]}: check its codes in the map" if none else "check the map's codes")
        )
    counts = voters.groupby([*CELL, "vote"]).size().unstack(fill_value=0)
    return counts.reindex(columns=["reagan", "mondale"], fill_value=0).reset_index().rename_axis(columns=None)


def found_figures(answers, counts, cells=()):
    """What the file held, by the labels that a map's expectations have: a dict label -> number.

    Arguments: the frame of `voter_answers`, the counts of `count_voters`, and further cells to count, such as
    {"union": "self", "race": "other"}.
    """
    voters = counts.assign(voters=counts["reagan"] + counts["mondale"])
    by_state = voters.groupby("state")["voters"].sum()
    two_party = answers[answers["vote"] != MISSING]
    found = {TOTALS["rows"]: len(answers), TOTALS["two_party_voters"]: len(two_party)}
    for answer in CELL:
        found[f"- without {answer}"] = int((two_party[answer] == MISSING).sum())
    found |= {
        TOTALS["voters"]: int(by_state.sum()),
        TOTALS["states"]: len(by_state),
        TOTALS["median_voters_a_state"]: float(by_state.median()),
        TOTALS["occupied_cells"]: len(voters.groupby(list(MARGINS))),
    }
    for answer in MARGINS:
        totals = voters.groupby(answer)["voters"].sum()
        found |= {cell_label({answer: level}): int(totals.get(level, 0)) for level in LEVELS[answer]}
    for cell in cells:
        hit = (voters[list(cell)] == pd.Series(cell)).all(axis=1)
        found[cell_label(cell)] = int(voters.loc[hit, "voters"].sum())
    return found


def compare(expected, found):
    """Expected beside found: a frame with columns figure, expected (NaN if not stated), found, differs.

    >>> compare({"voters": 10}, {"rows": 12, "voters": 9})
       figure  expected  found  differs
    0    rows       NaN     12    False
    1  voters      10.0      9     True
    """
    table = pd.DataFrame({"figure": list(found), "expected": [expected.get(f) for f in found]})
    table["expected"] = table["expected"].astype(float)
    table["found"] = list(found.values())
    table["differs"] = table["expected"].notna() & (table["expected"] != table["found"])
    return table


def describe_columns(poll, most=25):
    """Lines that list every column: its label, then each code with its meaning and number of rows.

    Arguments: `poll`, a PollFile. Columns with more than `most` codes, such as case numbers, get their
    number of codes only.
    """
    for column in poll.frame.columns:
        rows = codes_of(poll.frame[column]).value_counts()
        label = poll.labels.get(column)
        yield f"{column}: {label}" if label else str(column)
        if len(rows) > most:
            yield f"    {len(rows)} different codes"
            continue
        for code in sorted(rows.index, key=_by_number):
            yield f"    {poll.explained(column, code)}: {rows[code]:,} rows"


def _by_number(code):
    """Sorts codes that are numbers by size, and after them the others by name."""
    return (0, float(code), "") if NUMBER.fullmatch(code) else (1, 0.0, code)


def _levels(frame, answer, poll):
    """The level of one answer in every row."""
    rules = poll.rules[answer]
    columns = list(dict.fromkeys(column for _, when in rules for column in when))
    codes = {column: codes_of(frame[column_named(frame, column, answer, poll.name)]) for column in columns}
    for column in columns:
        listed = pd.Series(False, index=frame.index)
        for _, when in rules:
            if column in when:
                listed |= when[column].match(codes[column])
        unlisted = codes[column][~listed & (codes[column] != "")]
        declared = unlisted.map(STATA_MISSING.fullmatch).notna().any()
        _refuse(
            unlisted,
            f"column {column!r}",
            f"neither a level of {answer} nor missing; list it under {answer} in {poll.name}"
            + (" (Stata has .a to .z in place of codes declared missing)" if declared else ""),
        )
    levels = pd.Series(MISSING, index=frame.index)
    open_rows = pd.Series(True, index=frame.index)
    blank = pd.Series(False, index=frame.index)
    for level, when in rules:
        hit = open_rows.copy()
        for column, wanted in when.items():
            hit &= wanted.match(codes[column])
            blank |= codes[column] == ""
        levels[hit] = level
        open_rows &= ~hit
    # A row that no rule fits is missing if it lacks a value, and a gap in the map if not.
    together = pd.Series("", index=frame.index).str.cat([c + " " for c in codes.values()]).str.rstrip()
    _refuse(
        together[open_rows & ~blank],
        f"columns {', '.join(columns)}",
        f"fitted by no rule of {answer}; add a rule to {answer} in {poll.name}",
    )
    return levels


def _refuse(codes, where, why):
    """ValueError with the codes and their numbers of rows, the most frequent first, if there are any."""
    if len(codes):
        rows = codes.value_counts()
        listed = ", ".join(f"{code!r} ({n} row{'s' * (n > 1)})" for code, n in rows.head(5).items())
        more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
        raise ValueError(f"{where}: code{'s' * (len(rows) > 1)} {listed}{more}: {why}")
