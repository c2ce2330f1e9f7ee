"""Events to look up, drawn from files, and outcomes that come back: the same whatever the files are like."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import chisquare

import wsclust
from wsclust.audit.audited import audited as audited_core
from wsclust.audit.outcomes import AuditedOutcomes
from wsclust.cli import main
from wsclust.events.audit_draws import events_to_look_up
from wsclust.events.cuts import cut_values
from wsclust.events.outcome_files import read_outcomes
from wsclust.events.reading import read_counts
from wsclust.fitting import additive, direct, latent
from wsclust.outcomes import KnownOutcomes

pytest.importorskip("duckdb")
FACTORS = ["sex", "age"]
LOG_ODDS = {("f", "1"): 1.5, ("f", "2"): 0.5, ("m", "1"): -0.3, ("m", "2"): -1.2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Events with an id and their outcome in a file apart, and labels that are the groups' exact shares."""
    folder, rng = tmp_path_factory.mktemp("events"), np.random.default_rng(3)
    group = rng.integers(0, 30, 3000)
    composition = rng.dirichlet(np.full(4, 2.0), 30)
    place = np.array([rng.choice(4, p=composition[g]) for g in group])
    levels = np.array(list(LOG_ODDS))
    happy = rng.random(3000) < expit(rng.normal(0, 1, 30)[group] + np.array(list(LOG_ODDS.values()))[place])
    events = pd.DataFrame(
        {"group": [f"g{g:02d}" for g in group], "sex": levels[place, 0], "age": levels[place, 1]}
    )
    events.insert(0, "id", [f"e{i}" for i in range(3000)])
    events.to_csv(folder / "events.csv", index=False)
    events.to_parquet(folder / "events.parquet", index=False, row_group_size=500)
    (folder / "parts").mkdir()
    for part, rows in enumerate((slice(0, 1100), slice(1100, 3000))):
        events.iloc[rows].to_csv(folder / "parts" / f"{part}.csv", index=False)
    shares = pd.Series(happy).groupby(events["group"]).mean()
    labels = pd.DataFrame({"group": shares.index, "label": shares.to_numpy()})
    labels.to_csv(folder / "labels.csv", index=False)
    events.assign(happy=happy.astype(int)).to_csv(folder / "known.csv", index=False)
    counted = events.groupby(["group", *FACTORS]).size().reset_index(name="times")
    counted.to_csv(folder / "counted.csv", index=False)
    return folder


@pytest.fixture
def known(folder):
    return pd.read_csv(folder / "known.csv", dtype={"age": str})


def arguments(folder, events="events.csv", labels="labels.csv"):
    return [str(folder / events), "--labels", str(folder / labels), "--factors", "sex,age"]


def sampled(folder, output, *options, events="events.csv"):
    code = main(
        ["audit-sample", *arguments(folder, events), "--size", "60", "--output", str(output), *options]
    )
    assert code == 0
    return pd.read_csv(output, dtype=str, keep_default_na=False)


def fitted(folder, audit, output, *options, events="events.csv"):
    return main(["fit", *arguments(folder, events), "--audit", str(audit), "--output", str(output), *options])


def filled_in(table, known, path):
    outcome = known["happy"].to_numpy()[table["row"].astype(int) - 1]
    table.assign(outcome=outcome).to_csv(path, index=False)
    return path


# Drawing


def test_rows_that_are_drawn_are_those_of_the_file(folder, tmp_path, known):
    table = sampled(folder, tmp_path / "out.csv")
    assert list(table.columns) == ["row", "group", *FACTORS, "outcome"] and len(table) == 60
    rows = table["row"].astype(int)
    assert rows.is_monotonic_increasing and rows.is_unique and (table["outcome"] == "").all()
    there = known.iloc[rows - 1].reset_index(drop=True)
    assert there[["group", *FACTORS]].astype(str).equals(table[["group", *FACTORS]])


def test_the_draw_is_the_same_from_csv_and_parquet_and_with_another_number_of_threads(folder, tmp_path):
    from_csv = sampled(folder, tmp_path / "a.csv")
    from_parquet = sampled(folder, tmp_path / "b.csv", events="events.parquet")
    assert from_csv.equals(from_parquet)
    data = read_counts(folder / "events.parquet", folder / "labels.csv", FACTORS)
    draws = [
        events_to_look_up(
            data, folder / "events.parquet", 60, "bins", np.random.default_rng(5), threads=threads
        ).table
        for threads in (1, 2)
    ]
    assert draws[0].equals(draws[1])
    assert not sampled(folder, tmp_path / "c.csv", "--seed", "2").equals(from_csv)


