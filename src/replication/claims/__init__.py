"""The paper's claims: the ledger that holds them, and the expressions that check them."""
