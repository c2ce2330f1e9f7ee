"""The plot of a fit, and how every plot looks."""
