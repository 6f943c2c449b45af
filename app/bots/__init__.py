"""Players made of code: they see what their seat sees, and play by the same service."""
