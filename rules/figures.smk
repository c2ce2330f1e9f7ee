# Figures 1-4. Those of later sections stand with their studies.
FIGURES = [image for number in (1, 2, 3, 4) for image in images(f"figure{number}")]


rule figure1:
    message:
        "Draw Figure 1: the motivating example."
    input:
        tables=MOTIVATION_TABLES,
        code=modules("replication.motivation.figure1"),
    output:
        drawn("figure1", "Figure 1"),
    log:
        "logs/figures/figure1.log",
    conda:
        "../environment.yml"
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
        "logs/figures/figure2.log",
    conda:
        "../environment.yml"
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
        "logs/figures/figure3.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.motivation.figure3 --output {output} > {log} 2>&1"


rule figure4:
    message:
        "Draw Figure 4: the simulation."
    input:
        summary="results/simulation/summary.csv",
        code=modules("replication.simulation.figure4"),
    output:
        drawn("figure4", "Figure 4"),
    log:
        "logs/figures/figure4.log",
    conda:
        "../environment.yml"
    params:
        setting=next(iter(config["simulation"]["truths"])),
    shell:
        "python -m replication.simulation.figure4 {input.summary} --setting {params.setting} --output {output}"
        " > {log} 2>&1"
