"""The motivating example: its optimal boundary, what each method finds, and Figures 1 to 3."""

import json

import numpy as np
import pandas as pd
import pytest

from replication.motivation import figure1, plates
from replication.motivation import study as motivation
from replication.motivation.study import angle_between, bin_clicks, boundary, one_sample, study
from replication.motivation.world import Model
from wsclust.seeds import generator

MODEL = Model((0.8, 0.6, 0.1), outcome_separation=2.5, behaviour_separation=5.0, tilt=10.0)
SEED = 7


@pytest.fixture(scope="module")
def tables():
    return study(MODEL, SEED, clicks_per_group=200, bins_per_axis=4, replicates=10)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("motivation")
    return {table: folder / f"{table}.csv" for table in motivation.TABLES}


def command(paths, **changes):
    settings = {
        "seed": SEED,
        "clicks_per_group": 50,
        "shares": [0.8, 0.6, 0.1],
        "outcome_separation": 2.5,
        "behaviour_separation": 5,
        "tilt": 10,
        "bins_per_axis": 3,
        "replicates": 2,
    } | changes
    file = paths["clicks"].with_name("settings.json")
    file.write_text(json.dumps(settings))
    outputs = [part for table in paths for part in (f"--{table}", str(paths[table]))]
    return ["--settings", str(file), *outputs]


@pytest.mark.parametrize("shares", [(0.8, 0.6, 0.1), (0.9, 0.8, 0.3)])
def test_the_optimal_boundary_is_what_logistic_regression_finds_in_many_clicks(shares):
    model = Model(shares, 2.5, 5.0, 10.0)
    clicks = model.draw(generator(SEED, "test"), 100_000)
    happy = clicks["happy"].to_numpy(float)
    found = boundary(clicks[["x", "y"]].to_numpy(), happy, np.ones(len(clicks)))
    assert found == pytest.approx(model.boundary, abs=0.03)


def test_groups_differ_in_their_share_alone():
    clicks = MODEL.draw(generator(SEED, "test"), 20_000)
    assert clicks.groupby("group")["happy"].mean().to_numpy() == pytest.approx(MODEL.shares, abs=0.01)
    means = clicks.groupby(["happy", "group"])[["x", "y"]].mean()
    assert means.groupby("happy").agg(np.ptp).to_numpy().max() < 0.2


def test_the_mixture_is_orthogonal_to_the_optimum_and_the_labels_recover_it(tables):
    found = tables["boundaries"].set_index("method")
    assert found.loc["mixture", "angle_mean"] > 80
    assert found.loc["mixture", "correct"] < 0.6
    assert (found.loc[["direct", "latent", "oracle"], "angle_mean"] < 5).all()
    assert (found.loc[["latent", "oracle"], "correct"] > 0.85).all()


def test_direct_labels_tell_happy_from_sad_less_sharply_than_the_latent_model(tables):
    steepness = tables["boundaries"].set_index("method")["steepness_mean"]
    assert steepness["direct"] < steepness["latent"] / 2 < steepness["oracle"] / 2 < 0.5


def test_direct_labels_misplace_the_boundary_where_shares_do_not_average_one_half():
    model = Model((0.9, 0.8, 0.3), 2.5, 5.0, 10.0)
    correct = study(model, SEED, 200, 4, 10)["boundaries"].set_index("method")["correct_mean"]
    assert correct["direct"] < correct["latent"] - 0.05


def test_every_click_is_in_the_bin_of_its_coordinates(tables):
    clicks, bins = tables["clicks"], tables["bins"]
    code, _ = bin_clicks(clicks, 4)
    mine = bins.iloc[code].reset_index(drop=True)
    for axis in ("x", "y"):
        assert clicks[axis].between(mine[f"{axis}_low"], mine[f"{axis}_high"]).all()
    assert bins["clicks"].tolist() == np.bincount(code, minlength=16).tolist()
    assert bins.filter(like="clicks_group").sum(axis=1).tolist() == bins["clicks"].tolist()
    assert bins.filter(like="clicks_group").sum().tolist() == [200] * 3


def test_a_bin_without_clicks_has_no_part_in_the_boundary():
    tables, lines = one_sample(MODEL, SEED, 10, 8, 1)
    assert (tables["bins"]["clicks"] == 0).any()
    assert all(np.isfinite(line).all() for line in lines.values())


