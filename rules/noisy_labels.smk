# `make noisy-labels`, no part of `all`: what to do with noisy labels, on simulated and on real events, after
# `make survey` has made the tables of those real designs that are not kept here.
NOISY_LABELS = config["noisy_labels"]
NOISY_REAL = NOISY_LABELS["real_designs"]
SETTINGS["noisy_labels/accuracy"] = job_settings(
    NOISY_LABELS, leave_out=["audits", "coverage", "real_designs"]
)
SETTINGS["noisy_labels/coverage"] = {
    **NOISY_LABELS["coverage"],
    **{key: NOISY_LABELS[key] for key in ("groups", "seed")},
}
SETTINGS["noisy_labels/designs"] = {
    **{key: NOISY_REAL[key] for key in ("noises", "splits")},
    "seed": NOISY_LABELS["seed"],
}
SETTINGS["noisy_labels/audits"] = {**NOISY_LABELS["audits"], "seed": NOISY_LABELS["seed"]}
SETTINGS["noisy_labels/real_designs"] = {"sets": list(NOISY_REAL["sets"])}
for number, name in enumerate(NOISY_REAL["sets"]):
    SETTINGS[f"noisy_labels/{name}_implied"] = {
        "set": name,
        "noises": [0, *NOISY_LABELS["coverage"]["label_sds"]],
        # Beside the first set, data that obey the model.
        "simulated": 0 if number else NOISY_LABELS["coverage"]["runs"],
        **{key: NOISY_LABELS[key] for key in ("groups", "seed")},
    }


rule noisy_labels:
    message:
        "What to do with noisy labels is in results/noisy_labels/."
    input:
        "results/noisy_labels/accuracy.csv",
        "results/noisy_labels/coverage.csv",
        "results/noisy_labels/real_designs.csv",
        "results/noisy_labels/audits.csv",
        expand("results/noisy_labels/{set}_implied.csv", set=NOISY_REAL["sets"]),


rule noisy_labels_accuracy:
    message:
        "Compare what is done with noisy labels by simulation."
    input:
        settings="build/settings/noisy_labels/accuracy.json",
        code=modules("replication.noisy_labels.accuracy"),
    output:
        "results/noisy_labels/accuracy.csv",
    log:
        "logs/noisy_labels/accuracy.log",
    shell:
        "python -m replication.noisy_labels.accuracy --settings {input.settings} --output {output} > {log} 2>&1"


rule noisy_labels_coverage:
    message:
        "Cover the truth by intervals of fits to calibrated labels."
    input:
        settings="build/settings/noisy_labels/coverage.json",
        code=modules("replication.noisy_labels.coverage"),
    output:
        "results/noisy_labels/coverage.csv",
    log:
        "logs/noisy_labels/coverage.log",
    shell:
        "python -m replication.noisy_labels.coverage --settings {input.settings} --output {output} > {log} 2>&1"


rule noisy_labels_of_set:
    message:
        "Add noise to the labels of real designs, the {wildcards.set} set."
    input:
        tables=tables_of_designs,
        settings="build/settings/noisy_labels/designs.json",
        code=modules("replication.noisy_labels.real_designs"),
    output:
        "results/noisy_labels/{set}_designs.csv",
    wildcard_constraints:
        set="|".join(NOISY_REAL["sets"]),
    log:
        "logs/noisy_labels/{set}_designs.log",
    shell:
        "python -m replication.noisy_labels.real_designs --settings {input.settings} --tables {input.tables:q}"
        " --output {output} > {log} 2>&1"


rule noisy_labels_implied:
    message:
        "See how noisy labels look from the moments on the {wildcards.set} set."
    input:
        tables=tables_of_designs,
        settings="build/settings/noisy_labels/{set}_implied.json",
        code=modules("replication.noisy_labels.implied"),
    output:
        "results/noisy_labels/{set}_implied.csv",
    wildcard_constraints:
        set="|".join(NOISY_REAL["sets"]),
    log:
        "logs/noisy_labels/{set}_implied.log",
    shell:
        "python -m replication.noisy_labels.implied --settings {input.settings} --tables {input.tables:q}"
        " --output {output} > {log} 2>&1"


rule noisy_labels_real_designs:
    message:
        "Summarise noisy labels on real designs."
    input:
        tables=expand("results/noisy_labels/{set}_designs.csv", set=NOISY_REAL["sets"]),
        settings="build/settings/noisy_labels/real_designs.json",
        code=modules("replication.noisy_labels.summary"),
    output:
        "results/noisy_labels/real_designs.csv",
    log:
        "logs/noisy_labels/real_designs.log",
    shell:
        "python -m replication.noisy_labels.summary --settings {input.settings} --skills {input.tables:q}"
        " --output {output} > {log} 2>&1"


rule noisy_labels_audits_of_set:
    message:
        "Look up outcomes beside noisy labels of real designs, the {wildcards.set} set."
    input:
        tables=tables_of_designs,
        settings="build/settings/noisy_labels/audits.json",
        code=modules("replication.noisy_labels.audits"),
    output:
        "results/noisy_labels/{set}_audits.csv",
    wildcard_constraints:
        set="|".join(NOISY_REAL["sets"]),
    log:
        "logs/noisy_labels/{set}_audits.log",
    shell:
        "python -m replication.noisy_labels.audits --settings {input.settings} --tables {input.tables:q}"
        " --output {output} > {log} 2>&1"


rule noisy_labels_audits:
    message:
        "Summarise what audits of noisy labels brought."
    input:
        definitions=DEFINITIONS,
        audits=expand("results/noisy_labels/{set}_audits.csv", set=NOISY_REAL["sets"]),
        code=modules("replication.noisy_labels.audits_summary"),
    output:
        "results/noisy_labels/audits.csv",
    log:
        "logs/noisy_labels/audits.log",
    shell:
        "python -m replication.noisy_labels.audits_summary --definitions {input.definitions}"
        " --audits {input.audits:q} --output {output} > {log} 2>&1"