def test_several_files_are_named(folder, tmp_path, known):
    table = sampled(folder, tmp_path / "out.csv", events="parts")
    assert list(table.columns)[:2] == ["file", "row"]
    start = table["file"].map(lambda name: {"0.csv": 0, "1.csv": 1100}[Path(name).name])
    there = known.iloc[start + table["row"].astype(int) - 1].reset_index(drop=True)
    assert there["group"].equals(table["group"])
    table.assign(outcome=there["happy"]).to_csv(tmp_path / "full.csv", index=False)
    table.assign(outcome=there["happy"])[["file", "row", "outcome"]].to_csv(
        tmp_path / "short.csv", index=False
    )
    for name in ("full", "short"):
        assert fitted(folder, tmp_path / f"{name}.csv", tmp_path / f"{name}_out.csv", events="parts") == 0
    assert (tmp_path / "full_out.csv").read_bytes() == (tmp_path / "short_out.csv").read_bytes()


def test_every_event_of_a_bin_is_as_likely(folder):
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    rng, drawn = np.random.default_rng(0), np.zeros(3000)
    for _ in range(30):
        table = events_to_look_up(data, folder / "events.csv", 500, "random", rng).table
        drawn[table["row"] - 1] += 1
    # 15,000 draws in 30 parts of the file, 100 rows each.
    assert chisquare(drawn.reshape(30, 100).sum(axis=1)).pvalue > 1e-3
    assert drawn.max() <= 18  # of Binomial(30, 1/6) more has a chance of 1e-8


def test_designs_and_the_message(folder, tmp_path, capsys):
    table = sampled(folder, tmp_path / "out.csv", "--design", "groups")
    assert table["group"].nunique() == 10
    assert "60 events to look up, in 4 of 4 bins and 10 of 30 groups" in capsys.readouterr().out


def test_an_identity_takes_the_place_of_rows(folder, tmp_path, known):
    table = sampled(folder, tmp_path / "out.csv", "--id", "id")
    assert list(table.columns) == ["id", "group", *FACTORS, "outcome"]
    outcome = known.set_index("id")["happy"].loc[table["id"]].to_numpy()
    short = tmp_path / "short.csv"
    table.assign(outcome=outcome)[["id", "outcome"]].sample(frac=1, random_state=1).to_csv(short, index=False)
    full = tmp_path / "full.csv"
    table.assign(outcome=outcome).to_csv(full, index=False)
    for path in (short, full):
        assert fitted(folder, path, tmp_path / f"of_{path.name}", "--audit-id", "id") == 0
    assert (tmp_path / "of_short.csv").read_bytes() == (tmp_path / "of_full.csv").read_bytes()


