"""Section 5: simulations with a known truth, and Figure 4."""
