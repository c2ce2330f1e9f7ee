"""The replication of Wager, Blocker and Cardin, "Weakly supervised clustering" (2015): a room for each study.

A study is a command, `python -m replication.ROOM.study`, from files and settings to CSV; a figure is one from
CSV to images. The method itself is the package `wsclust`, which imports nothing from here.
"""
