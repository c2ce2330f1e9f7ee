"""Output files of a command: what cannot be written is refused before the work begins."""

import os
from pathlib import Path

from wsclust.events.finding import find_files
from wsclust.tables import refuse_other_ending, writable


def files_read(*where):
    """The files that names, patterns and folders of tables stand for, those that are None left out: a list of paths.

    They are the `inputs` of `check_outputs`: a folder is not the same file as one in it.
    """
    return [file for one in where if one is not None for file in find_files(one)[0]]


def check_outputs(outputs, endings, inputs=()):
    """Raise ValueError, one line that names the option, where an output could not be written.

    Arguments: `outputs`, a dict from an option such as "--output" to its path, or None where it was not
    given; `endings`, a dict from the option to the endings that the path may have; `inputs`, paths of
    files that are read and so must not be overwritten.

    >>> check_outputs({"--plot": "fit.gif"}, {"--plot": (".png", ".pdf")})
    Traceback (most recent call last):
        ...
    ValueError: fit.gif: --plot cannot be of this kind; expected a name that ends in .png or .pdf
    """
    given = {option: Path(path) for option, path in outputs.items() if path is not None}
    seen = {}
    for option, path in given.items():
        refuse_other_ending(path, option, endings[option])
        if path.name.lower() in endings[option]:  # whose kind would be lost in the temporary name
            raise ValueError(f"{path}: {option} is an ending alone; expected a name such as fit{path.name}")
        if path.is_dir():
            raise ValueError(f"{path}: {option} is a folder; name a file in it")
        try:
            folder = writable(path).parent  # at the end of links
        except ValueError as error:
            raise ValueError(f"{error} with {option}") from None
        if not folder.is_dir():
            what = "is not a folder" if folder.exists() else "does not exist"
            raise ValueError(f"{path}: its folder {what}; make the folder, or choose another {option}")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ValueError(f"{path}: its folder may not be written to; choose another {option}")
        for file in inputs:
            if path.exists() and os.path.exists(file) and path.samefile(file):
                raise ValueError(f"{path}: {option} would overwrite what is read; choose another {option}")
        first = seen.setdefault(os.path.realpath(path), option)
        if first != option:
            raise ValueError(f"{path}: given as {first} and as {option}; name two files")
