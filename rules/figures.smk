FIGURES = images("figure4")


rule figure4:
    message:
        "Draw Figure 4: the simulation."
    input:
        summary="results/simulation/summary.csv",
        code=modules("wsclust.figures.figure4"),
    output:
        images("figure4"),
    params:
        setting=next(iter(config["simulation"]["truths"])),
    log:
        "logs/figures/figure4.log",
    conda:
        "../environment.yml"
    shell:
        "python -m wsclust.figures.figure4 {input.summary} --setting {params.setting} --output {output}"
        " > {log} 2>&1"
