# Section 7, and the statements of sections 3 to 5 that no figure or table shows.
DISCUSSION_TABLES = [
    f"results/discussion/{table}.csv"
    for table in (
        "identities",
        "label_weight",
        "label_shares",
        "label_slopes",
        "starts",
        "starts_summary",
        "identification",
        "moments_by_size",
        "moments_limits",
        "singular_values",
        "moments_remedies",
        "ridge_path",
        "cost",
        "cost_slopes",
        "resampling",
    )
]
DISCUSSION_FIGURES = [image for name in ("discussion_labels", "discussion_moments") for image in images(name)]


DISCUSSION_TRUTH, DISCUSSION_CURVE = next(iter(config["simulation"]["truths"].items()))
# All data are the simulation's, at its first truth.
DISCUSSION_WORLD = json.dumps(
    {
        "setting": DISCUSSION_TRUTH,
        "curve": DISCUSSION_CURVE,
        "groups": config["simulation"]["groups"],
        "label_noise": config["simulation"]["label_noise"],
        "seed": config["seed"],
    }
)
DISCUSSION_SETTINGS = {study: json.dumps(settings) for study, settings in config["discussion"].items()}


rule discussion_identities:
    message:
        "Check the paper's mathematics to rounding."
    input:
        code=modules("replication.discussion.identities"),
    output:
        "results/discussion/identities.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=config["discussion"]["identities"],
    log:
        "logs/discussion/identities.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.identities --world {params.world:q}"
        " --few {params.settings[few]} --many {params.settings[many]} --output {output} > {log} 2>&1"


rule discussion_label_weight:
    message:
        "Estimate the latent model at many weights of the labels."
    input:
        code=modules("replication.discussion.label_weight"),
    output:
        "results/discussion/label_weight.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["label_weight"],
        tolerance=config["methods"]["latent_wh0"]["tolerance"],
    log:
        "logs/discussion/label_weight.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.label_weight --world {params.world:q}"
        " --settings {params.settings:q} --tolerance-at-zero {params.tolerance} --output {output}"
        " > {log} 2>&1"


rule discussion_label_share:
    message:
        "Measure the labels' share of an M-step."
    input:
        code=modules("replication.discussion.label_share"),
    output:
        shares="results/discussion/label_shares.csv",
        slopes="results/discussion/label_slopes.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["label_share"],
    log:
        "logs/discussion/label_share.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.label_share --world {params.world:q}"
        " --settings {params.settings:q} --shares {output.shares} --slopes {output.slopes} > {log} 2>&1"


rule discussion_starts:
    message:
        "Estimate the latent model from the labels and from random starts."
    input:
        code=modules("replication.discussion.starts"),
    output:
        starts="results/discussion/starts.csv",
        summary="results/discussion/starts_summary.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["starts"],
    log:
        "logs/discussion/starts.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.starts --world {params.world:q}"
        " --settings {params.settings:q} --starts {output.starts} --summary {output.summary} > {log} 2>&1"


rule discussion_identification:
    message:
        "Stop EM without labels at ever smaller tolerances."
    input:
        code=modules("replication.discussion.identification"),
    output:
        "results/discussion/identification.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["identification"],
    log:
        "logs/discussion/identification.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.identification --world {params.world:q}"
        " --settings {params.settings:q} --output {output} > {log} 2>&1"


rule discussion_moments_by_size:
    message:
        "Estimate moments to few and to many clicks per group."
    input:
        code=modules("replication.discussion.moments_by_size"),
    output:
        sizes="results/discussion/moments_by_size.csv",
        limits="results/discussion/moments_limits.csv",
        singular_values="results/discussion/singular_values.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["moments_by_size"],
    log:
        "logs/discussion/moments_by_size.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.moments_by_size --world {params.world:q}"
        " --settings {params.settings:q} --sizes {output.sizes} --limits {output.limits}"
        " --singular-values {output.singular_values} > {log} 2>&1"


rule discussion_moments_remedies:
    message:
        "Help moments by noise, by a penalty and by fewer clicks."
    input:
        code=modules("replication.discussion.moments_remedies"),
    output:
        remedies="results/discussion/moments_remedies.csv",
        ridge_path="results/discussion/ridge_path.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["moments_remedies"],
    log:
        "logs/discussion/moments_remedies.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.moments_remedies --world {params.world:q}"
        " --settings {params.settings:q} --remedies {output.remedies} --ridge-path {output.ridge_path}"
        " > {log} 2>&1"


rule discussion_cost:
    message:
        "Count the cells that EM visits."
    input:
        code=modules("replication.discussion.cost"),
    output:
        cost="results/discussion/cost.csv",
        slopes="results/discussion/cost_slopes.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=DISCUSSION_SETTINGS["cost"],
    log:
        "logs/discussion/cost.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.cost --world {params.world:q}"
        " --settings {params.settings:q} --cost {output.cost} --slopes {output.slopes} > {log} 2>&1"


rule discussion_resampling:
    message:
        "Compare half-samples with a bootstrap of groups."
    input:
        summary="results/simulation/summary.csv",
        code=modules("replication.discussion.resampling_schemes"),
    output:
        "results/discussion/resampling.csv",
    params:
        world=DISCUSSION_WORLD,
        settings=json.dumps({k: v for k, v in config["discussion"]["resampling"].items() if k != "methods"}),
        methods=named_methods(config["discussion"]["resampling"]["methods"]),
    log:
        "logs/discussion/resampling.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.resampling_schemes {input.summary} --world {params.world:q}"
        " --settings {params.settings:q} --methods {params.methods:q} --output {output} > {log} 2>&1"


rule figure_discussion_labels:
    message:
        "Draw how the labels' weight matters."
    input:
        weight="results/discussion/label_weight.csv",
        shares="results/discussion/label_shares.csv",
        identification="results/discussion/identification.csv",
        code=modules("replication.discussion.figure_labels"),
    output:
        drawn("discussion_labels", "The labels' weight"),
    log:
        "logs/discussion/figure_labels.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.figure_labels {input.weight} {input.shares} {input.identification}"
        " --output {output} > {log} 2>&1"


rule figure_discussion_moments:
    message:
        "Draw why moments get worse with more clicks."
    input:
        sizes="results/discussion/moments_by_size.csv",
        limits="results/discussion/moments_limits.csv",
        remedies="results/discussion/moments_remedies.csv",
        path="results/discussion/ridge_path.csv",
        code=modules("replication.discussion.figure_moments"),
    output:
        drawn("discussion_moments", "Moments and many clicks"),
    log:
        "logs/discussion/figure_moments.log",
    conda:
        "../environment.yml"
    shell:
        "python -m replication.discussion.figure_moments {input.sizes} {input.limits} {input.remedies}"
        " {input.path} --output {output} > {log} 2>&1"
