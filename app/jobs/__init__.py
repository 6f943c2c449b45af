"""Background work: enqueued in the caller's transaction, run by the worker."""
