# `make information`, no part of `all`: what weak labels can tell, by the formula and by simulated fits.
INFORMATION = config["information"]
SETTINGS["information/formula"] = job_settings(
    INFORMATION, leave_out=["equivalents", "no_labels", "ratings", "audits"]
)
SETTINGS["information/equivalents"] = {
    **INFORMATION["equivalents"],
    **{key: INFORMATION[key] for key in ("label_sds", "bins")},
}
SETTINGS["information/no_labels"] = {
    **INFORMATION["no_labels"],
    "cases": INFORMATION["equivalents"]["cases"],
    **{key: INFORMATION[key] for key in ("bins", "seed")},
}
# The first range of rho alone.
SETTINGS["information/ratings"] = {
    **INFORMATION["ratings"],
    "rho": INFORMATION["rho"][0],
    **{key: INFORMATION[key] for key in ("runs", "seed")},
}
SETTINGS["information/audits"] = {
    **INFORMATION["audits"],
    "rho": INFORMATION["rho"][0],
    **{key: INFORMATION[key] for key in ("bins", "runs", "seed")},
}


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
        settings="build/settings/information/formula.json",
        code=modules("replication.information.study"),
    output:
        "results/information/formula.csv",
    log:
        "logs/information/formula.log",
    shell:
        "python -m replication.information.study --settings {input.settings} --output {output} > {log} 2>&1"


rule information_equivalents:
    message:
        "Count the weak clicks that equal one labelled click."
    input:
        settings="build/settings/information/equivalents.json",
        code=modules("replication.information.equivalents"),
    output:
        "results/information/equivalents.csv",
    log:
        "logs/information/equivalents.log",
    shell:
        "python -m replication.information.equivalents --settings {input.settings} --output {output} > {log} 2>&1"


rule information_no_labels:
    message:
        "Count the weak clicks without any label that equal one labelled click."
    input:
        settings="build/settings/information/no_labels.json",
        code=modules("replication.information.no_labels"),
    output:
        "results/information/no_labels.csv",
    log:
        "logs/information/no_labels.log",
    shell:
        "python -m replication.information.no_labels --settings {input.settings} --output {output} > {log} 2>&1"


rule information_ratings:
    message:
        "Compare fits to labels that are shares of rated clicks with the formula."
    input:
        settings="build/settings/information/ratings.json",
        code=modules("replication.information.ratings"),
    output:
        "results/information/ratings.csv",
    log:
        "logs/information/ratings.log",
    shell:
        "python -m replication.information.ratings --settings {input.settings} --output {output} > {log} 2>&1"


rule information_audits:
    message:
        "Compare audited answers to simulated data with the formula."
    input:
        settings="build/settings/information/audits.json",
        code=modules("replication.information.audits"),
    output:
        "results/information/audits.csv",
    log:
        "logs/information/audits.log",
    shell:
        "python -m replication.information.audits --settings {input.settings} --output {output} > {log} 2>&1"


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
        "python -m replication.information.figure {input.table:q} --output {output} > {log} 2>&1"
