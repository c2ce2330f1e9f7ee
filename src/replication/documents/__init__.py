"""The pages: which tables, numbers and references are written into them, and from what."""
