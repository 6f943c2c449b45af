"""Would the issuer let anybody in?"""

import asyncio
from collections.abc import Iterator
from datetime import datetime

from app.accounts.issuer.documents import Issuer
from app.accounts.issuer.wire import GarbledError, SilentError
from app.config import Settings
from app.hosting.doctor.findings import Finding, fault, ok, warning

# Where the issuer sends people back to, behind PUBLIC_URL.
BACK = "/login/oidc/callback"


def look_at_issuer(settings: Settings, address: str | None, now: datetime) -> Iterator[Finding]:
    """Say whether the issuer answers, and as what; print what it has to be told."""
    issuer = Issuer.of(settings)
    if issuer is None:
        yield ok("oidc.none", "people sign in here and nowhere else")
        return
    try:
        asyncio.run(_try(issuer, now))
    except SilentError as error:
        why = "its certificate is not trusted" if error.untrusted else "it does not answer"
        fix = "look at OIDC_ISSUER; until then placa oidc disable lets people in by password"
        yield fault("oidc.silent", f"{issuer.address}: {why}", fix)
    except GarbledError as error:
        fix = "OIDC_ISSUER has to be what the issuer calls itself, to the last slash"
        yield fault("oidc.garbled", f"{issuer.address}: {error}", fix)
    else:
        yield ok("oidc.issuer", f"{issuer.address} describes itself and shows its keys")
    if address is None:
        said = "the issuer has to know one address to send people back to"
        yield warning("oidc.no_address", said, "set PUBLIC_URL to the address players type")
    else:
        yield ok("oidc.redirect", f"redirect URI to register there: {address.rstrip('/')}{BACK}")


async def _try(issuer: Issuer, now: datetime) -> None:
    await issuer.description(now)
    await issuer.key("", now)
