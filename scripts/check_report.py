"""Open the report in headless Chromium, without a network, and check that it works.

    python scripts/check_report.py build/report.html [--picture build/report.png]

A copy of the report, with a script of ours in it, goes through every entry of its menus and writes down the
errors of scripts, the figures that did not show, and what was asked of the network. Exit codes: 0 all is
well, 1 something is wrong, 2 it could not be checked.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # Whatever the report might fetch, it must do without.
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1500,1000", "--hide-scrollbars"),
]
SECONDS = 120

# Before everything else in the page: what goes wrong while it loads.
LISTEN = """<script>
var checked = {errors: [], figures: {}, pages: 0, charts: 0, network: []};
window.addEventListener("error", event =>
  checked.errors.push(String(event.message || event.target.src).slice(0, 200)), true);
window.addEventListener("unhandledrejection", event => checked.errors.push(String(event.reason)));
</script>"""

# After everything else: each result in turn, then the statistics, then one figure for the picture.
VISIT = """<script>
(async () => {
  const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
  const until = async (ready, what) => {
    for (let tries = 0; tries < 100; tries++) { if (ready()) return true; await pause(20); }
    checked.errors.push("never shown: " + what);
    return false;
  };
  const show = async (path) => {
    app.showResultInfo(path);
    await pause(20);
    const image = results[path].mime_type.startsWith("image/");
    app.setView({content: image ? "img" : "html", contentPath: results[path].data_uri, resultPath: path});
    if (!image) {
      if (await until(() => document.querySelector("iframe"), path)) checked.pages++;
      return;
    }
    const shown = () => document.querySelector("#app img[src='" + results[path].data_uri + "']");
    await until(() => shown() && shown().complete && shown().naturalWidth > 0, path);
    if (!results[path].caption) checked.errors.push("no caption: " + path);
    checked.figures[path] = shown() ? [shown().naturalWidth, shown().getBoundingClientRect().width] : [0, 0];
  };
  try {
    await until(() => document.querySelector("#app").children.length, "the page itself");
    for (const category of Object.keys(categories)) { app.showCategory(category); await pause(20); }
    for (const path of Object.keys(results)) await show(path);
    app.setView({content: "stats"});
    await until(() => document.querySelector("#runtimes canvas, #runtimes svg"), "runtime per rule");
    checked.charts = document.querySelectorAll("#runtimes canvas, #runtimes svg").length;
    checked.rules = [...new Set(runtimes_spec.data.values.map(value => value.rule))].length;
    await show(FIGURE);
    checked.network = performance.getEntriesByType("resource").map(entry => entry.name)
      .filter(name => /^(https?|wss?):/.test(name));
  } catch (error) { checked.errors.push(String(error)); }
  const found = document.createElement("script");
  found.type = "application/json"; found.id = "checked"; found.textContent = JSON.stringify(checked);
  document.body.appendChild(found);
})();
</script>"""


def with_check(html, figure):
    """The report with the two scripts in it; `figure` is the path of the result that is shown last."""
    visit = VISIT.replace("FIGURE", json.dumps(figure))
    head, body, rest = html.partition("<head>")
    before, end, after = rest.rpartition("</body>")
    if not (body and end):
        raise ValueError("no <head> and </body>, so this is no report")
    return head + body + LISTEN + before + visit + end + after


def browse(browser, page, profile, *options):
    """Run Chromium on a page and return what it prints."""
    command = [browser, *OPTIONS, f"--user-data-dir={profile}", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors="replace")
    return done.stdout


def check(report, picture, browser, figure):
    """Problems found in the report, as lines, and a line on what was checked; writes the picture."""
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch, "report.html")
        page.write_text(with_check(report.read_text(encoding="utf-8"), figure), encoding="utf-8")
        waiting = "--virtual-time-budget=60000"
        dom = browse(browser, page, Path(scratch, "profile"), waiting, "--dump-dom")
        found = re.search(r'<script type="application/json" id="checked">(.*?)</script>', dom, re.DOTALL)
        if found is None:
            return ["the report's scripts did not come to an end"], ""
        checked = json.loads(unescape(found[1]))
        browse(browser, page, Path(scratch, "profile"), waiting, f"--screenshot={picture.resolve()}")
    problems = [f"script error: {error}" for error in checked["errors"]]
    problems += [f"not shown: {path}" for path, size in checked["figures"].items() if min(size) < 50]
    problems += [f"asks the network for {name}" for name in checked["network"]]
    problems += [] if checked["figures"] else ["no figure in the report"]
    problems += [] if checked["charts"] and checked.get("rules") else ["no runtime per rule"]
    problems += [] if picture.exists() else [f"{picture}: no picture was taken"]
    return problems, (
        f"{len(checked['figures'])} figures and {checked['pages']} tables show, runtimes of "
        f"{checked.get('rules', 0)} rules, no script error, nothing fetched; picture: {picture}"
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("--picture", type=Path, default=Path("build/report.png"))
    parser.add_argument("--figure", default="figures/figure4.png", help="the figure that the picture shows")
    args = parser.parse_args(arguments)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("report: no Chromium here; install it (Debian: the package chromium)", file=sys.stderr)
        return 2
    try:
        args.picture.unlink(missing_ok=True)
        problems, summary = check(args.report, args.picture, browser, args.figure)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"report: {args.report}: {error}", file=sys.stderr)
        return 2
    for problem in problems:
        print(f"report: {problem}", file=sys.stderr)
    if not problems:
        print(f"report: {summary}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
