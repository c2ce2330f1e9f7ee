# What came of each of the paper's claims, from the results that paper/claims.yaml names.
CLAIMS = "results/claims.csv"


rule claims:
    message:
        "Check the paper's claims."
    input:
        claim_results(),
        ledger="paper/claims.yaml",
        code=modules("replication.claims.ledger"),
    output:
        CLAIMS,
    log:
        "logs/claims.log",
    shell:
        "python -m replication.claims.ledger {input.ledger} --output {output} > {log} 2>&1"
