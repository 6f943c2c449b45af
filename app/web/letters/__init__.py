"""Letters in words: what the pages know how to say, for mail."""
