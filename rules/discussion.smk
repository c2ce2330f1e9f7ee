# Section 7, and the statements of sections 3 to 5 that no figure or table shows.
DISCUSSION_TABLES = [
    f"results/discussion/{table}.csv"
    for table in (
        "identities",
        "label_weight",
        "label_shares",
        "label_slopes",
        "newton_for_quality",
        "starts",
        "starts_summary",
        "identification",
        "moments_by_size",
        "moments_limits",
        "singular_values",
        "moments_few_groups",
        "moments_remedies",
        "ridge_path",
        "cost",
        "cost_slopes",
        "resampling",
    )
]
DISCUSSION_FIGURES = [image for name in ("discussion_labels", "discussion_moments") for image in images(name)]


# All data are the simulation's, at the truth that it shows.
DISCUSSION_WORLD = {
    "setting": config["simulation"]["shown"],
    "curve": config["simulation"]["truths"][config["simulation"]["shown"]],
    "groups": config["simulation"]["groups"],
    "label_noise": config["simulation"]["label_noise"],
}
DISCUSSION_MORE = {"label_weight": {"tolerance_at_zero": config["methods"]["latent_wh0"]["tolerance"]}}
for study, section in config["discussion"].items():
    SETTINGS[f"discussion/{study}"] = job_settings(
        {"world": DISCUSSION_WORLD, **section, **DISCUSSION_MORE.get(study, {})}
    )


rule discussion_identities:
    message:
        "Check the paper's mathematics to rounding."
    input:
        settings="build/settings/discussion/identities.json",
        code=modules("replication.discussion.identities"),
    output:
        "results/discussion/identities.csv",
    log:
        "logs/discussion/identities.log",
    shell:
        "python -m replication.discussion.identities --settings {input.settings} --output {output}"
        " > {log} 2>&1"


rule discussion_label_weight:
    message:
        "Estimate the latent model at many weights of the labels."
    input:
        settings="build/settings/discussion/label_weight.json",
        code=modules("replication.discussion.label_weight"),
    output:
        "results/discussion/label_weight.csv",
    log:
        "logs/discussion/label_weight.log",
    shell:
        "python -m replication.discussion.label_weight --settings {input.settings} --output {output}"
        " > {log} 2>&1"


rule discussion_label_share:
    message:
        "Measure the labels' share of an M-step."
    input:
        settings="build/settings/discussion/label_share.json",
        code=modules("replication.discussion.label_share"),
    output:
        shares="results/discussion/label_shares.csv",
        slopes="results/discussion/label_slopes.csv",
    log:
        "logs/discussion/label_share.log",
    shell:
        "python -m replication.discussion.label_share --settings {input.settings}"
        " --shares {output.shares} --slopes {output.slopes} > {log} 2>&1"


rule discussion_newton_for_quality:
    message:
        "Start Newton's method for the groups' qualities here and there."
    input:
        settings="build/settings/discussion/newton_for_quality.json",
        code=modules("replication.discussion.newton_for_quality"),
    output:
        "results/discussion/newton_for_quality.csv",
    log:
        "logs/discussion/newton_for_quality.log",
    shell:
        "python -m replication.discussion.newton_for_quality --settings {input.settings} --output {output}"
        " > {log} 2>&1"


rule discussion_starts:
    message:
        "Estimate the latent model from the labels and from random starts."
    input:
        settings="build/settings/discussion/starts.json",
        code=modules("replication.discussion.starts"),
    output:
        starts="results/discussion/starts.csv",
        summary="results/discussion/starts_summary.csv",
    log:
        "logs/discussion/starts.log",
    shell:
        "python -m replication.discussion.starts --settings {input.settings}"
        " --starts {output.starts} --summary {output.summary} > {log} 2>&1"


rule discussion_identification:
    message:
        "Stop EM without labels at ever smaller tolerances."
    input:
        settings="build/settings/discussion/identification.json",
        code=modules("replication.discussion.identification"),
    output:
        "results/discussion/identification.csv",
    log:
        "logs/discussion/identification.log",
    shell:
        "python -m replication.discussion.identification --settings {input.settings} --output {output}"
        " > {log} 2>&1"


rule discussion_moments_by_size:
    message:
        "Estimate moments to few and to many clicks per group."
    input:
        settings="build/settings/discussion/moments_by_size.json",
        code=modules("replication.discussion.moments_by_size"),
    output:
        sizes="results/discussion/moments_by_size.csv",
        limits="results/discussion/moments_limits.csv",
        singular_values="results/discussion/singular_values.csv",
    log:
        "logs/discussion/moments_by_size.log",
    shell:
        "python -m replication.discussion.moments_by_size --settings {input.settings}"
        " --sizes {output.sizes} --limits {output.limits}"
        " --singular-values {output.singular_values} > {log} 2>&1"


rule discussion_moments_few_groups:
    message:
        "Estimate moments from few and from many groups."
    input:
        settings="build/settings/discussion/moments_few_groups.json",
        code=modules("replication.discussion.moments_few_groups"),
    output:
        "results/discussion/moments_few_groups.csv",
    log:
        "logs/discussion/moments_few_groups.log",
    shell:
        "python -m replication.discussion.moments_few_groups --settings {input.settings} --output {output}"
        " > {log} 2>&1"


rule discussion_moments_remedies:
    message:
        "Help moments by noise, by a penalty and by fewer clicks."
    input:
        settings="build/settings/discussion/moments_remedies.json",
        code=modules("replication.discussion.moments_remedies"),
    output:
        remedies="results/discussion/moments_remedies.csv",
        ridge_path="results/discussion/ridge_path.csv",
    log:
        "logs/discussion/moments_remedies.log",
    shell:
        "python -m replication.discussion.moments_remedies --settings {input.settings}"
        " --remedies {output.remedies} --ridge-path {output.ridge_path} > {log} 2>&1"


rule discussion_cost:
    message:
        "Count the cells that EM visits."
    input:
        settings="build/settings/discussion/cost.json",
        code=modules("replication.discussion.cost"),
    output:
        cost="results/discussion/cost.csv",
        slopes="results/discussion/cost_slopes.csv",
    log:
        "logs/discussion/cost.log",
    shell:
        "python -m replication.discussion.cost --settings {input.settings}"
        " --cost {output.cost} --slopes {output.slopes} > {log} 2>&1"


rule discussion_resampling:
    message:
        "Compare half-samples with a bootstrap of groups."
    input:
        summary="results/simulation/summary.csv",
        settings="build/settings/discussion/resampling.json",
        code=modules("replication.discussion.resampling_schemes"),
    output:
        "results/discussion/resampling.csv",
    log:
        "logs/discussion/resampling.log",
    shell:
        "python -m replication.discussion.resampling_schemes {input.summary} --settings {input.settings}"
        " --output {output} > {log} 2>&1"


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
    shell:
        "python -m replication.discussion.figure_moments {input.sizes} {input.limits} {input.remedies}"
        " {input.path} --output {output} > {log} 2>&1"
