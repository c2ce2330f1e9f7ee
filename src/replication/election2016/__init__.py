"""The election of 2016 (as in section 6.1) on surveys whose votes are known."""
