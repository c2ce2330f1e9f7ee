"""The sub-commands of `wsclust`, a module each: `add_arguments(parser)` and `run(args)`, an exit code."""
