"""Figure 8: the synthetic clicks fitted by the method of moments; dashed, the limits of Figure 6."""

from replication.clicks.panels import main

if __name__ == "__main__":
    main("moments", description=__doc__, own_range=True)
