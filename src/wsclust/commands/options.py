"""The library's words in those of the command line: `cap=0` becomes `--cap 0`."""

import re
from collections.abc import Iterable
from functools import partial

QUOTES = "'\""
_START = r"(?<![\w/'\"-])"
_PATH = r"[^\s'\"]*/"


def in_options(text: str, names: Iterable[str]) -> str:
    """A message of the library with its arguments written as the command's options.

    Arguments: `text`; `names`, the arguments that the command has as options. An argument is found where it stands
    before an equals sign, and by its name alone where that has an underscore; not in quotes nor in a path, which are
    the user's own words, such as a column `label_n` or a folder `group=7`.

    >>> in_options("cap=0: expected more; or leave them out with drop_unlabelled=True", ["cap", "drop_unlabelled"])
    '--cap 0: expected more; or leave them out with --drop-unlabelled'
    >>> in_options("raise max_iterations or take he_weight=inf", ["max_iterations", "he_weight"])
    'raise --max-iterations or take --he-weight inf'
    >>> in_options("ordered=['age', 'size']: no setting of the direct estimator", ["ordered"])
    '--ordered age,size: no setting of the direct estimator'
    >>> in_options("it has prior=..., pseudo_events=...", ["prior", "pseudo_events"])
    'it has --prior, --pseudo-events'
    >>> in_options("log/group=7/a.csv: no column 'label_n'", ["group", "label_n"])
    "log/group=7/a.csv: no column 'label_n'"
    """
    for name in sorted(names, key=len, reverse=True):
        option = f"--{name.replace('_', '-')}"
        text = re.sub(rf"{_START}{name}=(True\b|\.\.\.)", option, text)
        text = re.sub(rf"{_START}{name}=\[([^]]*)\]", partial(_listed, option), text)
        text = re.sub(rf"{_START}{name}=(?!{_PATH})", f"{option} ", text)
        if "_" in name:
            text = re.sub(rf"{_START}{name}(?![\w/=]|\.\w)", option, text)
    return text


def _listed(option, found):
    """A list of columns as it is typed."""
    return f"{option} {','.join(name.strip().strip(QUOTES) for name in found[1].split(','))}"
