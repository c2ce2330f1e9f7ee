"""The page of a fit in headless Chromium, offline: it sorts, searches, runs no name, and 10,000 groups are usable."""

import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wsclust.counts import GroupedCounts
from wsclust.fitting import direct
from wsclust.page.document import page
from wsclust.plots.posterior import draw
from wsclust.plots.style import svg

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from check_report import BROWSERS, browse

BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here")

GROUPS = 10_000
NASTY = "</script><script>window.wrong='run'</script><img src=x onerror=\"window.wrong='run'\"><b>&amp;"

# What a reader does: two clicks on a column's name, a search, and it all again the other way round.
USE = """<script>
const table = document.querySelector("#groups");
const timed = (what) => { const began = performance.now(); what(); return performance.now() - began; };
const column = (k) => Array.from(table.querySelectorAll("tbody tr")).filter(row => !row.hidden)
  .map(row => row.cells[k].textContent);
const click = (k) => timed(() => { table.querySelectorAll("th button")[k].click(); document.body.offsetHeight; });
const find = (words) => timed(() => {
  const box = table.querySelector("input");
  box.value = words; box.dispatchEvent(new Event("input")); document.body.offsetHeight;
});
const seen = {milliseconds: []};
seen.milliseconds.push(click(0)); seen.byName = column(0);
seen.milliseconds.push(click(1)); seen.up = column(1);
seen.milliseconds.push(click(1)); seen.down = column(1);
seen.milliseconds.push(find("SHOP 77")); seen.found = column(0);
seen.said = table.querySelector(".found").textContent;
seen.milliseconds.push(find("onerror")); seen.nasty = column(0);
find("");
seen.all = column(0).length;
seen.wrong = window.wrong || null;
seen.images = document.querySelectorAll("img, b").length;
seen.plots = document.querySelectorAll("svg").length;
seen.network = performance.getEntriesByType("resource").map(entry => entry.name);
const note = document.createElement("script");
note.type = "application/json"; note.id = "seen"; note.textContent = JSON.stringify(seen).replaceAll("<", "\\\\u003c");
document.body.appendChild(note);
</script></body>"""


@pytest.fixture(scope="module")
def fit():
    names = [f"shop {i}" for i in range(GROUPS - 1)] + [NASTY]
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 30, (GROUPS, 3))
    bins = pd.DataFrame({"level": ["low", NASTY, "high"]})
    return direct(GroupedCounts(counts, rng.uniform(0.1, 0.9, GROUPS), names, bins))


@pytest.fixture(scope="module")
def text(fit):
    report = fit.report(half_samples=0)
    drawing = svg(draw(report.table, fit.grouped.mean_label, "direct", None))
    return page(report, fit.groups(), drawing, f"wsclust fit '{NASTY}'")


@pytest.fixture(scope="module")
def seen(text, tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    path = Path(folder, "page.html")
    path.write_text(text.replace("</body>", USE), encoding="utf-8")
    dom = browse(BROWSER, path, folder / "profile", "--virtual-time-budget=30000", "--dump-dom")
    found = re.search(r'<script type="application/json" id="seen">(.*?)</script>', dom, re.DOTALL)
    assert found, "the page's scripts did not come to an end"
    return json.loads(found[1])


def test_columns_sort_by_number_and_by_name(seen, fit):
    labels = np.sort(fit.grouped.label)
    np.testing.assert_allclose(np.array(seen["up"], dtype=float), labels, atol=0.0005)
    np.testing.assert_allclose(np.array(seen["down"], dtype=float), labels[::-1], atol=0.0005)
    shops = [name for name in seen["byName"] if name.startswith("shop")]
    assert shops == [f"shop {i}" for i in range(GROUPS - 1)]  # 2 before 10


def test_a_search_shows_the_rows_that_have_the_words(seen):
    expected = {f"shop {i}" for i in range(GROUPS - 1) if "77" in str(i)}
    assert expected <= set(seen["found"]) and 100 < len(seen["found"]) < GROUPS
    assert seen["said"] == f"{len(seen['found'])} of {GROUPS} rows"
    assert seen["all"] == GROUPS


def test_names_with_markup_are_shown_and_not_run(seen):
    assert seen["nasty"] == [NASTY]
    assert seen["wrong"] is None and seen["images"] == 0 and seen["plots"] == 1
    assert seen["network"] == []


def test_ten_thousand_groups_are_usable(seen):
    assert max(seen["milliseconds"]) < 5000  # on a slow machine; a tenth of that is usual
