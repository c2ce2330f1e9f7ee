"""Real events whose outcomes are known: when the latent model works, and whether the check foresees it.

study     one design: every method's held-out error, and the figures of the check
summary   all designs: what became of those with each verdict, and how well each figure foresees it
figure    every design a point, by set
"""
