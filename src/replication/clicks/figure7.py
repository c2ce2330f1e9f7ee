"""Figure 7: the synthetic clicks fitted by the direct method, on the vertical range of Figure 6."""

from replication.clicks.panels import main

if __name__ == "__main__":
    main("direct", description=__doc__, show_truth=True)
