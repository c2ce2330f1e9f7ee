# Beyond the paper: log-odds that are a sum over the factors of a bin, on the paper's studies and on real events.
# `make additive` makes the tables, which the Makefile copies to results/additive/; `make` draws them.
ADDITIVE = config["additive"]
ADDITIVE_TABLES = ["election1984", "figure5", "designs", "unseen", "clicks", "boundary", "survey"]
ADDITIVE_FIGURES = images("additive") + images("figure5_additive")
ADDITIVE_METHODS = ["latent", "additive", "oracle"]
# The real designs, and draw 1 of 1984.
ADDITIVE_DESIGNS = {
    "us1984_reconstruction": {
        "table": "results/election1984/reconstruction.csv",
        "group": "state",
        "factors": ["income", "union", "race"],
        "positive": "reagan",
        "negative": "mondale",
        "ordered": ADDITIVE["ordered1984"],
    },
    **ADDITIVE["designs"],
}
ADDITIVE_1984 = {
    "additive": config["methods"]["additive"],
    "additive_ordered": {**config["methods"]["additive"], "ordered": ADDITIVE["ordered1984"]},
}
for part in ("first", "others"):
    SETTINGS[f"additive/errors-{part}"] = {
        **SETTINGS[f"election1984/errors-{part}"],
        "methods": ADDITIVE_1984,
    }
SETTINGS["additive/election1984"] = {
    "methods": {
        **{name: config["methods"][name] for name in ("direct", "latent")},
        **ADDITIVE_1984,
        "oracle": config["methods"]["oracle"],
    }
}
SETTINGS["additive/figure5"] = job_settings(
    {"methods": ADDITIVE_METHODS, "half_samples": ADDITIVE["half_samples"]}
)
SETTINGS["additive/designs"] = job_settings(
    {
        "methods": ADDITIVE_METHODS,
        "designs": ADDITIVE_DESIGNS,
        "splits": ADDITIVE["splits"],
        "unseen": ADDITIVE["unseen"],
    }
)
# Labels are as noisy as those of Figure 6, and weighed as there.
ADDITIVE_WEIGHED = {
    "latent": config["methods"]["latent_wh10"],
    "additive": {
        **config["methods"]["additive"],
        "he_weight": config["methods"]["latent_wh10"]["he_weight"],
    },
}
SETTINGS["additive/clicks"] = {
    "methods": ADDITIVE_WEIGHED,
    "clicks": ADDITIVE["clicks"],
    "world": {
        key: config["clicks"][key] for key in ("tail", "cap", "effective_clicks", "label_noise", "truth")
    },
    "seed": config["seed"],
}
SETTINGS["additive/boundary"] = job_settings(
    {
        "methods": ADDITIVE_METHODS,
        "boundary": ADDITIVE["boundary"],
        "world": config["motivation"],
    }
)


use rule election1984_part as additive_1984_part with:
    message:
        "Predict held-out states of 1984 by effects of levels: {wildcards.part}."
    input:
        voters="build/election1984/voters.csv",
        results=ELECTION1984_FACTS["results"],
        settings="build/settings/additive/errors-{part}.json",
        code=modules("replication.election1984.half_splits"),
    output:
        "build/additive/errors-{part}.csv",
    log:
        "logs/additive/errors-{part}.log",


rule additive_1984:
    message:
        "Put effects of levels beside Table 1."
    input:
        voters="build/election1984/voters.csv",
        results=ELECTION1984_FACTS["results"],
        others="results/election1984/draws.csv",
        parts=expand("build/additive/errors-{part}.csv", part=["first", "others"]),
        settings="build/settings/additive/election1984.json",
        code=modules("replication.additive.election1984"),
    output:
        "build/additive/election1984.csv",
    log:
        "logs/additive/election1984.log",
    shell:
        "python -m replication.additive.election1984 --voters {input.voters} --results {input.results}"
        " --others {input.others} --parts {input.parts} --settings {input.settings} --output {output}"
        " > {log} 2>&1"


use rule voter_groups as additive_voter_groups with:
    message:
        "Estimate the voter groups of 1984 by effects of levels."
    input:
        voters="results/election1984/reconstruction.csv",
        settings="build/settings/additive/figure5.json",
        code=modules("replication.election1984.voter_groups"),
    output:
        "build/additive/figure5.csv",
    log:
        "logs/additive/voter_groups.log",


use rule figure5 as additive_figure5 with:
    message:
        "Draw Figure 5 with effects of levels."
    input:
        table="results/additive/figure5.csv",
        code=modules("replication.election1984.figure5"),
    output:
        drawn("figure5_additive", "Figure 5 with effects of levels"),
    log:
        "logs/additive/figure5.log",


rule additive_designs:
    message:
        "Judge effects of levels on the real designs that are kept."
    input:
        tables=[design["table"] for design in ADDITIVE_DESIGNS.values()],
        settings="build/settings/additive/designs.json",
        code=modules("replication.additive.designs"),
    output:
        "build/additive/designs.csv",
    log:
        "logs/additive/designs.log",
    shell:
        "python -m replication.additive.designs --settings {input.settings} --output {output} > {log} 2>&1"


rule additive_unseen:
    message:
        "Predict bins that were left out by the effects of their levels."
    input:
        tables=[design["table"] for design in ADDITIVE_DESIGNS.values()],
        settings="build/settings/additive/designs.json",
        code=modules("replication.additive.unseen"),
    output:
        "build/additive/unseen.csv",
    log:
        "logs/additive/unseen.log",
    shell:
        "python -m replication.additive.unseen --settings {input.settings} --output {output} > {log} 2>&1"


rule additive_clicks:
    message:
        "Fit effects of levels to clicks whose truth has none."
    input:
        settings="build/settings/additive/clicks.json",
        code=modules("replication.additive.clicks"),
    output:
        "build/additive/clicks.csv",
    log:
        "logs/additive/clicks.log",
    shell:
        "python -m replication.additive.clicks --settings {input.settings} --output {output} > {log} 2>&1"


rule additive_boundary:
    message:
        "Find Figure 1's boundary with a trend along numbers."
    input:
        settings="build/settings/additive/boundary.json",
        code=modules("replication.additive.boundary"),
    output:
        "build/additive/boundary.csv",
    log:
        "logs/additive/boundary.log",
    shell:
        "python -m replication.additive.boundary --settings {input.settings} --output {output} > {log} 2>&1"


rule additive_survey:
    message:
        "Count the designs of the survey in which effects of levels are better."
    input:
        table="results/survey/table.csv",
        designs="results/survey/designs.csv",
        code=modules("replication.additive.survey"),
    output:
        "build/additive/survey.csv",
    log:
        "logs/additive/survey.log",
    shell:
        "python -m replication.additive.survey --table {input.table:q} --designs {input.designs}"
        " --output {output} > {log} 2>&1"


rule additive_tables:
    message:
        "The tables on effects of levels are in build/additive/."
    input:
        expand("build/additive/{table}.csv", table=ADDITIVE_TABLES),


rule additive_figure:
    message:
        "Draw what effects of levels buy."
    input:
        tables=["results/additive/designs.csv", "results/survey/table.csv"],
        code=modules("replication.additive.figure"),
    output:
        drawn("additive", "What effects of levels buy"),
    log:
        "logs/additive/figure.log",
    shell:
        "python -m replication.additive.figure --tables {input.tables:q} --output {output} > {log} 2>&1"
