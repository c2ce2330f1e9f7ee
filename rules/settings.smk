# The settings of each job as a file of its own, so that a job runs again when these change and no others.
localrules:
    settings,


rule settings:
    message:
        "Write the settings of {wildcards.name}."
    input:
        code=modules("replication.shared.job_settings"),
    output:
        "build/settings/{name}.json",
    params:
        settings=lambda wildcards: json.dumps(SETTINGS[wildcards.name]),
    log:
        "logs/settings/{name}.log",
    shell:
        "python -m replication.shared.job_settings {params.settings:q} --output {output} > {log} 2>&1"
