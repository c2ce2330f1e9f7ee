# EM for the latent variables model as one would write it in plain R: one value a click, vectorised.
# Rscript em_per_click.R FOLDER TOLERANCE: reads group.bin, bin.bin (int32, from 1) and evaluation.bin
# (float64) there, fits with W_H = 10, and prints the seconds of the fit, its iterations and the posteriors.

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
tolerance <- as.numeric(arguments[2])

read <- function(name, what, size) {
  path <- file.path(folder, name)
  readBin(path, what, n = file.size(path) / size, size = size)
}
group <- read("group.bin", "integer", 4)
bin <- read("bin.bin", "integer", 4)
evaluation <- read("evaluation.bin", "double", 8)

fit <- function(group, bin, evaluation, weight, tolerance) {
  n_bins <- max(bin)
  size <- tabulate(group)
  total <- tabulate(bin)
  mu <- evaluation
  z <- plogis(mu)[group]
  previous <- rep(Inf, n_bins)
  iterations <- 0
  repeat {
    iterations <- iterations + 1
    happy <- as.vector(rowsum(z, bin))
    posterior <- (1 + happy) / (2 + total)
    if (max(abs(posterior - previous)) < tolerance) break
    previous <- posterior
    w1 <- (1 + happy) / (n_bins + sum(happy))
    w0 <- (1 + total - happy) / (n_bins + sum(total - happy))
    if (iterations > 1) {
      happy_group <- as.vector(rowsum(z, group))
      for (newton in 1:20) {
        share <- plogis(mu)
        step <- (weight * (mu - evaluation) + size * share - happy_group) /
          (weight + size * share * (1 - share))
        mu <- mu - step
        if (max(abs(step)) < 1e-6) break
      }
    }
    share <- plogis(mu)[group]
    z <- share * w1[bin] / ((1 - share) * w0[bin] + share * w1[bin])
  }
  list(posterior = posterior, iterations = iterations)
}

seconds <- system.time(answer <- fit(group, bin, evaluation, 10, tolerance))[["elapsed"]]
cat(seconds, answer$iterations, format(answer$posterior, digits = 15), "\n")
