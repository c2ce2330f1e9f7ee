"""Numbers in sentences: each is an expression on the results, so that no sentence falls behind them.

In a page it looks like `<!--={a - b:.2f}-->0.10<!--/-->`: an expression and a format, as the claims have them
(`replication.claims.expressions`), and then the text that they give, which `make readme` writes. The names are
defined in docs/numbers.yaml, where a value is `FILE COLUMN CONDITIONS`, with FILE one of its `files` and conditions
in quotes where they hold a space, or `config KEY.KEY`, a setting. Under `derived` it names longer expressions of these,
which would be in the way of a reader of the page.

Under `stated` the same file lists the numbers in sentences that come from no result, each with its origin.
`unmarked` finds the numbers that have neither.
"""

import re
import shlex
from functools import cache

import pandas as pd

from replication.claims.expressions import evaluate, filled, select
from replication.shared.yaml_files import read_yaml

NUMBER = re.compile(r"(<!--=(\{[^{}]+\})-->)(.*?)(<!--/-->)", re.DOTALL)
SOURCE = "docs/numbers.yaml"
# Decimal numbers, percentages and numbers of thousands: what a result looks like in a sentence.
_LOOKS_LIKE_A_RESULT = re.compile(r"(?<![\w.,/-])(?:\d+(?:,\d{3})+|\d*\.\d+|\d+(?=%))%?(?![\w/])")
_NO_SENTENCE = re.compile(
    r"```.*?```|`[^`\n]*`|^\|.*?$|<!-- table \w+ -->.*?<!-- end -->|<[^>]*>|\]\([^)]*\)|https?://\S+",
    re.DOTALL | re.MULTILINE,
)


def read_numbers(root):
    """The values that docs/numbers.yaml names, from the results and settings below `root`: name -> value."""
    known = read_yaml(root / SOURCE)
    config = read_yaml(root / "config/config.yaml")
    values = {}
    for name, text in known["values"].items():
        source, column, *conditions = shlex.split(text)
        try:
            if source == "config":
                values[name] = _setting(config, column)
            else:
                values[name] = select(_table(root / "results" / known["files"][source]), column, conditions)
        except (LookupError, ValueError) as error:
            raise ValueError(f"{SOURCE}: value {name}: {error}") from None
    for name, expression in known["derived"].items():
        try:
            values[name] = evaluate(expression, values)
        except (LookupError, ValueError) as error:
            raise ValueError(f"{SOURCE}: derived {name}: {error}") from None
    return values


def expressions(root):
    """All that is derived from values: the expressions under `derived`, by name."""
    return read_yaml(root / SOURCE)["derived"]


def with_numbers(text, numbers, name="text"):
    """The text with what each expression gives behind it.

    Raises ValueError, naming the page, on a name or an expression that does not exist.

    >>> with_numbers("Half of it is <!--={a / 2:.2f}--><!--/-->.", {"a": 0.5})
    'Half of it is <!--={a / 2:.2f}-->0.25<!--/-->.'
    """

    def number(mark):
        try:
            return f"{mark[1]}{filled(mark[2], numbers)}{mark[4]}"
        except (ValueError, LookupError, TypeError) as error:
            raise ValueError(f"{name}: {mark[2]}: {error}") from None

    return NUMBER.sub(number, text)


def stated(root):
    """The numbers that a sentence may have without a result behind it, each with its origin."""
    return {str(number): origin for number, origin in read_yaml(root / SOURCE)["stated"].items()}


def unmarked(text, known=()):
    """Numbers in the sentences of a page that look like results and are neither marked nor `known`.

    Tables, code, links and the marks themselves are no sentences.

    >>> unmarked("An error of .36 on 8,082 voters, <!--={a:.2f}-->0.41<!--/--> for the null, J = 5, by 95%.", ["95%"])
    ['.36', '8,082']
    """
    sentences = _NO_SENTENCE.sub(" ", NUMBER.sub(" ", text))
    return [found for found in _LOOKS_LIKE_A_RESULT.findall(sentences) if found not in known]


def _setting(config, path):
    for part in path.split("."):
        config = config[int(part) if isinstance(config, list) else part]
    return config


@cache
def _table(path):
    # "null" is the name of a method, not a missing value.
    return pd.read_csv(path, keep_default_na=False, na_values=[""])
