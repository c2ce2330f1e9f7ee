"""Settings: what is refused before the workflow begins, and how it is said."""

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replication.shared.yaml_files import read_yaml
from replication.simulation.truth_curves import truth
from replication.workflow.inputs import check_tables
from replication.workflow.settings import check_settings

ROOT = Path(__file__).parents[2]


def test_a_key_given_twice_is_refused(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("methods:\n  direct: {estimator: direct}\n  direct: {estimator: moments}\n")
    with pytest.raises(ValueError, match=r"config\.yaml, line 3: key 'direct' is given twice"):
        read_yaml(file)


@pytest.mark.parametrize(
    ("text", "readings", "ways"),
    [
        ("010", "8 in YAML 1.1 and 10 in YAML 1.2", "8, 10 or '010'"),
        ("1:30", "90 in YAML 1.1 and text in YAML 1.2", "90 or '1:30'"),
        ("1e-6", "text in YAML 1.1 and 1.0e-06 in YAML 1.2", "1.0e-06 or '1e-6'"),
        ("1.5e3", "text in YAML 1.1 and 1500.0 in YAML 1.2", "1500.0 or '1.5e3'"),
        ("1_000", "1000 in YAML 1.1 and text in YAML 1.2", "1000 or '1_000'"),
        ("0o17", "text in YAML 1.1 and 15 in YAML 1.2", "15 or '0o17'"),
        ("no", "false in YAML 1.1 and text in YAML 1.2", "false or 'no'"),
        ("2020-13-01", "a date in YAML 1.1 and text in YAML 1.2", "'2020-13-01'"),
    ],
)
def test_a_value_that_has_two_readings_is_refused_with_the_ways_to_write_it(tmp_path, text, readings, ways):
    file = tmp_path / "config.yaml"
    file.write_text(f"seed: 1\nruns: [2, {text}]\n")
    with pytest.raises(ValueError) as refusal:
        read_yaml(file)
    assert str(refusal.value) == f"{file}, line 2: {text} is {readings}; write {ways}"
    assert read_yaml(file, texts=True) == {"seed": "1", "runs": ["2", text]}
    for way in ways.replace(" or ", ", ").split(", "):
        file.write_text(f"runs: {way}\n")
        read_yaml(file)


NUMBERS = (
    st.integers() | st.floats() | st.booleans() | st.none() | st.text("0123456789.:-+eEx_ onyif~", max_size=6)
)


# Slow where the machine is busy, which is no fault of the values.
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.recursive(NUMBERS, lambda of: st.lists(of, max_size=3) | st.dictionaries(st.text("ab01"), of)))
def test_what_a_yaml_writer_writes_is_read_back(value):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "value.yaml")
        file.write_text(yaml.safe_dump(value))
        try:
            read = read_yaml(file)
        except ValueError as error:  # a text that only YAML 1.2 takes for a number is written without quotes
            assert "is text in YAML 1.1" in str(error)
        else:
            np.testing.assert_equal(read, value)


@pytest.mark.parametrize("text", ["[" * 500_000, "- " * 500_000, "{a: " * 800 + "1" + "}" * 800])
def test_any_depth_is_read_or_refused_in_a_line(tmp_path, text):
    file = tmp_path / "deep.yaml"
    file.write_text(text)
    try:
        read_yaml(file)
    except ValueError as error:
        assert str(error).startswith(str(file)) and "\n" not in str(error)


def test_a_merged_mapping_is_no_key_given_twice(tmp_path):
    file = tmp_path / "merged.yaml"
    file.write_text("base: &base {a: 1, b: 2}\nother: {<<: *base, b: 3}\n")
    assert read_yaml(file)["other"] == {"a": 1, "b": 3}


def test_the_project_s_own_settings_pass():
    check_settings(read_yaml(ROOT / "config/config.yaml"), read_yaml(ROOT / "config/schema.yaml"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"election1984": {"why": {"methods": ["magic"]}}},
            r"election1984\.why\.methods: method 'magic' is unknown",
        ),
        (
            {"election2016": {"methods": ["direct", "direct"]}},
            r"election2016\.methods: method 'direct' is there twice",
        ),
        ({"election1984": {"state_effect": float("nan")}}, r"election1984\.state_effect: nan"),
        (
            {"methods": {"latent": {"estimator": "latent", "tolerance": float("inf")}}},
            r"methods\.latent\.tolerance: inf",
        ),
        (
            {"methods": {"direct": {"estimator": "direct", "he_weight": 3}}},
            r"methods\.direct: he_weight is no setting of the estimator direct; leave it out",
        ),
        (
            {"election1984": {"clustering": "weak", "clusterings": {"none": {}, "strong": {}}}},
            r"election1984\.clustering: 'weak' is not in election1984\.clusterings, which has none, strong",
        ),
        (
            {"coverage": {"truths": ["linear"]}, "simulation": {"truths": {"default": {}}}},
            r"coverage\.truths: 'linear' is not in simulation\.truths, which has default",
        ),
        (
            {"simulation": {"shown": "defaults", "truths": {"default": {}}}},
            r"simulation\.shown: 'defaults' is not in simulation\.truths, which has default",
        ),
        ({"clicks": {"methods": ["latent"]}}, r"clicks\.methods: method 'latent_wh10' is missing"),
        ({"coverage": {"methods": {"magic": 0.3}}}, r"coverage\.methods: method 'magic' is unknown"),
    ],
)
def test_what_no_schema_says_is_refused_too(change, message):
    settings = {
        "methods": {
            "direct": {"estimator": "direct"},
            "latent": {"estimator": "latent", "he_weight": float("inf")},
        },
        **change,
    }
    with pytest.raises(ValueError, match=message):
        check_settings(settings, {})


def test_an_integer_is_written_as_one():
    schema = {"properties": {"runs": {"type": "integer"}}}
    check_settings({"runs": 50}, schema)
    for wrong in (50.0, True):
        with pytest.raises(ValueError, match=rf"runs: {wrong} is not of type 'integer'"):
            check_settings({"runs": wrong}, schema)


TABLE = {"table": "voters.csv", "group": "state", "factors": ["race"], "positive": "yes", "negative": "no"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, None),
        ({"table": "voter.csv"}, r"designs\.a\.table: no file voter\.csv"),
        ({"factors": ["race", "income"]}, r"designs\.a\.factors: column 'income' is not in voters\.csv"),
        ({"negative": "yes"}, r"designs\.a\.negative: column 'yes' is named twice"),
    ],
)
def test_tables_are_there_and_have_their_columns(tmp_path, change, message):
    (tmp_path / "voters.csv").write_text("state,race,yes,no\nOH,black,1,2\n")
    config = {"seed": 1, "election2016": {"designs": {"a": {**TABLE, **change}}}}
    if message is None:
        check_tables(config, tmp_path)
    else:
        with pytest.raises(ValueError, match=message):
            check_tables(config, tmp_path)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("tilt", [-5, 1000])
def test_a_tilt_that_no_truth_can_have_is_refused(tilt):
    with pytest.raises(ValueError, match=f"truth quadratic: .* frequency_tilt {tilt}; take one nearer 0"):
        truth("quadratic", 15, low=0.05, frequency_tilt=tilt)


def test_no_placeholder_is_left_in_a_document():
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]:
        assert not re.search(r"@[A-Z]+@|TODO|FIXME", document.read_text(encoding="utf-8")), document


def test_a_brace_in_the_name_of_a_table_is_refused():
    with pytest.raises(ValueError, match=r"movielens\.table: a\{b\}\.csv has a brace"):
        check_tables({"movielens": {"table": "a{b}.csv"}})
