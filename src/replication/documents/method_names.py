"""How the tables of the pages call a method, and in which order they have them."""

from pathlib import Path

from replication.shared.yaml_files import read_yaml
from wsclust.registry import entry, weight_in

ROOT = Path(__file__).resolve().parents[3]

LEFT_OUT = {"logistic_saturated"}  # the oracle once more


def in_words(name, method):
    """A method of config.yaml as a table calls it: by its estimator's entry, or as the settings call it.

    >>> in_words("latent_wh10", {"estimator": "latent", "he_weight": 10, "solver": "em"})
    'latent, W_H = 10'
    >>> in_words("oracle", {"estimator": "oracle"}), in_words("latent_slow", {"estimator": "latent"})
    ('oracle: sees every vote', 'latent_slow')
    """
    known = entry(method["estimator"])
    if name != method["estimator"] and weight_in(name) is None:
        return name
    given = {setting: value for setting, value in method.items() if setting != "estimator"}
    marks = known.marks(known.complete(method["estimator"], given))
    title = ", ".join([known.title, *marks]).replace("= inf", "= ∞")
    return f"{title}: sees every vote" if known.needs_outcomes else title


NAMES = {
    "null": "null: the overall share for everybody",
    **{
        name: in_words(name, method)
        for name, method in read_yaml(ROOT / "config/config.yaml")["methods"].items()
    },
}


def name_of(method):
    """A method's name in a table; failing one of its own, the weight in it or its name in the settings.

    >>> name_of("latent_wh0"), name_of("latent_wh4"), name_of("latent_slow")
    ('latent, W_H = 0', 'latent, W_H = 4', 'latent_slow')
    """
    weight = weight_in(method)
    return NAMES.get(method) or (f"latent, W_H = {weight}" if weight else method)


def in_order(methods):
    """Those of the methods that a table shows: in the order of their names, and then the new ones.

    >>> in_order(["latent_wh4", "oracle", "logistic_saturated", "direct"])
    ['direct', 'oracle', 'latent_wh4']
    """
    shown = [method for method in methods if method not in LEFT_OUT]
    return [method for method in NAMES if method in shown] + [m for m in shown if m not in NAMES]
