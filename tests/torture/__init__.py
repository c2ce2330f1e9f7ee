"""What the project promises when inputs are broken and runs are cut off, and the trials that hold it to that."""
