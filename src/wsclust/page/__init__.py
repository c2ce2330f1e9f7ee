"""The page of a fit: a single file that one sends to a colleague, and that opens offline."""
