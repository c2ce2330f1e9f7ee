"""Figure 3: the graphical model in which mu_i is latent and a human evaluation HE_i is observed."""

from replication.motivation.plates import main

if __name__ == "__main__":
    main(evaluated=True, description=__doc__)
