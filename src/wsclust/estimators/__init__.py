"""The paper's estimators: pure functions from grouped counts to a frozen fit."""
