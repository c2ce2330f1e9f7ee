"""A log in shards: the same fit as of the whole log, partial counts that are whole or not there, and what is
refused, in one line each.
"""

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from replication.workflow.settings import with_estimators
from replication.workflow.sum_tree import shard_names, sum_tree
from wsclust import cli
from wsclust.events import partial_counts
from wsclust.events.partial_counts import add_counts, count_shard
from wsclust.events.reading import read_counts
from wsclust.events.refusals import ReadOtherwise

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
ROOT = Path(__file__).parents[2]
FACTORS = ["level", "a, b"]
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--cores", "2", "--scheduler", "greedy"]


def write(frame, path):
    path.parent.mkdir(exist_ok=True)
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_csv(path, index=False)
    return path


def make_log(folder, names=str, ending="csv", shards=5, rows=400):
    """Shards of events in folder/log and a row a group in labels.csv; the frame of all events."""
    rng = np.random.default_rng(4)
    groups = np.arange(30) if names is int else np.array([f"q'{i}" for i in range(30)])
    frame = pd.DataFrame(
        {
            "group": groups[np.r_[np.arange(30), rng.integers(0, 30, rows - 30)]],
            "level": rng.integers(8, 12, rows),
            "a, b": rng.choice(["NA", "two words", '"x"'], rows),
            "n": rng.integers(0, 4, rows),
        }
    )
    for number in range(shards):
        write(frame.iloc[number::shards], folder / "log" / f"part {number}.{ending}")
    write(pd.DataFrame({"group": groups, "label": rng.random(30)}), folder / "labels.csv")
    return frame


def fit(folder, events, output, *options):
    command = [
        "fit",
        str(folder / events),
        "--labels",
        str(folder / "labels.csv"),
        "--factors",
        'level,"a, b"',
    ]
    command += ["--output", str(folder / output), "--summary", str(folder / output) + ".json"]
    assert cli.main([*command, "--half-samples", "4", "--no-check", *options]) == 0
    return (folder / output).read_bytes()


def count_all(folder, **options):
    parts = []
    for shard in sorted((folder / "log").iterdir()):
        parts.append(folder / f"{shard.name}.counts.parquet")
        count_shard(shard, parts[-1], FACTORS, **options)
    return parts


