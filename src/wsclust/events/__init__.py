"""Event files of any size: to grouped counts, whole or in parts that add up, and back with posteriors."""
