# Real events whose outcomes are known: when the latent model works, and whether the check foresees it.
REAL_EVENTS = config["real_events"]
REAL_EVENTS_TABLES = [f"results/real_events/{table}.csv" for table in ("table", "diagnostics")]
REAL_EVENTS_FIGURES = images("real_events")
REAL_EVENTS_OTHERS = [f"build/real_events/{design}.csv" for design in REAL_EVENTS["others"]]


rule real_events:
    message:
        "Judge every method and the check on real events."
    input:
        tables=[design["table"] for design in REAL_EVENTS["designs"].values()],
        code=modules("replication.survey.study"),
    output:
        table="results/real_events/table.csv",
        diagnostics="results/real_events/diagnostics.csv",
    params:
        designs=json.dumps(REAL_EVENTS["designs"]),
        methods=methods_of("real_events"),
        splits=REAL_EVENTS["splits"],
        seed=config["seed"],
    log:
        "logs/real_events/real_events.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.study --designs {params.designs:q} --methods {params.methods:q}"
        " --splits {params.splits} --seed {params.seed} --table {output.table}"
        " --diagnostics {output.diagnostics} > {log} 2>&1"


rule real_events_figure:
    message:
        "Draw skill against the check on real events."
    input:
        table="results/real_events/table.csv",
        diagnostics="results/real_events/diagnostics.csv",
        code=modules("replication.survey.figure"),
    output:
        drawn("real_events", "Real events"),
    log:
        "logs/figures/real_events.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.figure --tables {input.table} --diagnostics {input.diagnostics}"
        " --output {output} > {log} 2>&1"


# `make real-events`, no part of `all`: the designs whose data are not kept here. Before it runs these, it
# makes their tables, build/real_events/*.csv, by data/real_events/rebuild.py --others.
rule real_events_everywhere:
    message:
        "Draw skill against the check on all designs."
    input:
        tables=["results/real_events/table.csv", "results/real_events_others/table.csv"],
        diagnostics=["results/real_events/diagnostics.csv", "results/real_events_others/diagnostics.csv"],
        code=modules("replication.survey.figure"),
    output:
        [f"results/real_events_others/real_events.{ending}" for ending in ("pdf", "png")],
    log:
        "logs/figures/real_events_everywhere.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.figure --tables {input.tables} --diagnostics {input.diagnostics}"
        " --output {output} > {log} 2>&1"


rule real_events_others:
    message:
        "Judge every method and the check on the designs whose data are not kept here."
    input:
        tables=REAL_EVENTS_OTHERS,
        code=modules("replication.survey.study"),
    output:
        table="results/real_events_others/table.csv",
        diagnostics="results/real_events_others/diagnostics.csv",
    params:
        designs=json.dumps(
            {design: {"table": table} for design, table in zip(REAL_EVENTS["others"], REAL_EVENTS_OTHERS)}
        ),
        methods=methods_of("real_events"),
        splits=REAL_EVENTS["splits"],
        seed=config["seed"],
    log:
        "logs/real_events/others.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.survey.study --designs {params.designs:q} --methods {params.methods:q}"
        " --splits {params.splits} --seed {params.seed} --table {output.table}"
        " --diagnostics {output.diagnostics} > {log} 2>&1"
