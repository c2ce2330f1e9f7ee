# `make noisy-labels`, no part of `all`: what to do with noisy labels, on simulated and on real events, after
# `make survey` has made the tables of those real designs that are not kept here.
NOISY_LABELS = config["noisy_labels"]
NOISY_REAL = NOISY_LABELS["real_designs"]


def tables_of_designs(wildcards):
    """The tables of a set of designs: kept here, or as `make survey` made them."""
    tables = [survey_table(design)["table"] for design in NOISY_REAL["sets"][wildcards.set]]
    for table in tables:
        if not Path(table).exists():
            raise WorkflowError(f"{table}: no such table; run `make survey` first")
    return tables


rule noisy_labels:
    message:
        "What to do with noisy labels is in results/noisy_labels/."
    input:
        "results/noisy_labels/accuracy.csv",
        "results/noisy_labels/coverage.csv",
        "results/noisy_labels/real_designs.csv",
        expand("results/noisy_labels/{set}_implied.csv", set=NOISY_REAL["sets"]),


rule noisy_labels_accuracy:
    message:
        "Compare what is done with noisy labels by simulation."
    input:
        code=modules("replication.noisy_labels.accuracy"),
    output:
        "results/noisy_labels/accuracy.csv",
    params:
        truths=NOISY_LABELS["truths"],
        groups=NOISY_LABELS["groups"],
        clicks=NOISY_LABELS["clicks_per_group"],
        label_sds=NOISY_LABELS["label_sds"],
        ratings=NOISY_LABELS["ratings"],
        runs=NOISY_LABELS["runs"],
        seed=NOISY_LABELS["seed"],
    log:
        "logs/noisy_labels/accuracy.log",
    shell:
        "python -m replication.noisy_labels.accuracy --truths {params.truths} --groups {params.groups}"
        " --clicks-per-group {params.clicks} --label-sds {params.label_sds} --ratings {params.ratings}"
        " --runs {params.runs} --seed {params.seed} --output {output} > {log} 2>&1"


rule noisy_labels_coverage:
    message:
        "Cover the truth by intervals of fits to calibrated labels."
    input:
        code=modules("replication.noisy_labels.coverage"),
    output:
        "results/noisy_labels/coverage.csv",
    params:
        truths=NOISY_LABELS["coverage"]["truths"],
        groups=NOISY_LABELS["groups"],
        clicks=NOISY_LABELS["coverage"]["clicks_per_group"],
        label_sds=NOISY_LABELS["coverage"]["label_sds"],
        runs=NOISY_LABELS["coverage"]["runs"],
        half_samples=NOISY_LABELS["coverage"]["half_samples"],
        seed=NOISY_LABELS["seed"],
    log:
        "logs/noisy_labels/coverage.log",
    shell:
        "python -m replication.noisy_labels.coverage --truths {params.truths} --groups {params.groups}"
        " --clicks-per-group {params.clicks} --label-sds {params.label_sds} --runs {params.runs}"
        " --half-samples {params.half_samples} --seed {params.seed} --output {output} > {log} 2>&1"


rule noisy_labels_of_set:
    message:
        "Add noise to the labels of real designs, the {wildcards.set} set."
    input:
        tables=tables_of_designs,
        code=modules("replication.noisy_labels.real_designs"),
    output:
        "results/noisy_labels/{set}_designs.csv",
    params:
        noises=lambda wildcards: " ".join(f'"{noise}"' for noise in NOISY_REAL["noises"]),
        splits=NOISY_REAL["splits"],
        seed=NOISY_LABELS["seed"],
    wildcard_constraints:
        set="|".join(NOISY_REAL["sets"]),
    log:
        "logs/noisy_labels/{set}_designs.log",
    shell:
        "python -m replication.noisy_labels.real_designs --tables {input.tables:q} --noises {params.noises}"
        " --splits {params.splits} --seed {params.seed} --output {output} > {log} 2>&1"


rule noisy_labels_implied:
    message:
        "See how noisy labels look from the moments on the {wildcards.set} set."
    input:
        tables=tables_of_designs,
        code=modules("replication.noisy_labels.implied"),
    output:
        "results/noisy_labels/{set}_implied.csv",
    params:
        noises=[0, *NOISY_LABELS["coverage"]["label_sds"]],
        # Beside the first set, data that obey the model.
        simulated=lambda wildcards: (
            NOISY_LABELS["coverage"]["runs"] if wildcards.set == list(NOISY_REAL["sets"])[0] else 0
        ),
        groups=NOISY_LABELS["groups"],
        seed=NOISY_LABELS["seed"],
    wildcard_constraints:
        set="|".join(NOISY_REAL["sets"]),
    log:
        "logs/noisy_labels/{set}_implied.log",
    shell:
        "python -m replication.noisy_labels.implied --tables {input.tables} --set {wildcards.set}"
        " --noises {params.noises} --simulated {params.simulated} --groups {params.groups} --seed {params.seed}"
        " --output {output} > {log} 2>&1"


rule noisy_labels_real_designs:
    message:
        "Summarise noisy labels on real designs."
    input:
        tables=expand("results/noisy_labels/{set}_designs.csv", set=NOISY_REAL["sets"]),
        code=modules("replication.noisy_labels.summary"),
    output:
        "results/noisy_labels/real_designs.csv",
    params:
        sets=" ".join(f"--set {name} results/noisy_labels/{name}_designs.csv" for name in NOISY_REAL["sets"]),
    log:
        "logs/noisy_labels/real_designs.log",
    shell:
        "python -m replication.noisy_labels.summary {params.sets} --output {output} > {log} 2>&1"
