# What looking up the outcomes of a few events buys: in `make` on the designs that are kept here, in `make audit`
# on all designs of the survey, whose tables a rebuild puts into build/survey/.
AUDIT = config["audit"]
AUDIT_TABLES = [f"results/audit_kept/{table}.csv" for table in ("summary", "designs")]
AUDIT_FIGURES = images("audit") + images("audit_example")


def survey_designs():
    """The rows of config/designs.csv by name."""
    with open("config/designs.csv", newline="", encoding="utf-8") as file:
        return {row["design"]: row for row in csv.DictReader(file)}


def audited_designs():
    """The designs of `make audit`: those whose tables have the columns group, bin, positive and n."""
    kept = {
        name
        for name, source in config["survey"]["designs"].items()
        if source["table"].startswith("data/survey/")
    }
    return [name for name in survey_designs() if name in kept or name not in config["survey"]["designs"]]


def audited_table(wildcards):
    """Where the table of a design is: kept, or as a rebuild made it."""
    kept = Path("data/survey", f"{wildcards.design}.csv")
    return str(kept if kept.exists() else Path("build/survey", kept.name))


def ordered_positions(wildcards):
    """The positions of a design's ordered factors, from 0."""
    row = survey_designs()[wildcards.design]
    factors = row["factors"].split()
    return " ".join(str(factors.index(name)) for name in row["ordered"].split() if name in factors)


rule audit_design:
    message:
        "Look up outcomes of {wildcards.design} ({wildcards.part})."
    input:
        table=audited_table,
        designs="config/designs.csv",
        code=modules("replication.audit.study"),
    output:
        "build/audit_{part}/{design}.csv",
    params:
        ordered=ordered_positions,
        sizes=lambda wildcards: AUDIT[wildcards.part]["sizes"],
        samples=lambda wildcards: AUDIT[wildcards.part]["samples"],
        sampling=lambda wildcards: AUDIT[wildcards.part]["sampling"],
        methods=lambda wildcards: AUDIT[wildcards.part].get("answers", AUDIT["answers"]),
        weak=AUDIT["weak"],
        seed=config["seed"],
    wildcard_constraints:
        part="kept|all|drawn",
    log:
        "logs/audit_{part}/{design}.log",
    shell:
        "python -m replication.audit.study --design {wildcards.design} --table {input.table}"
        " --ordered {params.ordered} --sizes {params.sizes} --samples {params.samples}"
        " --sampling {params.sampling} --methods {params.methods} --weak {params.weak} --seed {params.seed}"
        " --output {output} > {log} 2>&1"


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
        designs="config/designs.csv",
        audits=expand("build/audit_{part}/{design}.csv", part=["all", "drawn"], design=audited_designs()),
        code=modules("replication.audit.summary"),
    output:
        summary="build/audit_tables/summary.csv",
        designs="build/audit_tables/designs.csv",
    params:
        apart=AUDIT["all"]["apart"],
    log:
        "logs/audit/tables.log",
    shell:
        "python -m replication.audit.summary --designs {input.designs} --apart {params.apart}"
        " --audits {input.audits} --summary {output.summary} --by-design {output.designs} > {log} 2>&1"


rule audit_example:
    message:
        "Draw the example of docs/audit.md before and after its audit."
    input:
        events="examples/events.csv",
        labels="examples/labels.csv",
        outcomes="examples/outcomes.csv",
        config="config/config.yaml",
        code=modules("replication.audit.example"),
    output:
        drawn("audit_example", "An audit, before and after"),
    log:
        "logs/audit/example.log",
    shell:
        "python -m replication.audit.example --events {input.events} --labels {input.labels}"
        " --outcomes {input.outcomes} --config {input.config} --output {output} > {log} 2>&1"
