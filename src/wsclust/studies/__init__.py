"""The studies: each is a command, `python -m wsclust.studies.NAME`, from files and settings to CSV."""
