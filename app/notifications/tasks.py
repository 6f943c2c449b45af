"""Background work of notices and replies."""

from app.notifications.replies import tasks as replies

__all__ = ["replies"]
