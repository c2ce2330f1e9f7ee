"""Both latent models against answers of other programs, which tests/independent keeps."""

import numpy as np
import pandas as pd
import pytest

from independent import draws, kept
from wsclust.counts import GroupedCounts
from wsclust.estimators.additive import additive
from wsclust.estimators.additive_influence import additive_influence
from wsclust.estimators.information import information_standard_errors
from wsclust.estimators.latent import latent
from wsclust.estimators.latent_influence import latent_influence


def counted(asked, bins=None):
    return GroupedCounts(asked["data"]["counts"], asked["data"]["share"], bins=bins)


def latent_found(asked):
    """The posterior of each bin and its standard errors."""
    data = counted(asked)
    fit = latent(data)
    return fit.posterior, information_standard_errors(data, latent_influence(data, fit))


def additive_found(asked):
    """The posterior of each bin and the effect of each level, and their standard errors."""
    bins = pd.DataFrame(draws.LEVELS, columns=["a", "b"])
    sds = {"main_sd": draws.MAIN_SD, "ordered_sd": draws.ORDERED_SD, "deviation_sd": draws.DEVIATION_SD}
    data = counted(asked, bins)
    fit = additive(data, ordered=["a"], **sds)
    se = information_standard_errors(data, additive_influence(data, fit))
    effects = fit.effects()
    return np.append(fit.posterior, effects["log_odds"]), np.append(se, effects["se"])


@pytest.fixture(scope="module", params=["latent", "additive"])
def sampled(request):
    """(estimates, standard errors) of the package, and the answers of a Hamiltonian sample."""
    asked = kept.read("nuts")[request.param]
    found = {"latent": latent_found, "additive": additive_found}[request.param](asked)
    return found, asked["answers"]


def test_the_mode_is_near_the_mean_of_a_hamiltonian_sample(sampled):
    (found, _), answers = sampled
    # Mode and mean of some thousand events differ by about a tenth of a posterior SD.
    allowed = 0.15 * answers["sd"]["value"] + 4 * answers["mean"]["error"]
    assert (np.abs(found - answers["mean"]["value"]) < allowed).all()


def test_standard_errors_are_those_of_a_hamiltonian_sample(sampled):
    (_, found), answers = sampled
    expected, error = answers["standard_error"]["value"], answers["standard_error"]["error"]
    # The slopes are taken at the mode here and are a mean over the sample there.
    allowed = 0.02 * expected + 4 * error
    assert (np.abs(found - expected) < allowed).all()
    assert (allowed < 0.1 * expected).all()  # a standard error that is a tenth off would be noticed


def test_exact_labels_are_a_mixture_with_many_events_of_known_outcome():
    asked = kept.read("mixture")["latent"]
    expected = asked["answers"]["posterior"]
    found = latent(counted(asked), tolerance=1e-11).posterior
    assert (np.abs(found - expected["value"]) < 4 * expected["error"]).all()


# --- whether what is kept still stands


def answer(value, error=0.01, data=1.0):
    numbers = {"value": np.array([value, 1.0]), "error": np.full(2, error)}
    return {"model": {"data": {"x": np.array([data])}, "answers": {"mean": numbers}}}


@pytest.mark.parametrize(
    ("fresh", "stands", "said"),
    [
        (answer(0.53), True, "stands; at most 2.1 standard errors apart"),
        (answer(0.56), False, "does not stand; at most 4.2"),
        (answer(0.50, data=1.1), False, "the data are not those of the answers that are kept"),
        ({"other": answer(0.5)["model"]}, False, "the data are not those"),
        ({}, False, "program, model: not asked again"),
    ],
)
def test_kept_answers_stand_within_their_error(capsys, fresh, stands, said):
    assert kept.compare("program", answer(0.5), fresh) is stands
    assert said in capsys.readouterr().out
