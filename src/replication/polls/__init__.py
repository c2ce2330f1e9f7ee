"""Survey files to counts of voters: what a map says of the codes, and what the file holds."""
