"""A guest who turns out to be somebody: all that they have, and what they wished, goes on."""

from app.accounts.values import Person
from app.lobby.people import take_over
from app.matches.away import reckon_anew
from app.matches.service import running_seats
from app.notifications.outbox import reroute, waiting_at_all
from app.notifications.wishes import take_up_wishes, wishes_kept
from app.web.visits import Visit


async def become(visit: Visit, *, guest: Person, person: Person) -> None:
    """Give `person` all that `guest` has, and forget the guest.

    Where they are away, they still are; what they were to be told is told.  Whoever wanted
    to hear nothing at an address is not written to there again because of it.  Raises as
    `app.lobby.people.take_over` does.
    """
    playing = {match_id for match_id, _ in await running_seats(visit.session, guest.id)}
    waiting = await waiting_at_all(visit.session, guest.id)
    kept = await wishes_kept(visit.session, guest.id)
    await take_over(visit.session, guest=guest, person=person)
    # Locked by now: had there been more of them, nothing would have been taken over.
    await reckon_anew(visit.session, playing, now=visit.now)
    await take_up_wishes(visit.session, person.id, kept, now=visit.now)
    await reroute(visit.session, person.id, waiting, now=visit.now)
