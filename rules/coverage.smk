# `make coverage`, no part of `all`: what intervals hold, and what the check says of simulated data.
COVERAGE = config["coverage"]
CONTROLS = COVERAGE["check"]
CONTROLS_TABLES = {
    table: f"results/coverage/check_{table}.csv" for table in ("enough", "shuffled", "dependence")
}


rule coverage:
    message:
        "What intervals hold, and what the check says of simulated data, is in results/coverage/."
    input:
        "results/coverage/bins.csv",
        "results/coverage/summary.csv",
        list(CONTROLS_TABLES.values()),


rule coverage_part:
    message:
        "Cover {wildcards.truth}, {wildcards.groups} groups, {wildcards.clicks_per_group} clicks per group."
    input:
        code=modules("replication.coverage.study"),
    output:
        "build/coverage/{truth}-I{groups}-J{clicks_per_group}.csv",
    params:
        truth=lambda wildcards: json.dumps(config["simulation"]["truths"][wildcards.truth]),
        methods=methods_of("coverage"),
        noise=json.dumps(COVERAGE["methods"]),
        runs=COVERAGE["runs"],
        half_samples=COVERAGE["half_samples"],
        seed=config["seed"],
    log:
        "logs/coverage/{truth}-I{groups}-J{clicks_per_group}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.coverage.study --setting {wildcards.truth} --truth {params.truth:q}"
        " --groups {wildcards.groups} --clicks-per-group {wildcards.clicks_per_group}"
        " --methods {params.methods:q} --label-noise {params.noise:q} --runs {params.runs}"
        " --half-samples {params.half_samples} --seed {params.seed} --output {output} > {log} 2>&1"


rule coverage_summary:
    message:
        "Summarise the coverage of intervals."
    input:
        parts=expand(
            "build/coverage/{truth}-I{groups}-J{clicks}.csv",
            truth=COVERAGE["truths"],
            groups=COVERAGE["groups"],
            clicks=COVERAGE["clicks_per_group"],
        ),
        code=modules("replication.coverage.summary"),
    output:
        bins="results/coverage/bins.csv",
        summary="results/coverage/summary.csv",
    log:
        "logs/coverage/summary.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.coverage.summary {input.parts} --bins {output.bins}"
        " --summary {output.summary} > {log} 2>&1"


rule check_controls:
    message:
        "Check fits of simulated data: {wildcards.table}."
    input:
        code=modules("replication.coverage.check_controls"),
    output:
        "results/coverage/check_{table}.csv",
    params:
        truths=json.dumps({name: config["simulation"]["truths"][name] for name in CONTROLS["truths"]}),
        methods=named_methods(["latent", "direct"]),
        settings=lambda wildcards: json.dumps(CONTROLS[wildcards.table]),
        seed=config["seed"],
    wildcard_constraints:
        table="|".join(CONTROLS_TABLES),
    log:
        "logs/coverage/check_{table}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.coverage.check_controls {wildcards.table} --truths {params.truths:q}"
        " --methods {params.methods:q} --settings {params.settings:q} --seed {params.seed}"
        " --output {output} > {log} 2>&1"
