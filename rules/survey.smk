# Real events whose outcomes are known: when the latent model works, and whether the check foresees it. In `make` on
# the designs whose tables are kept here, in `make survey` on all of data/survey/designs.csv, whose other tables a
# rebuild puts into build/survey/.
SURVEY = config["survey"]
SURVEY_TABLES = [f"results/survey_kept/{table}.csv" for table in ("designs", "table")]
SURVEY_FIGURES = images("survey")
DEFINITIONS = "data/survey/designs.csv"
DESIGNS = read_definitions(DEFINITIONS)


if unknown := set(SURVEY["kept"]) - set(DESIGNS):
    raise WorkflowError(f"config: survey.kept: design {min(unknown)!r} has no row in {DEFINITIONS}; add one")


for design, row in DESIGNS.items():
    source = {key: value for key, value in survey_table(design).items() if key != "factors"}
    for part in ("kept", "all"):
        SETTINGS[f"survey/{part}/{design}"] = job_settings(
            {
                "design": design,
                "source": source,
                "factors": row["factors"],
                "ordered": row["ordered"],
                "methods": SURVEY["methods"],
                "splits": SURVEY["splits"][part],
            }
        )


rule survey_design:
    message:
        "Judge every method and the check on {wildcards.design} ({wildcards.part})."
    input:
        table=lambda wildcards: survey_table(wildcards.design)["table"],
        settings="build/settings/survey/{part}/{design}.json",
        code=modules("replication.survey.study"),
    output:
        table="build/survey_{part}/{design}/table.csv",
        check="build/survey_{part}/{design}/check.csv",
    wildcard_constraints:
        part="kept|all",
    log:
        "logs/survey_{part}/{design}.log",
    shell:
        "python -m replication.survey.study --settings {input.settings} --table {output.table}"
        " --check {output.check} > {log} 2>&1"


rule survey_kept:
    message:
        "Put together the designs of the survey whose tables are kept."
    input:
        definitions=DEFINITIONS,
        tables=expand("build/survey_kept/{design}/table.csv", design=SURVEY["kept"]),
        checks=expand("build/survey_kept/{design}/check.csv", design=SURVEY["kept"]),
        code=modules("replication.survey.summary"),
    output:
        designs="results/survey_kept/designs.csv",
        table="results/survey_kept/table.csv",
    log:
        "logs/survey_kept/summary.log",
    shell:
        "python -m replication.survey.summary --definitions {input.definitions} --errors {input.tables:q}"
        " --checks {input.checks} --designs {output.designs} --table {output.table} > {log} 2>&1"


# `make survey`, no part of `all`; the Makefile copies its tables to results/survey/, and what became of each verdict
# to src/wsclust/check/, from where the words of `wsclust fit` are read.
rule survey_tables:
    message:
        "Put together all designs of the survey."
    input:
        definitions=DEFINITIONS,
        tables=expand("build/survey_all/{design}/table.csv", design=DESIGNS),
        checks=expand("build/survey_all/{design}/check.csv", design=DESIGNS),
        code=modules("replication.survey.summary"),
    output:
        designs="build/survey_tables/designs.csv",
        table="build/survey_tables/table.csv",
        verdicts="build/survey_tables/verdicts.csv",
        foresight="build/survey_tables/foresight.csv",
    log:
        "logs/survey/tables.log",
    shell:
        "python -m replication.survey.summary --definitions {input.definitions} --errors {input.tables:q}"
        " --checks {input.checks} --designs {output.designs} --table {output.table}"
        " --verdicts {output.verdicts} --foresight {output.foresight} > {log} 2>&1"


rule survey_figure:
    message:
        "Draw skill against the check on real events, as `make survey` last found it."
    input:
        designs="results/survey/designs.csv",
        table="results/survey/table.csv",
        code=modules("replication.survey.figure"),
    output:
        drawn("survey", "Real events"),
    log:
        "logs/survey/figure.log",
    shell:
        "python -m replication.survey.figure --designs {input.designs} --table {input.table:q}"
        " --output {output} > {log} 2>&1"
