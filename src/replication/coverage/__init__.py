"""What intervals hold, and what the check of a fit says, of simulated data."""
