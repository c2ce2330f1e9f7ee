# Section 6.1: elections whose votes are known.
ELECTION2016_TABLES = [f"results/election2016/{design}.csv" for design in config["election2016"]["designs"]]


rule election2016:
    message:
        "Predict held-out states of {wildcards.design}."
    input:
        table=lambda wildcards: config["election2016"]["designs"][wildcards.design]["table"],
        code=modules("replication.election2016.study"),
    output:
        "results/election2016/{design}.csv",
    params:
        design=lambda wildcards: config["election2016"]["designs"][wildcards.design],
        methods=methods_of("election2016"),
        splits=config["election2016"]["splits"],
        seed=config["seed"],
    wildcard_constraints:
        design="|".join(config["election2016"]["designs"]),
    log:
        "logs/election2016/{design}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election2016.study {input.table} --name {wildcards.design}"
        " --factors {params.design[factors]} --positive {params.design[positive]}"
        " --negative {params.design[negative]} --methods {params.methods:q}"
        " --splits {params.splits} --seed {params.seed} --output {output} > {log} 2>&1"
