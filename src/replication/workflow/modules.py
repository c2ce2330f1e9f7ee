"""Which files of the project a module depends on, so that editing one reruns what imports it, no more.

Snakemake tracks what a rule names, not what its command imports. Each rule therefore takes as input the
files found here: the module, and every module beside its package that it imports, directly or through
others, as the import statements have it.
"""

import ast
from functools import cache
from pathlib import Path


def module_files(module, root="src"):
    """Sorted paths of `module` and of all modules below `root` that it imports.

    Arguments: a dotted name; the folder that holds the packages. Raises ValueError where there is no such
    module.

    >>> files = module_files("wsclust.estimators.estimate", Path(__file__).parents[2])
    >>> [Path(file).name for file in files]
    ['__init__.py', '__init__.py', 'estimate.py']
    """
    if _file(root, module) is None:
        raise ValueError(f"module {module}: no such file under {root}")
    found, waiting = {}, [module]
    while waiting:
        parts = waiting.pop().split(".")
        # Importing a.b.c runs a and a.b first.
        for depth in range(1, len(parts) + 1):
            name = ".".join(parts[:depth])
            file = _file(root, name)
            if file is None or name in found:
                continue
            found[name] = str(file)
            waiting += _imports(file, name)
    return sorted(found.values())


def _file(root, name):
    path = Path(root, *name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@cache
def _imports(file, name):
    found = set()
    for node in _run(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, file, name)
            # What is imported from a package may be a module or a name in its __init__.
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def _run(tree):
    """Every node of a module but those below `if TYPE_CHECKING`, which is for editors and never run."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for_editors = isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        waiting += node.orelse if for_editors else ast.iter_child_nodes(node)


def _base(node, file, name):
    if not node.level:
        return node.module
    parents = name.split(".")
    depth = len(parents) - node.level + (file.name == "__init__.py")
    return ".".join(parents[:depth] + ([node.module] if node.module else []))
