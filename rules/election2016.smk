# Section 6.1: elections whose votes are known.
ELECTION2016_TABLES = [f"results/election2016/{design}.csv" for design in config["election2016"]["designs"]]
for name, design in config["election2016"]["designs"].items():
    SETTINGS[f"election2016/{name}"] = job_settings(
        {
            **design,
            "methods": config["election2016"]["methods"],
            "splits": config["election2016"]["splits"],
        },
        leave_out=["table"],
    )


rule election2016:
    message:
        "Predict held-out states of {wildcards.design}."
    input:
        table=lambda wildcards: config["election2016"]["designs"][wildcards.design]["table"],
        settings="build/settings/election2016/{design}.json",
        code=modules("replication.election2016.study"),
    output:
        "results/election2016/{design}.csv",
    wildcard_constraints:
        design="|".join(config["election2016"]["designs"]),
    log:
        "logs/election2016/{design}.log",
    shell:
        "python -m replication.election2016.study {input.table:q} --name {wildcards.design}"
        " --settings {input.settings} --output {output} > {log} 2>&1"
