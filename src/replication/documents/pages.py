"""The pages of the project, each as it has to be now: what stands between its marks is computed anew.

A table stands between `<!-- table NAME -->` and `<!-- end -->`, where NAME is a key of TABLES, and a number
between `<!--={expression:format}-->` and `<!--/-->` (see `numbers`). Two pages are written as a whole: the
reference of the settings from their schema, and that of the package from its docstrings.
"""

import re
from functools import partial
from inspect import isfunction

from replication.documents import (
    api,
    claim_tables,
    command_options,
    effect_tables,
    noise_tables,
    planning_tables,
    settings,
    study_tables,
    survey_tables,
    workflow_files,
)
from replication.documents.numbers import NUMBER, read_numbers, with_numbers

BLOCK = re.compile(r"(<!-- table (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def _public(module):
    """The functions of a module that it does not keep to itself, by name."""
    return {
        name: found
        for name, found in vars(module).items()
        if isfunction(found) and found.__module__ == module.__name__ and not name.startswith("_")
    }


# Every public function of these modules makes a table from the folder of the project.
_MODULES = (study_tables, survey_tables, effect_tables, planning_tables, noise_tables, claim_tables)
TABLES = {
    **{name: function for module in _MODULES for name, function in _public(module).items()},
    "files": workflow_files.files,
    **{
        f"options_{command.replace('-', '_')}": partial(command_options.options, command)
        for command in command_options.commands()
    },
}


def pages(root):
    """Pairs of a page's path below `root` and its text as it has to be."""
    numbers = read_numbers(root)
    for path in sorted([root / "README.md", *(root / "docs").glob("*.md")]):
        name = path.relative_to(root).as_posix()
        if name != api.PAGE:
            yield name, written(path.read_text(encoding="utf-8"), root, numbers, name)
    yield api.PAGE, api.reference()
    yield settings.PAGE, settings.page(root)


def written(text, root, numbers, name="text"):
    """The text with every table and number in it computed anew.

    Raises ValueError, naming the page, on a table or a value that does not exist.
    """

    def table(block):
        if block[2] not in TABLES:
            raise ValueError(f"{name}: no table {block[2]!r}; there are {', '.join(TABLES)}")
        return f"{block[1]}{TABLES[block[2]](root)}{block[4]}"

    return with_numbers(BLOCK.sub(table, text), numbers, name)


def differences(old, new):
    """One line for each table, number or else page in which two texts of a page differ.

    >>> list(differences("<!--={a:.1f}-->0.3<!--/--> of it", "<!--={a:.1f}-->0.2<!--/--> of it"))
    ['{a:.1f} is 0.3 in the text and 0.2 in the results']
    """
    if old == new:
        return
    named = False
    for mark, what in ((BLOCK, "table {}"), (NUMBER, "{}")):
        for before, after in zip(mark.finditer(old), mark.finditer(new), strict=False):
            if before[2] == after[2] and before[3] != after[3]:
                named = True
                change = (
                    " differs from its source"
                    if mark is BLOCK
                    else f" is {before[3]} in the text and {after[3]} in the results"
                )
                yield what.format(before[2]) + change
    if not named:
        yield "the page differs from its source"