def test_counted_events_are_asked_for_by_cell(folder, tmp_path, known):
    table = sampled(folder, tmp_path / "out.csv", "--count", "times", events="counted.csv")
    assert list(table.columns) == ["group", *FACTORS, "n", "happy"]
    assert table["n"].astype(int).sum() == 60
    happy = np.random.default_rng(1).binomial(table["n"].astype(int), 0.5)
    table.assign(happy=happy).to_csv(tmp_path / "cells.csv", index=False)
    each = table.loc[np.repeat(np.arange(len(table)), table["n"].astype(int)), ["group", *FACTORS]]
    order = np.concatenate([np.arange(n) for n in table["n"].astype(int)])
    each["outcome"] = (order < np.repeat(happy, table["n"].astype(int))).astype(int)
    each.to_csv(tmp_path / "each.csv", index=False)
    for name in ("cells", "each"):
        options = ("--count", "times")
        path, output = tmp_path / f"{name}.csv", tmp_path / f"{name}_out.csv"
        assert fitted(folder, path, output, *options, events="counted.csv") == 0
    assert (tmp_path / "cells_out.csv").read_bytes() == (tmp_path / "each_out.csv").read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "0"], ["--size 0", "1 or more"]),
        (["--id", "sex"], ["column 'sex'", "tells no events apart"]),
        (["--id", "nobody"], ["no column 'nobody'"]),
        (["--id", "id", "--count", "id"], ["--id", "leave one of them out"]),
    ],
)
def test_wrong_options_are_one_line(folder, tmp_path, capsys, options, words):
    output = tmp_path / "out.csv"
    assert main(["audit-sample", *arguments(folder), "--output", str(output), *options]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and all(word in said for word in words), said
    assert not output.exists()


def test_a_cell_that_is_there_twice_is_not_counted_twice(folder, tmp_path, capsys):
    table = sampled(folder, tmp_path / "out.csv", "--count", "times", events="counted.csv").assign(happy=0)
    pd.concat([table, table[3:4]]).to_csv(tmp_path / "twice.csv", index=False)
    code = fitted(
        folder, tmp_path / "twice.csv", tmp_path / "o.csv", "--count", "times", events="counted.csv"
    )
    assert code == 2 and not (tmp_path / "o.csv").exists()
    assert f"row {len(table) + 1}: group '{table['group'].iloc[3]}', " in (said := capsys.readouterr().err)
    assert " is in row 4 already; give each group and bin one row" in said


@pytest.mark.parametrize("count", [(), ("--count", "w")])
def test_a_factor_that_no_fit_can_have_is_told_before_events_are_looked_up(tmp_path, capsys, count):
    (tmp_path / "events.csv").write_text("group,lower,w\na,x,2\nb,y,3\na,y,1\n")
    (tmp_path / "labels.csv").write_text("group,label\na,.3\nb,.6\n")
    inputs = [
        str(tmp_path / "events.csv"),
        "--labels",
        str(tmp_path / "labels.csv"),
        "--factors",
        "lower",
        *count,
    ]
    assert main(["audit-sample", *inputs, "--output", str(tmp_path / "a.csv")]) == 2
    assert (
        "factor 'lower': the table of a fit, which the audit is for, has a column" in capsys.readouterr().err
    )
    assert not (tmp_path / "a.csv").exists()


def test_a_file_that_may_be_filled_in_is_not_written_over(folder, tmp_path, capsys):
    output = tmp_path / "out.csv"
    sampled(folder, output)
    before = output.read_bytes()
    assert main(["audit-sample", *arguments(folder), "--output", str(output)]) == 2
    assert "perhaps filled in" in capsys.readouterr().err and output.read_bytes() == before


# Fitting


def test_the_table_is_the_audited_answer(folder, tmp_path, known, capsys):
    audit = filled_in(sampled(folder, tmp_path / "out.csv"), known, tmp_path / "labelled.csv")
    table, summary = tmp_path / "p.csv", tmp_path / "p.json"
    assert fitted(folder, audit, table, "--summary", str(summary)) == 0
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    outcomes = read_outcomes(audit, data)
    assert outcomes.size == 60
    core = audited_core(data, outcomes, additive(data).estimate)
    found = pd.read_csv(table)
    assert list(found.columns) == [*FACTORS, "n", "posterior", "se", "lower", "upper"]
    assert found["posterior"].to_numpy() == pytest.approx(core.posterior, abs=1e-12)
    assert found["se"].to_numpy() == pytest.approx(core.sd, abs=1e-12)
    assert found[["lower", "upper"]].to_numpy().T == pytest.approx(np.array(core.interval(0.95)), abs=1e-12)
    said = json.loads(summary.read_text())
    assert said["method"] == "audited" and said["weak_method"] == "additive"
    assert said["audit"]["events"] == 60 and said["audit"]["left_out"] == 0
    assert said["audit"]["probability_better_than_mean"] == pytest.approx(core.verdict.probability)
    assert said["audit"]["verdict"] == core.verdict.word and said["check"] is None
    printed = capsys.readouterr().out
    assert core.verdict.word in printed and "labelled events alone" in printed


@pytest.mark.parametrize("words", [("yes", "no"), ("TRUE", "False"), ("1.0", "0.0"), ("1", "0")])
def test_outcomes_may_be_words_in_any_order(folder, tmp_path, known, words):
    table = sampled(folder, tmp_path / "out.csv")
    filled_in(table, known, tmp_path / "plain.csv")
    plain = pd.read_csv(tmp_path / "plain.csv", dtype=str)
    plain["outcome"] = np.where(plain["outcome"] == "1", *words)
    plain.sample(frac=1, random_state=2).to_csv(tmp_path / "words.csv", index=False)
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    read = [read_outcomes(tmp_path / f"{name}.csv", data) for name in ("plain", "words")]
    assert (read[0].happy == read[1].happy).all() and (read[0].sad == read[1].sad).all()


def test_what_is_not_filled_in_is_left_out_and_said(folder, tmp_path, known, capsys):
    filled_in(sampled(folder, tmp_path / "out.csv"), known, tmp_path / "full.csv")
    table = pd.read_csv(tmp_path / "full.csv", dtype=str)
    table.loc[::4, "outcome"] = ""
    table.to_csv(tmp_path / "part.csv", index=False)
    table[table["outcome"] != ""].to_csv(tmp_path / "less.csv", index=False)
    capsys.readouterr()
    assert fitted(folder, tmp_path / "part.csv", tmp_path / "part_out.csv") == 0
    assert "15 of 60 events have no outcome yet" in capsys.readouterr().err
    assert fitted(folder, tmp_path / "less.csv", tmp_path / "less_out.csv") == 0
    assert (tmp_path / "part_out.csv").read_bytes() == (tmp_path / "less_out.csv").read_bytes()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.assign(outcome=""), ["no outcome is filled in"]),
        (lambda t: t.assign(outcome="maybe"), ["'maybe' in row 1", "is no outcome", "59 more"]),
        (lambda t: pd.concat([t, t.iloc[[4]]]), ["row 61", "is in row 5 already", "give each event one row"]),
        (
            lambda t: t.assign(group=["nobody", *t["group"][1:]]),
            ["'nobody' in row 1", "no group with events and a label"],
        ),
        (lambda t: t.assign(sex=["x", *t["sex"][1:]]), ["'x'", "row 1", "no bin of the data"]),
        (lambda t: t.drop(columns="outcome"), ["no column 'outcome'"]),
        (lambda t: t.drop(columns=["row", "sex"]), ["no column 'sex'", "row and outcome"]),
        (
            lambda t: t[["row", "outcome"]].assign(row=["99999", *t["row"][1:]]),
            ["row 1", "no event has row '99999'"],
        ),
        (lambda t: t.assign(row=["", *t["row"][1:]]), ["row 1", "'row' is empty"]),
        (lambda t: t.iloc[:0], ["no rows below the header"]),
        # Numbers of rows are numbers, and they and what is beside them are of one event.
        (
            lambda t: pd.concat([t, t.iloc[[4]].assign(row=lambda same: same["row"] + ".0")]),
            ["row 61", "in row 5 already"],
        ),
        (
            lambda t: pd.concat([t, t.iloc[[4]].assign(row=lambda same: "00" + same["row"])]),
            ["row 61", "in row 5 already"],
        ),
        (lambda t: t.assign(row=["1.5", *t["row"][1:]]), ["row 1: column 'row' is '1.5'", "from 1 below"]),
        (lambda t: t.assign(row=["0", *t["row"][1:]]), ["row 1: column 'row' is '0'"]),
        (lambda t: t.assign(row=["3001", *t["row"][1:]]), ["row 1: no event has row '3001' in"]),
        (
            lambda t: t.assign(group=[*t["group"][:59], "g00" if t["group"][59] != "g00" else "g01"]),
            ["row 60: group 'g0", "of ", "events.csv has 'g"],
        ),
    ],
)
def test_a_wrong_audit_is_one_line(folder, tmp_path, known, capsys, change, words):
    filled_in(sampled(folder, tmp_path / "out.csv"), known, tmp_path / "full.csv")
    change(pd.read_csv(tmp_path / "full.csv", dtype=str)).to_csv(tmp_path / "wrong.csv", index=False)
    capsys.readouterr()
    assert fitted(folder, tmp_path / "wrong.csv", tmp_path / "none.csv") == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "wrong.csv" in said.err and not said.out
    assert all(word in said.err for word in words), said.err
    assert not (tmp_path / "none.csv").exists()