def refusal(function, *args, **options):
    with pytest.raises(ValueError) as caught:
        function(*args, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("names", [int, str])
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_the_sum_of_the_shards_gives_the_fit_of_the_whole_log(tmp_path, names, ending):
    make_log(tmp_path, names, ending)
    expected = fit(tmp_path, "log", "whole.csv")
    one, two, *rest = count_all(tmp_path)
    add_counts([one, two], tmp_path / "sum.parquet")
    add_counts([tmp_path / "sum.parquet", *rest], tmp_path / "total.parquet")
    assert fit(tmp_path, "total.parquet", "total.csv", "--count", "n") == expected
    of_one_job = [one, *rest, two]
    add_counts(of_one_job, tmp_path / "total.parquet")
    assert fit(tmp_path, "total.parquet", "total.csv", "--count", "n") == expected


def test_events_with_a_count_column(tmp_path):
    frame = make_log(tmp_path, rows=600)
    expected = fit(tmp_path, "log", "whole.csv", "--count", "n", "--drop-unlabelled")
    add_counts(count_all(tmp_path, count="n"), tmp_path / "total.parquet")
    assert pd.read_parquet(tmp_path / "total.parquet")["n"].sum() == frame["n"].sum()
    assert fit(tmp_path, "total.parquet", "total.csv", "--count", "n", "--drop-unlabelled") == expected


def test_the_same_counts_are_the_same_bytes(tmp_path):
    make_log(tmp_path)
    parts = count_all(tmp_path)
    for name, order in (("a", parts), ("b", parts[::-1])):
        add_counts(order, tmp_path / f"{name}.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_an_open_quote_is_refused_and_a_line_break_in_quotes_is_not(tmp_path):
    rows = "".join(f"g{i % 4},x{i % 3}\n" for i in range(40))
    shard, output = tmp_path / "q.csv", tmp_path / "o.parquet"
    shard.write_text(f'group,a\n{rows}"g1,x1\ng2,x2\n')
    assert "q.csv: line 42: a quote is opened and not closed" in refusal(count_shard, shard, output, ["a"])
    assert not output.exists()
    # 45 MB: more than one buffer, whose threads do not know where a value begins.
    shard.write_text("group,a,pad\n" + f'"g\n1",x1,{"p" * 200}\n' * 210_000)
    assert count_shard(shard, output, ["a"]) == 1
    assert pd.read_parquet(output).values.tolist() == [["g\n1", "x1", 210_000.0]]


def test_reading_by_one_thread_refuses_an_open_quote_too(tmp_path, monkeypatch):
    def unshared(db, table, *rest):
        if table.shared:
            raise ReadOtherwise("lines that threads cannot share", table.unshared())
        return count(db, table, *rest)

    count = partial_counts._count
    monkeypatch.setattr(partial_counts, "_count", unshared)
    (tmp_path / "q.csv").write_text('group,a\ng1,x1\n"g1,x1\ng2,x2\n')
    message = refusal(count_shard, tmp_path / "q.csv", tmp_path / "o.parquet", ["a"])
    assert "q.csv: line 3: a quote is opened and not closed" in message


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("n", -1.0, "row 2: found -1.0 in column 'n'; counts are numbers of events"),
        ("n", np.nan, "row 2: found '' in column 'n'"),
        ("n", 1e308, "row 2: found 1e+308 in column 'n'"),
        ("group", None, "row 2: column 'group' is empty"),
        ("a", None, "row 2: column 'a' is empty"),
        ("n", "2", "column 'n' is not a column of numbers"),
    ],
)
def test_wrong_values_in_a_part_are_refused(tmp_path, column, value, expected):
    part = pd.DataFrame({"group": ["x", "y"], "a": ["1", "2"], "n": [1.0, 2.0]})
    good = write(part, tmp_path / "good.parquet")
    part[column] = [str(part[column][0]) if isinstance(value, str) else part[column][0], value]
    message = refusal(add_counts, [good, write(part, tmp_path / "bad.parquet")], tmp_path / "sum.parquet")
    assert "bad.parquet: " + ("column 'n' is" if isinstance(value, str) else expected) in message
    assert expected in refusal(add_counts, [tmp_path / "bad.parquet"], tmp_path / "sum.parquet")


def test_parts_cut_at_other_edges_do_not_add_up(tmp_path):
    log = pd.DataFrame({"group": ["x", "y", "x", "y"], "age": [5, 15, 25, 35]})
    write(log, tmp_path / "log.csv")
    parts = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for part, edges in zip(parts, [[10, 20], [10, 30]], strict=True):
        count_shard(tmp_path / "log.csv", part, ["age"], cut={"age": edges})
    message = refusal(add_counts, parts, tmp_path / "sum.parquet")
    assert "two.parquet: column 'age' has '(10, 30]', and '(10, 20]' in" in message
    assert "count all shards with the same --cut" in message and not (tmp_path / "sum.parquet").exists()
    write(pd.DataFrame({"group": ["x", "y"], "label": [0.2, 0.7]}), tmp_path / "labels.csv")
    with pytest.warns(UserWarning, match=r"'\(10, 20\]' and '\(10, 30\]' are ranges that overlap"):
        read_counts(tmp_path / "*.parquet", tmp_path / "labels.csv", ["age"], count="n")


def test_a_pattern_names_parts(tmp_path, capsys):
    for name, n in (("one", 2.0), ("two", 3.0)):
        write(pd.DataFrame({"group": ["x"], "a": ["1"], "n": [n]}), tmp_path / f"{name}.parquet")
    output = tmp_path / "sum" / "s.parquet"
    output.parent.mkdir()
    assert cli.main(["add-counts", str(tmp_path / "*.parquet"), "--output", str(output)]) == 0
    assert pd.read_parquet(output)["n"].tolist() == [5.0]
    assert cli.main(["add-counts", str(tmp_path / "none-*.parquet"), "--output", str(output)]) == 2
    assert "none-*.parquet: no such file; expected" in capsys.readouterr().err


