"""Figure 8: the synthetic clicks fitted by the method of moments; dashed, 0 and 1."""

from replication.clicks.panels import main

if __name__ == "__main__":
    main("moments", description=__doc__, own_range=True)
