"""Tables of notices and of mails that came in.  Private to `app.notifications`."""

from app.notifications.replies import models as replies

__all__ = ["replies"]
