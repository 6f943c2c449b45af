"""What people are told of, when, and by which road."""
