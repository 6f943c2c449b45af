"""Figures for a Prometheus: what this process answered, and how the whole server stands.

No label names a person, a match or an address.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

_STANDING: Final = text("""
    select
      (select count(*) from matches where status = 'running') as matches_running,
      (select count(*) from procrastinate_jobs
        where status = 'todo' and coalesce(scheduled_at, now()) <= now()) as jobs_due,
      (select coalesce(max(extract(epoch from now() - coalesce(j.scheduled_at, e.at))), 0)::float
        from procrastinate_jobs j
        join procrastinate_events e on e.job_id = j.id and e.type = 'deferred'
        where j.status = 'todo' and coalesce(j.scheduled_at, now()) <= now()) as job_age_seconds,
      (select count(*) from procrastinate_jobs where status = 'failed') as jobs_failed,
      (select extract(epoch from now() - max(last_heartbeat))::float
        from procrastinate_workers) as worker_silent_seconds
""")
_MEANINGS: Final = {
    "matches_running": "Matches that are not over.",
    "jobs_due": "Background jobs that could run now.",
    "job_age_seconds": "For how long the oldest job that could run has waited.",
    "jobs_failed": "Background jobs that were given up.",
    "worker_silent_seconds": "Since when no worker has shown itself; absent without any.",
    "pool_connections": "Database connections of this process in use.",
    "database_up": "Whether the database answered this scrape.",
}
# Most answers take a few milliseconds, and what takes seconds is worth a look.
_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The figures of one web process."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._registry = CollectorRegistry()
        self._answers = Counter(
            "placa_answers", "Answers by class of status.", ["status"], registry=self._registry
        )
        self._seconds = Histogram(
            "placa_answer_seconds",
            "How long answers took.",
            buckets=_BUCKETS,
            registry=self._registry,
        )

    def answered(self, status: int, seconds: float) -> None:
        """Count an answer."""
        self._answers.labels(f"{status // 100}xx").inc()
        self._seconds.observe(seconds)

    async def page(self) -> bytes:
        """Return everything in Prometheus's text form; a database that is away is a figure too."""
        standing = await self._standing()
        once = CollectorRegistry()
        once.register(_Gauges(standing))
        return bytes(generate_latest(self._registry) + generate_latest(once))

    async def _standing(self) -> dict[str, float]:
        pool: Any = self._engine.pool
        figures: dict[str, float] = {"pool_connections": float(pool.checkedout())}
        try:
            async with self._engine.connect() as connection:
                row = (await connection.execute(_STANDING)).one()
        except Exception:  # noqa: BLE001 - whatever keeps it from answering, it is not up
            return {**figures, "database_up": 0.0}
        found = {name: value for name, value in row._mapping.items() if value is not None}  # noqa: SLF001 - SQLAlchemy's public name
        return {**figures, "database_up": 1.0, **{name: float(v) for name, v in found.items()}}


class _Gauges(Collector):
    """Figures read just now."""

    def __init__(self, values: dict[str, float]) -> None:
        self._values = values

    def collect(self) -> Iterable[Metric]:
        return self._families()

    def _families(self) -> Iterator[Metric]:
        for name, value in self._values.items():
            yield GaugeMetricFamily(f"placa_{name}", _MEANINGS[name], value=value)
