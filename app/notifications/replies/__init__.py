"""Playing by mail: signed addresses, the roads mails come in by, and what is answered."""
