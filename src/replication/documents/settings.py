"""The reference of all settings, config/README.md, from the descriptions of the schema and the estimators."""

import yaml

from replication.shared.yaml_files import read_yaml
from replication.workflow.settings import with_estimators

PAGE = "config/README.md"
INTRODUCTION = """# Settings

`config.yaml` holds the settings: the paper's where it discloses them, and ours, marked "ours", where it does
not. Change one and run `make`: what depends on it runs again, and nothing else. A key that is not listed here
is an error, and so is a value outside its range; the message names the key.

`smoke.yaml` holds overrides for a run of everything in seconds (`make smoke`). A file of your own works the
same way: `snakemake --cores all --configfile config/config.yaml mine.yaml`.

This page is written by `make readme` from `schema.yaml`, and what it says of a method's settings from
`src/wsclust/registry.py`. NAME stands for a name that you choose; a star marks a setting that may be left out.
"""
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
LONGEST = 40  # characters of a value that is shown


def kind(node, schema):
    """What a value may be, in words.

    >>> kind({"type": "array", "items": {"type": "integer", "minimum": 1}}, {})
    'list of integers ≥ 1'
    >>> kind({"enum": ["a", "b"]}, {})
    'a or b'
    """
    node = resolved(node, schema)
    if "enum" in node:
        return " or ".join(map(str, node["enum"]))
    if "oneOf" in node and "type" not in node:
        return " or ".join(kind(choice, schema) for choice in node["oneOf"])
    limits = " and".join(f" {sign} {node[key]:g}" for key, sign in LIMITS.items() if key in node)
    if node.get("type") == "array":
        first, _, rest = kind(node.get("items", {}), schema).partition(" ")
        plural = {"integer": "integers", "number": "numbers", "string": "texts", "text": "texts"}
        return f"list of {' '.join([plural.get(first, first), rest]).strip()}"
    return {"string": "text", "object": "mapping"}.get(node.get("type"), node.get("type", "any")) + limits


def resolved(node, schema):
    """The node that a $ref leads to, its own keys first."""
    if "$ref" not in node:
        return node
    found = schema
    for part in node["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return {**resolved(found, schema), **{key: value for key, value in node.items() if key != "$ref"}}


def settings(node, schema, path="", required=True):
    """(path, node, whether it must be there) for each setting at or below a node, in the schema's order."""
    node = resolved(node, schema)
    children = {
        name: (child, name in node.get("required", ())) for name, child in node.get("properties", {}).items()
    }
    rest = node.get("additionalProperties")
    if isinstance(rest, dict):
        rest = resolved(rest, schema)
        if rest.get("type") != "object":
            rest = {"description": node.get("description", ""), **rest}
        children["NAME"] = (rest, True)
    if path:
        yield path, node, required
    for name, (child, needed) in children.items():
        yield from settings(child, schema, f"{path}.{name}" if path else str(name), needed)


def value_at(config, path):
    """The value of a setting as YAML, empty where it has none of its own or a long one."""
    for part in path.split("."):
        config = {str(k): v for k, v in config.items()}.get(part) if isinstance(config, dict) else None
    if config is None or isinstance(config, dict):
        return ""
    text = yaml.safe_dump(config, default_flow_style=True, width=10_000).removesuffix("\n...\n").strip()
    return f"`{text}`" if len(text) <= LONGEST else ""


def reference(schema, config):
    """The page."""
    lines = [INTRODUCTION]
    for name, node in schema["properties"].items():
        node = resolved(node, schema)
        description = node.get("description", "")
        lines.append(f"## {name}\n\n{description[:1].upper()}{description[1:]}.\n")
        lines.append("| setting | value | kind | what |\n|---|---|---|---|")
        for path, child, required in settings(node, schema, name):
            is_mapping = child.get("type") == "object"
            if is_mapping and (path == name or "description" not in child):
                continue
            star = "" if required else " *"
            cells = [
                f"`{path}`{star}",
                value_at(config, path),
                kind(child, schema),
                child.get("description", ""),
            ]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def page(root):
    """The page of the project in the folder `root`."""
    schema, config = (read_yaml(root / "config" / name) for name in ("schema.yaml", "config.yaml"))
    return reference(with_estimators(schema), config)
