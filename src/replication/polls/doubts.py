"""What to look at before the counts are used: where map and file may disagree, and the codes left out."""

import pandas as pd

from replication.polls.codes import STATA_MISSING, code_text, codes_of
from replication.polls.maps import MISSING
from replication.polls.voters import column_named


def left_out(file, poll, answers):
    """The codes of the rows that have no level, answer by answer.

    Arguments: `file`, a PollFile; `poll`, the PollMap; `answers`, the frame of `voter_answers`. Returns a
    frame with one row per answer and code, the most frequent first: answer, columns, code (with its meaning)
    and rows. Where an answer rests on several columns, so does the code.
    """
    listed = []
    for answer, columns in _columns(file, poll).items():
        without = file.frame.loc[answers[answer] == MISSING, columns].apply(codes_of)
        for code, rows in without.value_counts().items():
            explained = ", ".join(
                file.explained(column, part) for column, part in zip(columns, code, strict=True)
            )
            listed.append((answer, ", ".join(columns), explained, int(rows)))
    return pd.DataFrame(listed, columns=["answer", "columns", "code", "rows"])


def doubts(file, poll):
    """What speaks against reading the file by this map: whole sentences, in the order of the answers.

    Arguments: `file`, a PollFile; `poll`, the PollMap. Three things are looked for: a code that the map
    gives to a level although the file declares it missing, a code of a level that occurs in no row, and codes
    with one meaning in the file that the map gives to different levels.
    """
    found = []
    for answer, columns in _columns(file, poll).items():
        for column in columns:
            given = _levels_of(poll, answer, column)
            codes = codes_of(file.frame[column])
            found += _declared(file, column, given, codes)
            found += _absent(file, answer, column, given, codes)
            if len(columns) == 1:
                found += _namesakes(file, column, poll.rules[answer])
    return found


def _columns(file, poll):
    """The file's columns that each answer rests on."""
    return {
        answer: [
            column_named(file.frame, column, answer, poll.name)
            for column in dict.fromkeys(column for _, when in rules for column in when)
        ]
        for answer, rules in poll.rules.items()
    }


def _levels_of(poll, answer, column):
    """Each level that the map gives codes of a column to, with the Codes; not what it says is missing."""
    return [
        (level, codes)
        for level, when in poll.rules[answer]
        for name, codes in when.items()
        if name.lower() == column.lower() and level != MISSING
    ]


def _declared(file, column, given, codes):
    rows = codes.value_counts()
    for code in sorted(rows.index):
        levels = list(dict.fromkeys(level for level, wanted in given if wanted.holds(code)))
        if levels and file.declared(column, code):
            named = f"{code} {file.meaning(column, code)}".rstrip()
            yield (
                f"the file declares code {named} of {column} missing, but the map gives its "
                f"{_rows(int(rows[code]))} to {' and '.join(levels)}; list it under missing unless the "
                "codebook says otherwise"
            )


def _absent(file, answer, column, given, codes):
    """A sentence on all codes of levels that no row has, but not of those that are their own level (AL)."""
    present = set(codes.unique())
    absent = {}
    for level, wanted in given:
        for code in wanted.single - present - {level, ""}:
            absent.setdefault(code, level)
        for lowest, highest in wanted.ranges:
            if not any(type(wanted)(frozenset(), ((lowest, highest),)).holds(code) for code in present):
                absent.setdefault(f"{code_text(lowest)}-{code_text(highest)}", level)
    if not absent:
        return
    names = ", ".join(f"{code} ({level})" for code, level in sorted(absent.items()))
    several = len(absent) > 1
    reasons = []
    if any(file.declared(column, code) for code in absent):
        reasons.append(f"the file declares {'some of them' if several else 'it'} missing")
    lettered = int(codes.map(STATA_MISSING.fullmatch).notna().sum())
    if lettered:
        reasons.append(f"{_rows(lettered)} have .a to .z, which Stata has in place of codes declared missing")
    blank = int((codes == "").sum())
    if blank:
        reasons.append(
            f"{_rows(blank)} have no value, which programs write in place of codes declared missing"
        )
    why = "; ".join(reasons) if reasons else "compare it with the codebook"
    yield f"code{'s' * several} {names} of {answer} occur{'s' * (not several)} in no row of {column}: {why}"


def _namesakes(file, column, rules):
    """Codes with one meaning in the file of which the map makes different levels."""
    by_meaning = {}
    for code, meaning in file.meanings.get(column, {}).items():
        by_meaning.setdefault(" ".join(str(meaning).split()).casefold(), []).append(code_text(code))
    for meaning, codes in by_meaning.items():
        levels = {
            code: level or "missing"
            for code in codes
            for level, when in reversed(rules)
            if next(iter(when.values())).holds(code)
        }
        if meaning and len(set(levels.values())) > 1:
            uses = ", ".join(f"{code} to {level}" for code, level in levels.items())
            yield (
                f"the file gives codes {' and '.join(levels)} of {column} one meaning, "
                f"{file.meaning(column, codes[0])!r}, but the map gives {uses}; compare it with the codebook"
            )


def _rows(number):
    return f"{number:,} row{'s' * (number != 1)}"
