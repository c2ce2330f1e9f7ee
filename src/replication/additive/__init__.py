"""Beyond the paper: what log-odds that are a sum over the factors buy, on the paper's studies and on real events."""
