"""The election of 1984 (section 6.1) on voters rebuilt from public facts, since the paper's are not public.

=================  ==============================================================================
module             what it holds
=================  ==============================================================================
electorate         how many voters of each state the poll has, and who they are (by `raking`)
vote_model         how they vote: a logit from two surveys, and an effect of the state
exit_poll          who is asked: precincts, margins met to the voter, votes
reconstruction     simulated polls from these three, as tables of voters
voters             the table of voters, rebuilt or imported, and its 45 bins
half_splits        held-out errors and distances to the oracle
table1             the same beside what the paper prints
voter_groups       the numbers of Figure 5
why_it_works       what the errors depend on: state effects, precincts, spread and number of voters
=================  ==============================================================================
"""
