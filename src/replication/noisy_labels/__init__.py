"""What to do with labels that are noisy: weigh them, or calibrate them?"""
