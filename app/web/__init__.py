"""The pages: HTML over the services."""
