"""Checking what people wrote against a JSON schema, with an error of one line that names the place."""

import difflib

from jsonschema import Draft202012Validator, validators

# JSON has one kind of number, and its integers may be written 50.0; the studies' may not.
_Validator = validators.extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


def check_schema(value, schema, where):
    """Raise ValueError, one line that begins with `where` and names the key, on the first breach of the schema.

    The description of a part of the schema is what the message says was expected there.

    >>> schema = {"properties": {"seed": {"type": "integer", "description": "a whole number"}}}
    >>> check_schema({"seed": "x"}, schema, "mine.yaml")
    Traceback (most recent call last):
        ...
    ValueError: mine.yaml: seed: 'x' is not of type 'integer' (a whole number)
    """
    breaches = sorted(_Validator(schema).iter_errors(value), key=lambda breach: list(breach.path))
    if breaches:
        raise ValueError(_line(breaches[0], where))


def _line(error, where):
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