@pytest.mark.parametrize("events", ["events.csv", "events.parquet", "parts"])
def test_levels_that_are_not_those_of_the_row_are_refused(folder, tmp_path, known, capsys, events):
    table = sampled(folder, tmp_path / "out.csv", events=events)
    assert fitted(folder, filled(table, 0, tmp_path / "as_drawn.csv"), tmp_path / "o.csv", events=events) == 0
    levels = [FACTORS[0], FACTORS[1]]
    places = table.groupby("group").indices
    cells = {tuple(cell) for cell in known[["group", *levels]].drop_duplicates().to_numpy()}
    first, other = next(
        (i, j)
        for rows in places.values()
        for i in rows
        for j in rows
        if i < j and tuple(table[levels].iloc[i]) != tuple(table[levels].iloc[j])
    )
    swapped = table.copy()
    swapped.loc[[first, other], levels] = table.loc[[other, first], levels].to_numpy()
    assert {tuple(cell) for cell in swapped[["group", *levels]].to_numpy()} <= cells
    capsys.readouterr()
    assert fitted(folder, filled(swapped, 0, tmp_path / "s.csv"), tmp_path / "no.csv", events=events) == 2
    said = capsys.readouterr().err
    column = next(name for name in levels if table[name][first] != table[name][other])
    assert said.count("\n") == 1 and not (tmp_path / "no.csv").exists()
    assert (
        f"s.csv: row {first + 1}: {column} {table[column][other]!r}, but row {table['row'][first]} of" in said
    )
    assert f"has {table[column][first]!r}" in said and "(and 1 more such rows)" in said
    # Without the numbers nothing is known of the rows.
    filled(swapped.drop(columns="row"), 0, tmp_path / "s.csv")
    assert fitted(folder, tmp_path / "s.csv", tmp_path / "yes.csv", events=events) == 0


