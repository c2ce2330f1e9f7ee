# What looking up the outcomes of a few events buys: in `make` on the designs that are kept here, in `make audit`
# on all designs of the survey, whose tables a rebuild puts into build/survey/.
AUDIT = config["audit"]
AUDIT_TABLES = [f"results/audit_kept/{table}.csv" for table in ("summary", "designs")]
AUDIT_FIGURES = images("audit") + images("audit_example")


# An answer may need to know which factors are ordered: their positions, since a table has no names of factors.
for design, row in DESIGNS.items():
    for part in ("kept", "all", "drawn"):
        SETTINGS[f"audit/{part}/{design}"] = job_settings(
            {
                "design": design,
                "ordered": [row["factors"].index(name) for name in row["ordered"]],
                "weak": AUDIT["weak"],
                "answers": AUDIT["answers"],
                **AUDIT[part],
            },
            leave_out=["designs"],
        )
SETTINGS["audit/example"] = {"truth": config["clicks"]["truth"]}


rule audit_design:
    message:
        "Look up outcomes of {wildcards.design} ({wildcards.part})."
    input:
        table=lambda wildcards: survey_table(wildcards.design)["table"],
        settings="build/settings/audit/{part}/{design}.json",
        code=modules("replication.audit.study"),
    output:
        "build/audit_{part}/{design}.csv",
    wildcard_constraints:
        part="kept|all|drawn",
    log:
        "logs/audit_{part}/{design}.log",
    shell:
        "python -m replication.audit.study --settings {input.settings} --table {input.table:q} --output {output}"
        " > {log} 2>&1"


rule audit_kept:
    message:
        "Put together what audits bought on the designs that are kept."
    input:
        audits=expand("build/audit_kept/{design}.csv", design=AUDIT["kept"]["designs"]),
        code=modules("replication.audit.summary"),
    output:
        summary="results/audit_kept/summary.csv",
        designs="results/audit_kept/designs.csv",
    log:
        "logs/audit_kept/summary.log",
    shell:
        "python -m replication.audit.summary --audits {input.audits} --summary {output.summary}"
        " --by-design {output.designs} > {log} 2>&1"


rule audit_figure:
    message:
        "Draw skill against events looked up, as `make audit` last found it."
    input:
        summary="results/audit/summary.csv",
        code=modules("replication.audit.figure"),
    output:
        drawn("audit", "What an audit buys"),
    log:
        "logs/audit/figure.log",
    shell:
        "python -m replication.audit.figure --summary {input.summary} --output {output} > {log} 2>&1"


# `make audit`, no part of `all`; the Makefile copies its tables to results/audit/.
rule audit_tables:
    message:
        "Put together what audits bought on all designs."
    input:
        designs=DEFINITIONS,
        audits=expand("build/audit_{part}/{design}.csv", part=["all", "drawn"], design=audited_designs()),
        code=modules("replication.audit.summary"),
    output:
        summary="build/audit_tables/summary.csv",
        designs="build/audit_tables/designs.csv",
    log:
        "logs/audit/tables.log",
    shell:
        "python -m replication.audit.summary --designs {input.designs}"
        " --audits {input.audits} --summary {output.summary} --by-design {output.designs} > {log} 2>&1"


rule audit_example:
    message:
        "Draw the example of docs/audit.md before and after its audit."
    input:
        events="examples/events.csv",
        labels="examples/labels.csv",
        outcomes="examples/outcomes.csv",
        settings="build/settings/audit/example.json",
        code=modules("replication.audit.example"),
    output:
        drawn("audit_example", "An audit, before and after"),
    log:
        "logs/audit/example.log",
    shell:
        "python -m replication.audit.example --events {input.events} --labels {input.labels}"
        " --outcomes {input.outcomes} --settings {input.settings} --output {output} > {log} 2>&1"
