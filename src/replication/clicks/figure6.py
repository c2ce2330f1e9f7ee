"""Figure 6: happiness of the synthetic clicks by level, shape, colour and class, by latent variables."""

from replication.clicks.panels import LATENT, main

if __name__ == "__main__":
    main(LATENT, description=__doc__, show_truth=True)
