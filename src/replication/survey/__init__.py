"""Real events whose outcomes are known: when the latent model works, and whether the check foresees it."""
