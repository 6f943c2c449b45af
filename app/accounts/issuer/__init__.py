"""OpenID Connect: proving at another server who somebody is.  ADR 25."""
