"""Is any worker alive?"""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.jobs.worker import STALLED_SECONDS

_QUERY = text(
    "select coalesce(max(last_heartbeat) > now() - make_interval(secs => :seconds), false)"
    " from procrastinate_workers"
)


async def worker_is_alive(connection: AsyncConnection) -> bool:
    """Tell whether a worker has shown itself lately."""
    return bool((await connection.execute(_QUERY, {"seconds": STALLED_SECONDS})).scalar_one())