def test_the_number_of_threads_is_a_number_of_cores(tmp_path, capsys):
    part = pd.DataFrame({"group": ["x", "y"], "a": ["1", "2"], "n": [1.0, 2.0]})
    command = [
        "add-counts",
        str(write(part, tmp_path / "one.parquet")),
        "--output",
        str(tmp_path / "s.parquet"),
    ]
    assert cli.main([*command, "--threads", "0"]) == 2
    assert "add-counts: --threads 0: expected 1 or more" in capsys.readouterr().err
    assert cli.main([*command, "--threads", "1000000000"]) == 0


@pytest.mark.parametrize(
    "command", ["count_shard(sys.argv[1], sys.argv[3], ['a'])", "add_counts(sys.argv[2:3], sys.argv[3])"]
)
def test_a_full_disk_is_the_outputs_fault(tmp_path, command):
    part = pd.DataFrame({"group": ["x", "y"], "a": ["1", "2"], "n": [1.0, 2.0]})
    inputs = [
        str(write(part[["group", "a"]], tmp_path / "in.csv")),
        str(write(part, tmp_path / "in.parquet")),
    ]
    code = "import resource, sys\nfrom wsclust.events.partial_counts import add_counts, count_shard\n"
    code += f"resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n{command}"
    output = tmp_path / "out.parquet"
    result = subprocess.run(
        [sys.executable, "-c", code, *inputs, str(output)], cwd=ROOT / "src", capture_output=True, text=True
    )
    assert f"OSError: {output}: cannot be written" in result.stderr.splitlines()[-1]
    assert not output.exists()


def test_an_empty_shard_adds_nothing(tmp_path):
    make_log(tmp_path)
    expected = fit(tmp_path, "log", "whole.csv")
    header = (tmp_path / "log" / "part 0.csv").read_text().splitlines()[0]
    (tmp_path / "log" / "part 9.csv").write_text(header + "\n")
    add_counts(count_all(tmp_path), tmp_path / "total.parquet")
    assert fit(tmp_path, "total.parquet", "total.csv", "--count", "n") == expected


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("group,level\na,\n", {}, "shard.csv: line 2: column 'level' is empty"),
        ("group,level\na,1\n,1\n", {}, "shard.csv: line 3: column 'group' is empty"),
        ("group,level,w\na,1,2\nb,1,-2\n", {"count": "w"}, "line 3: found '-2' in column 'w'"),
        ("group,level\na,1\nb\n", {}, "shard.csv"),
        ("group,size\na,1\n", {}, "no column 'level'"),
        ("group,level\na,1\n", {"group": "level"}, "'level' is named twice"),
        ("n,level\na,1\n", {"group": "n"}, "column 'n' has the name of the count 'n'"),
        ("Level,level\na,1\n", {"group": "Level"}, "column 'level' has the name of 'Level' but for case"),
        ("group,level\na,1\n", {"memory_limit": "lots"}, "memory_limit=lots"),
    ],
)
def test_a_shard_that_is_refused_leaves_no_file(tmp_path, text, options, expected):
    (tmp_path / "shard.csv").write_text(text)
    message = refusal(count_shard, tmp_path / "shard.csv", tmp_path / "out.parquet", ["level"], **options)
    assert expected in message
    assert [path.name for path in tmp_path.iterdir()] == ["shard.csv"]


def test_parts_that_do_not_add_up(tmp_path):
    make_log(tmp_path)
    parts = count_all(tmp_path)
    output = tmp_path / "total.parquet"
    assert "counted twice" in refusal(add_counts, [parts[0], parts[1], parts[0]], output)
    frame = pd.DataFrame({"group": ["a"], "level": [1], "a, b": ["x"]})
    events = write(frame, tmp_path / "events.parquet")
    assert "no partial counts" in refusal(add_counts, [parts[0], events], output)
    count_shard(events, tmp_path / "typed.parquet", FACTORS)
    message = refusal(add_counts, [parts[0], tmp_path / "typed.parquet"], output)
    assert "column 'level' is int, and text in" in message
    count_shard(events, tmp_path / "fewer.parquet", ["level"])
    assert "columns 'group', 'level', 'n', and" in refusal(
        add_counts, [parts[0], tmp_path / "fewer.parquet"], output
    )
    (tmp_path / "cut.parquet").write_bytes(parts[0].read_bytes()[:-20])
    assert "cut.parquet" in refusal(add_counts, [tmp_path / "cut.parquet"], output)
    assert not output.exists()


