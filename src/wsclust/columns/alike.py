"""Names that look the same and are not: they differ in case, blanks, what is invisible or Unicode form."""

import unicodedata

from wsclust.columns.times import unlike_times


def bare(name):
    """What is left of a name without that in which names differ unseen.

    >>> bare("New\\u00a0York ") == bare("new york"), bare("Zu\\u0308rich\\u200b") == bare("Z\\u00fcrich")
    (True, True)
    """
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
        name = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return " ".join(name.casefold().split())


def alike(names):
    """The names that look the same, as lists of two or more, in the order in which they are found.

    >>> alike(["red", "blue", "Red", "red "])
    [['red', 'Red', 'red ']]
    """
    names = list(dict.fromkeys(names))
    if len({bare(name) for name in names}) == len(names):
        return []
    together = {}
    for name in names:
        together.setdefault(bare(name), []).append(name)
    return [found for found in together.values() if len(found) > 1]


def alike_across(names, others):
    """Pairs of a name and one of the others that looks the same, and is not.

    >>> alike_across(["a", "B "], ["a", "b"])
    [('B ', 'b')]
    """
    known = {}
    for other in others:
        known.setdefault(bare(other), other)
    pairs = ((name, known.get(bare(name))) for name in names)
    return [(name, other) for name, other in pairs if other is not None and other != name]


def why_unlike(names, others):
    """What to say of names that are none of the others but nearly: they differ unseen, by zeros or as times; else "".

    >>> why_unlike(["a "], ["a", "b"])
    "; 'a ' and 'a' differ in case, blanks or Unicode form alone"
    """
    near = alike_across(names, others)
    unseen = f"; {in_words(near)} differ in case, blanks or Unicode form alone" if near else ""
    return unseen + _zeros_lost(names, others) + unlike_times(names, others)


def _zeros_lost(names, others):
    """What to say where names are those of the others but for zeros in front, which a table of numbers loses; else "".

    >>> _zeros_lost(["0118"], ["118", "119"])
    "; '0118' and '118' differ in zeros in front, which are lost where names are read as numbers: keep them as text"
    >>> _zeros_lost(["a"], ["b"])
    ''
    """
    known = {other.lstrip("0"): other for other in others if other.isdecimal()}
    for name in names:
        other = known.get(name.lstrip("0")) if name.isdecimal() else None
        if other is not None and other != name:
            return (
                f"; {name!r} and {other!r} differ in zeros in front, which are lost where names are read as numbers: "
                "keep them as text"
            )
    return ""


def in_words(pairs, most=3):
    """Pairs or longer lists of names in quotes, in which what is invisible can be seen.

    >>> in_words([("B\\u00a0", "b")])
    "'B\\\\xa0' and 'b'"
    """
    shown = ", ".join(" and ".join(_quoted(names)) for names in pairs[:most])
    return shown + (f" and {len(pairs) - most:,} more" if len(pairs) > most else "")


def _quoted(names):
    """In quotes, and in escapes where they would be printed alike (a letter in two Unicode forms)."""
    alike = len({unicodedata.normalize("NFC", name) for name in names}) < len(names)
    return [ascii(name) if alike else repr(name) for name in names]
