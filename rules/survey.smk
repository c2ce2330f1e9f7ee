# Real events whose outcomes are known: when the latent model works, and whether the check foresees it.
SURVEY = config["survey"]
SURVEY_TABLES = [f"results/survey/{table}.csv" for table in ("table", "diagnostics")]
SURVEY_FIGURES = images("survey")
SURVEY_OTHERS = {design: {"table": f"build/survey/{design}.csv"} for design in SURVEY["others"]}
SETTINGS["survey/here"] = job_settings(SURVEY, leave_out=["others"])
SETTINGS["survey/others"] = job_settings({**SURVEY, "designs": SURVEY_OTHERS}, leave_out=["others"])


rule survey:
    message:
        "Judge every method and the check on real events."
    input:
        tables=[design["table"] for design in SURVEY["designs"].values()],
        settings="build/settings/survey/here.json",
        code=modules("replication.survey.study"),
    output:
        table="results/survey/table.csv",
        diagnostics="results/survey/diagnostics.csv",
    log:
        "logs/survey/survey.log",
    shell:
        "python -m replication.survey.study --settings {input.settings} --table {output.table}"
        " --diagnostics {output.diagnostics} > {log} 2>&1"


rule survey_figure:
    message:
        "Draw skill against the check on real events."
    input:
        table="results/survey/table.csv",
        diagnostics="results/survey/diagnostics.csv",
        code=modules("replication.survey.figure"),
    output:
        drawn("survey", "Real events"),
    log:
        "logs/survey/figure.log",
    shell:
        "python -m replication.survey.figure --tables {input.table} --diagnostics {input.diagnostics}"
        " --output {output} > {log} 2>&1"


# `make survey`, no part of `all`: the designs whose data are not kept here. Before it runs these, it
# makes their tables, build/survey/*.csv, by data/survey/rebuild.py --others.
use rule survey_figure as survey_everywhere with:
    message:
        "Draw skill against the check on all designs."
    input:
        table=["results/survey/table.csv", "results/survey_others/table.csv"],
        diagnostics=["results/survey/diagnostics.csv", "results/survey_others/diagnostics.csv"],
        code=modules("replication.survey.figure"),
    output:
        [f"results/survey_others/survey.{ending}" for ending in ("pdf", "png")],
    log:
        "logs/survey/figure_everywhere.log",


use rule survey as survey_others with:
    message:
        "Judge every method and the check on the designs whose data are not kept here."
    input:
        tables=[design["table"] for design in SURVEY_OTHERS.values()],
        settings="build/settings/survey/others.json",
        code=modules("replication.survey.study"),
    output:
        table="results/survey_others/table.csv",
        diagnostics="results/survey_others/diagnostics.csv",
    log:
        "logs/survey/others.log",