def test_one_part_under_two_names_is_refused(tmp_path, monkeypatch):
    make_log(tmp_path)
    one, two, *_ = count_all(tmp_path)
    (tmp_path / "link.parquet").symlink_to(one)
    (tmp_path / "hard.parquet").hardlink_to(two)
    monkeypatch.chdir(tmp_path)
    for parts in (
        [one, two, one.name],
        [one.name, two, f"log/../{one.name}"],
        ["link.parquet", one],
        ["hard.parquet", two],
    ):
        message = refusal(add_counts, parts, tmp_path / "total.parquet")
        assert message.startswith(f"{parts[-1]}: the same file as {parts[0]}, and would be counted twice")
    assert not (tmp_path / "total.parquet").exists()


def test_the_commands_refuse_in_one_line(tmp_path, capsys):
    make_log(tmp_path)
    shard, output = str(tmp_path / "log" / "part 0.csv"), str(tmp_path / "out.parquet")
    for command in (
        ["count-shard", shard, "--factors", "level", "--output", str(tmp_path / "out.csv")],
        ["count-shard", shard, "--factors", "level", "--output", output, "--memory-limit", "lots"],
        ["count-shard", str(tmp_path / "none.csv"), "--factors", "level", "--output", output],
        ["add-counts", shard, "--output", output],
        ["add-counts", str(tmp_path / "none.parquet"), "--output", output],
    ):
        assert cli.main(command) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and said.startswith(f"wsclust {command[0]}: "), said
    assert not Path(output).exists()


def test_a_tree_has_every_file_once():
    for files in (1, 2, 9, 10, 11, 100, 101):
        names = [f"{i}" for i in range(files)]
        sums, total = sum_tree(names, 10, "sums")
        assert max((len(parts) for parts in sums.values()), default=0) <= 10

        def leaves(name, sums=sums):
            return [leaf for part in sums[name] for leaf in leaves(part)] if name in sums else [name]

        assert leaves(total) == names


def test_one_more_shard_leaves_the_names_of_the_others():
    assert shard_names(["x/log/a/1.csv", "x/log/b/1.csv"]) == {
        "a/1.csv": "x/log/a/1.csv",
        "b/1.csv": "x/log/b/1.csv",
    }
    assert shard_names(["log.csv"]) == {"log.csv": "log.csv"}
    assert "a brace" in refusal(shard_names, ["log/{a}.csv"])


@pytest.fixture(scope="module")
def workflow(tmp_path_factory):
    """A folder with shards that the workflow has fitted, and the command that did it."""
    folder = tmp_path_factory.mktemp("shards")
    make_log(folder, ending="parquet", shards=4)
    settings = {"events": "log", "labels": "labels.csv", "factors": FACTORS, "output": "out", "sum_of": 3}
    settings["fit"] = {"half_samples": 4, "no_check": True}
    (folder / "config.yaml").write_text(yaml.safe_dump(settings))
    command = [*SNAKEMAKE, "--snakefile", str(ROOT / "shards" / "Snakefile"), "--configfile", "config.yaml"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return folder, command


pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("shards")]


def test_the_workflow_gives_what_fit_gives(workflow):
    folder, _ = workflow
    assert (folder / "out/posterior.csv").read_bytes() == fit(folder, "log", "whole.csv")
    summaries = [json.loads((folder / name).read_text()) for name in ("out/fit.json", "whole.csv.json")]
    for summary in summaries:
        del summary["seconds"]
        # The log has a column n, which the counts of its shards have not.
        summary["warnings"] = [line for line in summary["warnings"] if "is not used" not in line]
    assert summaries[0] == summaries[1]
    assert (folder / "out/posterior.png").stat().st_size > 10_000


def test_a_changed_shard_is_counted_alone(workflow):
    folder, command = workflow
    shard = folder / "log" / "part 3.parquet"
    pd.read_parquet(shard).iloc[1:].to_parquet(shard)
    said = subprocess.run([*command, "-n"], cwd=folder, capture_output=True, text=True, check=True).stdout
    jobs = dict(line.split() for line in said.splitlines() if line.startswith(("count ", "add ", "fit ")))
    assert jobs == {"count": "1", "add": "2", "fit": "1"}


