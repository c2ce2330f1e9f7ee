# Section 2: the motivating example.
MOTIVATION_TABLES = [
    f"results/motivation/{table}.csv" for table in ("clicks", "boundaries", "ellipses", "bins")
]


rule motivation:
    message:
        "Draw the motivating example and find its boundaries."
    input:
        code=modules("replication.motivation.study"),
    output:
        clicks="results/motivation/clicks.csv",
        boundaries="results/motivation/boundaries.csv",
        ellipses="results/motivation/ellipses.csv",
        bins="results/motivation/bins.csv",
    log:
        "logs/motivation.log",
    conda:
        "../environment.yml"
    params:
        shares=config["motivation"]["shares"],
        settings=config["motivation"],
        seed=config["seed"],
    shell:
        "python -m replication.motivation.study --seed {params.seed} --shares {params.shares}"
        " --clicks-per-group {params.settings[clicks_per_group]}"
        " --outcome-separation {params.settings[outcome_separation]}"
        " --behaviour-separation {params.settings[behaviour_separation]}"
        " --tilt {params.settings[tilt]} --bins-per-axis {params.settings[bins_per_axis]}"
        " --replicates {params.settings[replicates]}"
        " --output-clicks {output.clicks} --output-boundaries {output.boundaries}"
        " --output-ellipses {output.ellipses} --output-bins {output.bins} > {log} 2>&1"
