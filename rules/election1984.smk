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
# Part -> what it runs.
ELECTION1984_WHY_PARTS = {
    "grid": " ".join(["--clusterings", *ELECTION1984["clusterings"]]),
    "precincts": " ".join(["--precinct-voters", *map(str, ELECTION1984["why"]["precinct_voters"])]),
    **{f"spread-{spread}": f"--spreads {spread}" for spread in ELECTION1984["why"]["spreads"]},
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


wildcard_constraints:
    poll="[^/]+",


rule reconstruction1984:
    message:
        "Simulate {params.draws} exit polls of 1984."
    input:
        **ELECTION1984_FACTS,
        code=modules("replication.election1984.reconstruction"),
    output:
        draws="build/election1984/voters.csv",
        first="results/election1984/reconstruction.csv",
    params:
        settings=json.dumps(ELECTION1984),
        draws=ELECTION1984["draws"],
        seed=config["seed"],
    log:
        "logs/election1984/reconstruction.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.reconstruction --results {input.results}"
        " --demographics {input.demographics} --cells {input.cells} --settings {params.settings:q}"
        " --seed {params.seed} --output {output.draws} --first {output.first} > {log} 2>&1"


rule election1984_part:
    message:
        "Predict held-out states of 1984: {wildcards.part}."
    input:
        voters="build/election1984/voters.csv",
        results=ELECTION1984_FACTS["results"],
        code=modules("replication.election1984.half_splits"),
    output:
        "build/election1984/errors-{part}.csv",
    params:
        methods=methods_of("election1984"),
        draws=lambda wildcards: {"first": (1, 1), "others": (2, ELECTION1984["draws"])}[wildcards.part],
        splits=lambda wildcards: ELECTION1984[
            {"first": "splits", "others": "splits_of_other_draws"}[wildcards.part]
        ],
        seed=config["seed"],
    log:
        "logs/election1984/errors-{part}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.half_splits {input.voters} --results {input.results}"
        " --source reconstruction --methods {params.methods:q} --first-draw {params.draws[0]}"
        " --last-draw {params.draws[1]} --splits {params.splits} --seed {params.seed} --output {output}"
        " > {log} 2>&1"


rule table1:
    message:
        "Compile Table 1."
    input:
        parts=expand("build/election1984/errors-{part}.csv", part=["first", "others"]),
        code=modules("replication.election1984.table1"),
    output:
        table1="results/election1984/table1.csv",
        distance="results/election1984/distance.csv",
        draws="results/election1984/draws.csv",
    params:
        paper=json.dumps(ELECTION1984["paper"]),
    log:
        "logs/election1984/table1.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.table1 {input.parts} --paper {params.paper:q}"
        " --table1 {output.table1} --distance {output.distance} --draws {output.draws} > {log} 2>&1"


rule voter_groups:
    message:
        "Estimate the voter groups of Figure 5."
    input:
        voters="results/election1984/reconstruction.csv",
        code=modules("replication.election1984.voter_groups"),
    output:
        "results/election1984/figure5.csv",
    params:
        methods=named_methods(ELECTION1984["figure5"]["methods"]),
        half_samples=ELECTION1984["half_samples"],
        seed=config["seed"],
    log:
        "logs/election1984/voter_groups.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.voter_groups {input.voters} --source reconstruction"
        " --methods {params.methods:q} --half-samples {params.half_samples} --seed {params.seed}"
        " --output {output} > {log} 2>&1"


rule why_part:
    message:
        "Why it works: {wildcards.part}."
    input:
        **ELECTION1984_FACTS,
        code=modules("replication.election1984.why_it_works"),
    output:
        "build/election1984/why-{part}.csv",
    params:
        settings=json.dumps(ELECTION1984),
        methods=named_methods(ELECTION1984["why"]["methods"]),
        cells=lambda wildcards: ELECTION1984_WHY_PARTS[wildcards.part],
        seed=config["seed"],
    log:
        "logs/election1984/why-{part}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.why_it_works {params.cells} --results {input.results}"
        " --demographics {input.demographics} --cells {input.cells} --settings {params.settings:q}"
        " --methods {params.methods:q} --seed {params.seed} --output {output} > {log} 2>&1"


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
    conda:
        "../environment.yml"
    shell:
        "python -m replication.shared.collect {input.parts} --output {output} > {log} 2>&1"


rule elections_compared:
    message:
        "Compare the elections."
    input:
        tables=[election["table"] for election in ELECTION1984_COMPARED.values()],
        errors=[election["errors"] for election in ELECTION1984_COMPARED.values()],
        code=modules("replication.election1984.compared"),
    output:
        compared="results/election1984/compared.csv",
        estimates="results/election1984/compared_estimates.csv",
    params:
        elections=json.dumps(ELECTION1984_COMPARED),
        methods=named_methods(ELECTION1984["figure5"]["methods"]),
    log:
        "logs/election1984/compared.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.compared --elections {params.elections:q}"
        " --methods {params.methods:q} --output {output.compared} --estimates {output.estimates}"
        " > {log} 2>&1"


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
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.figure5 {input.table} --small-group {params.small_group}"
        " --output {output} > {log} 2>&1"


rule figure_why:
    message:
        "Draw why it works: the grid and the controls."
    input:
        table="results/election1984/why.csv",
        code=modules("replication.election1984.figure_why_it_works"),
    output:
        drawn("why_it_works", "When it works in 1984"),
    params:
        paper=json.dumps(ELECTION1984["paper"]),
    log:
        "logs/election1984/figure_why_it_works.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.figure_why_it_works {input.table} --paper {params.paper:q} --output {output}"
        " > {log} 2>&1"


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
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.figure_compared {input.compared} {input.estimates}"
        " --output {output} > {log} 2>&1"


# `snakemake private`, no part of `all`: the same analysis on every imported poll.
rule private:
    message:
        "Put Table 1 of the imported polls together; the rest is in a folder a poll."
    input:
        private_tables,
        code=modules("replication.shared.collect"),
    output:
        "results/private/table1.csv",
    params:
        tables=lambda wildcards, input: [file for file in input if Path(file).name == "table1.csv"],
    log:
        "logs/private/table1.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.shared.collect {params.tables:q} --output {output} > {log} 2>&1"


rule private_errors:
    message:
        "Predict held-out states of {wildcards.poll}."
    input:
        voters="data/private/{poll}.csv",
        results=ELECTION1984_FACTS["results"],
        code=modules("replication.election1984.half_splits"),
    output:
        temp("results/private/{poll}/errors.csv"),
    params:
        methods=methods_of("election1984"),
        splits=ELECTION1984["splits"],
        seed=config["seed"],
    log:
        "logs/private/{poll}-errors.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.half_splits {input.voters:q} --results {input.results}"
        " --source {wildcards.poll:q} --methods {params.methods:q} --splits {params.splits}"
        " --seed {params.seed} --output {output:q} > {log:q} 2>&1"


rule private_table1:
    message:
        "Compile Table 1 on {wildcards.poll}."
    input:
        parts="results/private/{poll}/errors.csv",
        code=modules("replication.election1984.table1"),
    output:
        table1="results/private/{poll}/table1.csv",
        distance="results/private/{poll}/distance.csv",
        draws=temp("results/private/{poll}/draws.csv"),
    params:
        paper=json.dumps(ELECTION1984["paper"]),
    log:
        "logs/private/{poll}-table1.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.table1 {input.parts:q} --paper {params.paper:q}"
        " --table1 {output.table1:q} --distance {output.distance:q} --draws {output.draws:q} > {log:q} 2>&1"


rule private_groups:
    message:
        "Estimate the voter groups of {wildcards.poll}."
    input:
        voters="data/private/{poll}.csv",
        code=modules("replication.election1984.voter_groups"),
    output:
        "results/private/{poll}/figure5.csv",
    params:
        methods=named_methods(ELECTION1984["figure5"]["methods"]),
        half_samples=ELECTION1984["half_samples"],
        seed=config["seed"],
    log:
        "logs/private/{poll}-figure5.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.voter_groups {input.voters:q} --source {wildcards.poll:q}"
        " --methods {params.methods:q} --half-samples {params.half_samples} --seed {params.seed}"
        " --output {output:q} > {log:q} 2>&1"


rule private_figure5:
    message:
        "Draw Figure 5 on {wildcards.poll}."
    input:
        table="results/private/{poll}/figure5.csv",
        code=modules("replication.election1984.figure5"),
    output:
        "results/private/{poll}/figure5.pdf",
        "results/private/{poll}/figure5.png",
    params:
        small_group=ELECTION1984["figure5"]["small_group"],
    log:
        "logs/private/{poll}-draw.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election1984.figure5 {input.table:q} --small-group {params.small_group}"
        " --output {output:q} > {log:q} 2>&1"
