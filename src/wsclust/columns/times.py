"""Times beside dates: a program that reads a column as times writes `2024-03-01` as `2024-03-01 00:00:00`."""

import re

_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?")
_DATED = re.compile(r"\d+[-/.:]\d+[-/.:]?.*")


def unlike_times(names, others):
    """What to say where names are times, as `names` writes them, and the others dates or times written otherwise.

    Arguments: two sequences of text, none of which is in both; either may be the times. "" where it is not so.

    >>> unlike_times(["2024-03-01 00:00:00"], ["2024-03-01", "2024-03-02"])[:65]
    "; '2024-03-01 00:00:00' and '2024-03-01' are a time and another w"
    >>> unlike_times(["a"], ["b"])
    ''
    """
    for times, dates in ((names, others), (others, names)):
        if len(times) and len(dates) and _TIME.fullmatch(times[0]):
            if not _TIME.fullmatch(dates[0]) and _DATED.fullmatch(dates[0]):
                return (
                    f"; {times[0]!r} and {dates[0]!r} are a time and another way to write one: write both alike, a "
                    "column of pandas with .dt.strftime('%Y-%m-%d')"
                )
    return ""