def test_a_sample_does_not_depend_on_the_number_of_replicates(tables):
    number = tables["boundaries"]["sample"].iloc[0]
    alone, lines = one_sample(MODEL, SEED, 200, 4, number)
    pd.testing.assert_frame_equal(alone["clicks"], tables["clicks"])
    found = tables["boundaries"].set_index("method")
    assert found.loc["latent", ["intercept", "x", "y"]].tolist() == lines["latent"].tolist()


def test_the_sample_that_is_drawn_is_in_the_middle(tables):
    samples = [one_sample(MODEL, SEED, 200, 4, run) for run in range(1, 11)]
    angles = [angle_between(lines["latent"], MODEL.boundary) for _, lines in samples]
    latent = tables["boundaries"].set_index("method").loc["latent"]
    assert latent["angle"] == sorted(angles)[4] and latent["angle_mean"] == pytest.approx(np.mean(angles))
    assert latent["angle_sd"] == pytest.approx(np.std(angles, ddof=1))


def test_the_mixture_does_not_agree_with_the_labels_and_the_latent_boundary_does(tables):
    clicks, found = tables["clicks"], tables["boundaries"].set_index("method")
    for method, names in (("latent", [0]), ("mixture", [0, 1])):
        intercept, x, y = found.loc[method, ["intercept", "x", "y"]]
        side = intercept + x * clicks["x"] + y * clicks["y"] > 0
        shares = [
            abs((side != bool(name)).groupby(clicks["share"]).mean() - [0.1, 0.6, 0.8]).mean()
            for name in names
        ]
        assert found.loc[method, "labels_off"] == pytest.approx(min(shares))
    assert found.loc["latent", "labels_off_mean"] < 0.1 < 0.2 < found.loc["mixture", "labels_off_mean"]


@pytest.mark.parametrize("turn", [0, 30, 90, 150, 180])
def test_an_angle_between_lines_ignores_direction_and_place(turn):
    t = np.radians(turn)
    expected = min(turn, 180 - turn)
    assert angle_between([0, 1, 0], [3, np.cos(t), np.sin(t)]) == pytest.approx(expected)


def test_the_same_command_writes_the_same_bytes(paths):
    motivation.main(command(paths))
    first = {table: path.read_bytes() for table, path in paths.items()}
    motivation.main(command(paths))
    assert first == {table: path.read_bytes() for table, path in paths.items()}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shares": [80, 60, 10]}, "80 is not between 0 and 1; divide percentages by 100"),
        ({"shares": [0.5, 0.5]}, "all the same"),
        ({"clicks_per_group": 3}, "3 clicks a group: expected 10 or more"),
        ({"bins_per_axis": 1}, "1 bins an axis: expected 2 or more"),
        ({"replicates": 0}, "0 replicates: expected 1 or more"),
        ({"outcome_separation": 0}, "outcome_separation 0: expected a distance above 0"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(paths, capsys, changes, message):
    with pytest.raises(SystemExit) as stop:
        motivation.main(command(paths, **changes))
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_figure_1_shades_each_bin_by_its_own_posterior(tables):
    figure = figure1.draw(*(tables[table] for table in motivation.TABLES))
    mesh = figure.axes[1].collections[0]
    coordinates = mesh.get_coordinates()
    shades = np.asarray(mesh.get_array())
    for bin_ in tables["bins"].itertuples():
        row, column = np.argwhere(np.all(coordinates == [bin_.x_low, bin_.y_low], axis=-1))[0]
        assert shades[row, column] == bin_.latent


def test_figures_1_to_3_are_the_same_bytes_each_time(paths, tmp_path):
    motivation.main(command(paths))
    written = []
    for attempt in ("first", "second"):
        images = [tmp_path / f"{attempt}{n}.{kind}" for n in (1, 2, 3) for kind in ("pdf", "png")]
        figure1.main([str(path) for path in (*paths.values(), "--output", *images[:2])])
        plates.main(False, "Figure 2.", ["--output", *map(str, images[2:4])])
        plates.main(True, "Figure 3.", ["--output", *map(str, images[4:])])
        written.append([image.read_bytes() for image in images])
    assert written[0] == written[1]
    assert len(set(written[0])) == 6