def filled(table, outcome, path):
    table.assign(outcome=[1 - outcome, *[outcome] * (len(table) - 1)]).to_csv(path, index=False)
    return path


def test_a_column_of_the_events_that_is_called_row_is_no_number(folder, tmp_path):
    events = pd.read_csv(folder / "events.csv", dtype=str).rename(columns={"id": "row"})
    events.to_csv(tmp_path / "named.csv", index=False)
    table = sampled(folder, tmp_path / "out.csv", "--id", "row", events=tmp_path / "named.csv")
    assert table["row"].str.startswith("e").all()
    for part in (table, table[["row", "outcome"]]):
        filled(part, 0, tmp_path / "part.csv")
        options = ("--audit-id", "row")
        assert (
            fitted(folder, tmp_path / "part.csv", tmp_path / "o.csv", *options, events=tmp_path / "named.csv")
            == 0
        )


@pytest.mark.parametrize(("n", "words"), [("1e12", "but there are"), ("inf", "happy '1' of n 'inf'")])
def test_more_events_to_look_up_than_a_cell_has_are_refused(folder, tmp_path, capsys, n, words):
    options = ("--count", "times")
    table = sampled(folder, tmp_path / "out.csv", *options, events="counted.csv").assign(happy="1")
    table.loc[2, "n"] = n
    table.to_csv(tmp_path / "many.csv", index=False)
    capsys.readouterr()
    assert fitted(folder, tmp_path / "many.csv", tmp_path / "o.csv", *options, events="counted.csv") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "many.csv: row 3: " in said and words in said


def test_an_outcome_of_an_unlabelled_group_is_refused(folder, tmp_path, known, capsys):
    filled_in(sampled(folder, tmp_path / "out.csv"), known, tmp_path / "full.csv")
    labels = pd.read_csv(folder / "labels.csv")
    labels[labels["group"] != pd.read_csv(tmp_path / "full.csv")["group"][0]].to_csv(
        tmp_path / "few.csv", index=False
    )
    events = [str(folder / "events.csv"), "--labels", str(tmp_path / "few.csv"), "--factors", "sex,age"]
    audit = [
        "--audit",
        str(tmp_path / "full.csv"),
        "--drop-unlabelled",
        "--output",
        str(tmp_path / "none.csv"),
    ]
    capsys.readouterr()
    assert main(["fit", *events, *audit]) == 2
    assert "is no group with events and a label" in capsys.readouterr().err