def test_a_failed_shard_is_counted_again_alone(workflow):
    folder, command = workflow
    shard = folder / "log" / "part 1.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-50])
    result = subprocess.run(
        [*command, "--keep-going", "--show-failed-logs"], cwd=folder, capture_output=True, text=True
    )
    assert result.returncode == 1
    assert "part 1.parquet: not a whole Parquet file" in result.stdout + result.stderr
    assert not (folder / "out/counts/shards/part 1.parquet.parquet").exists()
    shard.write_bytes(whole)
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("rule count") + result.stderr.count("Count part") == 1
    assert (folder / "out/posterior.csv").read_bytes() == fit(folder, "log", "whole.csv")


def test_a_killed_job_leaves_no_partial_count(tmp_path):
    make_log(tmp_path, ending="parquet", shards=1)
    # It kills itself where the file is written and not yet in place.
    code = "import os, signal, sys, wsclust.tables, wsclust.events.partial_counts as p\n"
    code += f"os.replace = lambda *_: os.kill(os.getpid(), {int(signal.SIGKILL)})\n"
    code += "p.count_shard(sys.argv[1], sys.argv[2], ['level'])"
    output = tmp_path / "out.parquet"
    command = [sys.executable, "-c", code, str(tmp_path / "log" / "part 0.parquet"), str(output)]
    result = subprocess.run(command, cwd=ROOT / "src")
    assert result.returncode == -signal.SIGKILL
    assert not output.exists()


def test_a_workflow_of_ones_own_imports_the_shards(tmp_path):
    make_log(tmp_path, shards=2)
    settings = {"events": "log", "labels": "labels.csv", "factors": FACTORS, "output": "out/mine"}
    settings["fit"] = {"half_samples": 0, "no_check": True}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({"mine": settings}))
    (tmp_path / "Snakefile").write_text(
        'configfile: "config.yaml"\n\n'
        "rule first:\n    default_target: True\n    input: 'out/mine/posterior.csv'\n    output: 'done'\n"
        "    shell: 'cp {input} {output}'\n\n"
        f"module shards:\n    snakefile: {str(ROOT / 'shards' / 'Snakefile')!r}\n"
        "    config: config['mine']\n\n"
        "use rule * from shards as shards_*\n"
    )
    result = subprocess.run(SNAKEMAKE, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "done").read_bytes() == fit(tmp_path, "log", "whole.csv", "--half-samples", "0")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"evnts": "log"}, ["'evnts'", "'events'"]),
        ({"labels": None}, ["labels"]),
        ({"fit": {"he_wieght": 3}}, ["fit", "'he_wieght'", "'he_weight'"]),
        ({"events": "nowhere"}, ["nowhere: no such file"]),
        ({"sum_of": 1}, ["sum_of"]),
    ],
)
def test_wrong_settings_are_refused_by_name(workflow, tmp_path, change, named):
    folder, command = workflow
    settings = yaml.safe_load((folder / "config.yaml").read_text()) | change
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(settings))
    command = [*command[:-1], str(tmp_path / "wrong.yaml"), "-n"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 1
    assert all(name in result.stderr + result.stdout for name in named), result.stderr


def test_every_option_of_the_fit_can_be_set():
    schema = with_estimators(yaml.safe_load((ROOT / "shards/schema.yaml").read_text()))["properties"]
    known = {"--" + key.replace("_", "-") for key in schema["fit"]["properties"]}
    text = subprocess.run(
        [sys.executable, "-m", "wsclust.cli", "fit", "--help"],
        cwd=ROOT / "src",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    offered = {
        word for word in shlex.split(text.split("options:")[1].replace("'", "")) if word.startswith("--")
    }
    offered = {word.strip(",;:.") for word in offered}
    of_the_workflow = {"--help", "--labels", "--factors", "--group", "--label", "--count", "--memory-limit"}
    of_the_workflow |= {"--output", "--summary", "--plot", "--strict", "--report", "--subsamples"}
    of_the_workflow |= {"--groups", "--plot-lines", "--by", "--effects-output"}
    # Of events one by one, which are gone when shards are counted, and of orders that a shell would have to quote.
    of_the_workflow |= {"--cut", "--missing", "--numeric", "--order"}
    of_the_workflow |= {"--effects"}  # `method: additive` says the same
    of_the_workflow |= {"--audit", "--audit-id", "--label-scores", "--new-groups"}
    assert offered - of_the_workflow == known
