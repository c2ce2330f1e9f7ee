# Section 6.2: synthetic clicks in place of the confidential ones, and Figures 6 to 8.
CLICKS_TABLES = [
    f"results/clicks/{table}.csv" for table in ("posteriors", "insights", "ranges", "sizes", "cap")
]
CLICKS_FIGURES = [image for figure in (6, 7, 8) for image in images(f"figure{figure}")]
SETTINGS["clicks/clicks"] = job_settings(config["clicks"], leave_out=["without_cap"])
SETTINGS["clicks/cap"] = job_settings(config["clicks"], leave_out=["half_samples"])


rule clicks:
    message:
        "Find happy clicks in the synthetic data."
    input:
        settings="build/settings/clicks/clicks.json",
        code=modules("replication.clicks.study"),
    output:
        posteriors="results/clicks/posteriors.csv",
        insights="results/clicks/insights.csv",
        ranges="results/clicks/ranges.csv",
        sizes="results/clicks/sizes.csv",
    log:
        "logs/clicks/clicks.log",
    shell:
        "python -m replication.clicks.study --settings {input.settings} --posteriors {output.posteriors}"
        " --insights {output.insights} --ranges {output.ranges} --sizes {output.sizes} > {log} 2>&1"


rule click_cap:
    message:
        "Estimate the synthetic clicks with and without the cap."
    input:
        settings="build/settings/clicks/cap.json",
        code=modules("replication.clicks.cap"),
    output:
        "results/clicks/cap.csv",
    log:
        "logs/clicks/cap.log",
    shell:
        "python -m replication.clicks.cap --settings {input.settings} --output {output} > {log} 2>&1"


rule click_figure:
    message:
        "Draw Figure {wildcards.number}: the synthetic clicks."
    input:
        posteriors="results/clicks/posteriors.csv",
        code=lambda wildcards: modules(f"replication.clicks.figure{wildcards.number}"),
    output:
        drawn("figure{number}", "Figure {number}", caption="clicks"),
    wildcard_constraints:
        number="[678]",
    log:
        "logs/clicks/figure{number}.log",
    shell:
        "python -m replication.clicks.figure{wildcards.number} {input.posteriors} --output {output}"
        " > {log} 2>&1"
