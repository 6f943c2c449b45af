"""The database: engine, sessions, migrations, and the embedded server."""
