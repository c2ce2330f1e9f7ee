"""Figure 2: the graphical model in which the quality mu_i of a group is observed."""

from replication.motivation.plates import main

if __name__ == "__main__":
    main(evaluated=False, description=__doc__)
