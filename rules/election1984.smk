# Section 6.1: the election of 1984, on the reconstruction of its voters and on what was imported.
ELECTION1984 = config["election1984"]
ELECTION1984_FACTS = {
    "results": "data/us1984/us1984_state_results.csv",
    "demographics": "data/us1984/us1984_state_demographics.csv",
    "cells": "data/us1984/us1984_vote_by_cell_surveys.csv",
}
ELECTION1984_TABLES = [
    f"results/election1984/{table}.csv"
    for table in (
        *("reconstruction", "table1", "distance", "draws", "figure5"),
        *("why", "compared", "compared_estimates"),
    )
]
ELECTION1984_FIGURES = [
    image for name in ("figure5", "why_it_works", "elections_compared") for image in images(name)
]
# Part -> the cells that it runs.
ELECTION1984_WHY_PARTS = {
    "grid": {"clusterings": list(ELECTION1984["clusterings"])},
    "precincts": {"precinct_voters": ELECTION1984["why"]["precinct_voters"]},
    **{f"spread-{spread}": {"spreads": [spread]} for spread in ELECTION1984["why"]["spreads"]},
}
ELECTION1984_COMPARED = {
    **{
        name: {**design, "errors": f"results/election2016/{name}.csv", "voters_are": "survey"}
        for name, design in config["election2016"]["designs"].items()
    },
    "us1984_reconstruction": {
        "table": "results/election1984/reconstruction.csv",
        "factors": ["income", "union", "race"],
        "positive": "reagan",
        "negative": "mondale",
        "errors": "results/election1984/table1.csv",
        "voters_are": "simulated",
    },
}


ELECTION1984_POLL = {
    key: ELECTION1984[key]
    for key in ("electorate", "precinct_voters", "clusterings", "clustering", "state_effect")
}
ELECTION1984_CLUSTERING = {
    ELECTION1984["clustering"]: ELECTION1984["clusterings"][ELECTION1984["clustering"]]
}
SETTINGS["election1984/reconstruction"] = job_settings(
    {**ELECTION1984_POLL, "clusterings": ELECTION1984_CLUSTERING, "draws": ELECTION1984["draws"]}
)
for part, draws, splits in (
    ("first", [1, 1], ELECTION1984["splits"]),
    ("others", [2, ELECTION1984["draws"]], ELECTION1984["splits_of_other_draws"]),
):
    SETTINGS[f"election1984/errors-{part}"] = job_settings(
        {"methods": ELECTION1984["methods"], "draws": draws, "splits": splits}
    )
SETTINGS["election1984/voter_groups"] = job_settings(
    {"methods": ELECTION1984["figure5"]["methods"], "half_samples": ELECTION1984["half_samples"]}
)
for part, cells in ELECTION1984_WHY_PARTS.items():
    SETTINGS[f"election1984/why-{part}"] = job_settings(
        {
            **ELECTION1984_POLL,
            "why": {
                key: ELECTION1984["why"][key] for key in ("draws", "splits", "state_effects", "multiples")
            },
            "methods": ELECTION1984["why"]["methods"],
            "cells": cells,
        }
    )
SETTINGS["election1984/compared"] = {
    "elections": ELECTION1984_COMPARED,
    "methods": job_settings(ELECTION1984["figure5"])["methods"],
}
SETTINGS["election1984/paper"] = ELECTION1984["paper"]


wildcard_constraints:
    poll="[^/]+",


rule reconstruction1984:
    message:
        "Simulate exit polls of 1984."
    input:
        **ELECTION1984_FACTS,
        settings="build/settings/election1984/reconstruction.json",
        code=modules("replication.election1984.reconstruction"),
    output:
        draws="build/election1984/voters.csv",
        first="results/election1984/reconstruction.csv",
    log:
        "logs/election1984/reconstruction.log",
    shell:
        "python -m replication.election1984.reconstruction --results {input.results}"
        " --demographics {input.demographics} --cells {input.cells} --settings {input.settings}"
        " --output {output.draws} --first {output.first} > {log} 2>&1"


rule election1984_part:
    message:
        "Predict held-out states of 1984: {wildcards.part}."
    input:
        voters="build/election1984/voters.csv",
        results=ELECTION1984_FACTS["results"],
        settings="build/settings/election1984/errors-{part}.json",
        code=modules("replication.election1984.half_splits"),
    output:
        "build/election1984/errors-{part}.csv",
    params:
        source="reconstruction",
    log:
        "logs/election1984/errors-{part}.log",
    shell:
        "python -m replication.election1984.half_splits {input.voters:q} --results {input.results}"
        " --source {params.source:q} --settings {input.settings} --output {output:q} > {log:q} 2>&1"


rule table1:
    message:
        "Compile Table 1."
    input:
        parts=expand("build/election1984/errors-{part}.csv", part=["first", "others"]),
        settings="build/settings/election1984/paper.json",
        code=modules("replication.election1984.table1"),
    output:
        table1="results/election1984/table1.csv",
        distance="results/election1984/distance.csv",
        draws="results/election1984/draws.csv",
    log:
        "logs/election1984/table1.log",
    shell:
        "python -m replication.election1984.table1 {input.parts:q} --settings {input.settings}"
        " --table1 {output.table1:q} --distance {output.distance:q} --draws {output.draws:q} > {log:q} 2>&1"


