"""The verdict of a check in sentences: what it is, what became of real designs that had it, and what decides."""

from collections.abc import Iterable

from wsclust.check.track_record import in_words
from wsclust.check.verdicts import AGAINST, CAUTION, DIRECT, NOTHING, TOO_LITTLE, Check

ADVICE = {
    TOO_LITTLE: "more groups or events, or a cap, may change the verdict",
    AGAINST: DIRECT,
    NOTHING: DIRECT,
}


def verdict_line(check: Check, of: str = "") -> str:
    """The verdict with its figures; `of` names what the fit is of, where there are several.

    >>> verdict_line(Check(0.4, 0.5, 3.0), "size L")
    'verdict of size L: labels partly predicted; held-out label R2 0.40 (0.50 implied by the model), shuffle ratio 3.0'
    """
    return f"verdict{of and ' of '}{of}: {check.verdict}; {check.words}"


def in_two_lines(check: Check) -> str:
    """The verdict, and its figures below: what stands above a plot.

    >>> print(in_two_lines(Check(0.4, 0.5, 3.0)))
    verdict: labels partly predicted
    held-out label R2 0.40 (0.50 implied by the model), shuffle ratio 3.0
    """
    return f"verdict: {check.verdict}\n{check.words}"


def about(verdicts: Iterable[str], next_step: str) -> list[str]:
    """What goes for the verdicts of a run, each said once: their record, what no check sees, and what decides.

    Argument: `next_step`, a sentence without its capital and stop; lines after its first are commands.

    >>> about([TOO_LITTLE], "what decides is an audit")[-1]
    'More groups or events, or a cap, may change the verdict; what decides is an audit.'
    """
    verdicts = list(dict.fromkeys(verdicts))
    named = {name: f"{name}: " if len(verdicts) > 1 else "" for name in verdicts}
    advice = [f"{named[name]}{ADVICE[name]}" for name in verdicts if name in ADVICE]
    prose, *commands = next_step.splitlines()
    lines = [*(f"{named[name]}{in_words(name)}" for name in verdicts), CAUTION, "; ".join([*advice, prose])]
    return [*map(sentence, lines), *commands]


def sentence(text: str) -> str:
    """With a capital, and a stop where it does not end in a colon.

    >>> sentence("verdict: nothing to check")
    'Verdict: nothing to check.'
    """
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(':') else '.'}"
