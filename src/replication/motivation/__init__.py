"""Section 2, the motivating example, and Figures 1 to 3."""
