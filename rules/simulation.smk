# Section 5: simulations with a known truth, and Figure 4.
SIMULATION_TABLES = [f"results/simulation/{table}.csv" for table in ("estimates", "summary", "errors")]
SIMULATION_FIGURES = images("figure4")


rule simulation_part:
    message:
        "Simulate {wildcards.setting}, {wildcards.clicks_per_group} clicks per group."
    input:
        code=modules("replication.simulation.study"),
    output:
        "build/simulation/{setting}-J{clicks_per_group}.csv",
    params:
        truth=lambda wildcards: json.dumps(config["simulation"]["truths"][wildcards.setting]),
        groups=config["simulation"]["groups"],
        noise=config["simulation"]["label_noise"],
        runs=config["simulation"]["runs"],
        methods=methods_of("simulation"),
        seed=config["seed"],
    log:
        "logs/simulation/{setting}-J{clicks_per_group}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.simulation.study --setting {wildcards.setting} --truth {params.truth:q}"
        " --groups {params.groups} --clicks-per-group {wildcards.clicks_per_group}"
        " --label-noise {params.noise} --last-run {params.runs} --methods {params.methods:q}"
        " --seed {params.seed} --output {output} > {log} 2>&1"


rule simulation_summary:
    message:
        "Summarise the simulations."
    input:
        parts=expand(
            "build/simulation/{setting}-J{clicks}.csv",
            setting=config["simulation"]["truths"],
            clicks=config["simulation"]["clicks_per_group"],
        ),
        code=modules("replication.simulation.summary"),
    output:
        estimates="results/simulation/estimates.csv",
        summary="results/simulation/summary.csv",
        errors="results/simulation/errors.csv",
    params:
        setting=next(iter(config["simulation"]["truths"])),
    log:
        "logs/simulation/summary.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.simulation.summary {input.parts} --setting {params.setting}"
        " --estimates {output.estimates} --summary {output.summary} --errors {output.errors} > {log} 2>&1"


rule figure4:
    message:
        "Draw Figure 4: the simulation."
    input:
        summary="results/simulation/summary.csv",
        code=modules("replication.simulation.figure4"),
    output:
        drawn("figure4", "Figure 4"),
    log:
        "logs/simulation/figure4.log",
    conda:
        "../environment.yml"
    params:
        setting=next(iter(config["simulation"]["truths"])),
    shell:
        "python -m replication.simulation.figure4 {input.summary} --setting {params.setting} --output {output}"
        " > {log} 2>&1"
