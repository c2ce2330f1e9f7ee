"""Answers of other programs, kept as JSON, which tests compare the package with; `make independent` asks them again."""
