"""Checking a configuration against its schema, with an error that names the key."""

import math

from replication.shared.schema_check import check_schema
from wsclust.registry import ESTIMATORS, entry, from_labels, settings_of, written_settings

# Studies of weak labels alone, which estimators that need the outcomes cannot serve.
WITHOUT_OUTCOMES = ("simulation", "clicks", "discussion", "coverage")
# Settings that use names, or numbers, which another defines; lists of methods aside.
DEFINED_IN = {
    "election1984.clustering": "election1984.clusterings",
    "election1984.figure5.methods": "election1984.methods",
    "discussion.resampling.methods": "simulation.methods",
    "discussion.resampling.clicks_per_group": "simulation.clicks_per_group",
    "simulation.shown": "simulation.truths",
    "coverage.truths": "simulation.truths",
    "coverage.effects.truths": "simulation.truths",
    "coverage.check.truths": "simulation.truths",
    "survey.kept": "survey.tables",
}
# Methods that a study's figures and comparisons are about.
NEEDED = {
    "clicks.methods": ("latent_wh10", "direct", "moments"),
    "movielens.methods": ("oracle",),
    "survey.methods": ("latent", "direct", "oracle"),
    "election1984.methods": ("oracle",),
    "election1984.figure5.methods": ("latent", "oracle"),
    "election1984.why.methods": ("latent", "oracle"),
}


def check_settings(config, schema):
    """Raise ValueError, one line naming the key, where `config` breaks `schema` or is inconsistent.

    >>> schema = {"properties": {"seed": {"type": "integer"}}, "additionalProperties": False}
    >>> check_settings({"sead": 1}, schema)
    Traceback (most recent call last):
        ...
    ValueError: config: unknown key 'sead'; did you mean 'seed'?
    """
    check_schema(config, with_estimators(schema), "config")
    _check_numbers(config)
    _check_methods(config)
    _check_names(config)


def with_estimators(schema):
    """The schema with the estimators of `wsclust.registry` and their settings, where it has a place for them.

    A method under `methods` may be any estimator; `fit`, the options of `wsclust fit`, one that needs the labels
    alone. A schema without either is returned as it is.

    >>> whole = with_estimators({"properties": {"methods": {"type": "object"}, "fit": {"type": "object"}}})
    >>> whole["properties"]["methods"]["additionalProperties"]["properties"]["solver"]["enum"]
    ['newton', 'em']
    >>> whole["properties"]["fit"]["properties"]["method"]["enum"]
    ['direct', 'moments', 'latent', 'additive']
    """
    properties = dict(schema.get("properties", {}))
    if "methods" in properties:
        estimator = {"enum": list(ESTIMATORS), "description": "which estimator, by its name in the package"}
        method = {
            "type": "object",
            "required": ["estimator"],
            "additionalProperties": False,
            "properties": {"estimator": estimator, **_schemas(settings_of(ESTIMATORS))},
        }
        properties["methods"] = {**properties["methods"], "additionalProperties": method}
    if "fit" in properties:
        method = {"enum": from_labels(), "description": "estimator"}
        own = properties["fit"].get("properties", {})
        options = {"method": method, **_schemas(written_settings(from_labels())), **own}
        properties["fit"] = {**properties["fit"], "properties": options}
    return {**schema, "properties": properties} if properties else schema


def _schemas(settings):
    """The JSON schemas of settings of estimators, by name."""
    return {name: {**setting.schema, "description": setting.meaning} for name, setting in settings.items()}


def _check_numbers(config):
    for path, value in _leaves(config):
        # A weight of the labels may be infinite, which keeps them fixed; nothing else may.
        weight = value == math.inf and any(key.startswith("he_weight") for key in path)
        if isinstance(value, float) and not math.isfinite(value) and not weight:
            raise ValueError(f"config: {'.'.join(path)}: {value} is no number to compute with")


def _check_methods(config):
    defined = config.get("methods", {})
    for name, method in defined.items():
        known = entry(method["estimator"]).settings
        for setting, value in method.items():
            if setting == "estimator":
                continue
            if setting not in known:
                raise ValueError(
                    f"config: methods.{name}: {setting} is no setting of the estimator "
                    f"{method['estimator']}; leave it out"
                )
            try:
                known[setting].check(setting, value)
            except ValueError as error:
                raise ValueError(f"config: methods.{name}: {error}") from None
    for path, names in _lists_of_methods(config):
        section = path[0]
        for name in names:
            where = f"config: {'.'.join(path)}: method {name!r}"
            if names.count(name) > 1:
                raise ValueError(f"{where} is there twice; name it once")
            if name not in defined:
                raise ValueError(f"{where} is unknown; defined under methods are {', '.join(defined)}")
            if section in WITHOUT_OUTCOMES and entry(defined[name]["estimator"]).needs_outcomes:
                raise ValueError(f"{where} needs the outcomes, which this study does not have")
    for user, needed in NEEDED.items():
        used = _at(config, user)
        for name in needed if used is not None else ():
            if name not in used:
                raise ValueError(f"config: {user}: method {name!r} is missing; this study is about it")


def _check_names(config):
    for user, definer in DEFINED_IN.items():
        used, known = _at(config, user), _at(config, definer)
        if used is None or known is None:
            continue
        for value in used if isinstance(used, list) else [used]:
            if value not in known:
                raise ValueError(
                    f"config: {user}: {value!r} is not in {definer}, which has {', '.join(map(str, known))}"
                )


def _at(config, path):
    """The value of a dotted path; None where it is not there."""
    for key in path.split("."):
        config = config.get(key) if isinstance(config, dict) else None
    return config


def _leaves(value, path=()):
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from _leaves(part, (*path, str(key)))
    else:
        yield path, value


def _lists_of_methods(config, path=()):
    for key, value in config.items():
        if key == "methods" and path:
            yield (*path, key), list(value)
        elif isinstance(value, dict):
            yield from _lists_of_methods(value, (*path, str(key)))