def test_more_outcomes_than_events_are_refused(folder, tmp_path):
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    i, k = np.argwhere(data.counts > 0)[0]
    row = {"group": data.groups[i], **data.bins.iloc[k], "outcome": 1}
    pd.DataFrame([row] * (int(data.counts[i, k]) + 1)).to_csv(tmp_path / "many.csv", index=False)
    with pytest.raises(ValueError, match="outcomes but"):
        read_outcomes(tmp_path / "many.csv", data)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--method", "direct"], ["--method direct", "additive or latent"]),
        (["--half-samples", "20"], ["--half-samples", "no use with --audit"]),
        (["--se", "information"], ["--se", "no use with --audit"]),
        (["--seed", "2"], ["--seed", "nothing is random"]),
        (["--audit-id", "nobody"], ["no column 'nobody'"]),
    ],
)
def test_options_that_do_not_go_with_an_audit(folder, tmp_path, known, capsys, options, words):
    audit = filled_in(sampled(folder, tmp_path / "out.csv"), known, tmp_path / "full.csv")
    capsys.readouterr()
    assert fitted(folder, audit, tmp_path / "none.csv", *options) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and all(word in said for word in words), said


def test_options_of_an_audit_need_one(folder, tmp_path, capsys):
    for option in ("--label-scores", "--new-groups"):
        assert main(["fit", *arguments(folder), "--output", str(tmp_path / "p.csv"), option]) == 2
        assert f"{option}: goes with --audit alone" in capsys.readouterr().err


def test_flipped_outcomes_are_said_and_strict_says_no(folder, tmp_path, known, capsys):
    table = sampled(folder, tmp_path / "out.csv", "--size", "400")
    filled_in(table, known, tmp_path / "full.csv")
    flipped = pd.read_csv(tmp_path / "full.csv")
    flipped["outcome"] = 1 - flipped["outcome"]
    flipped.to_csv(tmp_path / "flipped.csv", index=False)
    assert fitted(folder, tmp_path / "full.csv", tmp_path / "p.csv", "--strict") == 0
    assert "z = " not in capsys.readouterr().err
    assert fitted(folder, tmp_path / "flipped.csv", tmp_path / "p.csv", "--strict") == 3
    assert "against the labels" in capsys.readouterr().err


def test_without_an_audit_the_verdict_says_how_to_make_one(folder, tmp_path, capsys):
    labels = pd.read_csv(folder / "labels.csv")
    labels["label"] = np.random.default_rng(1).permutation(labels["label"])
    labels.to_csv(tmp_path / "shuffled.csv", index=False)
    events = [str(folder / "events.csv"), "--labels", str(tmp_path / "shuffled.csv"), "--factors", "sex,age"]
    assert main(["fit", *events, "--half-samples", "0", "--output", str(tmp_path / "p.csv")]) == 0
    *_, decides, line = capsys.readouterr().err.splitlines()
    assert "an audit of 100 events" in decides
    command = line.split()
    assert command[:2] == ["wsclust", "audit-sample"]
    command[-1] = str(tmp_path / "to_label.csv")
    assert main(command[1:]) == 0


def test_a_numeric_factor_is_drawn_and_audited_as_it_is_fitted(folder, tmp_path):
    events = pd.read_csv(folder / "events.csv")
    events["price"] = np.random.default_rng(5).random(len(events))
    events.to_csv(tmp_path / "priced.csv", index=False)
    (tmp_path / "labels.csv").write_bytes((folder / "labels.csv").read_bytes())
    drawn = sampled(tmp_path, tmp_path / "a.csv", "--numeric", "price", events="priced.csv")
    named = ["--factors", "sex,age,price", "--cut", "price:quantiles=8"]
    pd.testing.assert_frame_equal(drawn, sampled(tmp_path, tmp_path / "b.csv", *named, events="priced.csv"))
    assert drawn["price"].nunique() == 8
    drawn.assign(outcome="1").to_csv(tmp_path / "full.csv", index=False)
    assert (
        fitted(tmp_path, tmp_path / "full.csv", tmp_path / "p.csv", "--numeric", "price", events="priced.csv")
        == 0
    )


# The object


def test_an_audit_is_asked_like_a_fit(folder, tmp_path, known):
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    weak = latent(data, he_weight=np.inf)
    table = events_to_look_up(data, folder / "events.csv", 80, "bins", np.random.default_rng(1)).table
    table["outcome"] = known["happy"].to_numpy()[table["row"] - 1]
    found = weak.audit(table)
    again = wsclust.audited(data, AuditedOutcomes.from_table(table, data), weak=weak)
    assert (found.posterior == again.posterior).all()
    assert repr(found).startswith("audited fit: 4 bins, 30 groups, 80 outcomes looked up, latent answer")
    assert found.to_frame()["posterior"].tolist() == found.posterior.tolist()
    narrow, wide = found.to_frame(0.5), found.to_frame(0.95)
    assert ((narrow["upper"] - narrow["lower"]) < (wide["upper"] - wide["lower"])).all()
    assert found.groups()["audited"].sum() == 80
    assert str(found.verdict) in found.summary()
    found.save(tmp_path / "p.csv", tmp_path / "p.json")
    assert json.loads((tmp_path / "p.json").read_text())["settings"]["he_weight"] == "inf"
    assert len(found.plot().lines) >= 1


