"""Does the Fisher information of weak labels foretell how much fits vary?"""