rule voter_groups:
    message:
        "Estimate the voter groups of Figure 5."
    input:
        voters="results/election1984/reconstruction.csv",
        settings="build/settings/election1984/voter_groups.json",
        code=modules("replication.election1984.voter_groups"),
    output:
        "results/election1984/figure5.csv",
    params:
        source="reconstruction",
    log:
        "logs/election1984/voter_groups.log",
    shell:
        "python -m replication.election1984.voter_groups {input.voters:q} --source {params.source:q}"
        " --settings {input.settings} --output {output:q} > {log:q} 2>&1"


rule why_part:
    message:
        "Why it works: {wildcards.part}."
    input:
        **ELECTION1984_FACTS,
        settings="build/settings/election1984/why-{part}.json",
        code=modules("replication.election1984.why_it_works"),
    output:
        "build/election1984/why-{part}.csv",
    log:
        "logs/election1984/why-{part}.log",
    shell:
        "python -m replication.election1984.why_it_works --results {input.results}"
        " --demographics {input.demographics} --cells {input.cells} --settings {input.settings}"
        " --output {output} > {log} 2>&1"


rule why:
    message:
        "Why it works: collect the grid and the controls."
    input:
        parts=expand("build/election1984/why-{part}.csv", part=ELECTION1984_WHY_PARTS),
        code=modules("replication.shared.collect"),
    output:
        "results/election1984/why.csv",
    log:
        "logs/election1984/why.log",
    shell:
        "python -m replication.shared.collect {input.parts:q} --output {output} > {log} 2>&1"


rule elections_compared:
    message:
        "Compare the elections."
    input:
        tables=[election["table"] for election in ELECTION1984_COMPARED.values()],
        errors=[election["errors"] for election in ELECTION1984_COMPARED.values()],
        settings="build/settings/election1984/compared.json",
        code=modules("replication.election1984.compared"),
    output:
        compared="results/election1984/compared.csv",
        estimates="results/election1984/compared_estimates.csv",
    log:
        "logs/election1984/compared.log",
    shell:
        "python -m replication.election1984.compared --settings {input.settings} --output {output.compared}"
        " --estimates {output.estimates} > {log} 2>&1"


rule figure5:
    message:
        "Draw Figure 5: the voter groups of 1984."
    input:
        table="results/election1984/figure5.csv",
        code=modules("replication.election1984.figure5"),
    output:
        drawn("figure5", "Figure 5"),
    params:
        small_group=ELECTION1984["figure5"]["small_group"],
    log:
        "logs/election1984/figure5.log",
    shell:
        "python -m replication.election1984.figure5 {input.table:q} --small-group {params.small_group}"
        " --output {output:q} > {log:q} 2>&1"


rule figure_why:
    message:
        "Draw why it works: the grid and the controls."
    input:
        table="results/election1984/why.csv",
        settings="build/settings/election1984/paper.json",
        code=modules("replication.election1984.figure_why_it_works"),
    output:
        drawn("why_it_works", "When it works in 1984"),
    log:
        "logs/election1984/figure_why_it_works.log",
    shell:
        "python -m replication.election1984.figure_why_it_works {input.table} --settings {input.settings}"
        " --output {output} > {log} 2>&1"


rule figure_elections_compared:
    message:
        "Draw the elections side by side."
    input:
        compared="results/election1984/compared.csv",
        estimates="results/election1984/compared_estimates.csv",
        code=modules("replication.election1984.figure_compared"),
    output:
        drawn("elections_compared", "Elections compared"),
    log:
        "logs/election1984/figure_compared.log",
    shell:
        "python -m replication.election1984.figure_compared {input.compared} {input.estimates}"
        " --output {output} > {log} 2>&1"


# `snakemake private`, no part of `all`: the same analysis on every imported poll.
use rule why as private with:
    message:
        "Put Table 1 of the imported polls together; the rest is in a folder a poll."
    input:
        private_tables,
        parts=private_table1s,
        code=modules("replication.shared.collect"),
    output:
        "results/private/table1.csv",
    log:
        "logs/private/table1.log",


use rule election1984_part as private_errors with:
    message:
        "Predict held-out states of {wildcards.poll}."
    input:
        voters="data/private/{poll}.csv",
        results=ELECTION1984_FACTS["results"],
        settings="build/settings/election1984/errors-first.json",
        code=modules("replication.election1984.half_splits"),
    output:
        temp("results/private/{poll}/errors.csv"),
    params:
        source=lambda wildcards: wildcards.poll,
    log:
        "logs/private/{poll}-errors.log",


use rule table1 as private_table1 with:
    message:
        "Compile Table 1 on {wildcards.poll}."
    input:
        parts="results/private/{poll}/errors.csv",
        settings="build/settings/election1984/paper.json",
        code=modules("replication.election1984.table1"),
    output:
        table1="results/private/{poll}/table1.csv",
        distance="results/private/{poll}/distance.csv",
        draws=temp("results/private/{poll}/draws.csv"),
    log:
        "logs/private/{poll}-table1.log",


use rule voter_groups as private_groups with:
    message:
        "Estimate the voter groups of {wildcards.poll}."
    input:
        voters="data/private/{poll}.csv",
        settings="build/settings/election1984/voter_groups.json",
        code=modules("replication.election1984.voter_groups"),
    output:
        "results/private/{poll}/figure5.csv",
    params:
        source=lambda wildcards: wildcards.poll,
    log:
        "logs/private/{poll}-figure5.log",


use rule figure5 as private_figure5 with:
    message:
        "Draw Figure 5 on {wildcards.poll}."
    input:
        table="results/private/{poll}/figure5.csv",
        code=modules("replication.election1984.figure5"),
    output:
        "results/private/{poll}/figure5.pdf",
        "results/private/{poll}/figure5.png",
    log:
        "logs/private/{poll}-draw.log",
