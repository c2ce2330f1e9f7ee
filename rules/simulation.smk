# Section 5: simulations with a known truth, and Figure 4.
SIMULATION_TABLES = [f"results/simulation/{table}.csv" for table in ("estimates", "summary", "errors")]
SIMULATION_FIGURES = images("figure4")
for name, truth in config["simulation"]["truths"].items():
    SETTINGS[f"simulation/{name}"] = job_settings(
        {"truth": truth, **config["simulation"]}, leave_out=["truths", "shown", "clicks_per_group"]
    )


rule simulation_part:
    message:
        "Simulate {wildcards.setting}, {wildcards.clicks_per_group} clicks per group."
    input:
        settings="build/settings/simulation/{setting}.json",
        code=modules("replication.simulation.study"),
    output:
        "build/simulation/{setting}-J{clicks_per_group}.csv",
    log:
        "logs/simulation/{setting}-J{clicks_per_group}.log",
    shell:
        "python -m replication.simulation.study --settings {input.settings} --setting {wildcards.setting}"
        " --clicks-per-group {wildcards.clicks_per_group} --output {output} > {log} 2>&1"


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
        setting=config["simulation"]["shown"],
    log:
        "logs/simulation/summary.log",
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
    params:
        setting=config["simulation"]["shown"],
    shell:
        "python -m replication.simulation.figure4 {input.summary} --setting {params.setting} --output {output}"
        " > {log} 2>&1"
