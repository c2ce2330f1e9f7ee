"""The small language of paper/claims.yaml: what a claim selects from the results, and what must hold there.

A value names numbers in a result file, in the order of its rows:

    errors mean_absolute_error setting=default clicks_per_group=5 method=moments

is the column mean_absolute_error of the file listed as `errors`, in the rows where each condition (=, <= or
>=) holds. One row gives a number, more give an array.

An expression such as `moments < 0.6 * direct` or `all(z > 2)` has numbers, names of values, arithmetic,
comparisons, `and`, `or`, `not` and the functions below, and nothing else; it is walked, not run as Python.
"""

import ast
import operator
import re

import numpy as np
import pandas as pd

_SHOWN = 80  # characters of an expression in a message
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}


def totals(by, values):
    """Sums of `values` over the rows that share a value of `by`, one a group."""
    return pd.Series(values).groupby(np.asarray(by), sort=True).sum().to_numpy()


def rising(values):
    """Whether each value is above the one before; LookupError where there is none before."""
    return np.all(np.diff(_several(values)) > 0)


def rounded(values, decimals):
    """The values as a table of so many decimals prints them.

    >>> float(rounded(0.456, 2)), float(rounded(0.4549, 2)) == 0.45
    (0.46, True)
    """
    return np.round(values, decimals)


def sd(values):
    """Their standard deviation; LookupError where there is one alone."""
    return np.std(_several(values), ddof=1)


def _several(values):
    if np.size(values) < 2:
        raise LookupError("one value, where two or more are to be compared")
    return values


FUNCTIONS = {
    "abs": np.abs,
    "sqrt": np.sqrt,
    "min": lambda *values: np.min(values),
    "max": lambda *values: np.max(values),
    "mean": np.mean,
    "sd": sd,
    "median": np.median,
    "sum": np.sum,
    "range": np.ptp,  # largest less smallest
    "count": np.size,
    "distinct": lambda values: len(np.unique(values)),
    "totals": totals,
    "list": lambda *values: np.array(values),
    "all": np.all,
    "any": np.any,
    "rising": rising,
    "rounded": rounded,
}


def select(table, column, conditions):
    """The numbers of a column in the rows that meet the conditions: one number, or an array.

    Arguments: a frame; a column; conditions as words, such as ["J=5", "bin<=10"]. Raises LookupError where
    there is no such column or row, ValueError where a word is no condition or compares numbers with text.

    >>> table = pd.DataFrame({"J": [5, 5, 100], "method": ["direct", "latent", "latent"], "error": [3, 1, 2]})
    >>> select(table, "error", ["method=latent"]).tolist(), select(table, "error", ["J>=6"])
    ([1, 2], 2)
    """
    rows = np.ones(len(table), dtype=bool)
    for condition in conditions:
        name, relation, value = split_condition(condition)
        rows &= _meets(_column(table, name), relation, value)
    found = _column(table, column)[rows].to_numpy()
    if not len(found):
        raise LookupError(f"no row with {' '.join(conditions)}")
    if pd.isna(found).any():
        raise LookupError(f"an empty cell in {column} with {' '.join(conditions) or 'no condition'}")
    return found[0].item() if len(found) == 1 and hasattr(found[0], "item") else found


def split_condition(text):
    """Column, relation and value of a condition; ValueError where it is none.

    >>> split_condition("J>=6")
    ('J', '>=', '6')
    """
    found = re.fullmatch(r"(\w+)(=|<=|>=)(.+)", text)
    if not found:
        raise ValueError(f"{text!r} is no condition; expected such as J=5, J<=5 or J>=5")
    return found.groups()


def _column(table, name):
    if name not in table:
        raise LookupError(f"no column {name}")
    return table[name]


def _meets(column, relation, value):
    if pd.api.types.is_bool_dtype(column):
        if relation != "=" or value not in ("true", "false"):
            raise ValueError(f"{column.name}{relation}{value}: the column holds true and false")
        return (column == (value == "true")).to_numpy()
    if pd.api.types.is_numeric_dtype(column):
        try:
            value = float(value)
        except ValueError:
            raise ValueError(f"{column.name}{relation}{value}: the column holds numbers") from None
    compare = {"=": operator.eq, "<=": operator.le, ">=": operator.ge}[relation]
    return compare(column, value).to_numpy(dtype=bool)


def evaluate(text, names):
    """The value of an expression.

    Arguments: the expression; a dict from names to numbers or arrays. Raises ValueError on an expression that
    the language does not have, a name that is not there and a division by 0, LookupError where there are too
    few numbers.

    >>> bool(evaluate("0 < a < min(b) and all(b > 2 * a)", {"a": 1, "b": np.array([3, 4])}))
    True
    >>> evaluate("a.__class__", {"a": 1})
    Traceback (most recent call last):
    ValueError: a.__class__: Attribute is no part of the language of claims
    """
    shown = (text if len(text) <= _SHOWN else text[:_SHOWN] + "...") or "empty"

    def value(node):
        match node:
            case ast.Constant(value=int() | float() as number):
                return number
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Name(id=name):
                raise ValueError(f"{shown}: no value is named {name}")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(left), value(right))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(operand))
            case ast.BoolOp(op=op, values=parts):
                return (all if isinstance(op, ast.And) else any)(bool(value(part)) for part in parts)
            case ast.Compare(left=left, ops=ops, comparators=others) if {*map(type, ops)} <= {*OPERATORS}:
                sides = [value(side) for side in (left, *others)]
                pairs = zip(ops, sides[:-1], sides[1:], strict=True)
                return np.logical_and.reduce([OPERATORS[type(op)](a, b) for op, a, b in pairs])
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](*(value(argument) for argument in arguments))
        raise ValueError(f"{shown}: {type(node).__name__} is no part of the language of claims")

    try:
        with np.errstate(divide="raise", invalid="raise"):  # as Python does with single numbers
            return value(ast.parse(text, mode="eval").body)
    except SyntaxError:
        raise ValueError(f"{shown}: not an expression") from None
    except (ArithmeticError, TypeError) as error:
        raise ValueError(f"{shown}: {error}") from None
    except (RecursionError, MemoryError):  # the second from Python's parser
        raise ValueError(f"{shown}: nested too deeply; write it in parts") from None


def filled(template, names):
    """A template with each {expression} or {expression:format} replaced by its value.

    >>> filled("{mean(b):.2f} of {a}", {"a": 7, "b": np.array([1, 2])})
    '1.50 of 7'
    """

    def fill(match):
        values = np.ravel(evaluate(match[1], names)).tolist()
        return ", ".join(format(value, match[2] or "") for value in values)

    return re.sub(r"\{([^{}:]+)(?::([^{}]*))?\}", fill, template)
