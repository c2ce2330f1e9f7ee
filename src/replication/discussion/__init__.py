"""Section 7, the discussion, and the statements of sections 3 to 5 that no figure or table shows.

======================  ========================================================================
module                  statement
======================  ========================================================================
label_weight            the answer is robust to W_H
label_share             the labels' weight in the M-step falls as 1 / J
starts                  the labels start EM near the best of many optima
identification          at W_H = 0 the labels are needed for the start alone
moments_by_size         moments get worse as J grows, and where they tend to
moments_remedies        noise in Omega acts as a ridge, so that fewer clicks help
cost                    EM scales linearly in the size of the data
resampling_schemes      half-samples in place of a bootstrap of groups
identities              what is mathematics, checked to rounding; errata among it in mu_equation
                        and moments_equation
======================  ========================================================================

All data are those of the simulation (section 5) at the truth that it shows: run r here is run r there.
"""
