"""Checking a configuration against its schema, with an error that names the key."""

import difflib
import math

import yaml
from jsonschema import Draft202012Validator

# Studies of weak labels alone, and the estimators that can serve them.
WITHOUT_OUTCOMES = ("simulation", "clicks")
NEED_LABELS_ALONE = ("direct", "moments", "latent")


def check_settings(config, schema):
    """Raise ValueError, one line naming the key, where `config` breaks `schema` or is inconsistent.

    >>> schema = {"properties": {"seed": {"type": "integer"}}, "additionalProperties": False}
    >>> check_settings({"sead": 1}, schema)
    Traceback (most recent call last):
        ...
    ValueError: config: unknown key 'sead'; did you mean 'seed'?
    """
    errors = sorted(Draft202012Validator(schema).iter_errors(config), key=lambda e: list(e.path))
    if errors:
        raise ValueError(_line(errors[0]))
    defined = config.get("methods", {})
    for path, value in _leaves(config):
        # A weight of the labels may be infinite, which keeps them fixed; nothing else may.
        weight = value == math.inf and any(key.startswith("he_weight") for key in path)
        if isinstance(value, float) and not math.isfinite(value) and not weight:
            raise ValueError(f"config: {'.'.join(path)}: {value} is no number to compute with")
    for path, names in _lists_of_methods(config):
        section = path[0]
        for name in names:
            where = f"config: {'.'.join(path)}: method {name!r}"
            if names.count(name) > 1:
                raise ValueError(f"{where} is there twice; name it once")
            if name not in defined:
                raise ValueError(f"{where} is unknown; defined under methods are {', '.join(defined)}")
            if section in WITHOUT_OUTCOMES and defined[name]["estimator"] not in NEED_LABELS_ALONE:
                raise ValueError(f"{where} needs the outcomes, which this study does not have")


def _leaves(value, path=()):
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from _leaves(part, (*path, str(key)))
    else:
        yield path, value


def _lists_of_methods(config, path=()):
    for key, value in config.items():
        if key == "methods" and isinstance(value, list):
            yield (*path, key), value
        elif isinstance(value, dict):
            yield from _lists_of_methods(value, (*path, str(key)))


class _OneEach(yaml.SafeLoader):
    """YAML that refuses a key given twice, of which the last would win without a word."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if name in seen:
                line = key.start_mark.line + 1
                raise ValueError(
                    f"{self.name}: key {name!r} in line {line} is there already; keep one of them"
                )
            seen.add(name)
        return super().construct_mapping(node, deep)


def read_yaml(path):
    """The contents of a YAML file; ValueError, naming file and line, where a key is given twice."""
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, _OneEach)


def _line(error):
    where = "config"
    path = ""
    for part in error.absolute_path:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    if path:
        where += f": {path}"
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(key for key in error.instance if key not in known)
        close = difflib.get_close_matches(str(unknown), known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known keys are {', '.join(known)}"
        return f"{where}: unknown key {unknown!r}; {hint}"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"{where}: key {missing!r} is missing"
    expected = error.schema.get("description", "")
    return f"{where}: {error.message}" + (f" ({expected})" if expected else "")
