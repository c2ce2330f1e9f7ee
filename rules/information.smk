# `make information`, no part of `all`: what weak labels can tell, by the formula and by simulated fits.
INFORMATION = config["information"]


rule information:
    message:
        "What weak labels tell, by the formula and by simulation, is in results/information/."
    input:
        expand(
            "results/information/{table}.csv",
            table=["equivalents", "formula", "no_labels", "ratings", "audits"],
        ),
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


rule information_no_labels:
    message:
        "Count the weak clicks without any label that equal one labelled click."
    input:
        code=modules("replication.information.no_labels"),
    output:
        "results/information/no_labels.csv",
    params:
        cases=" ".join("--case " + " ".join(map(str, case)) for case in INFORMATION["equivalents"]["cases"]),
        clicks=INFORMATION["no_labels"]["clicks_per_group"],
        bins=INFORMATION["bins"],
        groups=INFORMATION["no_labels"]["groups"],
        seed=INFORMATION["seed"],
    log:
        "logs/information/no_labels.log",
    shell:
        "python -m replication.information.no_labels {params.cases} --clicks-per-group {params.clicks}"
        " --bins {params.bins} --groups {params.groups} --seed {params.seed} --output {output} > {log} 2>&1"


rule information_ratings:
    message:
        "Compare fits to labels that are shares of rated clicks with the formula."
    input:
        code=modules("replication.information.ratings"),
    output:
        "results/information/ratings.csv",
    params:
        rho=INFORMATION["rho"][0],
        bins=INFORMATION["ratings"]["bins"],
        groups=INFORMATION["ratings"]["groups"],
        clicks=INFORMATION["ratings"]["clicks"],
        rated=INFORMATION["ratings"]["rated"],
        runs=INFORMATION["runs"],
        seed=INFORMATION["seed"],
    log:
        "logs/information/ratings.log",
    shell:
        "python -m replication.information.ratings --rho {params.rho} --bins {params.bins} --groups {params.groups}"
        " --clicks-per-group {params.clicks} --rated {params.rated} --runs {params.runs} --seed {params.seed}"
        " --output {output} > {log} 2>&1"


rule information_audits:
    message:
        "Compare audited answers to simulated data with the formula."
    input:
        code=modules("replication.information.audits"),
    output:
        "results/information/audits.csv",
    params:
        rho=INFORMATION["rho"][0],
        groups=INFORMATION["audits"]["groups"],
        clicks=INFORMATION["audits"]["clicks_per_group"],
        sizes=INFORMATION["audits"]["sizes"],
        bins=INFORMATION["bins"],
        runs=INFORMATION["runs"],
        seed=INFORMATION["seed"],
    log:
        "logs/information/audits.log",
    shell:
        "python -m replication.information.audits --rho {params.rho} --groups {params.groups}"
        " --clicks-per-group {params.clicks} --sizes {params.sizes} --bins {params.bins} --runs {params.runs}"
        " --seed {params.seed} --output {output} > {log} 2>&1"


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
