"""The tables of the paper's claims."""

import pandas as pd

from replication.claims.entries import DATA
from replication.documents.markdown import markdown, result

VERDICTS = {
    "reproduced": "reproduced",
    "reproduced in part": "in part",
    "not reproduced": "not",
    "holds by construction": "by construction",
    "erratum": "errata",
    "cannot be checked (confidential)": "cannot be checked",
    "not measured": "not measured",
}


def claims(root, counted="paper"):
    """Every claim of the paper, what was found and the verdict, in the paper's order."""
    table = result(root, "claims.csv").fillna("")
    rows = []
    for claim in table[table["counted"] == counted].itertuples():
        paper = str(claim.paper)
        cells = (claim.place, claim.statement, paper, claim.found, claim.verdict, f"`{claim.id}`")
        rows.append([cell.replace("|", r"\|") for cell in cells])
    header = ["where", "claim", "the paper's value", "found", "verdict", "id"]
    return markdown(header, rows, right=False)


def claims_extensions(root):
    """The same of what the paper says of its own data, asked of other data."""
    return claims(root, "extension")


def claims_summary(root):
    """How many of the paper's statements came out how, by the data that they rest on."""
    table = result(root, "claims.csv")
    own = table[table["counted"] == "paper"]
    counts = pd.crosstab(own["data"], own["verdict"]).reindex(index=[*DATA], columns=[*VERDICTS]).fillna(0)
    counts = counts.loc[counts.any(axis=1), counts.any()].astype(int)
    counts.loc["all"] = counts.sum()
    rows = [[DATA.get(data, data), *(count or "" for count in row)] for data, row in counts.iterrows()]
    return (
        f"What became of the paper's {len(own)} statements, by what they rest on; extensions to other data "
        f"({len(table) - len(own)}) are counted apart:\n\n"
        f"{markdown(['', *(VERDICTS[verdict] for verdict in counts)], rows)}"
    )