def test_without_outcomes_and_shape_it_is_the_direct_estimate(folder):
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    found = wsclust.audited(data, AuditedOutcomes.none(data), weak=None)
    plain = data.counts.T @ data.label / data.totals
    assert found.posterior == pytest.approx(plain, abs=1e-9)
    assert found.verdict is None and "Verdict" not in found.summary()


def test_a_fit_without_a_shape_cannot_be_the_prior(folder):
    data = read_counts(folder / "events.csv", folder / "labels.csv", FACTORS)
    with pytest.raises(ValueError, match="direct fit has no shape"):
        direct(data).audit(AuditedOutcomes.none(data))
    other = KnownOutcomes(data.counts, data.counts, bins=data.bins, label=data.label).grouped
    with pytest.raises(ValueError, match="other counts"):
        wsclust.audited(data, AuditedOutcomes.none(data), weak=latent(other))


def test_numbers_that_are_cut_and_empty_levels_are_drawn_and_found_again(folder, tmp_path, known):
    events = known.drop(columns="happy").assign(age=lambda t: t["age"].where(t.index % 7 > 0, ""))
    events["weight"] = np.random.default_rng(2).integers(0, 40, len(events)).astype(float)
    events.to_csv(tmp_path / "more.csv", index=False)
    common = [str(tmp_path / "more.csv"), "--labels", str(folder / "labels.csv"), "--factors", "age,weight"]
    common += ["--missing", "unknown", "--cut", "weight:quantiles=3"]
    output = tmp_path / "out.csv"
    assert main(["audit-sample", *common, "--size", "80", "--output", str(output)]) == 0
    table = pd.read_csv(output, dtype=str)
    assert len(table) == 80 and "unknown" in set(table["age"]) and table["weight"].nunique() == 3
    filled_in(table, known, tmp_path / "full.csv")
    pd.read_csv(tmp_path / "full.csv")[["row", "outcome"]].to_csv(tmp_path / "short.csv", index=False)
    for name in ("full", "short"):
        options = ["--audit", str(tmp_path / f"{name}.csv"), "--output", str(tmp_path / f"{name}_out.csv")]
        assert main(["fit", *common, *options]) == 0
    assert (tmp_path / "full_out.csv").read_bytes() == (tmp_path / "short_out.csv").read_bytes()


def test_numbers_of_rows_are_those_of_the_file_where_numbers_are_cut(tmp_path):
    rows, rng = 60_000, np.random.default_rng(5)
    events = pd.DataFrame({"group": rng.choice(list("abcd"), rows), "x": rng.integers(0, 100, rows)})
    labels = tmp_path / "labels.csv"
    labels.write_text("group,label\na,.2\nb,.4\nc,.6\nd,.8\n")
    path = tmp_path / "events.parquet"
    events.to_parquet(path, row_group_size=3_000)
    edges = {"x": [25, 50]}
    data = read_counts(path, labels, "x", cut=edges)
    options = {"cut": edges, "threads": 2}
    drawn = events_to_look_up(data, path, 300, "random", np.random.default_rng(1), **options).table
    there = events.iloc[drawn["row"] - 1].reset_index(drop=True)
    assert drawn["group"].tolist() == there["group"].tolist()
    part = cut_values(there["x"], edges["x"])
    assert drawn["x"].tolist() == part.tolist()
    happy = np.arange(len(drawn)) % 3 > 0
    drawn[["row"]].assign(outcome=happy.astype(int)).to_csv(tmp_path / "audit.csv", index=False)
    found = read_outcomes(tmp_path / "audit.csv", data, path, **options)
    expected = pd.crosstab(there["group"], part, happy, aggfunc="sum")[data.bins["x"]]
    assert np.array_equal(found.happy, expected.to_numpy())
