"""YAML files that people write, read so that a slip is one line with the file and the line in it.

YAML has two versions in use, which read some values differently: 010 is 8 in YAML 1.1 and 10 in YAML 1.2, and
1e-6 is text in the first and a number in the second. Such a value is refused with the ways to write it that
both read alike, as a file of settings is read by Snakemake too, which has the older version.
"""

import re
from pathlib import Path

import yaml

# libyaml reads ten times faster; PyYAML may be built without it.
_SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TextLoader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PLAIN = (None, "")  # the style of a scalar without quotes, of PyYAML and of libyaml
_TAG = "tag:yaml.org,2002:"
# The core schema of YAML 1.2.2, section 10.3.2.
_CORE = {
    "null": re.compile(r"|~|null|Null|NULL"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
    "float": re.compile(
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    ),
}

# What a reading is called, where it is no number and no truth value.
_NAMES = {"str": "text", "timestamp": "a date", "value": "a sign of its own"}


class _Slip(yaml.MarkedYAMLError):
    """What is YAML and yet refused; `note`, where there is one, is the remedy."""


def read_yaml(path, texts=False):
    """The contents of a YAML file: mappings as dict, lists as list, scalars as Python's own.

    Arguments: the file; with `texts`, every scalar is text as it is written, as codes such as 01 and NO are
    meant. Raises ValueError, one line naming file and line, on what is not YAML, has a key twice or has a
    value that the versions of YAML read differently, and OSError where there is no such file.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "settings.yaml")
    >>> _ = file.write_text("runs: 50")
    >>> read_yaml(file), read_yaml(file, texts=True)
    ({'runs': 50}, {'runs': '50'})
    """
    try:
        loader = (_TextLoader if texts else _SafeLoader)(Path(path).read_text(encoding="utf-8"))
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _check(node, loader)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8; expected a YAML file") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply; write it with fewer brackets") from None
    except (TypeError, AttributeError, ValueError) as error:  # such as a list for a key, or a 13th month
        reason = " ".join(str(error).split())
        raise ValueError(f"{path}: {reason}; correct the YAML there") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", "not YAML")
        remedy = getattr(error, "note", None) or "correct the YAML there"
        raise ValueError(f"{path}{where}: {problem}; {remedy}") from None


def _check(root, loader):
    """Raise a _Slip on a key given twice or a value that is read in two ways, at or below a node."""
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            _check_keys(node, loader)
            waiting += [part for pair in reversed(node.value) for part in reversed(pair)]
        elif isinstance(node, yaml.SequenceNode):
            waiting += reversed(node.value)
        elif node.style in _PLAIN and not isinstance(loader, _TextLoader):
            _check_scalar(node, loader)


def _check_keys(mapping, loader):
    seen = set()
    for key, _ in mapping.value:
        if key.tag == _TAG + "merge":
            continue
        name = loader.construct_object(key, deep=True)
        if name in seen:
            # Of two, the last would win without a word.
            raise _Slip(problem=f"key {name!r} is given twice", problem_mark=key.start_mark)
        seen.add(name)


def _check_scalar(node, loader):
    text, kind = node.value, node.tag.removeprefix(_TAG)
    new_kind = next((name for name, pattern in _CORE.items() if pattern.fullmatch(text)), "str")
    if kind == "merge" or not node.tag.startswith(_TAG) or (kind == new_kind and kind != "int"):
        return
    old, new = _old_value(node, loader), _new_value(text, new_kind)
    if kind == new_kind and old == new:
        return
    readings = [_NAMES.get(name) or _written(value) for name, value in ((kind, old), (new_kind, new))]
    *first, last = dict.fromkeys([way for way in (_written(old), _written(new)) if way] + [f"'{text}'"])
    raise _Slip(
        problem=f"{text} is {readings[0]} in YAML 1.1 and {readings[1]} in YAML 1.2",
        note=f"write {', '.join(first)}{' or ' if first else ''}{last}",
        problem_mark=node.start_mark,
    )


def _old_value(node, loader):
    """What YAML 1.1 makes of a scalar; its text where that is no value, as of a 13th month."""
    try:
        return loader.construct_object(node)
    except (ValueError, yaml.YAMLError):
        return node.value


def _new_value(text, kind):
    """What YAML 1.2 makes of a number; any other scalar as it stands."""
    if kind == "int":
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return float(text) if kind == "float" else text


def _written(value):
    """A number or a truth value as both versions of YAML read it; None for what only quotes make plain.

    >>> _written(1e-6), _written(8), _written(True), _written("on")
    ('1.0e-06', '8', 'true', None)
    """
    if isinstance(value, bool | int | float):
        return yaml.safe_dump(value).removesuffix("\n...\n").strip()
    return None
