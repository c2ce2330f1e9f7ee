"""What the columns of a table say: names as text, the order of levels, names that look alike, counts."""
