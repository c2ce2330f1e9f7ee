"""Weakly supervised clustering: P(happy | bin) from groups whose share of happy events is known.

The names below are loaded when first used, so that a program pays only for what it needs.

>>> import wsclust
>>> data = wsclust.GroupedCounts([[8, 2], [3, 7]], label=[0.8, 0.3])
>>> wsclust.direct(data).posterior.round(3)
array([0.638, 0.427])
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wsclust.audit.outcomes import AuditedOutcomes
    from wsclust.audit.sampling import audit_sample
    from wsclust.auditing import audited
    from wsclust.audits import Audit
    from wsclust.check.verdicts import Check
    from wsclust.counts import GroupedCounts
    from wsclust.evaluation import held_out_errors
    from wsclust.events.reading import read_counts
    from wsclust.fits import Fit
    from wsclust.fitting import (
        additive,
        direct,
        fit,
        latent,
        logistic_main,
        logistic_saturated,
        moments,
        oracle,
    )
    from wsclust.label_noise import with_label_noise
    from wsclust.outcomes import KnownOutcomes
    from wsclust.planning.design import Design
    from wsclust.planning.plan import Plan, plan
    from wsclust.report import Report

_DEFINED_IN = {
    "Audit": "wsclust.audits",
    "AuditedOutcomes": "wsclust.audit.outcomes",
    "audit_sample": "wsclust.audit.sampling",
    "audited": "wsclust.auditing",
    "GroupedCounts": "wsclust.counts",
    "KnownOutcomes": "wsclust.outcomes",
    "read_counts": "wsclust.events.reading",
    "additive": "wsclust.fitting",
    "direct": "wsclust.fitting",
    "moments": "wsclust.fitting",
    "latent": "wsclust.fitting",
    "oracle": "wsclust.fitting",
    "logistic_main": "wsclust.fitting",
    "logistic_saturated": "wsclust.fitting",
    "fit": "wsclust.fitting",
    "Fit": "wsclust.fits",
    "Report": "wsclust.report",
    "Check": "wsclust.check.verdicts",
    "held_out_errors": "wsclust.evaluation",
    "with_label_noise": "wsclust.label_noise",
    "Design": "wsclust.planning.design",
    "Plan": "wsclust.planning.plan",
    "plan": "wsclust.planning.plan",
}

__all__ = [
    "Audit",
    "AuditedOutcomes",
    "Check",
    "Design",
    "Fit",
    "GroupedCounts",
    "KnownOutcomes",
    "Plan",
    "Report",
    "additive",
    "audit_sample",
    "audited",
    "direct",
    "fit",
    "held_out_errors",
    "latent",
    "logistic_main",
    "logistic_saturated",
    "moments",
    "oracle",
    "plan",
    "read_counts",
    "with_label_noise",
]
__version__ = "0.1.0"


def __getattr__(name):
    if name not in _DEFINED_IN:
        raise AttributeError(f"module 'wsclust' has no attribute {name!r}")
    return getattr(import_module(_DEFINED_IN[name]), name)


def __dir__():
    return sorted([*globals(), *__all__])
