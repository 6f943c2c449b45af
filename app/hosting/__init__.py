"""What a host does beside playing: rescue matches, back up, look after the server."""
