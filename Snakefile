# Regenerates every table in results/ and every figure in figures/. The rules are wiring only: each
# runs one module of src/wsclust, whose docstring describes the study or the figure.


configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/motivation.smk"
include: "rules/simulation.smk"
include: "rules/election.smk"
include: "rules/figures.smk"


rule all:
    default_target: True
    input:
        MOTIVATION_TABLES,
        SIMULATION_TABLES,
        ELECTION_TABLES,
        FIGURES,
