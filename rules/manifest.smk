# What each result was made from, written after all of them; see replication.workflow.manifest.
import yaml

MANIFEST = "results/manifest.csv"


rule manifest:
    message:
        "Record what every result was made from."
    input:
        results=lambda wildcards: [file for file in rules.all.input if file != MANIFEST],
        lock="requirements.txt",
        code=modules("replication.workflow.manifest"),
    output:
        MANIFEST,
    params:
        # As a function, for Snakemake would look for wildcards in a text.
        settings=lambda wildcards: yaml.safe_dump(
            config, sort_keys=False, default_flow_style=True, width=sys.maxsize
        ),
    log:
        "logs/manifest.log",
    shell:
        "python -m replication.workflow.manifest --settings {params.settings:q} --output {output} > {log} 2>&1"
