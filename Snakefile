# Regenerates every table in results/ and every figure in figures/. The rules are wiring only: each
# runs one module of src/replication, whose docstring describes the study or the figure.


include: "rules/readable.smk"


configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/settings.smk"
include: "rules/motivation.smk"
include: "rules/simulation.smk"
include: "rules/election2016.smk"
include: "rules/election1984.smk"
include: "rules/clicks.smk"
include: "rules/movielens.smk"
include: "rules/discussion.smk"
include: "rules/survey.smk"
include: "rules/additive.smk"
include: "rules/audit.smk"
include: "rules/coverage.smk"
include: "rules/information.smk"
include: "rules/noisy_labels.smk"
include: "rules/claims.smk"
include: "rules/manifest.smk"


rule all:
    message:
        "All tables are in results/, all figures in figures/."
    default_target: True
    input:
        MOTIVATION_TABLES,
        MOTIVATION_FIGURES,
        SIMULATION_TABLES,
        SIMULATION_FIGURES,
        ELECTION2016_TABLES,
        ELECTION1984_TABLES,
        ELECTION1984_FIGURES,
        CLICKS_TABLES,
        CLICKS_FIGURES,
        MOVIELENS_TABLES,
        MOVIELENS_FIGURES,
        DISCUSSION_TABLES,
        DISCUSSION_FIGURES,
        SURVEY_TABLES,
        SURVEY_FIGURES,
        ADDITIVE_FIGURES,
        AUDIT_TABLES,
        AUDIT_FIGURES,
        CLAIMS,
        MANIFEST,


# Of everything above.
include: "rules/report.smk"
