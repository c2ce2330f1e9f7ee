"""The methods that are compared: one value per bin, effects of levels, and effects with the factors' order."""

SATURATED, ADDITIVE, ORDERED = "latent", "additive", "additive_ordered"


def with_order(methods, ordered):
    """The methods of config.yaml, and the additive one with trends along the ordered factors if there are any.

    >>> with_order({"additive": {"estimator": "additive"}}, ["age"])["additive_ordered"]
    {'estimator': 'additive', 'ordered': ['age']}
    """
    methods = dict(methods)
    if ordered:
        methods[ORDERED] = {**methods[ADDITIVE], "ordered": list(ordered)}
    return methods
