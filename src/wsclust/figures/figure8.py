"""Figure 8: the synthetic clicks fitted by the method of moments; dashed, the vertical range of Figure 6."""

from wsclust.figures.click_panels import main

if __name__ == "__main__":
    main("moments", description=__doc__, own_range=True)
