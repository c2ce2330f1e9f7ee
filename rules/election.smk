# Section 6.1: elections whose votes are known.
ELECTION_TABLES = [f"results/election/{design}.csv" for design in config["election"]["designs"]]


rule election:
    message:
        "Predict held-out states of {wildcards.design}."
    input:
        table=lambda wildcards: config["election"]["designs"][wildcards.design]["table"],
        code=modules("replication.election2016.study"),
    output:
        "results/election/{design}.csv",
    params:
        design=lambda wildcards: config["election"]["designs"][wildcards.design],
        methods=methods_of("election"),
        splits=config["election"]["splits"],
        seed=config["seed"],
    wildcard_constraints:
        design="|".join(config["election"]["designs"]),
    log:
        "logs/election/{design}.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.election2016.study {input.table} --name {wildcards.design}"
        " --factors {params.design[factors]} --positive {params.design[positive]}"
        " --negative {params.design[negative]} --methods {params.methods:q}"
        " --splits {params.splits} --seed {params.seed} --output {output} > {log} 2>&1"
