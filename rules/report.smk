# What `snakemake --report` shows beside the figures: every table as a page. Not part of `rule all`.
REPORT_TABLES = [file for file in rules.all.input if file.endswith(".csv") and file != MANIFEST]


report: "../captions/overview.rst"


rule report_tables:
    message:
        "Write the report's tables."
    input:
        tables=REPORT_TABLES,
        everything=rules.all.input,
        code=modules("replication.workflow.table_pages"),
    output:
        [table_page(file) for file in REPORT_TABLES],
    log:
        "logs/report_tables.log",
    shell:
        "python -m replication.workflow.table_pages {input.tables} --output {output} > {log} 2>&1"
