"""Settings: what is refused before the workflow begins, and how it is said."""

import re
from pathlib import Path

import pytest

from wsclust.workflow.settings import check_settings, read_yaml

ROOT = Path(__file__).parents[1]


def test_a_key_given_twice_is_refused(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("methods:\n  direct: {estimator: direct}\n  direct: {estimator: moments}\n")
    with pytest.raises(ValueError, match=r"config\.yaml: key 'direct' in line 3 is there already"):
        read_yaml(file)


def test_the_project_s_own_settings_pass():
    check_settings(read_yaml(ROOT / "config/config.yaml"), read_yaml(ROOT / "config/schema.yaml"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"us1984": {"why": {"methods": ["magic"]}}}, r"us1984\.why\.methods: method 'magic' is unknown"),
        (
            {"election": {"methods": ["direct", "direct"]}},
            r"election\.methods: method 'direct' is there twice",
        ),
        ({"us1984": {"state_effect": float("nan")}}, r"us1984\.state_effect: nan"),
        ({"methods": {"direct": {"tolerance": float("inf")}}}, r"methods\.direct\.tolerance: inf"),
    ],
)
def test_what_no_schema_says_is_refused_too(change, message):
    settings = {
        "methods": {"direct": {"estimator": "direct"}, "latent": {"he_weight": float("inf")}},
        **change,
    }
    with pytest.raises(ValueError, match=message):
        check_settings(settings, {})


def test_no_placeholder_is_left_in_a_document():
    for document in [*ROOT.glob("*.md"), *ROOT.glob("*/README.md")]:
        assert not re.search(r"@[A-Z]+@|TODO|FIXME", document.read_text(encoding="utf-8")), document
