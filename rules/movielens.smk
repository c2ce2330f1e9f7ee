# Ratings of movies: the setting of section 6.2 with a known truth.
MOVIELENS_TABLES = [
    f"results/movielens/{table}.csv" for table in ("posteriors", "against_oracle", "held_out")
]
MOVIELENS_FIGURES = images("movielens")
SETTINGS["movielens"] = job_settings(config["movielens"], leave_out=["table"])


rule movielens:
    message:
        "Find happy ratings of movies."
    input:
        table=config["movielens"]["table"],
        settings="build/settings/movielens.json",
        code=modules("replication.movielens.study"),
    output:
        posteriors="results/movielens/posteriors.csv",
        against_oracle="results/movielens/against_oracle.csv",
        held_out="results/movielens/held_out.csv",
    log:
        "logs/movielens/movielens.log",
    shell:
        "python -m replication.movielens.study {input.table:q} --settings {input.settings}"
        " --posteriors {output.posteriors} --against-oracle {output.against_oracle}"
        " --held-out {output.held_out} > {log} 2>&1"


rule movielens_figure:
    message:
        "Draw the ratings of movies against the oracle."
    input:
        posteriors="results/movielens/posteriors.csv",
        code=modules("replication.movielens.figure"),
    output:
        drawn("movielens", "Ratings of movies"),
    log:
        "logs/movielens/figure.log",
    shell:
        "python -m replication.movielens.figure {input.posteriors} --output {output} > {log} 2>&1"
