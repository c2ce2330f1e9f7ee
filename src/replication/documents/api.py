"""The reference of the package, docs/python.md, from the docstrings and signatures of what it exports."""

import inspect
import re

import wsclust

PAGE = "docs/python.md"
INTRODUCTION = """# The Python package

`import wsclust` gives the names below, and nothing else is meant to be imported. The estimators are functions from
data to a `Fit`, which carries its data and settings, so that everything one asks of a fit is asked of it. With
`events` and `labels` as pandas frames:

```python
import pandas as pd
from wsclust import GroupedCounts, direct, latent

events, labels = pd.read_csv("examples/events.csv"), pd.read_csv("examples/labels.csv")
data = GroupedCounts.from_events(events, labels, factors=["level", "shape", "colour"]).cap(500)
fit = latent(data, he_weight=10)
print(fit.summary())
fit.compare(direct(data))
```

What the words mean is in [terms.md](terms.md); what a verdict means, in [the-check.md](the-check.md). Errors that a
user can cause are ValueErrors of one line. K stands for the number of bins and I for the number of groups. This page
is written from the docstrings by `make readme`.
"""
SECTIONS = {
    "Data": ("GroupedCounts", "KnownOutcomes", "read_counts", "with_label_noise"),
    "Estimators": (
        "direct",
        "moments",
        "latent",
        "additive",
        "oracle",
        "logistic_main",
        "logistic_saturated",
        "fit",
    ),
    "What a fit gives": ("Fit", "Report", "Check"),
    "Planning": ("Design", "Plan", "plan"),
    "Outcomes that are looked up": ("audit_sample", "AuditedOutcomes", "audited", "Audit"),
    "Evaluation": ("held_out_errors",),
}


def reference():
    """The page. Raises ValueError where the package exports a name that no section has."""
    listed = [name for names in SECTIONS.values() for name in names]
    if set(listed) != set(wsclust.__all__):
        odd = sorted(set(listed) ^ set(wsclust.__all__))
        raise ValueError(f"documents.api: SECTIONS and wsclust.__all__ differ in {', '.join(odd)}")
    lines = [INTRODUCTION]
    for title, names in SECTIONS.items():
        lines.append(f"## {title}\n")
        for name in names:
            lines += entry(name, getattr(wsclust, name))
    return "\n".join(lines).rstrip() + "\n"


def entry(name, documented):
    """The lines of one exported name: its heading, its signature, its docstring, and those of its members."""
    lines = [f"### {name}\n", _code(f"{name}{signature(documented)}"), markdown(inspect.getdoc(documented))]
    if inspect.isclass(documented):
        for member, found in vars(documented).items():
            plain = _unwrapped(found)
            if member.startswith("_") or not (callable(plain) or _is_property(found)):
                continue
            form = f"{name}.{member}" + ("" if _is_property(found) else signature(plain))
            lines += [f"#### `{form}`\n", markdown(inspect.getdoc(plain))]
    return lines


def signature(function):
    """The parameters with their defaults, without types, which the docstrings give in words.

    >>> def cap(self, most: float = 500, progress=print) -> float: ...
    >>> signature(cap)
    '(most=500, progress=...)'
    """
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls") or parameter.name.startswith("_"):
            continue
        default = parameter.default
        if default is not parameter.empty and not isinstance(default, int | float | str | tuple | None):
            parameter = parameter.replace(default=inspect.Parameter.empty)
            parameters.append(f"{parameter.name}=...")
            continue
        parameters.append(str(parameter.replace(annotation=inspect.Parameter.empty)))
    return f"({', '.join(parameters)})"


def markdown(docstring):
    """A docstring in Markdown: its examples become code, the rest stays as it is.

    >>> markdown("Twice.\\n\\n>>> 1 + 1\\n2").replace("`", "'")
    "Twice.\\n\\n'''pycon\\n>>> 1 + 1\\n2\\n'''\\n"
    """
    parts = []
    for paragraph in re.split(r"\n\s*\n", (docstring or "").strip()):
        parts.append(f"```pycon\n{paragraph}\n```" if paragraph.lstrip().startswith(">>>") else paragraph)
    return "\n\n".join(parts) + "\n"


def _code(text):
    return f"```python\n{text}\n```\n"


def _is_property(found):
    return isinstance(found, property) or type(found).__name__ == "cached_property"


def _unwrapped(found):
    if isinstance(found, property):
        return found.fget
    if type(found).__name__ == "cached_property":
        return found.func
    return found.__func__ if isinstance(found, classmethod | staticmethod) else found
