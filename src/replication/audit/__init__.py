"""What an audit buys: real designs with known outcomes, of which a few are looked up."""
