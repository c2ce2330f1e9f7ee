# `make coverage`, no part of `all`: what intervals hold, and what the check says of simulated data.
COVERAGE = config["coverage"]
CONTROLS = COVERAGE["check"]
CONTROLS_TABLES = {
    table: f"results/coverage/check_{table}.csv" for table in ("enough", "shuffled", "dependence")
}
for name in COVERAGE["truths"]:
    SETTINGS[f"coverage/{name}"] = job_settings(
        {
            "truth": config["simulation"]["truths"][name],
            "methods": COVERAGE["methods"],
            "label_noise": COVERAGE["methods"],
            "runs": COVERAGE["runs"],
            "half_samples": COVERAGE["half_samples"],
        }
    )
EFFECTS = COVERAGE["effects"]
for name in EFFECTS["truths"]:
    SETTINGS[f"coverage_effects/{name}"] = job_settings(
        {
            "truth": config["simulation"]["truths"][name],
            "methods": EFFECTS["methods"],
            "label_noise": EFFECTS["methods"],
            **{key: EFFECTS[key] for key in ("crossed", "runs", "half_samples")},
        }
    )
for table in CONTROLS_TABLES:
    SETTINGS[f"coverage/check_{table}"] = job_settings(
        {
            "truths": {name: config["simulation"]["truths"][name] for name in CONTROLS["truths"]},
            "methods": ["latent", "direct"],
            **CONTROLS[table],
        }
    )


rule coverage:
    message:
        "What intervals hold, and what the check says of simulated data, is in results/coverage/."
    input:
        "results/coverage/bins.csv",
        "results/coverage/summary.csv",
        "results/coverage/effects.csv",
        list(CONTROLS_TABLES.values()),


rule coverage_part:
    message:
        "Cover {wildcards.truth}, {wildcards.groups} groups, {wildcards.clicks_per_group} clicks per group."
    input:
        settings="build/settings/coverage/{truth}.json",
        code=modules("replication.coverage.study"),
    output:
        "build/coverage/{truth}-I{groups}-J{clicks_per_group}.csv",
    log:
        "logs/coverage/{truth}-I{groups}-J{clicks_per_group}.log",
    shell:
        "python -m replication.coverage.study --settings {input.settings} --setting {wildcards.truth}"
        " --groups {wildcards.groups} --clicks-per-group {wildcards.clicks_per_group} --output {output}"
        " > {log} 2>&1"


rule coverage_summary:
    message:
        "Summarise the coverage of intervals."
    input:
        parts=expand(
            "build/coverage/{truth}-I{groups}-J{clicks}.csv",
            truth=COVERAGE["truths"],
            groups=COVERAGE["groups"],
            clicks=COVERAGE["clicks_per_group"],
        ),
        code=modules("replication.coverage.summary"),
    output:
        bins="results/coverage/bins.csv",
        summary="results/coverage/summary.csv",
    log:
        "logs/coverage/summary.log",
    shell:
        "python -m replication.coverage.summary {input.parts} --bins {output.bins}"
        " --summary {output.summary} > {log} 2>&1"


use rule coverage_part as coverage_effects_part with:
    message:
        "Cover effects of levels: {wildcards.truth}, {wildcards.groups} groups, {wildcards.clicks_per_group} clicks."
    input:
        settings="build/settings/coverage_effects/{truth}.json",
        code=modules("replication.coverage.study"),
    output:
        "build/coverage_effects/{truth}-I{groups}-J{clicks_per_group}.csv",
    log:
        "logs/coverage_effects/{truth}-I{groups}-J{clicks_per_group}.log",


# Some minutes: results/coverage/effects.csv can be asked for by itself.
use rule coverage_summary as coverage_effects with:
    message:
        "Summarise the coverage of intervals with effects of levels."
    input:
        parts=expand(
            "build/coverage_effects/{truth}-I{groups}-J{clicks}.csv",
            truth=EFFECTS["truths"],
            groups=EFFECTS["groups"],
            clicks=EFFECTS["clicks_per_group"],
        ),
        code=modules("replication.coverage.summary"),
    output:
        bins="build/coverage_effects/bins.csv",
        summary="results/coverage/effects.csv",
    log:
        "logs/coverage_effects/summary.log",


rule check_controls:
    message:
        "Check fits of simulated data: {wildcards.table}."
    input:
        settings="build/settings/coverage/check_{table}.json",
        code=modules("replication.coverage.check_controls"),
    output:
        "results/coverage/check_{table}.csv",
    wildcard_constraints:
        table="|".join(CONTROLS_TABLES),
    log:
        "logs/coverage/check_{table}.log",
    shell:
        "python -m replication.coverage.check_controls {wildcards.table} --settings {input.settings}"
        " --output {output} > {log} 2>&1"
