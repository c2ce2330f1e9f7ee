"""An estimator that is one module and one entry is everywhere that estimators are: a ridge, in a copy thrown away."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wsclust.counts import GroupedCounts
from wsclust.plots.palette import COLOURS
from wsclust.seeds import generator

ROOT = Path(__file__).parents[2]
EXAMPLES = [ROOT / "examples" / name for name in ("events.csv", "labels.csv")]
FACTORS = ["level", "shape", "colour"]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("new estimator")]

MODULE = '''"""Ridge regression of the labels on the groups' shares of the bins, pulled towards the mean label."""

import numpy as np

from wsclust.estimators.estimate import Estimate


def ridge(data, penalty=1.0) -> Estimate:
    """Estimate P(happy | bin) by penalised least squares of the labels."""
    omega, mean = data.counts / data.sizes[:, None], data.mean_label
    curvature = omega.T @ omega + penalty * np.eye(omega.shape[1])
    return Estimate(mean + np.linalg.solve(curvature, omega.T @ (data.label - mean)))
'''
ENTRY = """        "ridge": Entry(
            ridge,
            "ridge",
            "sky",
            "v",
            settings={
                "penalty": Setting(
                    1.0,
                    "how strongly posteriors are pulled towards the mean label",
                    "a number above 0",
                    lambda value: value > 0,
                    {"type": "number", "exclusiveMinimum": 0},
                    "L",
                    "lambda",
                )
            },
            bounded=False,
            weighs_events=False,
        ),
"""
# Both studies at a tiny size, with what config.yaml then has, and Figure 4 drawn of the first.
STUDIES = """
import json
from replication.shared.yaml_files import read_yaml
from replication.workflow.settings import check_settings
from replication.election2016 import study as election
from replication.simulation import figure4, study, summary
import pandas as pd

config = read_yaml("config/config.yaml")
check_settings(config, read_yaml("config/schema.yaml"))
simulation = config["simulation"]

def settings(section, **changes):
    # As the rule `settings` writes it for a study, with a few settings of a smaller run.
    names = [name for name in section["methods"] if not name.startswith("logistic")]
    methods = {name: config["methods"][name] for name in names}
    with open("settings.json", "w") as file:
        json.dump({**section, "seed": 1, "methods": methods, **changes}, file)
    return "settings.json"

truth = simulation["truths"]["default"]
kept = {key: simulation[key] for key in ("methods", "label_noise")}
small = settings(kept, truth=truth, groups=60, runs=2)
study.main(["--settings", small, "--setting", "default", "--clicks-per-group", "5", "--output", "part.csv"])
summary.main(["part.csv", "--setting", "default", "--estimates", "estimates.csv", "--summary", "summary.csv",
              "--errors", "results/simulation/errors.csv"])
for name, design in config["election2016"]["designs"].items():
    few = {"methods": config["election2016"]["methods"], "splits": 2}
    small = settings({**{k: v for k, v in design.items() if k != "table"}, **few})
    election.main([design["table"], "--name", name, "--settings", small,
                   "--output", f"results/election2016/{name}.csv"])
figure = figure4.draw(pd.read_csv("summary.csv"))
(legend,) = figure.legends
lines = {line.get_label(): [line[0].get_color(), line[0].get_marker()] for line in figure.axes[0].containers}
print(json.dumps({"legend": [text.get_text() for text in legend.get_texts()], "lines": lines}))
"""

# The tables of the results' page and the reference of the settings, as `make readme` writes them.
PAGES = """
from pathlib import Path
from replication.documents import settings, study_tables

root = Path.cwd()
Path("tables.md").write_text(study_tables.simulation(root) + study_tables.cces2016(root), encoding="utf-8")
Path("config/README.md").write_text(settings.page(root), encoding="utf-8")
"""


def replaced(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The project with a ridge: a module, an entry, a method in config.yaml and its name in two studies."""
    folder = tmp_path_factory.mktemp("ridge")
    for part in ("src", "config", "results", "data/cces2016", "tests/wsclust"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "src/wsclust/estimators/ridge.py").write_text(MODULE)
    registry = folder / "src/wsclust/registry.py"
    replaced(
        registry,
        "from wsclust.estimators.oracle import oracle\n",
        "from wsclust.estimators.oracle import oracle\nfrom wsclust.estimators.ridge import ridge\n",
    )
    replaced(registry, '        "oracle": Entry(', f'{ENTRY}        "oracle": Entry(')
    config = folder / "config/config.yaml"
    replaced(config, "  oracle: {", "  ridge: {estimator: ridge, penalty: 0.1}\n  oracle: {")
    replaced(config, "methods: [direct, moments, latent_wh10, latent_wh0]",
             "methods: [direct, moments, ridge, latent_wh10, latent_wh0]")  # fmt: skip
    text = config.read_text()
    names = "methods: [direct, moments, latent, oracle, logistic_main, logistic_saturated]"
    config.write_text(text.replace(names, names.replace("latent", "ridge, latent", 1), 1))
    return folder


def run(folder, *command):
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(folder / "src"),
        "MPLBACKEND": "Agg",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, *map(str, command)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def studies(copy):
    """What Figure 4 shows, after both studies and the pages have been made."""
    done = run(copy, "-W", "ignore", "-c", STUDIES)
    assert done.returncode == 0, done.stderr
    written = run(copy, "-c", PAGES)
    assert written.returncode == 0, written.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def fit(copy):
    def fitted(output, *options):
        events, labels = EXAMPLES
        arguments = ["fit", events, "--labels", labels, "--factors", ",".join(FACTORS), "--method", "ridge"]
        return run(copy, "-m", "wsclust.cli", *arguments, "--output", output, *options)

    return fitted


def test_it_is_in_figure_4(studies):
    assert studies["legend"].count("ridge") == 1
    assert studies["lines"]["ridge"] == [COLOURS["sky"], "v"]


def test_it_is_in_the_tables_of_2016_and_of_the_results(copy, studies):
    for table in (copy / "results/election2016").glob("*.csv"):
        rows = pd.read_csv(table, keep_default_na=False).set_index("method")
        assert 0 < rows.loc["ridge", "classification_error"] < 0.5
        assert rows.index.get_loc("ridge") == 1 + rows.index.get_loc("moments")
    written = (copy / "tables.md").read_text(encoding="utf-8")
    assert written.count("| ridge, lambda = 0.1 | ") == 2


def test_it_is_in_the_reference_of_the_settings(copy, studies):
    page = (copy / "config/README.md").read_text(encoding="utf-8")
    assert "direct or moments or latent or additive or ridge or oracle" in page
    assert "| `methods.NAME.penalty` * |  | number > 0 | how strongly posteriors are pulled" in page


def ridge_by_rows(data, penalty):
    """The same estimate from a least-squares problem with a row per penalised bin below those of the groups."""
    omega = data.counts / data.counts.sum(axis=1, keepdims=True)
    n_bins = omega.shape[1]
    mean = (data.counts.sum(axis=1) * data.label).sum() / data.counts.sum()
    rows = np.vstack([omega, np.sqrt(penalty) * np.eye(n_bins)])
    target = np.concatenate([data.label - mean, np.zeros(n_bins)])
    return mean + np.linalg.lstsq(rows, target, rcond=None)[0]


def test_the_command_fits_it_with_half_samples_of_its_own(copy, fit):
    done = fit("posterior.csv", "--penalty", ".1", "--half-samples", 60, "--seed", 3, "--summary", "fit.json")
    assert done.returncode == 0, done.stderr
    events, labels = map(pd.read_csv, EXAMPLES)
    data = GroupedCounts.from_events(events, labels, FACTORS)
    rng, ordered = generator(3, "fit", "ridge", role="half-samples"), data.in_group_order()
    halves = np.array([ridge_by_rows(ordered.half_sample(rng), 0.1) for _ in range(60)])
    expected = data.bins.assign(
        value=ridge_by_rows(data, 0.1), error=halves.std(axis=0, ddof=1), events=data.totals
    )
    table = pd.read_csv(copy / "posterior.csv", dtype=dict.fromkeys(FACTORS, str)).merge(
        expected, on=FACTORS, validate="one_to_one"
    )
    assert len(table) == 30
    np.testing.assert_allclose(table["posterior"], table["value"], atol=1e-10)
    enough = table["events"] >= 10
    np.testing.assert_allclose(table["se"][enough], table["error"][enough], rtol=1e-8)
    assert table["se"][~enough].isna().all()
    width = 1.959963984540054 * table["error"][enough]
    np.testing.assert_allclose(table["lower"][enough], (table["value"] - width)[enough], atol=1e-9)
    np.testing.assert_allclose(table["upper"][enough], (table["value"] + width)[enough], atol=1e-9)
    summary = json.loads((copy / "fit.json").read_text())
    assert summary["settings"] == {"penalty": 0.1} and summary["check"] is None


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--se", "information"], "--se information: ridge has no formula for it; use --se half-samples"),
        (["--penalty", "0"], "--penalty 0.0: expected a number above 0"),
        (["--he-weight", "3"], "--he-weight 3.0: no setting of the ridge estimator; it has --penalty"),
    ],
)
def test_what_it_cannot_do_is_one_line(copy, fit, options, line):
    done = fit("none.csv", *options)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"wsclust fit: {line}\n")
    assert not (copy / "none.csv").exists()


def test_its_entry_is_whole_and_the_settings_refuse_what_it_refuses(copy):
    code = (
        "from test_registry import faults; from wsclust.registry import entry; print(faults(entry('ridge')))"
    )
    done = run(copy, "-c", f"import sys; sys.path.insert(0, 'tests/wsclust'); {code}")
    assert done.stdout == "[]\n", done.stderr
    code = (
        "from replication.workflow.settings import check_settings\n"
        "check_settings({'methods': {'r': {'estimator': 'ridge', 'solver': 'em'}}}, {})"
    )
    done = run(copy, "-c", code)
    assert "methods.r: solver is no setting of the estimator ridge; leave it out" in done.stderr
