"""Coverage of intervals and the controls of the check: the studies on small settings, and what they found."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replication.coverage.check_controls import STUDIES, column_of, sample
from replication.coverage.study import by_bin
from replication.coverage.summary import summarise
from replication.shared.methods import estimators_of
from replication.shared.yaml_files import read_yaml
from replication.simulation.truth_curves import truth
from wsclust.check.verdicts import VERDICTS
from wsclust.estimators import direct, latent, moments
from wsclust.fitting import fit
from wsclust.report import NARROW
from wsclust.seeds import generator

ROOT = Path(__file__).parents[2]
CONFIG = read_yaml(ROOT / "config" / "config.yaml")
TRUE = truth("linear", 4, low=0.25, high=0.75)


def table(name):
    path = ROOT / "results" / "coverage" / f"{name}.csv"
    if not path.exists():
        pytest.skip("make coverage has not run yet")
    return pd.read_csv(path)


def test_coverage_of_a_small_setting():
    methods = {name: CONFIG["methods"][name] for name in CONFIG["coverage"]["methods"]}
    noise = CONFIG["coverage"]["methods"]
    bins = by_bin(
        TRUE, 60, 50, methods, noise, 12, 10, lambda run, role: generator(1, "t", run=run, role=role)
    )
    assert len(bins) == len(methods) * 2 * 4
    assert (bins["runs"] == 12).all()
    assert bins["coverage"].between(0, 1).all()
    # A share of 12 has its binomial standard error.
    binomial = np.sqrt(bins["coverage"] * (1 - bins["coverage"]) / 12)
    np.testing.assert_allclose(bins["coverage_se"], binomial, atol=1e-12)
    # The estimates are the same, whatever their standard errors.
    means = bins.pivot(index=["method", "bin"], columns="se", values="mean")
    np.testing.assert_array_equal(means["half-samples"], means["information"])


def test_summary_and_reasons():
    rows = pd.DataFrame({"rho": [0.5, 0.5], "mean": [0.5, 0.6], "sd": [0.1, 0.1], "coverage": [0.95, 0.7]})
    rows = rows.assign(mean_se=0.1, all_bins_se=0.01, runs=9, seconds=1.0, bin=[1, 2])
    rows = rows.assign(truth="t", groups=9, clicks_per_group=5, method="latent", se="information")
    (row,) = summarise(rows).to_dict("records")
    assert row["bias_in_sd"] == pytest.approx(0.5) and row["unbiased_bins"] == 1
    assert row["coverage_of_unbiased"] == 0.95 and row["lowest_coverage"] == 0.7 and row["reason"] == "bias"
    small = summarise(rows.assign(mean=0.5, mean_se=0.08, coverage=0.85))["reason"]
    assert small.tolist() == ["small standard errors"]


@pytest.mark.parametrize("study", list(STUDIES))
def test_controls_of_a_small_setting(study):
    settings = read_yaml(ROOT / "config" / "smoke.yaml")["coverage"]["check"][study]
    settings = {**CONFIG["coverage"]["check"][study], **settings}
    estimators = estimators_of({name: CONFIG["methods"][name] for name in ("latent", "direct")})
    found = STUDIES[study]({"t": TRUE}, estimators, settings, lambda *key: generator(1, "t", *key))
    verdicts = found[[column_of(verdict) for verdict in VERDICTS]].sum(axis=1)
    assert (verdicts == found["runs"]).all()
    assert (found["latent_error_se"] < found["latent_error"]).all()


def test_no_dependence_is_the_model():
    rng = np.random.default_rng(1)
    data, rho = sample(TRUE, 2000, 200, rng)
    share = (data.label * data.sizes).sum() / data.sizes.sum()
    np.testing.assert_allclose(
        data.totals / data.totals.sum(), share * TRUE.happy + (1 - share) * TRUE.sad, atol=0.01
    )
    np.testing.assert_allclose(rho, TRUE.posterior, atol=0.02)


def test_intervals_cover_where_bias_is_small():
    found = table("summary")
    latent = found[found["method"].str.startswith("latent") & (found["se"] == "information")]
    small = latent[latent["bias_in_sd"] < 0.25]
    assert len(small) >= 6 and small["coverage"].between(0.90, 0.98).all()
    elsewhere = found[~found["coverage"].between(0.90, 0.98)]
    assert elsewhere["reason"].notna().all()


def _words(values, form):
    """How a docstring gives a range: .03 to .07, or 86 to 95%."""
    low, high = (form.format(value) for value in (values.min(), values.max()))
    low, high = low.removeprefix("0"), high.removeprefix("0")
    return high if low == high else f"{low.removesuffix('%')} to {high}"


def test_docstrings_say_what_was_found():
    found = table("summary")
    by_formula = found[found["se"] == "information"].set_index("method")
    few, many = (by_formula[by_formula["clicks_per_group"] == clicks] for clicks in (5, 100))
    fewest = few[few["groups"] == 50]
    latents = ["latent", "latent_wh10"]
    bias, coverage = "mean_absolute_bias", "coverage"
    for module, words in (
        (direct, (by_formula.loc["direct", bias], "{:.2f}")),
        (direct, (by_formula.loc["direct", coverage], "{:.0%}")),
        (moments, (few.loc["moments", bias], "{:.2f}")),
        (moments, (few.loc["moments", coverage], "{:.0%}")),
        (moments, (many.loc["moments", bias], "{:.1f}")),
        (moments, (many.loc["moments", coverage], "{:.0%}")),
        (latent, (many.loc[latents, bias], "{:.3f}")),
        (latent, (many.loc[latents, coverage], "{:.0%}")),
        (latent, (fewest.loc[latents, bias], "{:.2f}")),
        (latent, (fewest.loc[latents, coverage], "{:.0%}")),
    ):
        assert _words(*words) in " ".join(module.__doc__.split()), (module.__name__, _words(*words))


def test_shuffled_labels_were_never_predicted():
    found = table("check_shuffled")
    assert found["runs"].sum() == 200 and found["labels_predicted"].sum() == 0


def test_labels_of_enough_data_that_obey_the_model_are_predicted():
    found = table("check_enough")
    reachable = found[found["label_r2_limit"] > 0.5]
    most = reachable[(reachable["groups"] >= 200) & (reachable["clicks_per_group"] >= 20)]
    assert (most["labels_predicted"] == most["runs"]).all()
    assert (found["latent_error"] < found["direct_error"]).all()


def test_the_warning_of_additive_intervals_has_the_measured_coverage(small):
    found = table("effects").query("method == 'additive' and groups == 50")
    low, high = (100 * found["coverage"]).agg(["min", "max"]).round()
    assert f"with 50 groups they held {low:.0f} to {high:.0f}%" in NARROW
    said = [
        NARROW in fit("additive", small[2]).report(half_samples=count, check=False).warnings
        for count in (0, 50)
    ]
    assert said == [False, True]
