# Regenerates every table in results/ and every figure in figures/. The rules are wiring only: each
# runs one module of src/wsclust, whose docstring describes the study or the figure.


include: "rules/readable.smk"


configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/motivation.smk"
include: "rules/simulation.smk"
include: "rules/election.smk"
include: "rules/us1984.smk"
include: "rules/clicks.smk"
include: "rules/movielens.smk"
include: "rules/discussion.smk"
include: "rules/real_events.smk"
include: "rules/coverage.smk"
include: "rules/figures.smk"
include: "rules/claims.smk"
include: "rules/manifest.smk"


rule all:
    message:
        "All tables are in results/, all figures in figures/."
    default_target: True
    input:
        MOTIVATION_TABLES,
        SIMULATION_TABLES,
        ELECTION_TABLES,
        US1984_TABLES,
        US1984_FIGURES,
        CLICKS_TABLES,
        CLICKS_FIGURES,
        MOVIELENS_TABLES,
        MOVIELENS_FIGURES,
        DISCUSSION_TABLES,
        DISCUSSION_FIGURES,
        REAL_EVENTS_TABLES,
        REAL_EVENTS_FIGURES,
        FIGURES,
        CLAIMS,
        MANIFEST,


# Of everything above.
include: "rules/report.smk"
