"""The page of a fit: one file, nothing from outside, names as they are."""

from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit

from wsclust.check.track_record import in_words
from wsclust.check.verdicts import MEASURED
from wsclust.cli import main
from wsclust.counts import GroupedCounts
from wsclust.fitting import direct, latent
from wsclust.page.document import page

NASTY = "<script>alert(\"1\")</script> & 'x'"


class Page(HTMLParser):
    """Rows of each table by its section, the number of each tag, and attributes that name something outside."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.count, self.outside, self._at, self._cell = {}, {}, [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.count[tag] = self.count.get(tag, 0) + 1
        self.outside += [v for k, v in attrs.items() if k in ("src", "href") and v and not v.startswith("#")]
        if tag == "section":
            self._at = self.tables.setdefault(attrs["id"], [])
        elif tag == "tr" and self._at is not None:
            self._at.append([])
        elif tag in ("td", "th") and self._at:
            self._cell = ""

    def handle_endtag(self, tag):
        if tag == "section":
            self._at = None
        elif tag in ("td", "th") and self._cell is not None and self._at:
            self._at[-1].append(self._cell)
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell += data


def fit_of(names, levels):
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 30, (len(names), len(levels)))
    bins = pd.DataFrame({"level": levels})
    return direct(GroupedCounts(counts, rng.uniform(0.1, 0.9, len(names)), names, bins))


def test_names_with_markup_are_text_and_tables_hold_what_the_fit_has():
    fit = fit_of([NASTY, "b", "c"], [NASTY, "plain"])
    report = fit.report(half_samples=0)
    found = Page(page(report, fit.groups(), None, f"wsclust fit '{NASTY}'"))
    assert found.count["script"] == 1 and not found.outside
    assert found.tables["bins"][0] == list(report.table.columns)
    assert [row[0] for row in found.tables["bins"][1:]] == [NASTY, "plain"]
    posteriors = [float(row[2]) for row in found.tables["bins"][1:]]
    assert posteriors == pytest.approx(fit.posterior, abs=0.0005)
    assert [row[0] for row in found.tables["groups"][1:]] == [NASTY, "b", "c"]


@pytest.mark.parametrize("noise", [0, 3])
def test_the_page_says_whatever_the_verdict_what_no_check_sees_and_what_decides(noise):
    rng = np.random.default_rng(1)
    share = np.linspace(0.1, 0.9, 40)
    label = expit(logit(share) + noise * rng.standard_normal(40))
    fit = latent(GroupedCounts(100 * np.column_stack([share, 1 - share]), label), he_weight=np.inf)
    report = replace(fit.report(half_samples=0), next_step="ask wsclust audit-sample")
    assert report.check.is_warned_of == (noise > 0)
    text = page(report, fit.groups(), None, "wsclust fit")
    verdict = text[text.index("<h2>Verdict") : text.index("<h2>", text.index("<h2>Verdict") + 1)]
    assert report.check.verdict in verdict and "age, rank, time or size" in verdict
    for said in (MEASURED[report.check.verdict], in_words(report.check.verdict)):
        assert text.count(escape(said[1:])) == 1 and escape(said[1:]) in verdict
    assert "sk wsclust audit-sample." in verdict


def test_ten_thousand_groups_are_all_there():
    fit = fit_of([f"g{i}" for i in range(10_000)], list("abc"))
    text = page(fit.report(half_samples=0), fit.groups(), None, "wsclust fit")
    assert len(Page(text).tables["groups"]) == 10_001
    assert len(text) < 3_000_000


def test_the_command_writes_the_page_with_its_plot(tmp_path):
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(1)
    group = [NASTY if g == 0 else f"g{g}" for g in rng.integers(0, 8, 400)]
    events = pd.DataFrame({"group": group, "sex": rng.choice(["f", "m"], 400)})
    events.to_csv(tmp_path / "events.csv", index=False)
    labels = pd.DataFrame({"group": sorted(set(group)), "label": np.linspace(0.2, 0.8, 8)})
    labels.to_csv(tmp_path / "labels.csv", index=False)
    common = [str(tmp_path / "events.csv"), "--labels", str(tmp_path / "labels.csv"), "--factors", "sex"]
    options = ["--half-samples", "0", "--no-check", "--output", str(tmp_path / "p.csv")]
    assert main(["fit", *common, *options, "--report", str(tmp_path / "page.html")]) == 0
    found = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert found.count["svg"] == 1 and found.count["script"] == 1 and not found.outside
    assert len(found.tables["bins"]) == 3 and len(found.tables["groups"]) == 9
    assert main(["fit", *common, *options, "--report", str(tmp_path / "page.txt")]) == 2
