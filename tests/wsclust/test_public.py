"""What wsclust exports is there, is typed throughout, and says what it gives back."""

import inspect
from dataclasses import is_dataclass
from functools import cached_property, partial

import numpy as np
import pytest

import wsclust
from wsclust import Fit, GroupedCounts
from wsclust.estimators.estimate import ConvergenceWarning
from wsclust.registry import ESTIMATORS

# Python writes the signature of a record's own methods.
MADE_BY_DATACLASS = {"__init__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__replace__"}


def functions_of(exported):
    """The functions that a user of an exported name calls: it, or its methods and properties."""
    if not inspect.isclass(exported):
        yield exported.__name__, exported
        return
    for name, member in vars(exported).items():
        if isinstance(member, property):
            member = member.fget
        elif isinstance(member, cached_property):
            member = member.func
        elif isinstance(member, classmethod | staticmethod):
            member = member.__func__
        written = name in ("__repr__", "__str__") or not name.startswith("_")
        if name == "__repr__" and is_dataclass(exported) and exported.__dataclass_params__.repr:
            written = False
        if inspect.isfunction(member) and written and name not in MADE_BY_DATACLASS:
            yield f"{exported.__name__}.{name}", member


DATA = GroupedCounts([[80, 20], [30, 70], [50, 50]], label=[0.8, 0.3, 0.5])
PUBLIC = [
    pytest.param(function, id=name)
    for exported in wsclust.__all__
    for name, function in functions_of(getattr(wsclust, exported))
]


@pytest.mark.parametrize("function", PUBLIC)
def test_what_is_public_is_typed(function):
    signature = inspect.signature(function)
    untyped = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.annotation is inspect.Parameter.empty and name not in ("self", "cls")
    ]
    assert not untyped
    assert signature.return_annotation is not inspect.Signature.empty
    assert function.__name__.startswith("__") or inspect.getdoc(function)


def test_fields_are_typed():
    for name in ("Check", "Fit", "GroupedCounts", "KnownOutcomes", "Report"):
        record = getattr(wsclust, name)
        assert set(record.__dataclass_fields__) == set(record.__annotations__)


def test_an_untyped_function_would_be_noticed():
    with pytest.raises(AssertionError):
        test_what_is_public_is_typed(lambda data: None)
    names = {parameter.id for parameter in PUBLIC}
    assert {
        "latent",
        "Fit.to_frame",
        "Fit.posterior",
        "GroupedCounts.sizes",
        "KnownOutcomes.from_table",
    } <= names


@pytest.mark.parametrize("method", ESTIMATORS)
def test_an_exported_estimator_takes_its_settings_and_gives_a_fit(method):
    exported = getattr(wsclust, method)
    signature = inspect.signature(exported)
    assert signature.return_annotation is Fit
    assert list(signature.parameters)[1:] == list(ESTIMATORS[method].settings)
    about = inspect.getdoc(exported).splitlines()
    assert about[0].startswith("Estimate P(") and about[2].startswith("Gives a Fit")
    estimate = inspect.signature(ESTIMATORS[method].estimate)
    assert estimate.return_annotation.__name__.endswith("Estimate")


def test_settings_may_be_given_by_place():
    fit = wsclust.latent(DATA, np.inf, 1e-9)
    assert fit.settings["he_weight"] == np.inf and fit.settings["tolerance"] == 1e-9


def test_a_setting_given_twice_is_refused():
    with pytest.raises(TypeError, match="he_weight is given twice"):
        wsclust.latent(DATA, 10, he_weight=3)


@pytest.mark.parametrize("method", ["latent", "additive"])
def test_a_warning_is_of_the_callers_line(method):
    for estimate in (getattr(wsclust, method), partial(wsclust.fit, method)):
        with pytest.warns(ConvergenceWarning) as raised:
            estimate(DATA, max_iterations=1)
        assert {warning.filename for warning in raised} == {__file__}


def test_all_names_are_there_and_no_other():
    assert set(wsclust.__all__) == set(wsclust._DEFINED_IN)
    assert set(wsclust.__all__) <= set(dir(wsclust))
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        getattr(wsclust, "magic")  # noqa: B009
