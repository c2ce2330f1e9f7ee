"""Trials of `wsclust fit`, which has most of the options."""

from torture.scene import Trial, sound_log


def fit(scene):
    """`wsclust fit` with any options."""
    random = scene.random
    rows, labels, outcomes = sound_log()
    events = scene.table("events", rows, scene.broken())
    options = ["--labels", scene.table("labels", labels, scene.broken(0.4)), "--factors"]
    options.append(random.choices(("level,shape", "level", "shape,level", "level,basket"), (7, 1, 1, 1))[0])
    options += _options(random)
    outputs = ["posterior.csv"]
    for option, name in OUTPUTS.items():
        if random.random() < (0.5 if option == "--summary" else 0.05):
            options += [option, name]
            outputs.append(name)
    audited = random.random() < 0.1
    if not audited and random.random() < 0.8 and "information" not in options:
        options += ["--half-samples", "0"]
    if audited:
        options += ["--audit", scene.table("audit", outcomes, scene.broken(), ("csv",))]
    elif "--count" not in options and (other := scene.another_form(events)):
        labels = scene.another_form(options[1], name="same-labels") or options[1]
        same = ["fit", other, "--labels", labels, *_without_outputs(options[2:]), "--output", "same.csv"]
        return Trial(["fit", events, *options, "--output", "posterior.csv"], scene.names, outputs, same)
    return Trial(["fit", events, *options, "--output", "posterior.csv"], scene.names, outputs)


OUTPUTS = {
    "--summary": "fit.json",
    "--report": "page.html",
    "--plot": "fit.svg",
    "--plot-lines": "lines.svg",
    "--groups": "groups.csv",
    "--effects-output": "effects.csv",
}
# How often an option is given, values that can be, and values that cannot.
OPTIONS = {
    "--method": (
        0.5,
        ("direct", "moments", "latent", "additive", "latent,direct"),
        ("em", "latent,latent", ","),
    ),
    "--effects": (0.05, ("bins", "additive"), ()),
    "--numeric": (0.05, ("basket",), ("shape", "none")),
    "--by": (0.05, ("shape", "level"), ("none", "group", "n")),
    "--he-weight": (0.2, ("0", "0.1", "10", "1e6", "inf"), ("nan", "-1", "1e-300", "x")),
    "--cap": (0.2, ("5", "0.5", "1e9"), ("0", "nan", "inf", "-3")),
    "--clip": (0.4, ("0.001", "0.4", "1e-12"), ("0.5", "0", "nan")),
    "--count": (0.15, ("n", "basket"), ("level", "group", "none")),
    "--percent": (0.03, (None,), ()),
    "--drop-unlabelled": (0.7, (None,), ()),
    "--missing": (0.2, ("unknown", "1"), ("", " ")),
    "--cut": (
        0.2,
        ("level:2", "level:quantiles=2"),
        ("basket:20,10", "shape:1", "basket:nan", "basket:10,20"),
    ),
    "--order": (0.1, ("level=3,2,1",), ("shape=square", "level=1,1", "none=1")),
    "--label-n": (0.1, ("rated",), ("label", "group")),
    "--label-sd": (0.1, ("0", "0.5", "50"), ("nan", "-1")),
    "--se": (0.1, ("information", "half-samples"), ()),
    "--seed": (0.1, ("0", "7"), ("-1", "1" * 30)),
    "--no-check": (0.5, (None,), ()),
    "--strict": (0.05, (None,), ()),
    "--prior": (0.1, ("half", "mean"), ()),
    "--ordered": (0.05, ("level", "shape"), ("none",)),
    "--pseudo-events": (0.05, ("2", "1e-3", "1e9"), ("0", "-1", "nan")),
    "--tolerance": (0.03, ("1e-3", "1e-15"), ("0", "nan", "1e30")),
    "--max-iterations": (0.03, ("1", "5"), ("0", "-1")),
}
LATENT_ALONE = ("--he-weight", "--prior", "--pseudo-events", "--tolerance", "--max-iterations", "--label-n")


def _options(random, share_broken=0.05):
    """Some options of `wsclust fit`; a few have a value, or stand beside a method, that is refused."""
    method = random.choice(OPTIONS["--method"][1])
    words = ["--method", method] if random.random() < 0.7 else []
    for option, (chance, sound, broken) in OPTIONS.items():
        unfit = words and method in ("direct", "moments") and option in LATENT_ALONE
        if option == "--method" or random.random() >= chance or (unfit and random.random() < 0.9):
            continue
        values = broken if broken and random.random() < share_broken else sound
        words += [word for word in (option, random.choice(values)) if word is not None]
    return words


def _without_outputs(options):
    kept, words = [], iter(options)
    for word in words:
        if word in OUTPUTS:
            next(words)
        else:
            kept.append(word)
    return kept
