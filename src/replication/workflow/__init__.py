"""What the workflow knows of itself: settings, modules a rule imports, jobs, results old and new."""
