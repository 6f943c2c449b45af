"""`python -m tests.soak`: the long proof, its parts, its ledger and its report."""
