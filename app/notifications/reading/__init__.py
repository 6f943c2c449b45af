"""Reading what people answer: bytes of a mail to what it says.  Pure: no I/O, no clock."""
