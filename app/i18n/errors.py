"""What went wrong, as a sentence: the codes of `app.errors` in the language being spoken."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.i18n import gettext as _
from app.i18n import ngettext
from app.i18n.issuer_errors import ISSUER_SENTENCES


def _bad_clock_value(details: Mapping[str, Any]) -> str:
    if "least" in details:
        return _(
            "%(key)s: a number from %(least)s to %(most)s, please.",
            key=details["key"],
            least=details["least"],
            most=details["most"],
        )
    return _("A clock cannot be set like this: %(key)s.", key=details["key"])


_SENTENCES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    # Any surface
    "bad_request": lambda _d: _("This request cannot be understood."),
    "not_found": lambda _d: _("There is nothing here, or it is not for you to see."),
    "sign_in_required": lambda _d: _("Sign in first, or take a seat at a table."),
    "forbidden": lambda _d: _("You may not do this."),
    "conflict": lambda _d: _("Somebody else was faster. Look again."),
    "invalid": lambda _d: _("Something in the form is not as it should be."),
    "invalid_field": lambda d: _(
        "The field “%(field)s” is not as it should be.", field=d.get("field", "?")
    ),
    "too_many_requests": lambda _d: _("That was too often. Wait a little."),
    "unavailable": lambda _d: _("The server is busy or restarting. Nothing was changed."),
    "method_not_allowed": lambda _d: _("This address does not work that way."),
    "too_large": lambda _d: _("That is more than this server accepts at once."),
    "internal": lambda _d: _("That is our mistake. Nothing was changed."),
    "csrf": lambda _d: _(
        "Your browser did not say that this came from one of our pages. Go back, reload the page"
        " and try again. If you run this server: open it at the address in PUBLIC_URL."
    ),
    "csrf.other_address": lambda d: _(
        "You are at %(origin)s, and this server knows itself as %(ours)s. Open it there."
        " If you run it: set PUBLIC_URL to the address that players type.",
        origin=d["origin"],
        ours=d["ours"],
    ),
    "csrf.proxy_proto": lambda d: _(
        "You are at %(origin)s, and this server was told %(ours)s. If you run it: the proxy has to"
        " send X-Forwarded-Proto, and its address has to be in TRUSTED_PROXIES; or set PUBLIC_URL.",
        origin=d["origin"],
        ours=d["ours"],
    ),
    "csrf.proxy_host": lambda d: _(
        "You are at %(origin)s, and this server was told %(ours)s. If you run it: the proxy has to"
        " pass on the header Host, or set PUBLIC_URL.",
        origin=d["origin"],
        ours=d["ours"],
    ),
    "registration.closed": lambda _d: _("Nobody can make an account here. Play as a guest."),
    "registration.invite": lambda _d: _(
        "Only whom somebody with an account has invited can make one here. Follow an invitation"
        " first, or ask the host of this server."
    ),
    **ISSUER_SENTENCES,
    "idempotency_key_reused": lambda _d: _("This form was sent before, with other values."),
    # Names and passwords
    "name.empty": lambda _d: _("A name needs at least one letter or digit."),
    "name.too_long": lambda d: ngettext(
        "A name has at most %(n)s character.", "A name has at most %(n)s characters.", d["max"]
    ),
    "name.not_allowed": lambda _d: _("This name has too many marks on one letter."),
    "password.too_short": lambda d: ngettext(
        "A password has at least %(n)s character.",
        "A password has at least %(n)s characters.",
        d["min"],
    ),
    "password.too_long": lambda _d: _("This password is too long."),
    "password.too_common": lambda _d: _("Everybody tries this password first. Choose another."),
    "account.sign_in_anew": lambda _d: _(
        "You have no password. Sign in anew, and do this within ten minutes."
    ),
    "local_sign_in.off": lambda d: _(
        "Here one signs in with %(issuer)s only.", issuer=d.get("issuer", "")
    ),
    "account.wrong_password": lambda _d: _("Name or password is wrong."),
    "account.name_taken": lambda _d: _("Somebody has this name, or one that looks like it."),
    "account.already": lambda _d: _("You have an account already."),
    "account.unknown": lambda d: _("There is no account called %(name)s.", name=d.get("name", "")),
    "notices.no_mail": lambda _d: _("This host sends no mail."),
    "notices.bad_time": lambda _d: _("A time is written like 20:30."),
    "notices.bad_delay": lambda d: _(
        "From %(least)s to %(most)s minutes.", least=d["least"], most=d["most"]
    ),
    "notices.bad_zone": lambda _d: _("There is no such time zone."),
    "notices.half_quiet": lambda _d: _("Quiet hours have a beginning and an end."),
    # Other channels than mail: what is wrong with one, and what became of what was sent there
    "channel.too_many": lambda d: ngettext(
        "You have %(n)s channel already.", "You have %(n)s channels already.", d["most"]
    ),
    "channel.too_many_browsers": lambda d: ngettext(
        "You are told in %(n)s browser already.",
        "You are told in %(n)s browsers already; forget one that you do not use.",
        d["most"],
    ),
    "channel.off": lambda _d: _("This host has switched off channels of this kind."),
    "channel.not_discord": lambda _d: _(
        "This is no webhook of Discord. It is like https://discord.com/api/webhooks/…/…"
    ),
    "channel.not_ntfy": lambda _d: _(
        "This is no topic of ntfy. It is like https://ntfy.sh/my-topic"
    ),
    "channel.not_matrix": lambda _d: _(
        "This is no room of Matrix. It takes the address of the server, the room’s internal id,"
        " which begins with !, and an access token."
    ),
    "channel.not_telegram": lambda _d: _(
        "This is no bot of Telegram. It takes the token of a bot and the number of a chat."
    ),
    "channel.not_webhook": lambda _d: _(
        "This address cannot be used. It is like https://example.org/hook"
    ),
    "channel.not_push": lambda _d: _(
        "This is no subscription of a browser. Load the page again, and press the button once more."
    ),
    "channel.host": lambda _d: _(
        "This server sends nothing to that host. Whoever runs it can allow it."
    ),
    "channel.inside": lambda _d: _(
        "That name leads into a private network, where this server sends nothing. Whoever runs it"
        " can allow it."
    ),
    "channel.port": lambda _d: _("This server sends nothing to that port."),
    "channel.scheme": lambda _d: _("The address has to begin with https://"),
    "channel.key": lambda _d: _(
        "What was kept of it can be read no more: the key of this server is another one."
        " Add it anew."
    ),
    "channel.taken": lambda d: _("taken (%(status)s)", status=d.get("status", "")),
    "channel.refused": lambda d: _(
        "It was refused (%(status)s): it is gone, or the token is wrong.",
        status=d.get("status", ""),
    ),
    "channel.gone": lambda d: _(
        "%(name)s takes notices no more, and was forgotten.", name=d.get("status", "")
    ),
    "channel.too_large": lambda d: _(
        "It was too long for this browser (%(status)s).", status=d.get("status", "")
    ),
    "channel.moved": lambda d: _(
        "It leads somewhere else (%(status)s), which is not followed.", status=d.get("status", "")
    ),
    "channel.busy": lambda d: _("Not now (%(status)s).", status=d.get("status", "")),
    "channel.silent": lambda _d: _("No answer came in time."),
    "channel.unreached": lambda _d: _("It could not be reached."),
    "channel.untrusted": lambda _d: _("Its certificate is not to be trusted."),
    "channel.garbled": lambda _d: _("What answered is no web server."),
    "address.invalid": lambda _d: _("This is no mail address."),
    "account.guest": lambda _d: _("Make an account first."),
    "admin.one_occupant": lambda _d: _("Name either an account or a bot."),
    "admin.sign_in_again": lambda _d: _("Sign in again to look after the server."),
    "link.dead": lambda _d: _("This link was used already, or it is too old."),
    "token.too_many": lambda d: ngettext(
        "You have %(n)s token already; revoke it first.",
        "You have %(n)s tokens already; revoke one first.",
        d["max"],
    ),
    # Tables
    "table.unknown_game": lambda _d: _("This game is not played here."),
    "table.wrong_seats": lambda d: _(
        "This game is for %(fewest)s to %(most)s.", fewest=d["fewest"], most=d["most"]
    ),
    "table.bad_option": lambda _d: _("This game has no such option."),
    "table.bad_key": lambda _d: _("The form is damaged. Load the page again."),
    "table.too_many": lambda d: ngettext(
        "You sit at %(n)s table that has not started. Start, leave or close it first.",
        "You sit at %(n)s tables that have not started. Start, leave or close one first.",
        d["max"],
    ),
    "table.exists": lambda _d: _("This table was made already."),
    "table.no_such_code": lambda _d: _(
        "No table waits under this code. Codes end when the match starts."
    ),
    "table.full": lambda _d: _("All seats are taken."),
    "table.seat_taken": lambda _d: _("Somebody else was faster: this seat is taken."),
    "table.already_seated": lambda _d: _("You sit at this table already."),
    "table.name_taken": lambda _d: _(
        "Somebody at this table has this name, or one that looks like it. Choose another."
    ),
    "table.kit_taken": lambda _d: _("Somebody else wears this shirt."),
    "table.unknown_kit": lambda _d: _("There is no such shirt."),
    "table.unknown_policy": lambda _d: _("There is no such bot."),
    "table.not_gathering": lambda _d: _("The match has started, or the table was closed."),
    "table.closed": lambda _d: _("This table was closed."),
    "table.removed": lambda _d: _("The host has sent you away from this table."),
    "table.not_host": lambda _d: _("Only the host of the table may do this."),
    "table.not_your_seat": lambda _d: _("This is not your seat."),
    "table.order_shuffled": lambda _d: _("The seats are shuffled at the start."),
    "table.seats_empty": lambda _d: _("Some seats are still empty."),
    "table.seats_unconfirmed": lambda _d: _("Somebody has not taken the seat kept for them yet."),
    "table.not_started": lambda _d: _("The match has not started yet."),
    "table.match_running": lambda _d: _("The match is not over yet."),
    "table.rematch_exists": lambda _d: _("A rematch was made already."),
    # Talk
    "talk.empty": lambda _d: _("Say something first."),
    "talk.too_long": lambda d: ngettext(
        "At most %(n)s character at a time.", "At most %(n)s characters at a time.", d["max"]
    ),
    "talk.too_many": lambda _d: _("Not so fast: ten lines a minute."),
    "talk.bad_key": lambda _d: _("The form is damaged. Load the page again."),
    "talk.crossed": lambda _d: _("Somebody spoke at the same moment. Say it again."),
    # Matches
    "stale_match": lambda _d: _("The match has moved on. Your draft is still here: look again."),
    "match.too_many": lambda d: ngettext(
        "You play %(n)s match already. Finish or leave it first.",
        "You play %(n)s matches already. Finish or leave one first.",
        d["max"],
    ),
    "match.not_found": lambda _d: _("There is no such match, or it is not for you to see."),
    "match.no_such_version": lambda _d: _("The match has no such moment."),
    "match.finished": lambda _d: _("The match is over."),
    "match.not_asked": lambda _d: _("It is not your turn."),
    "match.seat_is_bot": lambda _d: _("A bot sits here."),
    "match.same_kit": lambda _d: _("Two seats wear the same shirt."),
    "match.unknown_game": lambda _d: _("This game is not played here."),
    "match.running": lambda _d: _("The match is not over yet: its secrets stay here."),
    "match.exists": lambda _d: _("This match is here already."),
    "match.unsound": lambda d: _(
        "The file does not prove what it says: %(problem)s.", problem=d["problem"]
    ),
    "match.wrong_seat_count": lambda d: _(
        "This game is for %(fewest)s to %(most)s.", fewest=d["fewest"], most=d["most"]
    ),
    # Clocks
    "clock.none": lambda _d: _("This match has no clock."),
    "clock.unknown_term": lambda d: _("A clock has no such setting: %(key)s.", key=d["key"]),
    "clock.bad_value": _bad_clock_value,
    "clock.missing": lambda d: _("This clock needs one thing more: %(key)s.", key=d["key"]),
    "clock.not_of_kind": lambda d: _(
        "The setting %(key)s belongs to another kind of clock.", key=d["key"]
    ),
    "clock.night_too_long": lambda d: ngettext(
        "A night off lasts at most %(n)s hour.",
        "A night off lasts at most %(n)s hours.",
        d["hours"],
    ),
    "clock.daily_at_night": lambda _d: _(
        "The hour by which one has to move lies in the night off. Choose another hour, or no night."
    ),
    "pause.paused": lambda _d: _("The clocks stand still already."),
    "pause.not_paused": lambda _d: _("The clocks are running."),
    "pause.needs_end": lambda _d: _("A pause needs a last day, from today on."),
    "pause.too_long": lambda d: ngettext(
        "A pause lasts at most %(n)s day.", "A pause lasts at most %(n)s days.", d["max"]
    ),
    "void.nobody_late": lambda _d: _("Nobody’s time has run out."),
    "undo.nothing": lambda _d: _("You have not finished a turn that could be taken back."),
    "undo.past_draw": lambda _d: _(
        "Something has been drawn since. What was seen cannot be unseen, so this turn stays."
    ),
    "undo.past_reveal": lambda _d: _(
        "Secret answers have been revealed since. What was seen cannot be unseen,"
        " so this turn stays."
    ),
    "proposal.none": lambda _d: _("Nobody asks for this any more."),
    "proposal.changed": lambda _d: _("Things have changed since this was asked. Look again."),
    "absence.backwards": lambda _d: _("The last day lies before the first."),
    "absence.past": lambda _d: _("An absence begins today at the earliest."),
    "absence.too_long": lambda d: ngettext(
        "An absence lasts at most %(n)s day.", "An absence lasts at most %(n)s days.", d["max"]
    ),
    "absence.too_far": lambda _d: _("That is too far ahead."),
    "absence.too_many": lambda d: ngettext(
        "You have noted %(n)s absence already.", "You have noted %(n)s absences already.", d["max"]
    ),
    "command.bad_key": lambda _d: _("The form is damaged. Load the page again."),
    # Answers by mail
    "reply.stale": lambda _d: _(
        "The match has moved on since the mail you answer. This is how it stands now."
    ),
    "reply.answered": lambda _d: _(
        "You have answered this already. On the page of the match you can still change it."
    ),
    "reply.expired": lambda _d: _("The mail you answer is too old. Answer a newer one."),
    "reply.empty": lambda _d: _(
        "Your mail says nothing that could be played. Write a number or moves at its top."
    ),
    "reply.unclear": lambda d: _(
        "I am not sure what you mean by “%(line)s”. Write a number alone, or moves, a line each.",
        line=d.get("line", ""),
    ),
    "reply.other_sender": lambda _d: _(
        "Somebody answered your mail from an address that is not yours. If it was you, answer from"
        " the address that this mail comes to."
    ),
    "reply.no_such_choice": lambda d: _(
        "There is no choice %(number)s.", number=d.get("number", "?")
    ),
    "reply.another_choice": lambda d: _(
        "Choice %(number)s is “%(line)s”, and your mail says otherwise.",
        number=d.get("number", "?"),
        line=d.get("line", ""),
    ),
    "draft.changed": lambda _d: _("Your draft has changed, perhaps on another device. Look again."),
    "draft.empty": lambda _d: _("There is nothing to finish yet."),
    "draft.no_such_move": lambda _d: _("Your draft has no such step."),
    "draft.too_long": lambda _d: _("Your draft is too long."),
    "draft.would_draw": lambda _d: _("This cannot be undone, so it cannot be drafted."),
    "draft.would_end": lambda _d: _("This ends the turn: finish it instead."),
    "answer.one_move": lambda _d: _("One answer, please."),
}


def known_codes() -> frozenset[str]:
    """Return the codes that have a sentence of their own."""
    return frozenset(_SENTENCES)


def explain(code: str, details: Mapping[str, Any]) -> str:
    """Return the sentence for an error's code; one without its own is told in general."""
    return _SENTENCES.get(code, _SENTENCES["bad_request"])(details)
