"""Values as JSON can have them: it has neither infinity nor NaN, nor arrays."""

from collections.abc import Mapping

import numpy as np


def in_json(value):
    """A value as JSON can have it, where infinity is the word "inf" and NaN is null.

    >>> in_json({"he_weight": float("inf"), "numeric": {"age": np.array([20.5, 40.0])}, "ordered": ("age",)})
    {'he_weight': 'inf', 'numeric': {'age': [20.5, 40.0]}, 'ordered': ['age']}
    """
    if isinstance(value, Mapping):
        return {str(name): in_json(part) for name, part in value.items()}
    if hasattr(value, "tolist"):  # of numpy or pandas
        return in_json(value.tolist())
    if isinstance(value, list | tuple):
        return [in_json(part) for part in value]
    if isinstance(value, float):
        return "inf" if np.isinf(value) else None if np.isnan(value) else value
    return value


def in_brief(value, most=20):
    """As `in_json`, with the ends and the length in the place of an array of more than `most` numbers.

    >>> in_brief({"numeric": {"age": np.arange(900.0)}, "ordered": ["age"]})
    {'numeric': {'age': {'values': 900, 'least': 0.0, 'most': 899.0}}, 'ordered': ['age']}
    """
    if isinstance(value, Mapping):
        return {str(name): in_brief(part, most) for name, part in value.items()}
    if isinstance(value, np.ndarray) and value.size > most:
        return in_json({"values": value.size, "least": value.min(), "most": value.max()})
    return in_json(value)
