"""Every estimator is whole: its entry has a name, a look and described settings, which are those of its function."""

import importlib
import inspect
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from matplotlib.markers import MarkerStyle

from wsclust.counts import GroupedCounts
from wsclust.plots.appearance import appearance
from wsclust.plots.palette import COLOURS
from wsclust.registry import ESTIMATORS, Entry, Setting, from_labels, settings_of, variant_of

SOURCES = Path(__file__).parents[2] / "src"
NOT_SETTINGS = {"start_at"}  # where an iteration goes on from, which no file of settings can say


def faults(entry):
    """What is amiss in an entry of the registry, one line for each fault."""
    found = []
    if not entry.title.strip():
        found.append("no title")
    for colour, marker in [(entry.colour, entry.marker), *entry.looks.values()]:
        if colour not in COLOURS:
            found.append(f"colour {colour} is not in the palette")
        if marker not in MarkerStyle.markers:
            found.append(f"marker {marker} is unknown")
    data, *parameters = inspect.signature(entry.estimate).parameters.values()
    expected = "outcomes" if entry.needs_outcomes else "data"
    if data.name != expected:
        found.append(f"takes {data.name}, not {expected}")
    defaults = {p.name: p.default for p in parameters if p.name not in NOT_SETTINGS}
    if list(defaults) != list(entry.settings):
        found.append(f"takes {list(defaults)}, but its settings are {list(entry.settings)}")
    for name, setting in entry.settings.items():
        if len(setting.meaning.split()) < 3 or not setting.allowed.strip():
            found.append(f"{name} is not described")
        if defaults.get(name) != setting.default:
            found.append(f"{name} is {defaults.get(name)} by default there, {setting.default} here")
        if setting.default is not None:
            if not setting.accepts(setting.default):
                found.append(f"{name} refuses its own default")
            if not Draft202012Validator(dict(setting.schema)).is_valid(setting.default):
                found.append(f"{name}'s schema refuses its default")
        if not {"type", "enum"} & set(setting.schema):
            found.append(f"{name}'s schema has no type")
    if entry.influence is not None:
        try:
            inspect.signature(entry.influence).bind("data", "estimate", **dict.fromkeys(entry.settings))
        except TypeError as error:
            found.append(f"its influence does not take its settings: {error}")
    return found


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_entry_is_whole(name):
    assert faults(ESTIMATORS[name]) == []
    assert ESTIMATORS[name].estimate.__name__ == name
    assert inspect.getdoc(ESTIMATORS[name].estimate).startswith("Estimate P(")


def strength(**changes):
    plain = {
        "default": 1.0,
        "meaning": "how strongly the estimate is pulled",
        "allowed": "a number from 0",
        "accepts": lambda value: value >= 0,
        "schema": {"type": "number"},
    }
    return {"strength": Setting(**{**plain, **changes})}


def pulled(data, strength=1.0):
    """An estimator that is not in the registry."""


PULLED = Entry(pulled, "pulled", "blue", "s", settings=strength())


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"title": ""}, "no title"),
        ({"colour": "mauve"}, "colour mauve is not in the palette"),
        ({"marker": "banana"}, "marker banana is unknown"),
        ({"looks": {"5": ("mauve", "o")}}, "colour mauve is not in the palette"),
        ({"settings": {}}, r"takes \['strength'\], but its settings are \[\]"),
        ({"settings": strength(meaning="")}, "strength is not described"),
        ({"settings": strength(allowed=" ")}, "strength is not described"),
        ({"settings": strength(default=2.0)}, "strength is 1.0 by default there, 2.0 here"),
        ({"settings": strength(accepts=lambda value: value > 5)}, "strength refuses its own default"),
        ({"settings": strength(schema={"enum": ["weak"]})}, "strength's schema refuses its default"),
        ({"settings": strength(schema={})}, "strength's schema has no type"),
        ({"needs_outcomes": True}, "takes data, not outcomes"),
        ({"influence": lambda data, estimate: None}, "its influence does not take its settings"),
    ],
)
def test_a_half_made_entry_is_noticed(change, fault):
    assert faults(PULLED) == []
    assert any(re.search(fault, line) for line in faults(replace(PULLED, **change)))


def test_estimators_that_share_a_setting_mean_the_same_by_it():
    for name, setting in settings_of(ESTIMATORS).items():
        assert all(entry.settings.get(name, setting) is setting for entry in ESTIMATORS.values()), name


def test_no_two_estimators_look_the_same():
    looks = [appearance(name) for name in ESTIMATORS]
    assert len(set(looks)) == len({look[1:] for look in looks}) == len(ESTIMATORS)


def test_a_variant_looks_like_its_estimator_unless_several_are_drawn_beside_each_other():
    assert appearance("moments_trimmed") == ("moments_trimmed", *appearance("moments")[1:])
    assert variant_of("logistic_main_trimmed") == ("logistic_main", "trimmed")
    assert appearance("latent_wh10")[1:] == appearance("latent")[1:] != appearance("latent_wh0")[1:]
    assert appearance("latent_wh4")[1:] != appearance("latent")[1:]


def test_a_fit_is_marked_by_its_settings_that_have_a_symbol():
    marked = {name: entry.marks(entry.complete(name, {})) for name, entry in ESTIMATORS.items()}
    assert marked.pop("latent") == marked.pop("additive") == ["W_H = inf"]
    assert not any(marked.values())


def test_from_labels_are_those_that_need_no_outcome():
    assert from_labels() == [name for name, entry in ESTIMATORS.items() if not entry.needs_outcomes]


def test_every_colour_is_in_the_palette_and_in_no_other_module():
    palette = SOURCES / "wsclust/plots/palette.py"
    for module in SOURCES.rglob("*.py"):
        colours = re.findall(r"#[0-9A-Fa-f]{6}\b", module.read_text(encoding="utf-8"))
        assert len(colours) == len(set(colours)) if module == palette else not colours, module


@pytest.mark.parametrize("name", ["latent", "additive"])
def test_an_estimator_without_settings_climbs_with_the_registrys(monkeypatch, name):
    settings = ESTIMATORS[name].settings
    told = []
    module = importlib.import_module(f"wsclust.estimators.{name}")

    def climb(problem, state, steps, name, *limits):
        told.append(limits)
        return np.array([0.5]), 1, True, np.zeros(1), state

    monkeypatch.setattr(module, "climb", climb)
    data = GroupedCounts([[8, 2], [5, 5], [2, 8]], [0.8, 0.5, 0.2])
    ESTIMATORS[name].estimate(data)
    if name == "additive":
        module.fit_design(data, module.additive_design(data.bins))
    assert set(told) == {
        tuple(settings[limit].default for limit in ("tolerance", "max_iterations", "solver"))
    }
