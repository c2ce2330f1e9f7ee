"""Can a fit be believed? Figures that need no outcome, the verdict on them, and what is doubtful beforehand."""
