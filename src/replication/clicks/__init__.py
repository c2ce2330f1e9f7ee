"""Section 6.2: synthetic clicks in place of the confidential ones, and Figures 6 to 8."""
