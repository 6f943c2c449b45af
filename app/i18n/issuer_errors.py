"""What went wrong with signing in at the issuer, as a sentence."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.i18n import gettext as _


def _name(details: Mapping[str, Any]) -> str:
    return str(details.get("issuer") or _("the other server"))


ISSUER_SENTENCES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "oidc.silent": lambda d: _(
        "%(issuer)s does not answer. Try again in a while, or sign in another way.",
        issuer=_name(d),
    ),
    "oidc.untrusted": lambda d: _(
        "The certificate of %(issuer)s is not trusted. The host of this server has to mend that.",
        issuer=_name(d),
    ),
    "oidc.garbled": lambda d: _(
        "%(issuer)s answered something that cannot be understood. The host of this server has to"
        " mend that.",
        issuer=_name(d),
    ),
    "oidc.client": lambda d: _(
        "%(issuer)s does not know this server, or knows another secret of it. The host has to mend"
        " that.",
        issuer=_name(d),
    ),
    "oidc.refused": lambda d: _("%(issuer)s did not let you through.", issuer=_name(d)),
    "oidc.stale": lambda _d: _(
        "This sign-in was begun in another browser, too long ago, or is over already. Begin anew."
    ),
    "oidc.mixed_up": lambda d: _(
        "This answer does not come from %(issuer)s. Begin anew.", issuer=_name(d)
    ),
    "oidc.code": lambda d: _(
        "%(issuer)s does not stand by its answer any more. Begin anew.", issuer=_name(d)
    ),
    "oidc.token": lambda d: _(
        "What %(issuer)s says of you does not prove who you are. Nothing was changed.",
        issuer=_name(d),
    ),
    "oidc.clock": lambda d: _(
        "The clocks of this server and of %(issuer)s differ too much. The host has to set them.",
        issuer=_name(d),
    ),
    "oidc.not_allowed": lambda d: _(
        "%(issuer)s knows you, and the host of this server has not let you in.", issuer=_name(d)
    ),
    "oidc.not_connected": lambda d: _(
        "%(issuer)s knows you, but as nobody here. You are still signed in; connect your account"
        " on its page.",
        issuer=_name(d),
    ),
    "oidc.elsewhere": lambda d: _(
        "Another account here is connected with this one of %(issuer)s.", issuer=_name(d)
    ),
    "oidc.another": lambda d: _(
        "Your account is connected with another one of %(issuer)s. Disconnect that first.",
        issuer=_name(d),
    ),
    "oidc.only_way": lambda _d: _("You could not sign in any more. Set a password first."),
}
