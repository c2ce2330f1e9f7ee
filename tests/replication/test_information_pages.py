"""The studies of what weak labels tell, and the pages written from their results."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replication.information import equivalents
from replication.information import page as planning_page
from replication.information.figure import draw
from replication.noisy_labels import page as noisy_page
from replication.noisy_labels.summary import summarise
from replication.shared.page_blocks import with_parts
from wsclust.planning.plan import FAIR

ROOT = Path(__file__).parents[2]
FORMULA = pd.read_csv(ROOT / "results/information/formula.csv")


@pytest.mark.parametrize(
    ("name", "module", "folder"),
    [("planning", planning_page, "information"), ("noisy-labels", noisy_page, "noisy_labels")],
)
def test_a_page_has_the_numbers_of_the_committed_results(name, module, folder):
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    assert with_parts(text, module.parts(ROOT / "results" / folder)) == text


def test_the_formula_is_within_a_tenth_of_the_sd_of_fits_to_exact_or_calibrated_labels():
    calibrated = (FORMULA["label_sd"] == 0) | (FORMULA["estimator"] == "calibrated")
    rows = FORMULA[(FORMULA["labelled_per_bin"] >= FAIR) & calibrated]
    assert len(rows) > 15
    assert planning_page.within_a_tenth(rows).all()
    assert abs(rows["ratio"].mean() - 1) < 0.05


def test_a_part_that_the_page_lacks_is_refused():
    with pytest.raises(ValueError, match="the page has the parts one; expected two"):
        with_parts("<!-- from results: one -->\n<!-- end -->", {"two": ""})


def test_equivalents_are_those_of_the_command_line(tmp_path):
    output = tmp_path / "equivalents.csv"
    options = "--case .05 .95 1 --label-sds 0 .5 --groups 500 --clicks 100 --bins 15 --output".split()
    equivalents.main([*options, str(output)])
    table = pd.read_csv(output)
    assert table["weak_per_labelled"].round(1).tolist() == [7.7, 10.7]
    np.testing.assert_allclose(
        table["rule_of_thumb"], 1 / (table["intraclass_correlation"] * table["reliability"]), rtol=1e-5
    )


def test_the_summary_clips_pairs_and_averages():
    skills = pd.DataFrame(
        {
            "design": ["a", "b", "a", "b"],
            "noise": "sd 1",
            "treatment": ["exact", "exact", "calibrated", "calibrated"],
            "skill": [0.5, -80.0, 0.9, 0.1],
        }
    )
    found = summarise(skills).set_index("treatment")
    assert found.at["exact", "skill"] == pytest.approx(-0.25)
    assert found.at["exact", "skill_se"] == pytest.approx(0.75)
    assert found.at["exact", "against_calibrated"] == pytest.approx(-0.75)
    assert found.at["exact", "against_se"] == pytest.approx(0.35)
    assert found.at["calibrated", "against_calibrated"] == 0


def test_the_figure_has_a_point_for_each_design_and_fit():
    figure = draw(FORMULA)
    exact = (FORMULA["label_sd"] == 0).sum()
    for axis, estimator in zip(figure.axes, ("calibrated", "told"), strict=True):
        points = sum(len(container.lines[0].get_xdata()) for container in axis.containers)
        noisy = ((FORMULA["estimator"] == estimator) & (FORMULA["label_sd"] > 0)).sum()
        assert points == exact + noisy
