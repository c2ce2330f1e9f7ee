"""The figures: each is a command, `python -m wsclust.figures.NAME`, from CSV to images."""
