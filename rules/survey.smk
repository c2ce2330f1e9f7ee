# Real events whose outcomes are known: when the latent model works, and whether the check foresees it.
SURVEY = config["survey"]
SURVEY_TABLES = [f"results/survey/{table}.csv" for table in ("table", "diagnostics")]
SURVEY_FIGURES = images("survey")
SURVEY_OTHERS = [f"build/survey/{design}.csv" for design in SURVEY["others"]]


rule survey:
    message:
        "Judge every method and the check on real events."
    input:
        tables=[design["table"] for design in SURVEY["designs"].values()],
        code=modules("replication.survey.study"),
    output:
        table="results/survey/table.csv",
        diagnostics="results/survey/diagnostics.csv",
    params:
        designs=json.dumps(SURVEY["designs"]),
        methods=methods_of("survey"),
        splits=SURVEY["splits"],
        seed=config["seed"],
    log:
        "logs/survey/survey.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.study --designs {params.designs:q} --methods {params.methods:q}"
        " --splits {params.splits} --seed {params.seed} --table {output.table}"
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
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.figure --tables {input.table} --diagnostics {input.diagnostics}"
        " --output {output} > {log} 2>&1"


# `make survey`, no part of `all`: the designs whose data are not kept here. Before it runs these, it
# makes their tables, build/survey/*.csv, by data/survey/rebuild.py --others.
rule survey_everywhere:
    message:
        "Draw skill against the check on all designs."
    input:
        tables=["results/survey/table.csv", "results/survey_others/table.csv"],
        diagnostics=["results/survey/diagnostics.csv", "results/survey_others/diagnostics.csv"],
        code=modules("replication.survey.figure"),
    output:
        [f"results/survey_others/survey.{ending}" for ending in ("pdf", "png")],
    log:
        "logs/survey/figure_everywhere.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.figure --tables {input.tables} --diagnostics {input.diagnostics}"
        " --output {output} > {log} 2>&1"


rule survey_others:
    message:
        "Judge every method and the check on the designs whose data are not kept here."
    input:
        tables=SURVEY_OTHERS,
        code=modules("replication.survey.study"),
    output:
        table="results/survey_others/table.csv",
        diagnostics="results/survey_others/diagnostics.csv",
    params:
        designs=json.dumps(
            {design: {"table": table} for design, table in zip(SURVEY["others"], SURVEY_OTHERS)}
        ),
        methods=methods_of("survey"),
        splits=SURVEY["splits"],
        seed=config["seed"],
    log:
        "logs/survey/others.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.study --designs {params.designs:q} --methods {params.methods:q}"
        " --splits {params.splits} --seed {params.seed} --table {output.table}"
        " --diagnostics {output.diagnostics} > {log} 2>&1"
