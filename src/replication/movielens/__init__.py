"""Ratings of movies: the setting of section 6.2 with a known truth."""
