"""What the rooms of several studies share."""
