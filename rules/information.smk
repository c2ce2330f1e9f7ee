# `make information`, no part of `all`: what weak labels can tell, by the formula and by simulated fits.
INFORMATION = config["information"]


rule information:
    message:
        "What weak labels tell, by the formula and by simulation, is in results/information/."
    input:
        "results/information/equivalents.csv",
        "results/information/formula.csv",
        [f"results/information/formula.{ending}" for ending in ("pdf", "png")],


rule information_formula:
    message:
        "Compare the SD of simulated fits with the information formula."
    input:
        code=modules("replication.information.study"),
    output:
        "results/information/formula.csv",
    params:
        rho=" ".join(f"--rho {low} {high}" for low, high in INFORMATION["rho"]),
        groups=INFORMATION["groups"],
        clicks=INFORMATION["clicks_per_group"],
        label_sds=INFORMATION["label_sds"],
        bins=INFORMATION["bins"],
        runs=INFORMATION["runs"],
        seed=INFORMATION["seed"],
    log:
        "logs/information/formula.log",
    shell:
        "python -m replication.information.study {params.rho} --groups {params.groups}"
        " --clicks-per-group {params.clicks} --label-sds {params.label_sds} --bins {params.bins}"
        " --runs {params.runs} --seed {params.seed} --output {output} > {log} 2>&1"


rule information_equivalents:
    message:
        "Count the weak clicks that equal one labelled click."
    input:
        code=modules("replication.information.equivalents"),
    output:
        "results/information/equivalents.csv",
    params:
        cases=" ".join("--case " + " ".join(map(str, case)) for case in INFORMATION["equivalents"]["cases"]),
        label_sds=INFORMATION["label_sds"],
        groups=INFORMATION["equivalents"]["groups"],
        clicks=INFORMATION["equivalents"]["clicks"],
        bins=INFORMATION["bins"],
    log:
        "logs/information/equivalents.log",
    shell:
        "python -m replication.information.equivalents {params.cases} --label-sds {params.label_sds}"
        " --groups {params.groups} --clicks {params.clicks} --bins {params.bins} --output {output} > {log} 2>&1"


rule information_figure:
    message:
        "Draw where the information formula is a guide."
    input:
        table="results/information/formula.csv",
        code=modules("replication.information.figure"),
    output:
        [f"results/information/formula.{ending}" for ending in ("pdf", "png")],
    log:
        "logs/information/figure.log",
    shell:
        "python -m replication.information.figure {input.table} --output {output} > {log} 2>&1"
