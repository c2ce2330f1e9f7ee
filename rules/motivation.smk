# Section 2: the motivating example, and Figures 1 to 3.
MOTIVATION_TABLES = [
    f"results/motivation/{table}.csv" for table in ("clicks", "boundaries", "ellipses", "bins")
]
MOTIVATION_FIGURES = [image for number in (1, 2, 3) for image in images(f"figure{number}")]
SETTINGS["motivation"] = job_settings(config["motivation"])


rule motivation:
    message:
        "Draw the motivating example and find its boundaries."
    input:
        settings="build/settings/motivation.json",
        code=modules("replication.motivation.study"),
    output:
        clicks="results/motivation/clicks.csv",
        boundaries="results/motivation/boundaries.csv",
        ellipses="results/motivation/ellipses.csv",
        bins="results/motivation/bins.csv",
    log:
        "logs/motivation/motivation.log",
    shell:
        "python -m replication.motivation.study --settings {input.settings}"
        " --clicks {output.clicks} --boundaries {output.boundaries} --ellipses {output.ellipses}"
        " --bins {output.bins} > {log} 2>&1"


rule figure1:
    message:
        "Draw Figure 1: the motivating example."
    input:
        tables=MOTIVATION_TABLES,
        code=modules("replication.motivation.figure1"),
    output:
        drawn("figure1", "Figure 1"),
    log:
        "logs/motivation/figure1.log",
    shell:
        "python -m replication.motivation.figure1 {input.tables} --output {output} > {log} 2>&1"


rule figure2:
    message:
        "Draw Figure 2: the model with known shares."
    input:
        code=modules("replication.motivation.figure2"),
    output:
        drawn("figure2", "Figure 2"),
    log:
        "logs/motivation/figure2.log",
    shell:
        "python -m replication.motivation.figure2 --output {output} > {log} 2>&1"


rule figure3:
    message:
        "Draw Figure 3: the model with noisy labels."
    input:
        code=modules("replication.motivation.figure3"),
    output:
        drawn("figure3", "Figure 3"),
    log:
        "logs/motivation/figure3.log",
    shell:
        "python -m replication.motivation.figure3 --output {output} > {log} 2>&1"
